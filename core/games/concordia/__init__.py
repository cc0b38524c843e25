"""Concordia, base game, both maps, 2–5 seats. Tokens, rulings and certainty: README.md in this folder."""
