"""Study M: the two-dimensional Fourier basis, key frequencies and fractions of variance of the readout."""
