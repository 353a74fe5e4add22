"""Another whole hand on a rendered table: see `test_follow_rendered`."""

from __future__ import annotations

from tests.rendered_evening import follow_one
from tests.rendered_table import PLACES


def test_a_whole_rendered_hand_with_a_kong_is_followed_until_its_win() -> None:
    """長沙: eighteen discards, three of them taken, a kong and a win, in other tiles under another camera."""
    follow_one(PLACES["unseen set, 1920 x 1080"], "changsha", 34)
