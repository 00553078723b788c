"""Proven margins: float rounding, the explained network of a few cosines and the noise around it, certificates.

Imports core and networks.
"""
