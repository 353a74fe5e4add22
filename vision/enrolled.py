"""What an owner taught Paiju about one table's tiles: a last layer of its own, kept in one small file.

The network's embedding says what a tile looks like; the shipped last layer knows the average of many sets. The one here
was fitted to this very set, in `vision.enrolment`.

    EnrolmentError     pictures or a file that cannot be used; its text is one sentence for a person
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from models import LABELS
from vision.types import Floats

FORMAT = 1


class EnrolmentError(ValueError):
    """Tiles that cannot be enrolled or a file that cannot be used; the text says why and what to do next."""


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledSet:
    """The tiles of one table as its owner showed them.

    Attributes:
        weights_sha256: Checksum of the classifier that looked at them; no other one can use this.
        made_on: The day, as an ISO date.
        tiles: Tile text of each row of `layer`.
        layer: float32 (len(tiles), D): a tile's score is the product of its row with the classifier's embedding.
        copies: How many tiles of each kind were looked at.
        shipped_share: Weight of the shipped last layer beside the table's own, 0 to 1.
    """

    weights_sha256: str
    made_on: str
    tiles: tuple[str, ...]
    layer: Floats
    copies: tuple[int, ...]
    shipped_share: float

    def __post_init__(self) -> None:
        count = len(self.tiles)
        if not count or len(set(self.tiles)) != count or len(self.copies) != count:
            raise ValueError(f"an enrolled set names each of its tiles once, not {self.tiles}")
        if not set(self.tiles) <= set(LABELS):
            raise ValueError(f"no set has such tiles: {set(self.tiles) - set(LABELS)}")
        if not 0 <= self.shipped_share < 1:
            raise ValueError(f"the shipped layer's share must be 0 or more and less than 1, not {self.shipped_share}")
        if self.layer.ndim != 2 or len(self.layer) != count or not np.isfinite(self.layer).all():
            raise ValueError(f"the last layer must be finite numbers ({count}, D), not {self.layer.shape}")

    def logits(self, labels: tuple[str, ...], shipped: Floats, embedding: Floats) -> Floats:
        """The scores that the table's own last layer gives, mixed with the shipped one's.

        Args:
            labels: Tile text of each column.
            shipped: float32 (N, len(labels)), the shipped last layer's scores; all that there is for tiles never shown.
            embedding: float32 (N, D), of length 1.

        Returns:
            float32 (N, len(labels)).
        """
        columns = [labels.index(tile) for tile in self.tiles]
        return mixed(shipped, columns, self.shipped_share, embedding @ self.layer.T)

    def packed(self) -> bytes:
        """The contents of the file that `load_enrolled` reads."""
        about = {
            "format": FORMAT,
            "weights_sha256": self.weights_sha256,
            "made_on": self.made_on,
            "tiles": self.tiles,
            "copies": self.copies,
            "shipped_share": self.shipped_share,
        }
        file = BytesIO()
        np.savez(file, about=json.dumps(about), layer=self.layer.astype(np.float16))
        return file.getvalue()


def mixed(shipped: Floats, columns: Sequence[int], share: float, own: Floats) -> Floats:
    """The shipped layer's scores (N, labels), in these columns mixed with a table's own (N, columns)."""
    scores = shipped.copy()
    scores[:, columns] = share * shipped[:, columns] + (1 - share) * own
    return scores


def load_enrolled(path: Path, weights_sha256: str | None = None) -> EnrolledSet:
    """Reads what an owner enrolled.

    Args:
        path: As `EnrolledSet.packed` gives it.
        weights_sha256: Checksum of the classifier that will use it; None to accept any, for showing it only.

    Raises:
        EnrolmentError: No such file, not an enrolment, damaged, or made for other weights.
    """
    again = "lay the tiles out again: paiju enrol"
    try:
        with np.load(path, allow_pickle=False) as stored:
            about, layer = json.loads(str(stored["about"])), stored["layer"].astype(np.float32)
        found = _parse(about, layer)
    except FileNotFoundError:
        raise EnrolmentError(f"{path}: there is no such file; {again}.") from None
    except OSError as error:
        raise EnrolmentError(f"{path}: cannot be opened ({error.strerror or error}); {again}.") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise EnrolmentError(f"{path}: is damaged or no enrolment of tiles; {again}.") from error
    if weights_sha256 is not None and found.weights_sha256 != weights_sha256:
        raise EnrolmentError(
            f"{path}: was made on {found.made_on} for another version of the eyes "
            f"({found.weights_sha256[:8]}, now {weights_sha256[:8]}); {again}."
        )
    return found


def _parse(about: Any, layer: Floats) -> EnrolledSet:
    if about["format"] != FORMAT:
        raise ValueError(f"format {about['format']} is unknown")
    return EnrolledSet(
        weights_sha256=str(about["weights_sha256"]),
        made_on=str(about["made_on"]),
        tiles=tuple(str(tile) for tile in about["tiles"]),
        layer=layer,
        copies=tuple(int(count) for count in about["copies"]),
        shipped_share=float(about["shipped_share"]),
    )
