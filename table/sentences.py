"""Every sentence the table says, under a key, so that the pages can say it in three languages.

The English text here is the reference and the fallback. A sentence says what is wrong, where, and what to do next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import device.said as line
import vision.said as eyes
from rules.impossible import IMPOSSIBLE
from table.ledger_errors import LedgerError
from table.model import Scalar

SENTENCES: Mapping[str, str] = {
    "bad_command": "{detail} Nothing was done.",
    # games and seats
    "no_game": "No game is open. Open one with four names first.",
    "game_running": "A game is running. Close it before a new one is opened.",
    "game_finished": "This game is finished. Earlier hands can still be corrected; open a new game to play on.",
    "unknown_ruleset": "{detail}",
    "same_names": "Two players have the same name {name!r}. Give each player a name of his own.",
    # dice and walls
    "dice_not_now": "The dice do not count now: the hand has begun. Undo the start of the hand to throw again.",
    "dice_count": "A throw to open the wall needs two dice; {count} came. Type both values.",
    "dice_wrong_seat": "Seat {by} threw, but it was the turn of seat {expected}. The throw is kept; check who throws.",
    "unknown_roll": "Throw {roll!r} is not one of this hand's throws, so there is nothing to take back.",
    "bad_walls": "The walls {stacks} hold {counted} tiles but the table reports {tiles}. Count the walls.",
    # claims
    "hand_running": "The hand is already being played.",
    "no_claim": "Nobody has claimed a win. Press 和 (HU) for the winner first.",
    "disk_low": "Only {megabytes} MB are free on the disk. Free some space before pictures can no longer be kept.",
    "claim_held": "The win of seat {seat} is on hold. Take it up again first.",
    "already_claimed": "Seat {seat} has already claimed this win.",
    "dead_between": "That hand is over; this would hold for the next one. If it is meant for that, start it first.",
    "seat_dead": "Seat {seat} may not win this hand any more.",
    "from_self": "Seat {seat} cannot take its own discard. Choose another seat.",
    "no_feeder": "Say which seat discarded the tile.",
    "feeder_not_wanted": "A self-drawn win has no discarder. Leave the seat empty or choose win on discard.",
    "claims_open": "A claimed win is open. Approve, reject or cancel it first.",
    "settle_first": "No hand is being played. Start the next one first.",
    # the hand
    "no_picture": "There is no picture of this hand. Take one, or type the hand in.",
    "no_camera": "No camera picture is there to read. Check the camera, or use the phone or the keyboard.",
    "pictures_often": "{count} pictures of this hand were sent already. Tap the tiles right, or call the referee.",
    "bad_tiles": "{detail}",
    "no_such_tile": "There is no tile number {index} in this picture; it has {count} tiles.",
    "no_such_group": "There is no group number {group} in this picture; it has {count} groups.",
    "not_a_meld": "The tiles {tiles} are not a {meld}. Fix a tile or choose another kind of meld.",
    "win_tile_not_in_hand": "The tile {tile} is not in this hand.",
    "fifth_on_table": "{tile} lies {count} times in hands shown and kongs entered, but there are only four. "
    "Check the tiles.",
    "asked_first": "Something must be said of this win before it can be priced ({questions}). A preview asks it.",
    "not_judged": "The hand is not judged yet. Answer the open questions first.",
    "not_a_win": "This hand is no legal win ({reason}). Fix it, cancel it, or let the referee reject it.",
    "must_win": "Among the last four tiles {seat} must take a win. If it is none, or all waive it, cancel once more.",
    # agreement
    "own_claim": "Seat {seat} claims the win itself; the three other players agree.",
    "announce_first": "The winner announces the points first; then the hand can be approved.",
    "announced_already": "The points are announced already ({points}). Undo it to announce again.",
    "announce_friendly": "Points are announced in competition mode only; a friendly game shows the value at once.",
    "announced_too_low": "{points} points are below the minimum of {minimum}. Reject the win or undo the announcement.",
    "referee_only": "Only a referee may do this in a competition. Call the referee.",
    # corrections
    "no_such_hand": "There is no hand {hand_no} to correct yet; there are {last}.",
    "nothing_changes": "This correction changes nothing.",
    "finish_hand_first": "This changes who deals the hand being played, which has paid already. Finish it first.",
    "rest_between_hands": "A break is announced between two hands.",
    "options_between_hands": "Options are set right between two hands. Finish or void this one first.",
    "no_win_under": "Under these options hand {hand_no} would be no win. Correct that hand first.",
    "not_settled_under": "Under these options hand {hand_no} cannot have ended so. {detail} Correct that hand first.",
    "other_seats": "These options are for another number of players. Open a new game for them.",
    "bad_seating": "The seating {seating} must name each player who sat there once, by his number. Check it.",
    "incomplete_win": "A win needs the winner, how it was won, and the whole hand.",
    "nothing_to_undo": "There is nothing to undo.",
    "called_often": "The referee was called {count} times from here. Wait until one of the calls is dealt with.",
    "no_such_call": "There is no open call {id!r}.",
    # questions about a hand
    "ask_source": "Self-drawn, or discarded by whom?",
    "ask_tile": "Which tile is this?",
    "ask_win_tile": "Which tile won?",
    "ask_kong": "Was this kong claimed at once, or added to a pung?",
    "ask_meld": "What is this group? It is no chow, pung or kong.",
    "ask_face_down": "Which tile is this face-down kong?",
    "ask_layout": "Which of these groups are melds? The tiles can be read in more than one way.",
    "ask_win_missing": "The winning tile is not in the picture. Which tile won?",
    "ask_count": "{count} tiles are seen, but a hand with {melds} melds has {expected}. Fix it or type the hand.",
    "ask_fifth": "{tile} is seen {count} times, but there are only four. One of them is another tile.",
    # the table's own notices
    "dice_one_wanted": "One die chooses the replacement of a kong; {count} came. Type the die that counts.",
    "dice_confirm": "The board reports a throw without a check. Look at the dice and tap to confirm, or throw again.",
    "lamp_differs": "The table's lamp shows {seat} as dealer; by the game it is {dealer}. The game counts: set it.",
    "notice_rebooted": "The table restarted. Was a throw, a button or a wall missed? Enter it by hand.",
    "notice_gap": "{count} messages of the table were lost. Was a throw or a button missed? Enter it by hand.",
    "notice_malformed": "The table said something impossible: {detail} Enter it by hand if it mattered.",
    "notice_brown_out_loop": "The table keeps restarting. Check its power supply and cable; typing goes on.",
    "notice_caps_changed": "The table's abilities changed, perhaps by new firmware. Check its settings.",
    "notice_fault_storm": "One fault comes again and again and is shown once. Look at the table.",
    "notice_dice_missed": "Throws were missed: {count}. Enter the dice that count.",
    "notice_dice_unfinished": "Throw {roll} began and never ended. Enter the dice, or throw again.",
    "notice_dice_no_start": "Throw {roll} ended but was not seen to begin. Compare it with the dice.",
    "notice_dice_unknown": "The dice were thrown, but the table cannot read them. Enter the values.",
    "notice_dice_repeated": "Throw {roll} was reported twice with different dice; the first counts. Check it.",
    "notice_dice_taken_back": "Throw {roll} was taken back after it had counted. Throw again.",
    "notice_dice_no_seat": "The table does not say who threw. Check that it was the right player.",
    "notice_dice_wrong_seat": "A player threw out of turn. The throw is kept; check who throws.",
    "notice_dice_disagree": "Two sources read the dice differently: {detail}",
    "notice_wall_sum": "The walls and the number of tiles do not fit: {detail}",
    "notice_rem_rises": "The tiles before {seat} became more, not fewer. Check the sensor.",
    "notice_stick_sum": "The sticks of {seat} do not fit: {detail}",
    "wall_size": "The walls hold {found} tiles, but this game is played with {wanted}. Count the walls.",
    "wall_differs": "The table counts {found} tiles left, the game {wanted}. Count before the last tiles matter.",
    # whole hands, circumstances, penalties
    "seat_empty": "Nobody plays on seat {seat} in this game. Choose a seat that is taken.",
    "seat_out": "Seat {seat} has won already in this hand and plays no more.",
    "names_wanted": "{count} names came; this game is played by {wanted}. Give one name for each player.",
    "not_in_this_game": "This does not exist in the rules of this game.",
    "bad_facts": "{detail}",
    "birds_first": "Turn the birds first: they change what is paid.",
    "void_wanted": "Say which suit {seat} had given up: whoever still holds one of it pays at the exhausted wall.",
    "draw_shows": "This drawn hand is settled by the tiles that the players show: {detail}",
    "no_such_penalty": "There is no penalty {code!r}. Choose one of the list, or give points.",
    "ask_flip": "Which tile was turned up? It decides the wildcard.",
    "ask_dice": "Were the two opening dice equal?",
    "dice_doubles": "Yes, equal",
    "dice_plain": "No, different",
    "ask_birds": "Turn bird {number} of {count}: which tile is it?",
    "birds_none_left": "No tile is left to turn",
    "ask_void": "Which suit has {seat} given up?",
    "suit_m": "Characters",
    "suit_p": "Dots",
    "suit_s": "Bamboos",
    "ask_opened": "Has {seat} opened the hand (chow, pung or exposed kong)?",
    "ask_first_turn": "Was it the first go-round for {seat}: no own discard before?",
    "ask_claims_before": "Had anybody chowed, punged or konged before?",
    "ask_discards_before": "Had {seat} not discarded yet?",
    "ask_after_kong": "Did {seat} discard it right after a kong?",
    "ask_kong_discard": "Did {seat} turn it up with the die when opening a kong?",
    "ask_kong_feeder": "Who fed the kong whose replacement won for {seat}?",
    "ask_ready_before": "Was {seat} ready when the kong was opened with the die?",
    "ask_discarder_ready": "Was {seat}, who discarded it, ready?",
    "ask_last_of_kind": "Did the three other tiles of this kind lie open?",
    "fed_by": "fed by",
    "fed_by_nobody": "Nobody: concealed or added",
    "opened_yes": "Yes",
    "opened_no": "No",
    "start_won_already": "{seat} has won with the dealt tiles already; a dealt hand is paid once.",
    "no_such_side": "There is no kong or starting win number {index} in this hand; it has {count}.",
    "kong_no_place": "{seat} shows {found} kongs, but {count} were entered. Show them too, or take away what was none.",
    "kong_no_tile": "This game is not played with {tile}, so it makes no kong. Choose another tile.",
    "kongs_too_many": "{seat} would have {count} kongs, but a hand holds {most} at most. Take one away first.",
    "kong_of_nothing": "This hand counts for nothing. Say too whether it still does, or what else it was.",
    # what following the hand asks
    "seen_gone": "This question is answered or no longer matters. Look at the newest one.",
    "seen_two_ways": "Two stories would explain the table. Which one happened?",
    "seen_fifth": "A tile is seen for the fifth time: one is misread. Which tile is this?",
    "seen_no_meld": "This group is no chow, pung or kong. Which tile is this?",
    "seen_wrong_side": "A chow must come from the player before. Is a tile misread, or does it lie right?",
    "seen_out_of_turn": "A tile or group of {seat} appeared out of turn. How does the table stand?",
    "seen_unexplained": "How what lies before {seat} came about cannot be told. How does the table stand?",
    "seen_vanished": "A tile of {seat} has gone. How does the table stand?",
    "seen_way": "So it was:",
    "seen_lies": "As it lies now; next to play:",
    "seen_ignore": "Do not follow this hand any more",
    "ask_exchange": "Throw one die for the exchange of three tiles. What does it show?",
    "exchange_next": "1 or 2: to the next player",
    "exchange_opposite": "3 or 4: to the player opposite",
    "exchange_previous": "5 or 6: to the previous player",
    "not_out": "{seat} has not won in this hand; only a winner may leave before it is over.",
    "left_already": "{seat} has left already.",
    # the last tile
    "sea_not_asked": "It is not for {seat} to take or refuse the last tile now.",
    # devices and machine
    "not_a_picture": "{detail}",
    "eyes_failed": "The picture could not be read: {detail}",
    "own_tiles_unused": "This table's own tiles were taught to another version of the eyes, or their file is damaged: "
    "tiles are read as those of any set. Teach them again (Set up › Tile check).",
    "eyes_missing": "No tile reader is installed, so pictures are kept but not read. Type the hand in.",
    "camera_trouble": "Camera: {detail}",
    "table_trouble": "Table: {detail}",
    "ledger_trouble": "{detail}",
    "recording_waits": "The recording lacks the latest messages: {detail}. They are written once there is space again.",
    "rules_changed": "Opened with {ruleset} {locked}, judged by {now} now: `paiju audit rules` says what changed.",
    "internal": "This request hit a fault in the program and was not carried out: {detail}. The game is as before it.",
    "told_meanwhile": "Somebody else was faster. Look at the table as it is now, and tap again if it is still needed.",
    "key_used": "This bears the key of another request that was done before, so it was not done. Tap again.",
    "not_begun": "The table was busy and has not done this. The game is as before it. Tap again.",
    "not_known_yet": "The table is still busy with this. Wait a moment and look; tapped again it counts once.",
    "stopped": "The table has been stopped.",
    "demo_trouble": "The demonstration cannot go on: {detail}",
    "table_fault": "The table reports {code}. Look at the table; play and typing go on.",
    "table_fault_side": "The table reports {code} before {seat}. Look at the table; play and typing go on.",
    # setting up
    "camera_given": "The camera was named when Paiju was started (--camera); start it without to choose another here.",
    "line_given": "The table was named when Paiju was started (--table); start it without to choose another here.",
    "no_felt": "No felt with four straight sides is found. Show the whole felt, clear its edges, switch on a lamp; or "
    "drag the corners.",
    "camera_moved": "The camera has moved: the felt lies {percent} % elsewhere than when its corners were set. Set "
    "them again.",
    "no_line_word": "“{word}” is no way to a table: choose a port of the list, or socket://HOST:PORT.",
    "not_kept": "This cannot be kept on the disk ({detail}). Look at free space and rights of the table's folder.",
    "not_set_up_here": "The demonstration has nothing to set up. For your own table, start: paiju run",
    "no_such_row": "There is no row {row!r} to lay out.",
    # why, as the `detail` of another sentence: what cannot be by the rules, and what the ledger refuses
    "why.dead_ready": "{seat} may not win this hand. Is it ready at the empty wall? No rule says: the referee does.",
    "why.unreadable": "{detail}",
    "why.fifth_typed": "The hand has {count} copies of {tile}, but there are only four. Check the tiles.",
    "why.follows": "{name} follows from the game as it was played; correct the hand that is wrong instead.",
    "why.too_late": "{what} is not possible now: open hands are chosen before the deal, doubling after it.",
    "why.wins_order": "wins are given in their order, stage 0 for the first tile won on, then 1, then 2, without a "
    "gap; more than stage 0 only where play goes on after a win",
    "why.kong_after_end": "the hand was over by then, so no kong can have followed",
    "why.kongs_unpaid": "{name} names kongs as seat:tile with spaces between, such as 2:9s, found {found}",
    "why.no_more_birds": "_no_more_birds is true or false, found {found}",
    "why.no_command": "{detail}",
    "why.field_missing": "The command {kind} needs the field {field}.",
    "why.field_unknown": "The command {kind} has no field {field}.",
    "why.field_number": "{field} takes a whole number from {least} to {most}.",
    "why.field_text": "{field} takes a text of {least} to {most} characters.",
    "why.field_wrong": "{field} takes {expected}.",
    "why.field_said": "{field}: {said}.",
    "why.field_invisible": "{field} holds the invisible control character {code}. Leave it out.",
    "why.field_walls": "{field} takes four stack counts of 54 together, from the dealer on: 14,13,14,13.",
    "why.ledger_trouble": "{detail}",
    "why.ledger_full": "{detail}",
    "why.ledger_read_only": "{detail}",
    "why.ledger_busy": "{detail}",
    "why.ledger_corrupt": "{detail}",
    "why.ledger_refused": "{detail}",
    "why.picture_not_kept": "{detail}",
    **{f"why.{key}": sentence for key, sentence in IMPOSSIBLE.items()},
    # what cameras, rows, pictures and the line say themselves
    **{f"eye_{key}": sentence for key, sentence in eyes.SAYINGS.items()},
    **{f"line_{key}": sentence for key, sentence in line.SAYINGS.items()},
}

_BARE_SEAT = re.compile(r"(?<![Ss]eat )\{(?P<name>seat|by|from_seat|dealer)\}")
"""Where a sentence gives the number of a seat without saying so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence: its key in the catalogues and the values to put in."""

    key: str
    params: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in English; a seat, which pages call by its player's name, is "seat 2" here."""
        return _BARE_SEAT.sub(self._seat, SENTENCES[self.key]).format(**self.params)

    def _seat(self, found: re.Match[str]) -> str:
        if not isinstance(self.params.get(found["name"]), int):
            return found[0]
        return ("Seat " if found.start() == 0 else "seat ") + found[0]


def say(key: str, **params: Scalar) -> Sentence:
    """Make a sentence; the key must be in the catalogue.

    Raises:
        KeyError: the key is unknown (a mistake in the program).
    """
    if key not in SENTENCES:
        raise KeyError(f"sentence {key!r} is not in the catalogue")
    return Sentence(key=key, params=params)


def because(key: str, why: Sentence, **params: Scalar) -> Sentence:
    """A sentence whose `detail` is another one; `why` is the key of that one, so that pages can say it too."""
    return say(key, **{"why": why.key, **why.params, **params, "detail": why.text})


def ledger_trouble(error: LedgerError) -> Sentence:
    """What is wrong with the ledger."""
    return because("ledger_trouble", say(error.why, detail=str(error)))


def repeat(text: str, key: str) -> Sentence:
    """What a camera or the line said, under its own key; a text without one becomes the `detail` of `key`."""
    if isinstance(text, eyes.Said):
        return say(f"eye_{text.key}", **text.values)
    if isinstance(text, line.Said):
        return say(f"line_{text.key}", **text.values)
    return say(key, detail=text)
