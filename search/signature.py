"""One number that tells whether rules, planner and search still do exactly what they did.

Everything in it is an integer or a token: counts of playouts, decisions, visits. It is the same on every
machine that computes floats as IEEE 754 says, and changes with nearly every functional change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from serai.core.games import NAMES
from serai.core.network_file import shipped_network
from serai.search.benchmark import positions, tables
from serai.search.ismcts import Search
from serai.search.params import SearchParams
from serai.search.perft import perft, playouts
from serai.search.planner import Planner, greedy
from serai.search.report import Limits, Report

if TYPE_CHECKING:
    from serai.core.game import Position
    from serai.core.network import Network

NODES: Final = 1000  # of a search in each position
DEEP: Final = 6000  # of one whose tree is large enough for the planner's advice below the root
VARIANTS: Final = (
    SearchParams(planner_prior=0),
    SearchParams(priors=False, planner_prior=0),
    SearchParams(rollout="random", priors=False, planner_prior=0),
    SearchParams(paranoid=True),
)


def signature() -> int:
    """The number, 64 bits."""
    return digest(f"{name} {number}" for name, number in parts().items())


def parts() -> dict[str, int]:
    """A number for each part, so that one sees where a change is."""
    return {f"{game}: {name}": number for game in NAMES for name, number in _parts_of(game).items()}


def _parts_of(game: str) -> dict[str, int]:
    every = [position for table in tables(game) for position in positions(table)]
    some = every[1::4]
    found = {
        "rules": digest(line for p in every for line in _rules(p)),
        "planner": digest(line for p in every for line in _planner(p)),
        "search": digest(map(_search, every)),
        "variants of the search": digest(_search(p, v) for v in VARIANTS for p in some),
        "kept tree": digest(line for p in some for line in _kept_tree(p)),
    }
    network = shipped_network(game)
    if network is not None:
        found["search with the network"] = digest(_search(p, network=network) for p in every)
    return found


def digest(lines: Iterable[str]) -> int:
    """64 bits of a hash."""
    hashed = blake2b(digest_size=8)
    for line in lines:
        hashed.update(f"{line}\n".encode())
    return int.from_bytes(hashed.digest(), "big")


def _rules(position: Position) -> Iterator[str]:
    seat = position.to_act
    yield " ".join(position.legal_tokens())
    yield f"{perft(position, 2)} {playouts(position, 20, 1)} {position.scores()} {position.ranks()}"
    yield f"{position.observe(seat)} {position.determinize(seat, 7).hash} {position.view(seat).hash}"


def _planner(position: Position) -> Iterator[str]:
    yield " ".join(Planner().plan(position, 3, use_book=False).lines[0].pv)
    yield " ".join(Planner(width=20, depth=6).plan(position, 4).lines[0].pv)
    yield greedy(position, 5)


def _search(position: Position, params: SearchParams | None = None, network: Network | None = None) -> str:
    search = Search(hash_mb=4, seed=11, params=params, network=network)
    view = position.view(position.to_act)
    return _counts(search.run(view, Limits(nodes=NODES), multipv=1000 if params else 1))


def _kept_tree(position: Position) -> Iterator[str]:
    """A long search, and a short one on what the first leaves for the next decision of the same seat."""
    search = Search(hash_mb=4, seed=12)
    report = search.run(position, Limits(nodes=DEEP))
    yield _counts(report)
    following = position.apply(report.best)
    if not following.is_over:
        yield _counts(search.run(following, Limits(nodes=NODES), memory="none"))


def _counts(report: Report) -> str:
    lines = [(line.token, line.visits, line.pv) for line in report.lines]
    return f"{report.best} {report.nodes} {report.depth} {report.seldepth} {lines}"
