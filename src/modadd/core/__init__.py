"""Residues on a circle and the one equation: the separable form, Fourier on Z_n, neurons at their frequency,
operations as tables, statistics; and what decides the bits."""
