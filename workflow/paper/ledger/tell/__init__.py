"""Verdicts in words, and what two builds have otherwise."""
