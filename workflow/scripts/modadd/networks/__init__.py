"""Networks as data: published recipes, architectures and their separable form, exact initial draws and splits, files on
disk, published weights.

Imports core.
"""
