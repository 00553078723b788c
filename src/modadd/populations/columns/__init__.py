"""What is measured of a network: a module for each kind, so that a job depends on its own.

COLUMNS are measured of every network; COSTLY, of kinds that have them, of the first ones of a dataset.
"""
