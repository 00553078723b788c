"""Residues on a circle and the one equation: the separable form, Fourier on Z_n, neurons at their frequency,
operations as tables, representations of small groups, statistics; and what decides the bits.

Imports no other package.
"""
