import math
from pathlib import Path

import pytest
from arena.play import PLAYERS, user

from serai.bots import Bot
from serai.bots.registry import BUILT_IN, describe_bots, make_bot, options_of_name
from serai.core import SetupError, load


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_bot_makes_a_legal_move(name: str) -> None:
    position = load("spice_road;players=3;seed=4").start()
    bot = make_bot(name)
    bot.new_game()
    bot.limits = type(bot.limits)(nodes=20)
    assert bot.choose(position.view(0)) in position.legal_tokens()
    assert bot.name == name


@pytest.mark.parametrize(
    "name",
    [
        "planner:width=20,depth=3,book=off",
        "ismcts:nodes=50,skill=3,memory=none,exploration=0.5,priors=off,rollout=random",
        "ismcts:time=0.01,hash=4,threads=2",
    ],
)
def test_options_in_the_name_are_taken(name: str) -> None:
    position = load("spice_road;players=2;seed=4").start()
    bot = make_bot(name)
    bot.new_game()
    bot.limits = type(bot.limits)(nodes=10**9)
    assert bot.choose(position.view(0)) in position.legal_tokens()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "no bot is called ''"),
        ("gredy", r"no bot is called 'gredy'; there are:(.|\n)*greedy"),
        ("greedy:x=1", "no option 'x'; it has none"),
        ("ismcts:nods=1", "no option 'nods'; options: .*nodes=0"),
        ("ismcts:nodes", "'nodes' must be option=value"),
        ("ismcts:nodes=1,nodes=2", "each option once"),
        ("ismcts:nodes=many", "nodes must be a whole number, not 'many'"),
        ("ismcts:nodes=-1", "can't be below 0"),
        ("ismcts:time=soon", "time must be a number"),
        ("ismcts:skill=21", "skill must be 0 to 20"),
        ("ismcts:memory=some", "memory must be perfect or none"),
        ("ismcts:priors=maybe", "priors must be on or off"),
        ("ismcts:threads=0", "threads 1 to 64"),
        ("planner:width=0", "width must be 1 to"),
        ("missing.py:Bot", "missing.py: there is no such file"),
        (user("Nobody"), "no bot class 'Nobody'; it has these: Plain Miser"),
        (str(PLAYERS), "name one bot class; it has these"),
        (user("Tuned:greed=101"), "greed must be at most 100"),
        (user("Unborn"), "RuntimeError: no memory for this"),
        ("cmd:", "a command must follow"),
        ("cmd:./no-such-engine", "no-such-engine"),
        ("cmd:false", "cmd:false"),
        ("x" * 2000, "at most 1000 characters"),
    ],
)
def test_what_is_no_bot_is_refused_with_a_word_about_what_there_is(name: str, complaint: str) -> None:
    with pytest.raises(SetupError, match=complaint):
        make_bot(name)


def test_options_of_a_users_bot_follow_their_defaults() -> None:
    bot = make_bot(user("Tuned:greed=7,fast=yes,weight=2,label=a:b"))
    assert getattr(bot, "values", None) == (7, True, 2.0, "a:b")
    assert isinstance(getattr(make_bot(user("Tuned")), "values", None), tuple)


def test_a_file_with_a_single_bot_needs_no_class(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text(
        "from serai.bots import Bot\nclass One(Bot):\n    def choose(self, position):\n        return ''\n"
    )
    assert isinstance(make_bot(str(path)), Bot)


@pytest.mark.parametrize("text", ["def", "import no_such_module", "1 / 0", "raise SystemExit(3)", ""])
def test_a_broken_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(SetupError, match=r"broken\.py"):
        make_bot(f"{path}:Bot")


def test_options_can_be_read_from_a_name_without_making_the_bot() -> None:
    assert options_of_name("cmd[Threads=2, Hash=8]:./x")["threads"] == "2"
    assert options_of_name("ismcts:threads=3")["threads"] == "3"
    assert "threads" not in options_of_name("random")


def test_the_built_in_bots_describe_themselves() -> None:
    text = describe_bots()
    assert all(name in text for name in BUILT_IN)
    assert max(map(len, text.splitlines())) <= 80


def test_two_searches_of_one_seed_choose_alike_and_report_chances() -> None:
    position = load("spice_road;players=3;seed=4").start()
    bots = [make_bot("ismcts:nodes=200") for _ in range(2)]
    for bot in bots:
        bot.random.seed(5)
        bot.new_game()
        bot.choose(position.view(0))
    reports = [bot.report for bot in bots]
    assert reports[0] is not None
    assert reports[1] is not None
    assert reports[0].lines == reports[1].lines
    assert math.isclose(sum(reports[0].lines[0].win), 1, abs_tol=1e-6)
