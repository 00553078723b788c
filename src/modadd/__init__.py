"""Mechanistic interpretability of modular addition: one equation, in packages whose imports go one way."""
