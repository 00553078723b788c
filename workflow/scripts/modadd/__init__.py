"""Mechanistic interpretability of modular addition: one equation, in rooms that import only from those above them (README)."""
