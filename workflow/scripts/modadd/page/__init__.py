"""What the reader sees: figures, sentences, executed notebooks, pages, the explorer.

Imports core, networks, quadrature, ledger and planning.
"""
