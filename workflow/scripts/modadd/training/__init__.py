"""Training: matrix products, fused loops, the kernel of the separable form, the state of a run, the resumable loop for
one seed or many; and small networks in which frequencies compete."""
