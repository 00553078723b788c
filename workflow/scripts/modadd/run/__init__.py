"""A run of the workflow: its config, read strictly, its costs, the project's own files and machine.

Imports core, networks and training.
"""
