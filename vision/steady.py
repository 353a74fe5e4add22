"""Keeps what was read from one frame to the next, so that on a still table no tile changes its face.

Each tile is followed as a track. Every frame is a vote for the faces it could be; the face that is shown changes only
when another one has been ahead by a clear margin for several frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from models import Thresholds
from vision.boxes import iou
from vision.grouping import arrange
from vision.reader import ALTERNATIVES, flag_impossible_counts, grade
from vision.types import Box, Floats, PictureReading, Sure, TileReading

SAME_PLACE = 0.3
"""Least overlap (IoU) of a tile with its track."""
MOVED = 0.08
"""A box that differs from its track by less than this share of its side has not moved."""
MEMORY = 0.85
"""Weight that a vote keeps from one frame to the next: about six frames count."""
FORGET = 0.002
"""Faces with fewer votes than this are no longer remembered."""
LEAD = 1.3
"""How clearly another face must be ahead to take over."""
PATIENCE = 3
"""Frames for which another face must be ahead, and for which a tile may be missed before it is gone."""
REGAIN = 0.02
"""By how much a face must be past a threshold to be called surer than it was shown: else it would come and go."""
DOUBT, CALM = 0.5, 0.25
"""A tile that the reader asks to check in more than this share of its frames is one to check, until fewer do."""
APPEAR = 2
"""Frames in which a tile must be seen before it is believed."""
GRADES: tuple[Sure, ...] = ("unreadable", "check", "sure")


@dataclass(slots=True)
class _Track:
    """One tile on the table: its place, the votes for its faces (a frame has one vote), and its history."""

    box: Box
    face: str
    votes: dict[str, float]
    weight: float = 1.0
    seen: int = 1
    missed: int = 0
    ahead: int = 0
    doubts: float = 0.0
    shown: Sure | None = None
    stirred: bool = False


class Steady:
    """Follows the tiles of one camera from frame to frame. One per camera; `reset` when the table was cleared."""

    def __init__(self, thresholds: Thresholds) -> None:
        """Starts with an empty table.

        Args:
            thresholds: Probabilities from which a face is *sure*, or worth a *check*.
        """
        self._thresholds = thresholds
        self._tracks: list[_Track] = []

    def reset(self) -> None:
        """Forgets all tiles."""
        self._tracks = []

    def stir(self) -> None:
        """Something moved: another tile may lie where one lay, so all earlier frames together count as one.

        A tile that is then missed until new ones are believed was taken, and is not waited for any longer.
        """
        for track in self._tracks:
            track.stirred = True
            track.votes = {face: votes / track.weight for face, votes in track.votes.items()}
            track.doubts /= track.weight
            track.weight = 1.0

    def update(self, reading: PictureReading) -> PictureReading:
        """Takes in what was read from the next frame and returns what to believe.

        Args:
            reading: Of one frame, always from the same camera.

        Returns:
            Tiles seen in at least two frames, with the face that most votes of the last frames support.
        """
        boxes = _boxes([tile.box_px for tile in reading.tiles])
        matched = self._match(boxes)
        for place, track in enumerate(self._tracks):
            if place in matched:
                _vote(track, reading.tiles[matched[place]])
            else:
                track.missed += 1
        self._tracks = [track for track in self._tracks if track.missed < _patience(track)]
        taken = set(matched.values())
        self._tracks += [_new(tile) for place, tile in enumerate(reading.tiles) if place not in taken]
        return self._believed(reading.width, reading.height)

    def _match(self, boxes: Floats) -> Mapping[int, int]:
        """Which tile of the frame continues which track: pairs that overlap most first."""
        if not self._tracks or not len(boxes):
            return {}
        overlap = iou(_boxes([track.box for track in self._tracks]), boxes)
        matched: dict[int, int] = {}
        used: set[int] = set()
        for flat in np.argsort(-overlap, axis=None, kind="stable"):
            track, tile = (int(place) for place in np.unravel_index(flat, overlap.shape))
            if overlap[track, tile] < SAME_PLACE:
                break
            if track not in matched and tile not in used:
                matched[track] = tile
                used.add(tile)
        return matched

    def _believed(self, width: int, height: int) -> PictureReading:
        tiles = [self._tile(track) for track in self._tracks if track.seen >= APPEAR]
        return arrange(width, height, flag_impossible_counts(tiles))

    def _tile(self, track: _Track) -> TileReading:
        shares = {face: votes / track.weight for face, votes in track.votes.items()}
        score = min(1.0, shares.pop(track.face))
        also = sorted(((face, round(share, 4)) for face, share in shares.items()), key=lambda pair: -pair[1])
        track.shown = self._graded(track, score)
        return TileReading(track.face, score, track.shown, tuple(also[:ALTERNATIVES]), track.box)

    def _graded(self, track: _Track, score: float) -> Sure:
        """How sure the face is; slower to rise than to fall."""
        before = track.shown
        sure = grade(score, self._thresholds)
        if before is not None and GRADES.index(sure) > GRADES.index(before):
            surer = grade(score - REGAIN, self._thresholds)
            sure = surer if GRADES.index(surer) > GRADES.index(before) else before
        doubtful = track.doubts / track.weight > (DOUBT if before in (None, "sure") else CALM)
        return "check" if sure == "sure" and doubtful else sure


def _patience(track: _Track) -> int:
    if track.seen < APPEAR:
        return 1
    return APPEAR if track.stirred else PATIENCE


def _new(tile: TileReading) -> _Track:
    votes = {tile.tile: tile.score, **dict(tile.also)}
    return _Track(tile.box_px, tile.tile, votes, doubts=float(tile.sure == "check"))


def _vote(track: _Track, tile: TileReading) -> None:
    track.seen += 1
    track.missed = 0
    track.stirred = False
    if _moved(track.box, tile.box_px):
        track.box = tile.box_px
    votes = {face: share * MEMORY for face, share in track.votes.items() if share > FORGET}
    for face, share in ((tile.tile, tile.score), *tile.also):
        votes[face] = votes.get(face, 0.0) + share
    votes.setdefault(track.face, 0.0)
    track.votes = votes
    track.weight = track.weight * MEMORY + 1
    track.doubts = track.doubts * MEMORY + (tile.sure == "check")
    best = max(votes, key=lambda face: votes[face])
    track.ahead = track.ahead + 1 if best != track.face and votes[best] > LEAD * votes[track.face] else 0
    if track.ahead >= PATIENCE:
        track.face, track.ahead = best, 0


def _moved(before: Box, now: Box) -> bool:
    side = min(before[2] - before[0], before[3] - before[1])
    return max(abs(old - new) for old, new in zip(before, now, strict=True)) > MOVED * side


def _boxes(boxes: list[Box]) -> Floats:
    return np.array(boxes, np.float32).reshape(-1, 4)
