"""Every constant of the search, with unit, range and origin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchParams:
    """Constants of the search; the defaults are what plays best at about half a second a turn."""

    exploration: float = 0.3  # PUCT c, in win shares; 0.05-3. search.md: 0.3 -> 76 %, 1.0 -> 54 % against UCB
    first_play: float = 0.1  # an unvisited move is worth its parent less this, in win shares; 0-1. search.md
    prior_temperature: float = 0.05  # of the one-ply values, in win shares; 0.005-1. search.md
    planner_prior: float = 0.9  # share of the prior that is the planner's move; 0-1. bench/README.md
    planner_trust: float = 0.04  # win shares a move must be better by to replace it; 0-1. bench/README.md
    # Visits at which a node below the root gets that advice too; 0 = never. Nodes where a network has
    # preferences get none: they say nearly the same, and a plan costs as much as a thousand iterations.
    planner_visits: int = 1000
    planner_width: int = 100  # states a level of that planner; 10-1000. search.md: 20 -> 41 %, 300 -> 52 %
    planner_depth: int = 10  # own turns; search.md: fewer than 8 lose
    network_share: float = 0.7  # of a leaf's value that is the network's, if there is one; 0-1. search.md
    network_prior: float = 1.0  # of the priors that is the network's preference, if it has any; 0-1
    network_trust: float = 0.005  # planner_trust's place where a network judges; 0-1. bench/README.md
    paranoid: bool = False  # others minimise the root seat's share instead of maximising their own
    use_book: bool = True  # opening advice of the game's knowledge
    rollout: str = "evaluate"  # what a leaf is worth: "evaluate", or "random" playouts (a yardstick)
    priors: bool = True  # one-ply evaluation of the children; without it all moves start equal

    def __post_init__(self) -> None:
        """Refuse what the search can't work with; raises ValueError naming field and range."""
        for name, (lowest, highest) in RANGES.items():
            value = getattr(self, name)
            if not lowest <= value <= highest:
                raise ValueError(f"SearchParams: {name} must be {lowest} to {highest}, not {value}")
        if self.rollout not in ("evaluate", "random"):
            raise ValueError(f"SearchParams: rollout must be evaluate or random, not {self.rollout!r}")


RANGES = {
    "exploration": (0.0, 10.0),
    "first_play": (0.0, 1.0),
    "prior_temperature": (0.001, 10.0),
    "network_share": (0.0, 1.0),
    "network_prior": (0.0, 1.0),
    "planner_prior": (0.0, 1.0),
    "planner_trust": (0.0, 1.0),
    "network_trust": (0.0, 1.0),
    "planner_visits": (0, 1_000_000_000),
    "planner_width": (1, 10_000),
    "planner_depth": (1, 32),
}
