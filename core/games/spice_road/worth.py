"""What is known of Spice Road in numbers: the worth of cards, evaluation weights. Never for rules."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from serai.core.games.spice_road.components import Card
from serai.core.weights import Weights, read_weights

# Points gained in 22 turns by owners of a card, measured by the winner of CodinGame's Fall Challenge 2020 in
# 500,000 games of self-play with these cards (github.com/pb4git/Fall-Challenge-2020, README). That game has
# no up3: its value is put at the mean, where our own owners' win rates place it.
POINTS = {
    "yy>rr": 11.2, "yyy>rrr": 11.0, "rr>gg": 9.7, "+yyyy": 10.0, "b>gg": 10.1, "rrr>ggg": 9.4, "yyg>bb": 11.9,
    "g>yrr": 7.8, "gg>bb": 9.7, "ggg>bbb": 9.2, "bb>yrggg": 8.0, "rrr>ygb": 7.8, "b>rrr": 7.6, "b>yrg": 7.1,
    "g>yyyyr": 7.4, "bb>rrrgg": 7.4, "rr>yyb": 8.0, "+rr": 8.3, "+yg": 8.4, "up3": 7.9, "+yyr": 8.3,
    "rrr>bb": 7.9, "yyyy>gb": 8.1, "r>yyy": 6.2, "yyyyy>ggg": 7.7, "+yyy": 7.4, "gg>rrb": 7.5, "b>yyyg": 6.5,
    "gg>yyrb": 6.0, "g>rr": 6.4, "rr>yyyg": 6.4, "+b": 8.3, "yr>b": 7.3, "yyyyy>bb": 6.9, "rrr>yygg": 5.8,
    "b>yyrr": 5.7, "yyy>rg": 7.0, "yyyy>gg": 6.1, "+g": 5.9, "gg>yyrrr": 5.1, "yy>g": 6.4, "+yr": 5.8,
    "yyy>b": 5.8,
}  # fmt: skip


def worth_of(card: Card) -> float:
    """The measured worth, or for a card of somebody's own making a guess from the value it gains per use."""
    if card.name in POINTS:
        return POINTS[card.name]
    if card.kind == "upgrade":
        return 2.6 * card.upgrades
    gains = zip((1, 2, 3, 4), card.get, card.give, strict=True)
    gain = sum(value * (get - give) for value, get, give in gains)
    return max(0.0, 3.0 + 1.5 * gain)


@lru_cache(maxsize=1)
def load_weights() -> dict[int, Weights]:
    """The fitted weights by number of seats; the stage is the most claims of a seat."""
    return read_weights(Path(__file__).with_name("evaluation.toml"))
