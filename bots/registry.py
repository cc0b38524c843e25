"""From a name to a bot: ``planner``, ``ismcts:nodes=1000,skill=10``, ``mine.py:Miser``, ``cmd:./engine``.

>>> make_bot("random").name
'random'
>>> make_bot("planner:dept=5")
Traceback (most recent call last):
serai.core.errors.SetupError: planner:dept=5: no option 'dept'; options: book=True depth=10 width=100
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

from serai.bots.bot import Bot
from serai.core.errors import SeraiError, SetupError

BUILT_IN: Final = {
    "random": "serai.bots.random_bot:RandomBot",
    "greedy": "serai.bots.greedy:GreedyBot",
    "planner": "serai.bots.planner:PlannerBot",
    "ismcts": "serai.bots.ismcts:IsmctsBot",
}
FORMS: Final = """
  random
  greedy
  planner      with options as in planner:width=100,depth=10
  ismcts       with options as in ismcts:nodes=1000,skill=10,memory=none
  FILE.py:CLASS      a bot of your own, with options as in mine.py:Miser:greed=3
  cmd:COMMAND        any UGI-N engine, with options as in cmd[Threads=2]:./engine"""
LONGEST: Final = 1000  # characters of a name
_EXTERNAL: Final = re.compile(r"cmd(?:\[(?P<options>[^\]]*)\])?:(?P<command>.*)", re.DOTALL)
_FILE: Final = re.compile(r"(?P<path>.+?\.py)(?::(?P<cls>\w+))?(?::(?P<options>.*))?", re.DOTALL)
_TRUE, _FALSE = ("true", "on", "yes", "1"), ("false", "off", "no", "0")


def make_bot(name: str) -> Bot:
    """The bot of a name; raises SetupError, which says what there is."""
    if len(name) > LONGEST:
        raise SetupError(f"a bot's name has at most {LONGEST} characters")
    if match := _EXTERNAL.fullmatch(name):
        bot = _external(name, match["command"].strip(), match["options"] or "")
    else:
        cls, options = _class_of(name)
        bot = _construct(name, cls, _pairs(name, options))
    bot.name = name
    return bot


def _class_of(name: str) -> tuple[type[Bot], str]:
    """The class a name means, and the text of its options."""
    if match := _FILE.fullmatch(name):
        return _load_class(Path(match["path"]), match["cls"]), match["options"] or ""
    base, _, options = name.partition(":")
    if base not in BUILT_IN:
        raise SetupError(f"no bot is called {base!r:.60}; there are:{FORMS}")
    module, _, cls = BUILT_IN[base].partition(":")
    found: type[Bot] = getattr(importlib.import_module(module), cls)
    return found, options


def _pairs(name: str, text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not equals or key in pairs:
            raise SetupError(f"{name}: {item!r:.60} must be option=value, each option once")
        pairs[key.strip()] = value.strip()
    return pairs


def options_of_name(name: str) -> dict[str, str]:
    """The options as written in a name, unchecked; names of options in lower case."""
    match = _EXTERNAL.fullmatch(name) or _FILE.fullmatch(name)
    text = (match["options"] or "") if match else name.partition(":")[2]
    pairs = (item.partition("=") for item in text.split(","))
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


# ---- options of a class


def options_of(cls: type[Bot]) -> dict[str, object]:
    """The options of a class with their defaults: arguments of ``__init__`` that have one."""
    signature = inspect.signature(cls.__init__)
    named = {p.name: p.default for p in signature.parameters.values() if p.default is not p.empty}
    more: Callable[[], dict[str, object]] = getattr(cls, "more_options", dict)
    return {**named, **more()}


def _construct(name: str, cls: type[Bot], pairs: dict[str, str]) -> Bot:
    known = options_of(cls)
    arguments = {key: _convert(name, known, key, value) for key, value in pairs.items()}
    try:
        return cls(**arguments)
    except SeraiError:
        raise
    except ValueError as error:
        raise SetupError(f"{name}: {error}") from None
    except Exception as error:
        raise SetupError(f"{name}: {type(error).__name__}: {error}") from error


def _convert(name: str, known: dict[str, object], key: str, text: str) -> object:
    """A value of the type of the option's default."""
    if key not in known:
        listed = " ".join(f"{option}={default}" for option, default in sorted(known.items()))
        there = f"options: {listed}" if known else "it has none"
        raise SetupError(f"{name}: no option {key!r:.60}; {there}")
    default = known[key]
    if isinstance(default, bool):
        if text.lower() not in _TRUE + _FALSE:
            raise SetupError(f"{name}: {key} must be on or off, not {text!r:.60}")
        return text.lower() in _TRUE
    if not isinstance(default, int | float):
        return text
    try:
        return type(default)(text)
    except ValueError:
        kind = "a whole number" if isinstance(default, int) else "a number"
        raise SetupError(f"{name}: {key} must be {kind}, not {text!r:.60}") from None


# ---- bots from elsewhere


def _external(name: str, command: str, options: str) -> Bot:
    from serai.bots.external import ExternalBot
    from serai.protocol.errors import EngineError

    if not command:
        raise SetupError(f"{name}: a command must follow, as in cmd:./engine --flag")
    try:
        return ExternalBot(command, _pairs(name, options))
    except (EngineError, OSError, ValueError) as error:
        tail = getattr(error, "stderr_tail", "").strip()
        raise SetupError(f"{name}: {error}" + (f"\n{tail[-500:]}" if tail else "")) from None


def _load_class(path: Path, cls: str | None) -> type[Bot]:
    """A bot's class from a user's file; the only one in it, if none is named."""
    module = _load_module(path)
    found = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
    }
    if cls is None and len(found) == 1:
        return next(iter(found.values()))
    if cls in found:
        return found[cls]
    there = f"has these: {' '.join(found)}" if found else "has none"
    missing = f"no bot class {cls!r}" if cls else "name one bot class"
    raise SetupError(f"{path}: {missing}; it {there}")


def _load_module(path: Path) -> ModuleType:
    if not path.is_file():
        raise SetupError(f"{path}: there is no such file")
    name = f"serai_user_bot_{re.sub(r'[^0-9a-zA-Z]', '_', str(path.resolve()))}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise SetupError(f"{path}: {type(error).__name__}: {error}") from error
    return module


def describe_bots() -> str:
    """The built-in bots, a line each with their options, for people."""
    lines: list[str] = []
    for base in BUILT_IN:
        cls, _ = _class_of(base)
        lines += [f"{base:<10} {(inspect.getdoc(cls) or '').splitlines()[0]}"]
        listed = " ".join(f"{key}={value}" for key, value in options_of(cls).items())
        if listed:
            lines += textwrap.wrap(
                f"options: {listed}", 78, initial_indent=" " * 11, subsequent_indent=" " * 13
            )
    return "\n".join(lines)
