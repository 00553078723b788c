"""Proven margins: float rounding, exact logits from the flips of neurons, short proofs, the explained network and the noise
around it, balls of networks, theorems for Coq."""
