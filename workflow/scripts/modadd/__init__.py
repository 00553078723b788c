"""Mechanistic interpretability of modular addition: one equation, small modules (map in the README)."""
