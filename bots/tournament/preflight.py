"""Before the first game: can everything be started, does it play the game, is there room for it all?"""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path
from typing import Final

from serai.bots.tournament.plan import Entrant, Plan
from serai.bots.tournament.player import Player, fault_of
from serai.core.errors import SetupError
from serai.protocol.client import Engine, EngineError

AT_ONCE: Final = 4  # engines that are started together
PIPES: Final = 6  # file descriptors of a process with three pipes, on our side, and some to spare
OWN_FILES: Final = 64  # file descriptors of everything else


async def inspect(plan: Plan) -> list[dict[str, str]]:
    """Start each engine once: name, id, command and SHA-256 of each; SetupError if one can't play."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def look(entrant: Entrant) -> dict[str, str]:
        async with gate:
            return await _inspect(entrant, plan)

    referees = [("(referee)", plan.referee), ("(audit)", plan.audit)]
    everybody = [Entrant(name, engine) for name, engine in referees if engine is not None]
    looks = map(look, (*plan.entrants, *everybody))
    found = await asyncio.gather(*looks, return_exceptions=True)  # asyncio can't break off a process's start
    return [_or_raise(engine) for engine in found]


def _or_raise(found: dict[str, str] | BaseException) -> dict[str, str]:
    if isinstance(found, BaseException):
        raise found
    return found


async def _inspect(entrant: Entrant, plan: Plan) -> dict[str, str]:
    player = Player(entrant, plan)
    try:
        engine = await player.engine()
        _check_game(entrant.name, engine, plan)
        path = Path(engine.command[0])
        command = " ".join(engine.command)
        said = engine.id.get("name", "")
        return {"name": entrant.name, "id": said, "command": command, "sha256": _digest(path)}
    except EngineError as error:
        said = getattr(error, "stderr_tail", "").strip()
        words = f"\nit said on stderr:\n{said[-500:]}" if said else ""
        raise SetupError(f"{entrant.name} ({entrant.engine}): {fault_of(error)[1]}{words}") from None
    finally:
        await player.close()


def _check_game(name: str, engine: Engine, plan: Plan) -> None:
    """Raise SetupError if an engine says that it doesn't play this; one that names no games may."""
    game, seats = plan.game.partition(";")[0], plan.seats
    line = engine.games.get(game)
    if engine.games and line is None:
        raise SetupError(f"{name} doesn't play {game}; it plays: {' '.join(engine.games)}")
    if line is not None and not line.fewest <= seats <= line.most:
        raise SetupError(f"{name} plays {game} with {line.fewest} to {line.most} seats, not with {seats}")


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def default_jobs(plan: Plan) -> int:
    """Games at a time that suit the cores: one seat thinks at a time, one that ponders does besides."""
    return max(1, (os.cpu_count() or 1) // busy_cores(plan))


def busy_cores(plan: Plan) -> int:
    """Cores that a game keeps busy at most."""
    threads = [entrant.threads for entrant in plan.entrants]
    return max(threads) + max((entrant.threads for entrant in plan.pondering), default=0)


def load_warning(plan: Plan, jobs: int) -> str | None:
    """A sentence if there are more threads than cores; engines would be late for no fault of theirs."""
    cores, wanted = os.cpu_count() or 1, jobs * busy_cores(plan)
    if wanted <= cores:
        return None
    return f"{jobs} games at a time keep up to {wanted} threads busy on {cores} cores; engines will be late"


def ponder_warning(plan: Plan) -> str | None:
    """A sentence if somebody is to ponder at a table where nobody does."""
    names = [entrant.name for entrant in plan.entrants if entrant.ponders]
    if plan.pondering or not names:
        return None
    return f"pondering is for two seats; at {plan.seats} nobody ponders, {names[0]} neither"


def core_sets(jobs: int) -> list[tuple[int, ...]]:
    """The cores that this process may use, dealt to the jobs; none where that can't be said."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    cores = sorted(os.sched_getaffinity(0))
    return [tuple(cores[job % len(cores) :: jobs]) for job in range(jobs)]


def make_room(plan: Plan, jobs: int) -> None:
    """Raise the limit on open files if that is needed; SetupError if it can't be raised so far."""
    try:
        import resource
    except ImportError:  # not a POSIX system: there is no such limit
        return
    wanted = OWN_FILES + jobs * (2 * plan.seats + 2) * PIPES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise SetupError(
            f"{jobs} games at a time need {wanted} open files, {hard} are allowed (ulimit -n); fewer --jobs"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
