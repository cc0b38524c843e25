"""Component files of Concordia: a large one, and what makes one unfit."""

from __future__ import annotations

import re

from components.files import Change, Fault, more, shipped_text, swap


def largest_of_all() -> str:
    """A component file with as many cards for sale as one may have, more kinds of them, and more room."""
    others = ('role = "diplomat"\ngod = "vesta"', 'role = "mercator"\ngod = "mercurius"\ncoins = 4')
    cards = "".join(f'[[card]]\nnumeral = 1\n{card}\ncost = ["food"]\n\n' for card in others)
    text = shipped_text("concordia").replace("slots = 12", "slots = 15")
    return text.replace("# ---- maps:", f"{cards}# ---- maps:")


def card(**values: object) -> Change:
    """One more card."""
    given = {"numeral": 4, "role": "mercator", "god": "mercurius", "cost": ["wine"], "coins": 5} | values
    return more("card", **{k: v for k, v in given.items() if v is not None})


BROKEN: dict[str, Fault] = {
    "an unknown table": (swap("[market]", "[markets]"), "head", "unknown key 'markets'"),
    "a good too few": (
        lambda t: t[: t.index("[[good]]")] + t[t.index("[[good]]", t.index("price =")) :],
        r"\[\[good\]\]",
        "4 entries",
    ),
    "goods in another order": (swap('name = "brick"', 'name = "food"'), r"\[\[good\]\] 'food'", "this order"),
    "a price of 30": (swap("price = 3", "price = 30"), "good brick", "price must be"),
    "a price as text": (swap("price = 3", 'price = "3"'), "good brick", "price must be"),
    "true coins of a house": (
        swap("house_coins = 1", "house_coins = true"),
        "good brick",
        "house_coins must",
    ),
    "a house of silk": (
        swap('"brick", "wine"', '"brick", "silk"'),
        "good wine house_goods",
        "must be a list",
    ),
    "a house of anything": (swap('["food"]', '["?"]'), "good brick house_goods", "must be a list"),
    "a house of five goods": (
        swap('["food"]', '["food","food","food","food","food"]'),
        "good brick",
        "at most",
    ),
    "no set-up": (lambda t: t.replace("[setup]", "[tokens2]"), "head", "unknown key"),
    "a storehouse too small": (swap("slots = 12", "slots = 9"), "setup", "must fit into 9 slots"),
    "slots below zero": (swap("slots = 12", "slots = -1"), "setup", "slots must be"),
    "a fourth colonist": (swap("placed = { land = 1", "placed = { land = 2"), "setup", "at most 3 colonists"),
    "a colonist by air": (swap("placed = { land = 1", "placed = { air = 1"), "setup. placed", "unknown key"),
    "goods as a list": (swap("goods = { brick", "goods = [] # { brick"), "setup. goods", "must be a table"),
    "twenty houses": (swap("houses = 15", "houses = 20"), "setup", "houses must be"),
    "coins of four seats": (swap(", 9]", "]"), "setup", "coins of 5 seats"),
    "coins that are none": (swap(", 9]", ', "x"]'), "setup. seat 5", "coins must be"),
    "a letter without its table": (swap("A = { brick = 2", "A = 7 # { brick = 2"), "tokens. A", "must be"),
    "a token too many": (swap("A = { brick = 2", "A = { brick = 3"), "map italia", "7 cities of letter A"),
    "a letter without tokens": (swap('letter = "C"', 'letter = "E"'), "map italia", "cities of letter"),
    "five letters": (swap("D = {", "E = { brick = 1 }\nD = {"), "tokens", "1 to 4 letters"),
    "six places": (swap('[[], ["?"], ["?"]', '[[], ["?"]'), "market", "7 places"),
    "a place that costs a fish": (swap('[[], ["?"]', '[[], ["fish"]'), "market. place 2", "must be a list"),
    "an unknown role": (card(role="consulus"), "card 31", "role must be"),
    "an unknown god": (card(god="venus"), "card 31", "god must be"),
    "minerva without a craft": (card(god="minerva"), "card 31", "specialists"),
    "a specialist without minerva": (card(role="mason", coins=None), "card 31", "specialists"),
    "an architect with coins": (card(role="architect", god="jupiter"), "card 31", "only a mercator"),
    "a mercator without coins": (card(coins=None), "card 31", "coins must be"),
    "a mercator with points": (card(points=3), "card 31", "only a specialist"),
    "a numeral of 6": (card(numeral=6), "card 31", "numeral must be"),
    "a card that costs what you like": (card(cost=["?"]), "card 31 cost", "must be a list"),
    "a card without cost": (card(cost=None), "card 31 cost", "must be a list"),
    "a card twice in a numeral": (card(numeral=5), "card mercator5", "twice"),
    "a key nobody knows": (card(price=3), "card 31", "unknown key 'price'"),
    "a tribune for sale": (card(role="tribune", god="mars", coins=None), "card tribune", "never for sale"),
    "thirty-five cards": (lambda t: t + 5 * card()(""), r"\[\[card\]\]", "35 entries"),
    "no tribune": (swap('"tribune"\ngod', '"consul"\ngod'), "starter", "one tribune"),
    "eight prefects": (swap("copies = 2", "copies = 3"), "card prefect", "8 times"),
    "no cards": (lambda t: t.replace("[[card]]", "[[cards]]"), "head", "unknown key 'cards'"),
    "one map": (lambda t: t[: t.index("[[map]]", t.index("[[map]]") + 1)], r"\[\[map\]\]", "1 entries"),
    "a map of elsewhere": (
        swap('name = "imperium"', 'name = "creta"'),
        r"\[\[map\]\]",
        "italia and imperium",
    ),
    "a map for six": (swap("players = [2, 3, 4]", "players = [2, 3, 6]"), "map italia", "players must list"),
    "no map for two": (swap("players = [2, 3, 4]", "players = [3, 4]"), r"\[\[map\]\]", "for 2 players"),
    "a line to nowhere": (swap('"roma-cosa"', '"roma-sparta"'), "map italia land", "a line is two cities"),
    "a line of three cities": (swap('"roma-cosa"', '"roma-cosa-genua"'), "map italia land", "two cities"),
    "a line as a number": (swap('"roma-cosa"', "7"), "map italia land", "two cities"),
    "a line backwards": (swap('"roma-cosa"', '"cosa-roma"'), "map italia land", "stands first"),
    "a line to itself": (swap('"roma-cosa"', '"roma-roma"'), "map italia land", "stands first"),
    "a line twice": (swap('"roma-cosa"', '"roma-cosa", "roma-cosa"'), "map italia land", "all differ"),
    "a city twice": (swap('"comum", "segusio"]', '"comum", "comum"]'), "map italia", "comum is there twice"),
    "a province twice": (swap('"liguria"', '"venetia"'), "map italia", "venetia is there twice"),
    "a city with a space": (swap('"comum", "segusio"]', '"comum", "se gusio"]'), "map italia", "a name is"),
    "a province without cities": (swap('["comum", "segusio"]', "[]"), "map italia province", "cities"),
    "a start nobody can leave": (
        lambda t: re.sub('"roma-(cosa|olbia|neapolis|panormus)", *', "", t),
        "map italia sea",
        "start city",
    ),
}
