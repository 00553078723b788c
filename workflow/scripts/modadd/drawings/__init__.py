"""Drawings of one notebook each, in a module of its name.

Imports page and the packages of the science.
"""
