"""Following at a running table with a camera: pictures of questions and wins, answers, a restart, a replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from table import ledger as books
from table.decision import Rejected
from table.events import MoveSeen, encode
from table.evidence import named_in
from table.replay import read_recording, replay
from table.runtime import LEDGER_NAME, Runtime
from table.snapshot import Question
from tests import seen_rig
from tests import webui_rig as rig
from tests.table_kit import command


def test_a_question_has_a_picture_and_its_answer_outlives_a_restart_and_a_replay(tmp_path: Path) -> None:
    felt, recording = seen_rig.ScriptedTable(), tmp_path / "evening.jsonl"
    with seen_rig.followed(tmp_path / "live", felt, recording) as runtime:
        rig.open_game(runtime, ruleset="gb")
        rig.do(runtime, "start_hand")
        felt.discard((0, "1z"), (1, "9m"), (3, "5p"))
        now = seen_rig.wait(runtime, lambda one: one.table is not None and one.table.question)
        assert now.table is not None
        assert now.table.question is not None
        question = now.table.question
        assert question.picture is not None
        assert runtime.evidence(question.picture) is not None
        answer = next(choice.command for choice in question.choices if choice.seat == 0)
        fields = {name: value for name, value in answer.items() if name != "kind"}
        rig.do(runtime, "answer_seen", **fields)
        late = runtime.submit(command("answer_seen", **fields))
        assert isinstance(late, Rejected)
        assert late.sentence.key == "seen_gone"
        told = seen_rig.wait(runtime, lambda one: one.table is not None and one.table.question is None).table
        assert told is not None
        assert (told.ponds, told.turn) == ((("1z",), ("9m",), (), ("5p",)), 0)
    with seen_rig.followed(tmp_path / "live", felt, recording) as runtime:
        again = seen_rig.wait(runtime, lambda one: one.table is not None).table
        assert again is not None
        assert (again.ponds, again.turn, again.question) == (told.ponds, told.turn, None)
        rig.do(runtime, "claim_win", seat=1)
        claim = seen_rig.wait(runtime, lambda one: one.claim is not None and one.claim.seen).claim
        assert claim is not None
        assert claim.seen is not None
        assert (claim.source, claim.from_seat, claim.seen.tile) == ("discard", 3, "5p")
    named = [one for entry in books.read(tmp_path / "live" / LEDGER_NAME) for one in named_in(encode(entry.event))]
    assert question.picture in named  # so it stays with its hand, and is in the file for an appeal
    live = books.verify(tmp_path / "live" / LEDGER_NAME)
    done = replay(read_recording(recording), tmp_path / "again.db")
    assert (done.entries, done.head, done.refused) == (live.entries, live.head, ())


def answered(runtime: Runtime, key: str, choose: Callable[[Question], Mapping[str, Any]]) -> None:
    """Wait for a question, look at its picture, and give the chosen answer."""
    now = seen_rig.wait(runtime, lambda one: one.table is not None and one.table.question)
    assert now.table is not None
    question = now.table.question
    assert question is not None
    assert question.text_key == key
    assert question.picture is not None
    assert runtime.evidence(question.picture) is not None
    command = choose(question)
    rig.do(runtime, "answer_seen", **{name: value for name, value in command.items() if name != "kind"})


def lies(seat: int) -> Callable[[Question], Mapping[str, Any]]:
    """It is as it lies, and this seat is next."""
    return lambda question: next(choice.command for choice in question.choices if choice.seat == seat)


def ponds(runtime: Runtime, *wanted: str) -> None:
    """Wait until the ponds are followed like this."""
    seen_rig.wait(runtime, lambda one: one.table and one.table.ponds == tuple(tuple(pond.split()) for pond in wanted))


def next_hand(runtime: Runtime, felt: seen_rig.ScriptedTable) -> None:
    """Nobody wins this hand; the next one begins on a clear table, dealt by seat 0 like the first."""
    rig.do(runtime, "draw_hand", void=True)
    felt.clear()
    rig.do(runtime, "start_hand")
    ponds(runtime, "", "", "", "")


def evening(runtime: Runtime, felt: seen_rig.ScriptedTable) -> None:
    """Three hands in which something goes wrong, each answered in another way, and one that is won."""
    rig.open_game(runtime, ruleset="gb")
    rig.do(runtime, "start_hand")
    felt.discard((0, "4m"), (1, "4m"), (2, "4m"), (3, "4m"))
    ponds(runtime, "4m", "4m", "4m", "4m")
    felt.discard((0, "4m"))
    answered(runtime, "seen_fifth", lambda question: {**(question.pick or {}), "tile": "3m"})
    ponds(runtime, "4m 3m", "4m", "4m", "4m")
    next_hand(runtime, felt)
    felt.discard((0, "1z"), (1, "9m"), (2, "2z"), (3, "8s"))
    ponds(runtime, "1z", "9m", "2z", "8s")
    felt.claim(1, 3, ["7s", "8s", "9s"])
    answered(runtime, "seen_wrong_side", lies(1))
    felt.discard((1, "8p"))
    ponds(runtime, "1z", "9m 8p", "2z", "")
    next_hand(runtime, felt)
    felt.discard((0, "1z"))
    ponds(runtime, "1z", "", "", "")
    felt.discard((3, "8s"))
    answered(runtime, "seen_out_of_turn", lambda question: question.choices[-1].command)
    seen_rig.wait(runtime, lambda one: one.table is None)
    next_hand(runtime, felt)
    felt.discard((0, "4m"))
    ponds(runtime, "4m", "", "", "")
    rig.do(runtime, "claim_win", seat=2)
    seen_rig.wait(runtime, lambda one: one.claim and one.claim.from_seat == 0)
    rig.do(runtime, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    rig.do(runtime, "approve")


MOVES = ((0, 1, 2, 3, 0), (0, 1, 2, 3, 1), (0,), (0,))
"""Who discarded in each hand of the evening; nothing else was followed."""


def test_an_evening_of_mistakes_is_followed_answered_and_replayed(tmp_path: Path) -> None:
    """At any speed, and as far as the recording goes, a replay writes the ledger of the evening bit for bit."""
    felt, recording = seen_rig.ScriptedTable(speed=6), tmp_path / "evening.jsonl"
    with seen_rig.followed(tmp_path / "live", felt, recording) as runtime:
        evening(runtime, felt)
        entries = runtime.entries()
    seen = [entry.event for entry in entries if isinstance(entry.event, MoveSeen)]
    assert tuple(tuple(one.seat for one in seen if one.hand_no == hand) for hand in range(1, 5)) == MOVES
    assert {one.what for one in seen} == {"discard"}
    heads = [entry.hash for entry in entries]
    played = list(read_recording(recording))
    took_s = (played[-1].mono_ms - played[0].mono_ms) / 1000
    for speed in (None, 1.0, 20.0):
        slept = list[float]()
        done = replay(played, tmp_path / f"at {speed}.db", speed=speed, sleep=slept.append)
        assert (done.entries, done.head, done.refused) == (len(entries), heads[-1], ())
        assert sum(slept) == pytest.approx(took_s / speed if speed else 0)
    text = recording.read_bytes()
    lines = text.count(b"\n")
    for cut in (len(text) * 2 // 3, len(text) - 5):
        torn = tmp_path / f"torn {cut}.jsonl"
        torn.write_bytes(text[:cut])
        done = replay(read_recording(torn), tmp_path / f"torn {cut}.db")
        assert 0 < done.messages == text[:cut].count(b"\n") < lines
        assert done.head == heads[done.entries - 1]
        assert done.refused == ()


def test_nothing_is_answered_where_nothing_is_followed(tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime:
        rig.open_game(runtime)
        rig.do(runtime, "start_hand")
        answer = runtime.submit(command("answer_seen", ignore=True))
        assert isinstance(answer, Rejected)
        assert answer.sentence.key == "seen_gone"
        assert runtime.snapshot().table is None


def test_what_a_typed_hand_tells_of_a_drawn_tile_needs_no_other_look(tmp_path: Path) -> None:
    """The fourth 4m is drawn: whoever agrees to the hand agrees to that too, though nothing moves any more."""
    felt = seen_rig.ScriptedTable()
    with seen_rig.followed(tmp_path, felt) as runtime:
        rig.open_game(runtime, ruleset="gb")
        rig.do(runtime, "start_hand")
        felt.discard((0, "4m"), (1, "4m"), (2, "4m"), (3, "1z"))
        ponds(runtime, "4m", "4m", "4m", "1z")
        rig.do(runtime, "claim_win", seat=0, source="self_draw")
        seen_rig.wait(runtime, lambda one: one.claim and one.claim.seen)
        rig.do(runtime, "hand_manual", hand="123456789p56m77z", win_tile="4m")
        claim = runtime.snapshot().claim
        assert claim is not None
        assert claim.facts.last_of_kind
        assert claim.verdict is not None
        assert claim.verdict.total == 26
