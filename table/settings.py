"""What was chosen for this table on the set-up page: kept beside the ledger, used by every later `paiju run`.

Nothing here moves points. What the command line names counts more, and is not written down.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from table.durable import keep

SETTINGS = "settings.json"
FORMAT = 1

Place = Literal["home", "club", "tournament"]
Step = Literal[
    "language", "place", "camera", "light", "corners", "tiles", "table", "rules", "tablet", "trial", "report"
]
STEPS: tuple[Step, ...] = get_args(Step)
"""The steps of the set-up page, in order."""


class SettingsError(ValueError):
    """Settings that cannot be kept or used; the text says why and what to do next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What was chosen.

    Attributes:
        place: What kind of place this is.
        step: Where the set-up page stands, so that another device goes on there.
        skipped: Steps that somebody left out on purpose.
        camera: As after ``--camera``; None without one.
        table: As after ``--table``; empty without one.
        sound: Whether somebody heard the sound check.
    """

    place: Place = "home"
    step: Step = "language"
    skipped: tuple[Step, ...] = ()
    camera: str | None = None
    table: tuple[str, ...] = ()
    sound: bool = False


def load_settings(data: Path) -> Settings:
    """What was chosen for the table in this folder; the settings of a new table if there is no file.

    Raises:
        SettingsError: the file is damaged, of a newer program, or cannot be opened.
    """
    path = data / SETTINGS
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        newer = document["format"] > FORMAT
        settings = Settings() if newer else _parse(document)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise SettingsError(f"{path}: cannot be opened ({error.strerror}); check who may read it.") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SettingsError(f"{path}: is damaged; remove it and set the table up again on /setup.") from error
    if newer:
        raise SettingsError(f"{path}: is of a newer Paiju, so it is not used; what is chosen on /setup replaces it.")
    return settings


def save_settings(data: Path, settings: Settings) -> None:
    """Write the settings anew; a file that is there is replaced as a whole or not at all.

    Raises:
        SettingsError: it cannot be written.
    """
    path = data / SETTINGS
    text = json.dumps({"format": FORMAT, **asdict(settings)}, indent=1) + "\n"
    try:
        keep(path, text.encode(), 0o600)  # a camera's address may hold its password
    except OSError as error:
        raise SettingsError(f"{path}: cannot be written ({error.strerror}).") from error


def _parse(document: Any) -> Settings:
    if document["format"] != FORMAT:
        raise ValueError(f"format {document['format']} is unknown")
    place, step, camera = document["place"], document["step"], document["camera"]
    skipped, table = tuple(document["skipped"]), tuple(document["table"])
    if place not in get_args(Place) or step not in STEPS or not set(skipped) <= set(STEPS):
        raise ValueError("an unknown place or step")
    if not (camera is None or isinstance(camera, str)) or not all(isinstance(word, str) for word in table):
        raise TypeError("a camera or a table that is no text")
    return Settings(place=place, step=step, skipped=skipped, camera=camera, table=table, sound=bool(document["sound"]))
