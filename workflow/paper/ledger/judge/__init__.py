"""Verdicts: every claim compared with what was built and kept."""
