"""Displaced labels find their tiles again, and what cannot be found is not guessed."""

from __future__ import annotations

import numpy as np
import pytest

from models.train.registration import Marks, register


def grid(columns: int, rows: int, seed: int = 1) -> Marks:
    """Tiles of 40 x 56 pixels side by side, with names that do not repeat in a regular way."""
    left, top = np.meshgrid(100 + 41.0 * np.arange(columns), 200 + 57.0 * np.arange(rows))
    corner = np.stack([left.ravel(), top.ravel()], axis=1)
    names = np.random.default_rng(seed).integers(0, 42, len(corner))
    return Marks(np.concatenate([corner, corner + np.array([40, 56])], axis=1).astype(np.float32), names)


def moved(marks: Marks, degrees: float, zoom: float, shift: tuple[float, float]) -> Marks:
    """The same boxes turned about (320, 320), zoomed and shifted."""
    c, s = zoom * np.cos(np.radians(degrees)), zoom * np.sin(np.radians(degrees))
    middle = (marks.middles - 320) @ np.array([[c, s], [-s, c]]) + 320 + shift
    half = (marks.boxes[:, 2:] - marks.boxes[:, :2]) / 2
    return Marks(np.concatenate([middle - half, middle + half], axis=1).astype(np.float32), marks.names)


@pytest.mark.parametrize(("columns", "rows"), [(14, 1), (6, 4)])
@pytest.mark.parametrize(("degrees", "zoom", "shift"), [(0, 1, (0, 0)), (3, 1.15, (30, -40)), (-6, 0.9, (-20, 35))])
def test_labels_come_back_to_their_tiles(
    columns: int, rows: int, degrees: float, zoom: float, shift: tuple[float, float]
) -> None:
    tiles = grid(columns, rows)
    placed = register(moved(tiles, degrees, zoom, shift), tiles, np.random.default_rng(0))
    assert placed is not None
    assert np.allclose(placed, tiles.boxes, atol=1)


def test_a_few_misread_and_missing_tiles_do_not_matter_but_are_not_guessed() -> None:
    tiles = grid(14, 1)
    names = tiles.names.copy()
    names[[2, 7]] = (names[[2, 7]] + 5) % 42
    found = Marks(np.delete(tiles.boxes, 4, axis=0), np.delete(names, 4))
    placed = register(moved(tiles, 2, 1.1, (25, 20)), found, np.random.default_rng(0))
    assert placed is not None
    assert np.isnan(placed[4]).all()
    rest = np.delete(np.arange(14), 4)
    assert np.allclose(placed[rest], tiles.boxes[rest], atol=1)


def test_labels_that_fit_are_left_alone() -> None:
    tiles = grid(6, 2)
    nearly = Marks(tiles.boxes + np.float32(2), tiles.names)
    placed = register(nearly, tiles, np.random.default_rng(0))
    assert placed is not None
    assert np.array_equal(placed, nearly.boxes)


def test_a_row_that_fits_another_row_by_chance_is_not_taken_for_it() -> None:
    tiles, others = grid(14, 1), grid(14, 1, seed=5)
    assert register(tiles, others, np.random.default_rng(0)) is None


def test_a_picture_where_too_little_is_found_is_not_used() -> None:
    tiles = grid(14, 1)
    few = Marks(tiles.boxes[:4], tiles.names[:4])
    assert register(moved(tiles, 0, 1, (0, 60)), few, np.random.default_rng(0)) is None
    nothing = Marks(np.zeros((0, 4), np.float32), np.zeros(0, np.int64))
    assert register(tiles, nothing, np.random.default_rng(0)) is None
