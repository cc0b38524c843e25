"""A state as a dictionary of plain data, and back; the keys are in this folder's README.md."""

from libc.stdint cimport uint32_t, uint64_t

from serai.core.games.concordia.architect cimport bit_of, place_of
from serai.core.games.concordia.events cimport dearest, to_act
from serai.core.games.concordia.plausible cimport fault_of
from serai.core.games.concordia.state cimport (
    ABSENT, BY_LAND, BY_SEA, CARDS, COLONISTS, IN_CITY, KEEPING, MOVING_LAND, NONE, OVER,
    ROW, STORE, Player, State, Tables,
    copies, count, unit,
)

from serai.core.errors import NotationError
from serai.core.games.concordia.notation import PHASES, SORTS as SORT_NAMES, Reader
from serai.core.games.concordia.words import GOODS, NUMERAL_NAMES


# ---- writing

cdef dict dump_state(const Tables* t, const State* s, words, box):
    return {
        "game": "concordia", "map": words.board, "seats": s.seats,
        "turn": actor_name(t, s), "mover": f"p{s.turn + 1}", "phase": PHASES[s.phase],
        "tokens": {words.cities[c]: good for c in range(1, t.cities) for g, good in enumerate(GOODS)
                   if s.city_goods[<int>g] >> <int>c & 1},
        "coin_side": named(s.coin_side, words.provinces),
        "row": [words.cards[s.row[i]] for i in range(s.row_size)],
        "deck": s.deck, "unseen": dump_deck(s.unseen, words, box),
        "magnus": f"p{s.magnus + 1}", "concordia": "none" if s.concordia == NONE else f"p{s.concordia + 1}",
        "card": "none" if s.card == NONE else words.kinds[s.card],
        "steps": s.steps, "placed": dump_placed(s, words),
        "hired": [s.hired[i] + 1 for i in range(s.hired_count)], "owed": s.owed,
        "last": words.format(s.last) if s.last else "",
        "producing": "none" if s.province == NONE else words.provinces[s.province],
        "keeping": {good: count(s.pending, i) for i, good in enumerate(GOODS) if count(s.pending, i)},
        "vague": bool(s.vague), "witnessed": dump_deck(s.witnessed, words, box),
        "players": [dump_player(&s.players[i], words) for i in range(s.seats)],
    }


cdef str actor_name(const Tables* t, const State* s):
    if s.phase == OVER:
        return "none"
    return "chance" if s.phase <= CARDS else f"p{to_act(t, s) + 1}"


cdef list named(uint32_t mask, names):
    return [name for i, name in enumerate(names) if mask >> <int>i & 1]


cdef dict dump_deck(uint32_t cards, words, box):
    """Names by numeral."""
    blocks = {}
    for i, card in enumerate(box.cards):
        if cards >> <int>i & 1:
            blocks.setdefault(NUMERAL_NAMES[card.numeral - 1], []).append(words.cards[i])
    return blocks


cdef list dump_placed(const State* s, words):
    cdef int sort = BY_LAND if s.phase == MOVING_LAND else BY_SEA
    return [words.place(sort, place_of(s, sort, s.placed[i])) for i in range(s.placed_count)]


cdef dict dump_player(const Player* p, words):
    return {
        "coins": p.coins, "goods": {good: count(p.goods, i) for i, good in enumerate(GOODS)},
        "hand": dump_cards(p.hand, words), "pile": dump_cards(p.pile, words),
        "top": "none" if p.top == NONE else words.kinds[p.top],
        "hidden": p.hidden, "hidden_pile": p.hidden_pile,
        "secret": dump_cards(p.secret, words), "secret_pile": dump_cards(p.secret_pile, words),
        "houses": named(p.houses, words.cities),
        "land": dump_colonists(p, BY_LAND, words), "sea": dump_colonists(p, BY_SEA, words),
        "scored": bool(p.scored), "marker": p.marker,
    }


cdef list dump_cards(uint64_t cards, words):
    return [name for i, name in enumerate(words.kinds) for _ in range(copies(cards, i))]


cdef list dump_colonists(const Player* p, int sort, words):
    return [words.place(sort, p.colonists[sort][i]) for i in range(COLONISTS) if p.colonists[sort][i] < STORE]


# ---- reading

cdef int restore_state(const Tables* t, State* s, int seats, data, words, box) except -1:
    """Write a state dictionary into zeroed memory; raises NotationError if the state can't be a real one."""
    reader = Reader()
    if reader.get(data, "game", str) != "concordia" or reader.integer(data, "seats", 9) != seats:
        raise NotationError(f"state: is not of concordia with {seats} players", "bad-value")
    if reader.get(data, "map", str) != words.board:
        raise NotationError(f"state: is not of the map {words.board}", "bad-value")
    s.seats = seats
    s.phase = reader.index(reader.get(data, "phase", str), list(PHASES), "phase")
    s.turn = reader.seat(data, "mover", seats)
    s.magnus = reader.seat(data, "magnus", seats)
    s.concordia = reader.seat(data, "concordia", seats, True)
    s.vague = reader.get(data, "vague", bool, False)
    restore_map(t, s, reader, data, words)
    players = reader.listed(data, "players", 5)
    if len(players) != seats:
        raise NotationError(f"state: must have {seats} players", "bad-value")
    for i, player in enumerate(players):
        restore_player(t, &s.players[i], reader, player, words)
    restore_cards(t, s, reader, data, words, box)
    restore_turn(t, s, reader, data, words)
    fault = fault_of(t, s)
    if fault is None and reader.get(data, "turn", str, actor_name(t, s)) != actor_name(t, s):
        fault = f"turn must be {actor_name(t, s)}"
    if fault is not None:
        raise NotationError(f"state: {fault}", "bad-value")
    return 0


cdef int restore_map(const Tables* t, State* s, reader, data, words) except -1:
    """Tokens lie on the cities in the order in which they are laid."""
    cdef int i, city
    tokens = reader.get(data, "tokens", dict)
    for name, good in tokens.items():
        city = reader.index(name, words.cities, "tokens")
        s.city_goods[<int>reader.index(good, list(GOODS), "tokens")] |= <uint32_t>1 << city
    s.dealt = len(tokens)
    for i in range(s.dealt):
        if s.dealt >= t.cities or words.cities[t.order[i]] not in tokens:
            raise NotationError("state: tokens are laid letter by letter, in the order of the cities", "bad-value")
    if s.dealt == t.cities - 1:
        for i in range(t.provinces):
            s.bonus[i] = dearest(t, s, t.province_cities[i])
    s.coin_side = reader.distinct(data, "coin_side", words.provinces)
    return 0


cdef int restore_player(const Tables* t, Player* p, reader, data, words) except -1:
    p.coins, p.marker = reader.integer(data, "coins", 60_000), reader.integer(data, "marker", 60_000, 0)
    p.scored = reader.get(data, "scored", bool, False)
    for i, number in enumerate(reader.counts(data, "goods", 15)):
        p.goods += unit(i) * <uint32_t>number
    p.hand, p.pile = reader.cards(data, "hand", words.kinds), reader.cards(data, "pile", words.kinds)
    p.secret, p.secret_pile = (reader.cards(data, key, words.kinds) for key in ("secret", "secret_pile"))
    p.hidden, p.hidden_pile = reader.integer(data, "hidden", 40, 0), reader.integer(data, "hidden_pile", 40, 0)
    top = reader.get(data, "top", str)
    p.top = NONE if top == "none" else reader.index(top, words.kinds, "top")
    p.houses = reader.distinct(data, "houses", words.cities)
    for sort, name in enumerate(SORT_NAMES):
        restore_colonists(t, p, sort, reader.listed(data, name, COLONISTS), reader, words)
    return 0


cdef int restore_colonists(const Tables* t, Player* p, int sort, names, reader, words) except -1:
    """Those not on the board are in the storehouse."""
    cdef int i
    places = sorted(place_number(name, sort, reader, words) for name in names)
    for i in range(COLONISTS):
        if i < len(places):
            p.colonists[sort][i] = places[i]
        else:
            p.colonists[sort][i] = ABSENT if t.start_colonists[sort][i] == ABSENT else STORE
    return 0


cdef int place_number(name, int sort, reader, words) except -1:
    if name in words.cities:
        return IN_CITY + words.cities.index(name)
    return reader.index(name, words.lines[sort], SORT_NAMES[sort])


cdef int restore_cards(const Tables* t, State* s, reader, data, words, box) except -1:
    """The row, and what may be in the deck."""
    row = reader.indices(data, "row", words.cards, ROW)
    for i, card in enumerate(row):
        s.row[i] = t.alike[card]
    s.row_size, s.deck = len(row), reader.integer(data, "deck", 99)
    s.unseen = restore_deck(reader, data, "unseen", box)
    s.witnessed = restore_deck(reader, data, "witnessed", box)
    return 0


cdef uint32_t restore_deck(reader, data, str key, box) except? 0:
    """Names by numeral as a mask of cards."""
    cdef uint32_t cards = 0
    blocks = reader.get(data, key, dict, {})
    for name in blocks:
        reader.index(name, list(NUMERAL_NAMES), key)
    for i, name in enumerate(NUMERAL_NAMES):
        names = reader.listed(blocks, name, 32)
        for number, card in enumerate(box.cards):
            if card.numeral == i + 1 and card.name in names:
                cards |= <uint32_t>1 << <int>number
                names.remove(card.name)
        if names:
            raise NotationError(f"state: {key}: {names[0]!r:.40} is not of the numeral {name}", "bad-value")
    return cards


cdef int restore_turn(const Tables* t, State* s, reader, data, words) except -1:
    """What is under way."""
    cdef int sort = BY_LAND if s.phase == MOVING_LAND else BY_SEA
    card, province = reader.get(data, "card", str, "none"), reader.get(data, "producing", str, "none")
    s.card = NONE if card == "none" else reader.index(card, words.kinds, "card")
    s.province = NONE if province == "none" else reader.index(province, words.provinces, "producing")
    s.steps, s.owed = reader.integer(data, "steps", 6, 0), reader.integer(data, "owed", 8, 0)
    for name in reader.listed(data, "placed", COLONISTS):
        s.placed[s.placed_count] = bit_of(s, sort, place_number(name, sort, reader, words))
        s.placed_count += 1
    for place in reader.listed(data, "hired", 2):
        s.hired[s.hired_count] = reader.integer({"hired": place}, "hired", ROW) - 1
        s.hired_count += 1
    try:
        s.last = words.bound(reader.get(data, "last", str, ""))
    except ValueError:
        raise NotationError("state: last is no decision that others follow", "bad-value") from None
    for i, number in enumerate(reader.counts(data, "keeping", 17)):
        s.pending += unit(i) * <uint32_t>number
    if s.phase == KEEPING:
        s.keeper = reader.seat(data, "turn", s.seats)
    return 0
