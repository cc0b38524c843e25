"""Sessions kept as text, and the published specification held against the program."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from driver.session import Session
from driver.transcript import matches, read, replay

from serai.core import deal, load
from serai.protocol.messages import ERROR_CODES
from serai.protocol.options import engine_options
from serai.protocol.queries import QUERIES
from serai.protocol.thinker import SearchThinker

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
README = (ROOT / "protocol" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    with Session() as session:
        replay(session, path.read_text(encoding="utf-8"))


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) >= 4


def test_a_transcript_that_differs_fails() -> None:
    assert [step.sent for step in read("> a\n> b\n< c\ncomment\n> d\n")] == [["a", "b"], ["d"]]
    assert matches("response * p2", "response 4 p2", masked=False)
    assert not matches("response 4", "response 44", masked=False)
    assert not matches("info depth 3 win 500 500", "info depth 3 win 300 300 400", masked=True)
    with Session() as session, pytest.raises(AssertionError, match="said     readyok 1"):
        replay(session, "> isready 1\n< readyok 2\n")


# ---- the specification


def test_the_session_in_the_specification() -> None:
    (text,) = re.findall(r"```ugi\n(.*?)```", README, re.DOTALL)
    with Session() as session:
        replay(session, text.removesuffix("> quit\n"), masked=True)


def table(section: str) -> list[list[str]]:
    """The rows of the first table of a section, cell by cell."""
    body = README.split(f"\n## {section}", 1)[1].split("\n## ", 1)[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines() if line[:1] == "|"
    ]


def words(text: str) -> list[str]:
    """What is set in code type."""
    return re.findall(r"`([^`]+)`", text)


def test_every_error_is_explained() -> None:
    assert sorted(code for row in table("7. Errors") for code in words(row[0])) == sorted(ERROR_CODES)


def test_every_query_is_explained() -> None:
    assert {name.split()[0] for row in table("6. query") for name in words(row[0])} == {*QUERIES, "options"}


def test_every_option_is_explained() -> None:
    offered = {option.name for option in [*SearchThinker().options(), *engine_options()]}
    assert {name for row in table("2. Starting") for name in words(row[0])} == offered


def test_the_vectors_of_the_deal() -> None:
    rows = {row[0]: words(row[1]) for row in table("9. From a seed") if len(row) == 2}
    assert rows["FNV-1a-64 of `market`, of `point`"] == [
        f"{deal.fnv1a(pile):#x}" for pile in ("market", "point")
    ]
    state, outputs = 0, []
    for _ in range(3):
        state, output = deal.splitmix64(state)
        outputs.append(f"{output:#018x}")
    assert rows["SplitMix64 from state 0"] == outputs
    shuffles = 0
    for row, (shown,) in ((row, cells) for row, cells in rows.items() if row.startswith("seed ")):
        match = re.fullmatch(r"seed (.*), pile `(\w+)` of (\d+) items", row)
        assert match is not None
        seed = 2**64 - 1 if "⁶⁴" in match[1] else int(match[1])
        assert shown.split() == [str(i) for i in deal.deal_order(seed, match[2], tuple(range(int(match[3]))))]
        shuffles += 1
    assert shuffles == 5


def test_the_deals_of_the_specification() -> None:
    rows = [row for row in table("9. From a seed") if row[0].endswith("begins")]
    assert len(rows) == 2
    for row in rows:
        (spec,), (events,) = words(row[0]), words(row[1])
        assert load(spec).start().history[: len(events.split())] == events.split()


def test_the_json_of_the_specification() -> None:
    (text,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    shown = json.loads(text)
    with Session() as session:
        session.send("setoption name UGI_InfoJSON value true", "position startpos")
        said = json.loads(session.go("nodes 20")[0].split(" ", 1)[1])
    assert shown.keys() == said.keys()
    assert shown["root"].keys() == said["root"].keys()
    assert shown["moves"][0].keys() == said["moves"][0].keys()


def test_the_files_of_the_folder_exist() -> None:
    for row in table("11. In this folder"):
        for name in words(row[0]):
            assert list((ROOT / "protocol").glob(name)), name
