"""What the reader sees: figures, sentences, executed notebooks, pages, the manual, the explorer.

Imports core, networks, quadrature and run.
"""
