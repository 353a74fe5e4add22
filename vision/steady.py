"""Keeps what was read from one frame to the next, so that on a still table no tile changes its face.

Each tile is followed as a track. Every frame is a vote for the faces it could be; the face that is shown changes only
when another one has been ahead by a clear margin for several frames. How sure it is, is settled when enough frames were
read; from then on only clear evidence changes that, either way.
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
RESHAPED = 1.4
"""A box longer or shorter by this factor, once something has moved, is another view: a tile that stood lies open now.
What it showed before was no vote for its face."""
MEMORY = 0.85
"""Weight that a vote keeps from one frame to the next: about six frames count."""
FORGET = 0.002
"""Faces with fewer votes than this are no longer remembered."""
LEAD = 1.6
"""How clearly another face must be ahead to take over."""
PATIENCE = 3
"""Frames for which another face must be ahead, and for which a tile may be missed before it is gone."""
ENOUGH = 5
"""Frames of one face after which it is settled how sure it is."""
MARGIN = 0.03
"""By how much a face must be past a threshold to be called surer or less sure than it was shown: else it would come and
go where it scores about the threshold."""
DOUBT, CALM, WORRY = 0.5, 0.1, 0.9
"""A tile that the reader asks to check in more than half of its frames, whatever its score, is one to check. Once
settled that changes with fewer than a tenth or more than nine tenths of them. Only about six frames count, and where
every second one asks, six alike come often."""
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
    looks: int = 1
    missed: int = 0
    ahead: int = 0
    doubts: float = 0.0
    shown: Sure | None = None
    fallen: bool = False
    stirred: bool = False
    surplus: bool = False


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
            track.stirred, track.fallen = True, False
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
            tile = reading.tiles[matched[place]] if place in matched else None
            if tile is not None and track.stirred and _reshaped(track.box, tile.box_px):
                self._tracks[place] = _new(tile, self._thresholds)
            elif tile is not None:
                _vote(track, tile, self._thresholds)
            else:
                track.missed += 1
        self._tracks = [track for track in self._tracks if track.missed < _patience(track)]
        taken = set(matched.values())
        new = [tile for place, tile in enumerate(reading.tiles) if place not in taken]
        self._tracks += [_new(tile, self._thresholds) for tile in new]
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
        tracks = [track for track in self._tracks if track.seen >= APPEAR]
        tiles = [self._tile(track) for track in tracks]
        flagged = flag_impossible_counts(tiles, [place for place, track in enumerate(tracks) if track.surplus])
        for track, own, shown in zip(tracks, tiles, flagged, strict=True):
            track.surplus = shown.sure != own.sure
        return arrange(width, height, flagged)

    def _tile(self, track: _Track) -> TileReading:
        shares = {face: votes / track.weight for face, votes in track.votes.items()}
        score = min(1.0, shares.pop(track.face))
        also = sorted(((face, round(share, 4)) for face, share in shares.items()), key=lambda pair: -pair[1])
        track.shown = self._graded(track, score)
        return TileReading(track.face, score, track.shown, tuple(also[:ALTERNATIVES]), track.box)

    def _graded(self, track: _Track, score: float) -> Sure:
        """How sure the face is: by the thresholds at first and when enough frames are in, else as shown before unless
        that is clearly too little or too much. What has become less sure stays so until something moves.
        """
        doubts = track.doubts / track.weight
        if track.shown is None or track.looks == ENOUGH:
            return GRADES[self._rank(score, doubts > DOUBT)]
        before = GRADES.index(track.shown)
        least = 0 if track.fallen else self._rank(score - MARGIN, doubts > CALM)
        rank = min(max(before, least), self._rank(score + MARGIN, doubts > WORRY))
        track.fallen = track.fallen or rank < before
        return GRADES[rank]

    def _rank(self, score: float, doubtful: bool) -> int:
        """Place in `GRADES` of a score; what is doubtful is not sure."""
        rank = GRADES.index(grade(score, self._thresholds))
        return min(rank, GRADES.index("check")) if doubtful else rank


def _patience(track: _Track) -> int:
    if track.seen < APPEAR:
        return 1
    return APPEAR if track.stirred else PATIENCE


def _new(tile: TileReading, thresholds: Thresholds) -> _Track:
    votes = {tile.tile: tile.score, **dict(tile.also)}
    return _Track(tile.box_px, tile.tile, votes, doubts=_doubted(tile, thresholds))


def _doubted(tile: TileReading, thresholds: Thresholds) -> float:
    """1 where the reader asks for a check although the score is high: a small tile, a fifth copy, a plain surface.

    What scores low has said so in its vote, and would come and go with the noise if it were counted twice.
    """
    return float(tile.sure == "check" and tile.score >= thresholds.sure)


def _vote(track: _Track, tile: TileReading, thresholds: Thresholds) -> None:
    track.seen += 1
    track.looks += 1
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
    track.doubts = track.doubts * MEMORY + _doubted(tile, thresholds)
    best = max(votes, key=lambda face: votes[face])
    track.ahead = track.ahead + 1 if best != track.face and votes[best] > LEAD * votes[track.face] else 0
    if track.ahead >= PATIENCE:
        track.face, track.ahead = best, 0
        track.shown, track.looks, track.fallen = None, 1, False


def _moved(before: Box, now: Box) -> bool:
    side = min(before[2] - before[0], before[3] - before[1])
    return max(abs(old - new) for old, new in zip(before, now, strict=True)) > MOVED * side


def _reshaped(before: Box, now: Box) -> bool:
    sides = ((before[side + 2] - before[side], now[side + 2] - now[side]) for side in (0, 1))
    return any(max(pair) > RESHAPED * min(pair) for pair in sides)


def _boxes(boxes: list[Box]) -> Floats:
    return np.array(boxes, np.float32).reshape(-1, 4)
