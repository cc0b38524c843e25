"""Decisions over the core's one interface. Knows no game."""

from serai.search.ismcts import Search
from serai.search.params import SearchParams
from serai.search.perft import perft, playouts
from serai.search.planner import Planner, greedy, has_planner
from serai.search.report import Limits, Line, Report

__all__ = [
    "Limits",
    "Line",
    "Planner",
    "Report",
    "Search",
    "SearchParams",
    "greedy",
    "has_planner",
    "perft",
    "playouts",
]
