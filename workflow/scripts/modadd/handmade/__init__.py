"""Networks written down by hand, and the search for the smallest.

Imports core.
"""
