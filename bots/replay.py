"""A recorded game in front of a watcher, as if it were played now."""

from __future__ import annotations

from serai.bots.referee import Step, Watcher
from serai.core.errors import RecordError
from serai.core.game_record import Event, GameRecord
from serai.search.report import Line, Report


def show_again(record: GameRecord, watcher: Watcher) -> None:
    """Call the watcher for every decision; raises RecordError if the game can't be replayed."""
    moments = list(record.replay())
    if not moments:
        raise RecordError("the record has no events")
    last_position, last_event = moments[-1]
    final = last_position.apply(last_event.token)
    decisions = [i for i, (position, _) in enumerate(moments) if position.to_act >= 0]
    started = False
    for i, following in zip(decisions, [*decisions[1:], len(moments)], strict=True):
        before, event = moments[i]
        after = moments[following][0] if following < len(moments) else final
        if not started:
            watcher.begin(before, record.seats, "")
            started = True
        fault = next((fault for fault in record.faults if fault.event == i), None)
        seconds = (event.ms or 0.0) / 1000
        watcher.step(Step(before, after, before.to_act, event.token, seconds, _report(event), fault))
    if not started:
        raise RecordError("the record has no decisions")
    watcher.end(final, record)


def _report(event: Event) -> Report | None:
    """The estimate that was recorded, as much of it as there is."""
    if event.win is None or not all(0 <= share <= 1 for share in event.win):  # records come from anywhere
        return None
    line = Line(event.token, event.win, (0.0,) * len(event.win), 1, 0.0, (event.token,))
    return Report(event.token, (line,), nodes=1, worlds=1, depth=1, seldepth=1, hashfull=0, time=0)
