"""Concordia, base game, both maps, 2–5 seats. Tokens, rulings and certainty: README.md in this folder."""

from serai.core.facts import Facts

FACTS = Facts(fewest=2, most=5, hidden=True, chance=True, longest=1200)
