"""Following at a running table with a camera: pictures of questions and wins, answers, a restart, a replay."""

from __future__ import annotations

from pathlib import Path

from table import ledger as books
from table.decision import Rejected
from table.replay import read_recording, replay
from table.runtime import LEDGER_NAME
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
    live = books.verify(tmp_path / "live" / LEDGER_NAME)
    done = replay(read_recording(recording), tmp_path / "again.db")
    assert (done.entries, done.head, done.refused) == (live.entries, live.head, ())


def test_nothing_is_answered_where_nothing_is_followed(tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime:
        rig.open_game(runtime)
        rig.do(runtime, "start_hand")
        answer = runtime.submit(command("answer_seen", ignore=True))
        assert isinstance(answer, Rejected)
        assert answer.sentence.key == "seen_gone"
        assert runtime.snapshot().table is None
