"""Study Q: one frequency as a quadrature scheme, its error swept exactly, bounds, other activations, networks with two
embeddings.

Imports core.
"""
