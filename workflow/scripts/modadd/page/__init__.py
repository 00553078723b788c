"""What the reader sees: figures, sentences, executed notebooks, pages, the manual, the explorer, the tutorial.

Imports core, networks, quadrature, crt, handmade, ledger and run.
"""
