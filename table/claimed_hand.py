"""The hand of a claim: seen in a picture, typed in, and put right tile by tile and group by group."""

from __future__ import annotations

from dataclasses import replace

from table import commands
from table import events as ev
from table.claims import edited
from table.decision import Context, Decision, Rejected, accept, reject, reject_because
from table.model import LaidHand, LaidMeld, MeldKind, SeenGroup
from table.rulebook import BadHand
from table.rules_input import check_tiles
from table.state import Claim
from table.tile_text import meld_kind, split_tiles


def hand_photo(context: Context, _command: commands.HandPhoto) -> Decision | Rejected:
    """A picture is to be read: whether that makes sense now. What it shows arrives through `hand_shown`."""
    return accept() if context.state.claim is not None else reject("no_claim")


def hand_shown(context: Context, shown: ev.HandShown) -> Decision | Rejected:
    """The eyes have read a picture for the claim of this seat."""
    claim = next((one for one in context.state.claims if one.seat == shown.seat), None)
    if claim is None:
        return reject("no_claim")
    return edited(context, claim, shown)


def hand_manual(context: Context, command: commands.HandManual) -> Decision | Rejected:
    """The hand is typed in."""
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    laid = LaidHand(
        hand=command.hand,
        melds=laid_melds(command.melds),
        win_tile=command.win_tile or "",
        flowers=command.flowers,
    )
    try:
        check_tiles(laid)
    except BadHand as error:
        return reject_because("bad_tiles", error.sentence)
    return edited(context, claim, ev.HandEntered(seat=claim.seat, laid=laid))


def laid_melds(melds: tuple[commands.MeldIn, ...]) -> tuple[LaidMeld, ...]:
    """Melds as people entered them, as the ledger keeps them."""
    return tuple(LaidMeld(kind=meld.kind, tiles=meld.tiles, from_seat=meld.from_seat) for meld in melds)


def fix_tile(context: Context, command: commands.FixTile) -> Decision | Rejected:
    """A person's word replaces what the eyes read."""
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    if claim.how not in ("camera", "photo"):
        return reject("no_picture")
    if command.index >= len(claim.tiles):
        return reject("no_such_tile", index=command.index, count=len(claim.tiles))
    was = claim.tile_at(command.index)
    return edited(context, claim, ev.TileFixed(seat=claim.seat, index=command.index, tile=command.tile, was=was))


def set_win_tile(context: Context, command: commands.SetWinTile) -> Decision | Rejected:
    """A person says which tile won."""
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    if not claim.has_hand:
        return reject("no_picture")
    if claim.entered is not None:
        return _win_tile_of_typed(context, claim, claim.entered, command.tile or "")
    if command.index is None:
        if command.tile is None:
            return reject("no_such_tile", index=-1, count=len(claim.tiles))
        return edited(context, claim, ev.WinTileSet(seat=claim.seat, index=None, tile=command.tile))
    if command.index >= len(claim.tiles):
        return reject("no_such_tile", index=command.index, count=len(claim.tiles))
    tile = claim.tile_at(command.index)
    return edited(context, claim, ev.WinTileSet(seat=claim.seat, index=command.index, tile=tile))


def _win_tile_of_typed(context: Context, claim: Claim, entered: LaidHand, tile: str) -> Decision | Rejected:
    tiles = [*split_tiles(entered.hand), *((entered.win_tile,) if entered.win_tile else ())]
    if tile not in tiles:
        return reject("win_tile_not_in_hand", tile=tile)
    tiles.remove(tile)
    laid = replace(entered, hand="".join(tiles), win_tile=tile)
    return edited(context, claim, ev.HandEntered(seat=claim.seat, laid=laid))


def set_meld(context: Context, command: commands.SetMeld) -> Decision | Rejected:
    """A person says what a group of tiles is."""
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    if command.group >= len(claim.groups):
        return reject("no_such_group", group=command.group, count=len(claim.groups))
    if command.meld_kind is not None:
        names = _group_names(claim, claim.groups[command.group])
        if not _may_be(names, command.meld_kind):
            return reject("not_a_meld", tiles=" ".join(names), meld=command.meld_kind)
    event = ev.MeldSet(seat=claim.seat, group=command.group, meld_kind=command.meld_kind, from_seat=command.from_seat)
    return edited(context, claim, event)


def set_layout(context: Context, command: commands.SetLayout) -> Decision | Rejected:
    """A person says whether the groups set apart are melds or all tiles are the concealed hand."""
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    pins: list[ev.TableEvent] = []
    for number, group in enumerate(claim.groups):
        kind = meld_kind(_group_names(claim, group)) if group.kind != "pond" else None
        if kind is not None:
            pin = ev.MeldSet(seat=claim.seat, group=number, meld_kind=kind if command.melds else None, from_seat=None)
            pins.append(pin)
    return edited(context, claim, *pins) if pins else reject("no_picture")


def _group_names(claim: Claim, group: SeenGroup) -> list[str]:
    return [name for index in group.tiles if (name := claim.tile_at(index))]


def _may_be(names: list[str], kind: MeldKind) -> bool:
    natural = meld_kind(names)
    return natural == kind or (natural is not None and natural.startswith("kong") and kind.startswith("kong"))
