"""What users call: `python -m paper COMMAND`, or by make. Each module has `add_arguments` of a parser and `run` with what it read."""
