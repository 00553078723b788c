"""Networks written down by hand, Gromov's closed form, and the search for the smallest.

Imports core.
"""
