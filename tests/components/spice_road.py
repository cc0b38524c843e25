"""Component files of Century: Spice Road: a large one, and what makes one unfit."""

from __future__ import annotations

import re

from components.files import Change, Fault, entry, more, swap


def largest_of_all() -> str:
    """A component file with as many cards as one may have, dear and worthless ones among them."""
    sides = [a * i + b * j for a in "yrgb" for b in "yrgb" if a < b for i in range(1, 6) for j in range(1, 5)]
    lines = ['game = "spice_road"', "format = 1", "[setup]"]
    lines += ['start_cubes = ["yyy", "yyyy", "yyyy", "yyyr", "yyyr"]']
    lines += ["claims_to_end = { 2 = 6, 3 = 6, 4 = 6, 5 = 6 }"]
    lines += ['[[starter]]\nget = "yy"', "[[starter]]\nupgrades = 2"]
    lines += [f'[[merchant]]\nget = "{side}"' for side in sides[:62]]
    lines += [f'[[point]]\ncost = "{side}"\npoints = {40 * (i % 2)}' for i, side in enumerate(sides[:64])]
    return "\n".join(lines)


def without_starters(text: str) -> str:
    """Both starting cards upgrade."""
    return re.sub(r'\[\[starter\]\]\nget = "yy"', "[[starter]]\nupgrades = 3", text)


def with_merchants(number: int) -> Change:
    """A change that adds merchants until there are so many of them."""
    gives = [letter * size for letter in "yrgb" for size in range(6, 10)]
    gets = [letter * size for letter in "yrgb" for size in range(6, 10)]
    extra = [(give, get) for give in gives for get in gets if give[0] != get[0]][: number - 43]
    return lambda text: text + "".join(entry("merchant", give=give, get=get) for give, get in extra)


BROKEN: dict[str, Fault] = {
    "a merchant twice": (more("merchant", give="yy", get="g"), "merchant yy>g", "twice"),
    "a merchant twice, spelled another way": (
        more("merchant", give="gyy", get="bb"),
        "merchant yyg>bb",
        "twice",
    ),
    "a starting card among the merchants": (more("merchant", get="yy"), "merchant \\+yy", "twice"),
    "a point card twice": (more("point", cost="yyrr", points=6), "point yyrr=6", "twice"),
    "a merchant with nothing to get": (more("merchant", give="yy"), "merchant 44", "get must be"),
    "a point card without points": (more("point", cost="yyyyr"), "point 37", "points must be"),
    "a point card without cost": (more("point", points=5), "point 37", "cost must be"),
    "cubes as a number": (more("merchant", give=3, get="g"), "merchant 44", "give must be"),
    "cubes as a list": (more("merchant", get=["y"]), "merchant 44", "get must be"),
    "a fifth colour": (more("merchant", get="yp"), "merchant 44", "get must be"),
    "no cubes": (more("merchant", get=""), "merchant 44", "get must be"),
    "a thousand cubes": (more("merchant", get="y" * 1000), "merchant 44", "get must be"),
    "upgrades below zero": (more("merchant", upgrades=-1), "merchant 44", "upgrades must be"),
    "no upgrades": (more("merchant", upgrades=0), "merchant 44", "upgrades must be"),
    "true upgrades": (more("merchant", upgrades=True), "merchant 44", "upgrades must be"),
    "half an upgrade": (more("merchant", upgrades=1.5), "merchant 44", "upgrades must be"),
    "an upgrade that also gives": (
        more("merchant", upgrades=1, get="y"),
        "merchant 44",
        "neither give nor get",
    ),
    "points as text": (more("point", cost="yyyyr", points="6"), "point 37", "points must be"),
    "points below zero": (more("point", cost="yyyyr", points=-6), "point 37", "points must be"),
    "too many points": (more("point", cost="yyyyr", points=10**30), "point 37", "points must be"),
    "a key nobody knows": (more("merchant", gets="y"), "merchant 44", "unknown key 'gets'"),
    "seventy merchants": (with_merchants(70), r"\[\[merchant\]\]", "70 entries"),
    "no merchants": (lambda t: t.replace("[[merchant]]", "[[stranger]]"), r"\[\[merchant\]\]", "must be"),
    "merchants that are no list": (
        lambda t: "merchant = 3\n" + t.replace("[[merchant]]", "[[stranger]]"),
        r"\[\[merchant\]\]",
        "must be",
    ),
    "no point cards": (lambda t: t.replace("[[point]]", "[[stranger]]"), r"\[\[point\]\]", "must be"),
    "no produce starter": (without_starters, "starter", "must produce"),
    "a third starter": (more("starter", get="r"), r"\[\[starter\]\]", "3 entries"),
    "no setup": (swap("[setup]", "[setap]"), r"\[setup\]", "missing"),
    "a missing seat": (swap(', "yyyr"]', "]"), r"\[setup\]", "5 seats"),
    "a seat that starts with a number": (swap('"yyyr"]', "4]"), r"\[setup\]", "start_cubes must be"),
    "claims to end as text": (swap("2 = 6,", '2 = "6",'), r"\[setup\]", "2 must be"),
    "claims to end below zero": (swap("2 = 6,", "2 = -6,"), r"\[setup\]", "2 must be"),
    "no claims to end for four": (swap("4 = 5, ", ""), r"\[setup\]", "4 must be"),
    "a trade of a colour for itself": (more("merchant", give="y", get="yy"), "merchant 44", "same colour"),
}
