"""Mechanistic interpretability of modular addition: one equation, in rooms whose imports go one way."""
