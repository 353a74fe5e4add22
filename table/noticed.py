"""What the camera followed of a hand that moves money later and that nobody has entered yet: one tap enters it.

Kongs that are paid at once, discards taken that bind two players, a feed that makes somebody answer for a win, a hand
laid open whose player has not said 和. Nothing of it counts before a person says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rules.registry import ruleset
from table import events as ev
from table.circumstances import stated_facts, wild_of
from table.follow.legal import legal_moves
from table.melding import SPECIAL_KONGS
from table.model import Seat
from table.robbed import robbed_by_wins
from table.rulebook import Rulebook
from table.snapshot import Choice, SeenMove
from table.state import Game, State

CLAIMS = frozenset({"chi", "peng", "kong_open"})
KONGS = frozenset({"kong_open", "kong_concealed", "kong_added"})
TWELVE = 4
"""With so many melds laid open twelve tiles are (十二張); whoever fed the last of them answers for the win."""

SETS: Mapping[str, frozenset[str]] = {
    "大三元": frozenset({"5z", "6z", "7z"}),
    "大四喜": frozenset({"1z", "2z", "3z", "4z"}),
}


def noticed(state: State, game: Game, rulebook: Rulebook) -> tuple[Choice, ...]:
    """What to offer for entering, oldest first."""
    moves = [one for one in state.seen if isinstance(one, ev.MoveSeen) and one.seat is not None]
    found = [*_kongs(moves, state, game, rulebook), *_lone_kongs(moves, state, game)]
    found += _taken(moves, state, game, rulebook)
    if "liability" in rulebook.answers:
        found += _liable(moves, state)
    found += _laid(state)
    return tuple(found)


def _laid(state: State) -> Iterator[Choice]:
    """The hand that the newest move laid open, while its player has neither claimed nor won nor lost the right to."""
    newest = state.seen[-1] if state.seen else None
    known = {*(claim.seat for claim in state.claims), *state.out, *state.dead_seats()}
    if isinstance(newest, ev.MoveSeen) and newest.what == "hand" and newest.seat not in known:
        yield _offer({"kind": "claim_win", "seat": newest.seat}, newest)


def _kongs(moves: Sequence[ev.MoveSeen], state: State, game: Game, rulebook: Rulebook) -> Iterator[Choice]:
    customs = game.customs
    counts = "kong" in rulebook.answers or customs.kong_die or customs.asks_opened
    kinds = KONGS if counts else {"kong_open"} if "contract" in rulebook.answers else set()
    entered: Counter[tuple[Seat | None, str | None]] = Counter(
        (side.seat, side.meld_kind) for side in state.sides if side.what == "kong"
    )
    robbed = {(one.seat, one.tile) for one in robbed_by_wins(state.won)}
    for move in moves:
        if move.what not in kinds or _was_robbed(move, robbed):
            continue
        if entered[move.seat, move.what]:
            entered[move.seat, move.what] -= 1
            continue
        command: dict[str, Any] = {"kind": "kong", "seat": move.seat, "meld_kind": move.what}
        tile = next((text for text in move.tiles if text != "x" and "/" not in text), None)
        yield _offer({**command, "tile": tile, "from_seat": move.from_seat}, move)


def _lone_kongs(moves: Sequence[ev.MoveSeen], state: State, game: Game) -> Iterator[Choice]:
    """Tiles that are a kong of their own when they are put down (武漢: 紅中, 癩子)."""
    own = legal_moves(ruleset(game.ruleset, game.options)).own_kongs
    if not own:
        return
    facts = stated_facts(state, game)
    kinds = {**dict.fromkeys(own, "hongzhong"), wild_of(facts): "laizi"}
    entered = Counter(
        {
            (int(seat), kind): player.get(name, 0)
            for seat, player in facts.get("players", {}).items()
            for kind, name in SPECIAL_KONGS.items()
        }
    )
    for move in moves:
        kind = kinds.get(move.tiles[0]) if move.what in ("discard", "flower") and move.seat is not None else None
        if kind is None or move.seat is None:
            continue
        if entered[move.seat, kind]:
            entered[move.seat, kind] -= 1
            continue
        yield _offer({"kind": "kong", "seat": move.seat, "meld_kind": kind, "tile": move.tiles[0]}, move)


def _was_robbed(move: ev.MoveSeen, robbed: Collection[tuple[Seat, str]]) -> bool:
    """Whether the kong that was seen brought nothing, because its tile was won on."""
    faces = {face for text in move.tiles for face in text.split("/")}
    return move.what == "kong_added" and any(seat == move.seat and tile in faces for seat, tile in robbed)


def _taken(moves: Sequence[ev.MoveSeen], state: State, game: Game, rulebook: Rulebook) -> Iterator[Choice]:
    """Chows and pungs, where who took how much from whom binds or opens a hand."""
    if not ("contract" in rulebook.answers or game.customs.asks_opened):
        return
    entered = Counter((note.get("claim"), note.get("by"), note.get("from")) for note in state.noted)
    for move in moves:
        if move.what not in ("chi", "peng"):
            continue
        key = (move.what, move.seat, move.from_seat)
        if entered[key]:
            entered[key] -= 1
            continue
        sure = not any(text == "x" or "/" in text for text in move.tiles)
        tiles = "".join(move.tiles) if sure else ""
        command = {"kind": "take_discard", "seat": move.seat, "meld_kind": move.what, "from_seat": move.from_seat}
        yield _offer({**command, "tiles": tiles}, move)


def _liable(moves: Sequence[ev.MoveSeen], state: State) -> Iterator[Choice]:
    """Feeds that complete twelve open tiles or the last pung of a great set."""
    known = {(one.get("for"), one.get("by"), one.get("kind")) for one in state.facts.get("liability", ())}
    laid: dict[Seat, list[str]] = {}
    for move in moves:
        if move.what not in CLAIMS or move.seat is None:
            continue
        mine = laid.setdefault(move.seat, [])
        mine.append(move.tiles[0] if move.what != "chi" else "")
        makes = ["十二張"] if len(mine) == TWELVE else []
        makes += [name for name, tiles in SETS.items() if mine[-1] in tiles and tiles <= set(mine)]
        for name in makes:
            if (move.seat, move.from_seat, name) not in known:
                feeder = {"feeder": move.from_seat, "beneficiary": move.seat, "makes": name}
                yield _offer({"kind": "liable", **feeder}, move)


def _offer(command: Mapping[str, Any], move: ev.MoveSeen) -> Choice:
    seen = SeenMove(what=move.what, seat=move.seat, tiles=move.tiles, from_seat=move.from_seat)
    return Choice(command=command, text_key="seen_enter", moves=(seen,))
