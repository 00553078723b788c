"""Study Q: one frequency as a quadrature scheme, its error swept exactly, bounds, evenness of the angles, the formula of
the logits, other activations, networks with two embeddings."""
