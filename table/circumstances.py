"""What the table knows of a hand, in the words of the rules questions, and what it still has to ask.

The dealer, the winds, waiting fans, the opening dice, kong money and who has won are filled in by the table itself;
what people state is kept beside them. Names that begin with an underscore are the table's own, no facts of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from table.model import Facts, Scalar, Seat, Setup, SidePay, Source, TableFacts
from table.rulebook import BadHand, Rulebook
from table.rules_input import plain_facts
from table.sentences import say
from table.snapshot import Choice, Question
from table.state import Claim, Game, State
from table.tile_text import split_tiles
from table.wall_state import wall_now

Claimed: TypeAlias = tuple[Source | None, Seat | None]
"""How the winning tile came, and from whom."""

PRIVATE = "_"
NO_MORE_BIRDS = "_no_more_birds"
"""Whether a person says that no further birds were turned."""
KONGS_UNPAID = "_kongs_unpaid"
"""The kongs shown that pay nothing by a person's word, as ``seat:tile`` with spaces between."""
KONGS_UNSHOWN = "_kongs_unshown"
"""The same for kongs that stay paid though the hand does not show them; one whose tile nobody named is ``seat:``."""
_KONGS = {
    KONGS_UNPAID: re.compile(r"([0-3]:[1-9][mpsz]( [0-3]:[1-9][mpsz])*)?"),
    KONGS_UNSHOWN: re.compile(r"([0-3]:([1-9][mpsz])?( [0-3]:([1-9][mpsz])?)*)?"),
}
OWN_NAMES = frozenset({NO_MORE_BIRDS, *_KONGS})
"""Facts of the table itself that a person may state."""
SEA = "_sea"
EXCHANGE = "_exchange"
"""To whom three tiles were passed (換三張), in seats from the giver: 1 the next, 2 the opposite, 3 the previous."""


def sea_asked(facts: TableFacts) -> tuple[tuple[Seat, bool], ...]:
    """Who was asked whether he takes the last tile, in order, and whether he does."""
    return tuple((int(seat), bool(take)) for seat, take in facts.get(SEA, ()))


def sea_ended(facts: TableFacts) -> tuple[str, Seat | None]:
    """What became of the last tile, in the words of the rules, and with whom; empty while it is not settled."""
    asked = sea_asked(facts)
    taker = next((seat for seat, take in asked if take), None)
    if taker is not None:
        return "taken_no_win", taker
    return ("all_refused", asked[0][0]) if len(asked) == 4 else ("", None)


def sea_win(facts: TableFacts, seat: Seat, source: Source | None, from_seat: Seat | None) -> Claimed:
    """How a win came once the last tile was taken (海底): it is the taker's own, or everybody else's from him.

    Nothing is discarded after it, so there is no other way; only what a person said otherwise stays.
    """
    said, taker = sea_ended(facts)
    own = taker == seat
    fits = source is None or (source == "self_draw" if own else source == "discard" and from_seat == taker)
    if said != "taken_no_win" or not fits:
        return source, from_seat
    return "sea_bottom", None if own else taker


def stated_facts(state: State, game: Game) -> dict[str, Any]:
    """The circumstances of the hand being played that do not follow from how it began, as an outcome keeps them."""
    facts = dict(state.facts)
    opening = next((throw.values for throw in state.dice if throw.why == "break1"), None)
    if game.customs.opening_fans and opening is not None and "dice" not in facts:
        facts["dice"] = list(opening)
    return {**_of_the_wall(state), **facts}


def _of_the_wall(state: State) -> dict[str, Any]:
    """What the wall says, where its draws are followed to the tile; a person's word goes before."""
    now = wall_now(state) if state.taken is not None else None
    if now is None or now.left is None or state.game is None:
        return {}
    customs = state.game.customs
    limit = customs.tiles - customs.dead if customs.limit is None else customs.limit
    return {"wall_left": now.left, "drawn": limit - now.left, **({"last_tile": True} if now.left == 0 else {})}


def table_facts(
    game: Game, setup: Setup, stated: TableFacts, sides: Sequence[SidePay] = (), out: Sequence[Seat] = ()
) -> dict[str, Any]:
    """All circumstances of a hand for the rules.

    Args:
        game: says where the first dealer sat.
        setup: how the hand began.
        stated: what was stated or observed, as `stated_facts` gives it.
        sides: what was paid at once so far.
        out: who has won and plays no more.
    """
    facts: dict[str, Any] = {name: value for name, value in stated.items() if not name.startswith(PRIVATE)}
    facts |= {"round_wind": setup.round_wind, "dealer": setup.dealer, "first_dealer": game.first.dealer}
    if "birds" in facts:  # a game whose options were set right may have turned more than it should have
        facts["birds"] = "".join(split_tiles(str(facts["birds"]))[: game.customs.birds])
    if setup.streak:
        facts["streak"] = setup.streak
    if setup.carry:
        facts["carry_in"] = list(setup.carry)
    if setup.prev_wild:
        facts["prev_wild"] = setup.prev_wild
    if out:
        facts["out"] = list(out)
    ledger = [{"by": side.seat, "type": side.meld_kind, "paid": paid_by(side)} for side in sides if side.what == "kong"]
    if ledger:
        facts["kong_ledger"] = ledger
    return facts


def as_stated(game: Game, facts: TableFacts) -> dict[str, Any]:
    """Circumstances that a person states, as the table keeps them.

    Raises:
        BadHand: a name is unknown, a value impossible, or more birds are named than this game turns.
    """
    stated = plain_facts({name: value for name, value in facts.items() if name not in OWN_NAMES})
    _check_own(facts)
    named = len(split_tiles(str(stated.get("birds") or "")))
    if named > game.customs.birds:
        raise BadHand(say("why.birds_too_many", count=named, most=game.customs.birds))
    return {**stated, **{name: value for name, value in facts.items() if name in OWN_NAMES}}


def _check_own(facts: TableFacts) -> None:
    """The table's own facts, which the rules do not read: null takes one back.

    Raises:
        BadHand: one of them is of another form.
    """
    for name, form in _KONGS.items():
        named = facts.get(name)
        if named is not None and not (isinstance(named, str) and form.fullmatch(named)):
            raise BadHand(say("why.kongs_unpaid", name=name, found=repr(named)[:40]))
    no_more = facts.get(NO_MORE_BIRDS)
    if no_more is not None and not isinstance(no_more, bool):
        raise BadHand(say("why.no_more_birds", found=repr(no_more)[:40]))


def turned_up(rulebook: Rulebook, tile: str) -> dict[str, Any]:
    """The tile that was turned up, and the wildcard that it makes.

    Raises:
        BadHand: it makes none in this game.
    """
    return {"flip": tile, f"{PRIVATE}wild": rulebook.ask("wild", {"flips": [tile]})["wilds"][0]}


def facts_now(state: State, game: Game, setup: Setup) -> dict[str, Any]:
    """The same for the hand being played."""
    return table_facts(game, setup, stated_facts(state, game), state.sides, state.out)


def paid_by(side: SidePay) -> dict[str, int]:
    """Who paid how much, by seat."""
    return {str(seat): -points for seat, points in enumerate(side.payments) if points < 0}


def wild_of(stated: TableFacts) -> str:
    """The wildcard of a hand, as stated or as the turned tile made it; empty if there is none."""
    return str(stated.get("wild") or stated.get("_wild") or "")


# --- what is still to be asked --------------------------------------------------------------------------------------


def open_questions(state: State, game: Game, rulebook: Rulebook, claim: Claim) -> tuple[Question, ...]:
    """What must be known of the hand before this claim can be judged, and is not."""
    facts, questions = stated_facts(state, game), list(hand_questions(state, game, rulebook))
    if game.options.get("dingque") is True and "void" not in _player(facts, claim.seat):
        questions.append(ask_void(claim.seat))
    if game.customs.asks_opened:
        losers = (seat for seat in game.places if seat != claim.seat)
        questions += [_ask_opened(seat) for seat in losers if not _known_open(_player(facts, seat))]
    return tuple(questions)


def hand_questions(state: State, game: Game, rulebook: Rulebook) -> tuple[Question, ...]:
    """What the beginning of the hand should have told, whoever wins: the turned tile, the opening dice."""
    facts, questions = stated_facts(state, game), list[Question]()
    if game.customs.indicator and "wild" in rulebook.answers and not ("flip" in facts or "wild" in facts):
        questions.append(Question(id="flip", text_key="ask_flip", params={}, pick={"kind": "turn_tile"}))
    if game.customs.opening_fans and "dice" not in facts:
        questions.append(_ask_doubles())
    return tuple(questions)


BIRDS = "birds"
"""Id of the question which birds are turned."""


def bird_question(state: State, game: Game) -> Question | None:
    """The birds that are still to be turned; None when all are, or the game has none."""
    turned = state.facts.get("birds")
    count = 0 if turned is None else sum(letter.isdigit() for letter in str(turned))
    if count >= game.customs.birds or state.facts.get(NO_MORE_BIRDS) or _last_tile_won(state):
        return None
    none_left = Choice(command={"kind": "hand_facts", "facts": {NO_MORE_BIRDS: True}}, text_key="birds_none_left")
    params = {"number": count + 1, "count": game.customs.birds}
    pick: dict[str, Scalar] = {"kind": "turn_tile", "what": "bird", "number": count + 1}
    return Question(id=BIRDS, text_key="ask_birds", params=params, choices=(none_left,), pick=pick)


def _last_tile_won(state: State) -> bool:
    """Whether the last tile of the wall is what was won on, so that none is left to turn."""
    last = stated_facts(state, state.game).get("last_tile", False) if state.game is not None else False
    return last is True or any(claim.source == "sea_bottom" or claim.facts.last_tile for claim in state.claims)


def _player(facts: TableFacts, seat: Seat) -> Mapping[str, Any]:
    player: Mapping[str, Any] = facts.get("players", {}).get(str(seat), {})
    return player


def _known_open(player: Mapping[str, Any]) -> bool:
    return "opened" in player or any(meld["type"] != "kong_concealed" for meld in player.get("melds", ()))


def _ask_doubles() -> Question:
    choices = tuple(
        Choice(command={"kind": "hand_facts", "facts": {"dice": dice}}, text_key=key)
        for dice, key in (([1, 1], "dice_doubles"), ([1, 2], "dice_plain"))
    )
    return Question(id="dice", text_key="ask_dice", params={}, choices=choices)


def ask_void(seat: Seat) -> Question:
    """Which suit this player had given up (定缺)."""
    choices = tuple(
        Choice(command={"kind": "declare", "seat": seat, "what": "void", "suit": suit}, text_key=f"suit_{suit}")
        for suit in "mps"
    )
    return Question(id=f"void:{seat}", text_key="ask_void", params={"seat": seat}, choices=choices)


def _ask_opened(seat: Seat) -> Question:
    choices = tuple(
        Choice(command={"kind": "hand_facts", "facts": {"players": {str(seat): {"opened": opened}}}}, text_key=key)
        for opened, key in ((True, "opened_yes"), (False, "opened_no"))
    )
    return Question(id=f"opened:{seat}", text_key="ask_opened", params={"seat": seat}, choices=choices)


def merged(facts: TableFacts, more: TableFacts) -> dict[str, Any]:
    """What changes when more is stated: players are completed one by one, everything else is replaced."""
    changed = dict(more)
    if isinstance(more.get("players"), Mapping):
        players = {seat: dict(known) for seat, known in facts.get("players", {}).items()}
        for seat, known in more["players"].items():
            players[str(seat)] = {**players.get(str(seat), {}), **known}
        changed["players"] = players
    return changed


def of_another_feeder(facts: Facts) -> Facts:
    """The circumstances once another player fed the win: whether the first one was ready says nothing of him."""
    return replace(facts, more={name: value for name, value in facts.more.items() if name != "discarder_ready"})
