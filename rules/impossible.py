"""What players may say of a hand that cannot be, each as a sentence with a key, so that pages say it in any language.

What only a program can get wrong (a field that does not exist, a text that is no list) has no key; see `rules.errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_MELD = 'seat {seat}: the meld {meld} "{tiles}" '
_SOURCE = "seat {seat}: a win by {source} "

IMPOSSIBLE: Mapping[str, str] = MappingProxyType(
    {
        # tiles of a hand
        "no_win_tile": "seat {seat}: the winning tile is missing",
        "hand_size": 'seat {seat}: the hand "{tiles}" has {count} tiles; with {melds} melds it takes {expected} '
        "without the winning tile",
        "shown_size": 'seat {seat}: the hand "{tiles}" in state.players has {count} tiles; with {melds} melds it takes '
        "{expected}, one tile short of a complete one",
        "fifth_copy": "seat {seat}: {count} copies of {tile} with melds and winning tile; four exist",
        "fifth_laid": "seat {seat}: {count} {kind} in the hand and {laid} laid by all (hz_kongs, lz_kongs); four exist",
        "flower_in_hand": "seat {seat}: {tile} is a flower; give flowers apart from the hand (`flowers`)",
        "robbed_tile_held": "seat {seat}: the robbed tile {tile} cannot also be in the winner's hand; its other three "
        "copies lie in the robbed player's pung",
        # melds
        "meld_size": _MELD + "has {count} tiles; it takes {size}",
        "meld_flower": _MELD + "holds a flower; flowers are laid aside, not melded",
        "meld_unequal": _MELD + "must be {size} equal tiles",
        "chow_suit": _MELD + "is no chow: chows are made of 萬, 筒 or 條 (m, p, s)",
        "chow_run": _MELD + "is no chow: it takes three ranks in a row of one suit",
        "meld_concealed_from": _MELD + "is concealed, so it comes from nobody; `from` must be null",
        "meld_from_self": _MELD + "comes from the player himself; `from` is who discarded the claimed tile",
        "chow_from": _MELD + "comes from seat {from_seat}; only a discard of the previous seat can be chowed",
        "wild_melded": "seat {seat}: {tile} is the wildcard and cannot be melded ({laid})",
        "red_melded": "seat {seat}: 紅中 cannot be melded; each one laid out counts in hz_kongs",
        "no_chow_here": "seat {seat}: {laid}, but 四川 has no chow; correct the meld",
        # flowers
        "no_flowers_here": "seat {seat}: {rules} does not take flowers with the hand",
        "flowers_not_in_set": "state.flowers is {counts}, but this set has none (see the options)",
        "no_flower": "seat {seat}: {tile} is no flower; flowers are 1f-8f",
        "flower_twice": "seat {seat}: the flower {tile} exists only once",
        "flower_counts": "state.flowers needs {count} counts, one for each seat, of at most 8 together, found {counts}",
        "flowers_differ": "seat {seat}: {found} flowers are laid aside, but state.flowers says {count}",
        # how the winning tile came
        "no_such_way": "seat {seat}: {rules} has no win by {source}; it has {ways}",
        "win_needs_feeder": _SOURCE + "needs `from_seat`, the player whose tile was taken",
        "win_from_self": _SOURCE + "cannot come from the winner himself",
        "win_from_wall": _SOURCE + "comes from the wall, so `from_seat` must be null, found {from_seat}",
        "win_needs_kong": _SOURCE + "needs a kong in the hand, and there is none",
        "kong_fed_himself": _SOURCE + "cannot come from a kong that the winner fed himself (kong_feeder)",
        "no_kong_at_end": "seat {seat}: a kong cannot be robbed after the last tile of the wall; no kong may be "
        "declared then",
        "sea_from_himself": "seat {seat} takes the sea-bottom tile himself; leave `from_seat` null (海底撈月)",
        "dealt_win_of_dealer": "seat {seat}: only the dealer, seat {dealer}, can win with the dealt tiles (start_hand)",
        "dealt_gold": "seat {seat}: only the dealer, seat {dealer}, is dealt a whole hand (start_hand); another player "
        "completes it with the turned-up gold alone (搶金)",
        "start_form": "seat {seat}: a starting win has source start_hand, the dealt tiles, no winning tile and no "
        "melds",
        "start_size": 'seat {seat}: "{tiles}" has {count} tiles; only the dealer has 14',
        # several winners
        "wins_twice": "seat {seat} declares two wins at once; give one entry in winners for each player",
        "wins_apart": "seats {seats} win together, so win_tile, source and from_seat must be the same for all",
        "drawn_by_one": "seat {seat} drew the winning tile, so nobody else of {seats} can win it",
        # a battle that goes on
        "already_out": "seat {seat} has already won (state.out) and has no part in the win{won} of seat {by}",
        "kong_of_winner": "{meld} by seat {seat}: a player who has won (state.out) makes and feeds no kong",
        "kong_needs_feeder": "kong_open by seat {seat}: name the player who discarded the tile in `from`",
        "battle_over": "event {number}: the hand was already over, so {what} cannot follow",
        "battle_over_win": "event {number}: the hand was already over, so seat {seat} cannot win",
        "win_source_differs": "event {number}: a win of seat {seat} by {source} and `from` {feeder} do not fit",
        "winner_takes_part": "event {number}: a player who has already won takes no part in the win of {seat}",
        "leaves_unwon": "seat {seat} has not won yet; only a winner may leave before the hand is over",
        "leaves_twice": "seat {seat} has left already and cannot leave again",
        # who is bound, who has quit
        "claims_own": "seat {seat} cannot claim its own discard",
        "quit_claims": "seat {seat} has quit this hand and may only draw and discard",
        "quit_wins": "seat {seat} has quit this hand (承包) and cannot win it",
        "not_asked_to_stay": "seat {seat} was not asked to stay or quit; asked: {known}",
        "contract_of_one": "a contract needs two players, found seat {seat} twice",
        "bound_quits": "seat {seat} is bound by the contract [{pair}] and cannot have quit",
        "no_liability": "state.liability: seat {by} for seat {seat} by {kind} cannot be; it is one of {known}, and "
        "nobody is liable for himself",
        "liable_for_himself": "event {number}: seat {seat} cannot be liable for his own win",
        # the table and the end of the wall
        "no_seat": "{who}: there is no seat {place}; {rules} has seats 0-{last}",
        "drawn_too_many": "state.drawn is {drawn}, but the hand ends when {count} tiles are drawn",
        "wild_flower": "state.wild: {tile} is a flower, which is never wild",
        "wild_differs": "the turned tile {tile} makes {made} wild, but the table names {named}; give only one of flip "
        "and wild, or correct one",
        "turned_flower": "the turned tile {tile} is a flower; turn the next tile",
        "red_wild": "the table names {tile} as wild, but 紅中 is never the 癩子",
        "ready_unknown": "state.players.{seat}: with check_ready_at_draw give `ready` or the `hand` of every player",
        "over_before_wall": "the hand was over before the wall was empty: seats {seats} have won",
        "next_dealer_unknown": "who deals next needs the winner, or the discarder in `from` where several won",
        "birds_too_many": "{count} birds are turned in state.birds, but the option bird_count is {most}",
        "bird_suit": "state.birds: {tile} is no tile of this game, which has 萬, 筒 and 條 alone",
        "no_carried_fan": 'state.carry_in: "{name}" is no fan that is carried; {hint}',
        "two_dice": "state.dice: the hand is opened with two dice, found {found}",
        "one_for_each": "state.{name} needs one entry for each of the two players, found {found}",
        "false_win_points": 'jiaxing: with false_win "pay_n" the referee names the points for each opponent (`each`)',
    }
)
"""Places `seat`, `from_seat`, `by` and `dealer` hold seats, `tile` one tile, `tiles` several, `meld` a kind of meld."""
