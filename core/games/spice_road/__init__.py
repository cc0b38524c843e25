"""Century: Spice Road, base game, 2–5 seats. Tokens, rulings and certainty: README.md in this folder."""
