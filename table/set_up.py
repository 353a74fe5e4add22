"""Setting up a running table from a page: what is chosen, what the camera sees, where the felt lies, what is ready."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace

import cv2
import numpy as np

from device.open import MQTT, REPLAY, SIMULATED, TEXT
from table.decision import Rejected, reject
from table.outfit import Outfit
from table.port_ear import ListedPort, PortEar, serial_ports
from table.sentences import repeat
from table.settings import Place, Settings, Step
from table.teaching import Teaching
from table.viewfinder import RECORDINGS, FoundCamera, Viewfinder, found_cameras, network_camera
from vision.calibration import LEAST_FACE_PX, Calibration, CalibrationError, calibrate, rectify, turned
from vision.felt import find_felt
from vision.frames import SourceError
from vision.said import Said, said
from vision.scene_check import RemarkKey, check_scene, faces_of
from vision.types import Image, PictureReading

FELT_MM = (820.0, 820.0)
READ_S = 20.0
"""How long reading one picture may take on a slow machine."""
THUMB_PX, VIEW_PX, PREVIEW_PX = 320, 1280, 480


@dataclass(frozen=True, slots=True)
class Corners:
    """Where the felt's corners lie.

    Attributes:
        points: From the top left of the picture clockwise; x and y as shares of the picture's sides.
        quality: Share of the felt's edge that is straight between them; None where a person set them.
        seat: Where seat A sits: 0 at the bottom of the picture, then counter-clockwise.
    """

    points: tuple[tuple[float, float], ...]
    quality: float | None
    seat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltCheck:
    """How well a camera sees the felt: pixels across the smallest tile, how many are good, what that means."""

    tile_px: float
    well_px: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneView:
    """What the eyes make of the camera's picture now.

    Attributes:
        reading: The tiles; None without eyes.
        remarks: What to change, the most tiles first.
        light: 0 to 255.
        sharpness: See `vision.scene_check.sharpness`.
        tile_px: Shorter side of a tile.
    """

    reading: PictureReading | None
    remarks: tuple[RemarkKey, ...]
    light: float
    sharpness: float
    tile_px: float


class SetUp:
    """The set-up page's side of a running table. Every method may be called from any thread."""

    def __init__(self, outfit: Outfit, list_ports: Callable[[], tuple[ListedPort, ...]] = serial_ports) -> None:
        """Take up the set-up where it was left; opens nothing.

        Args:
            outfit: of the running table.
            list_ports: the serial ports of this computer.
        """
        self._list_ports = list_ports
        self._outfit = outfit
        self.viewfinder = Viewfinder()
        self.teaching = Teaching(outfit.data)
        self.ear = PortEar()
        self._scene: tuple[object, SceneView] | None = None

    @property
    def settings(self) -> Settings:
        """What was chosen."""
        return self._outfit.settings

    @property
    def camera_given(self) -> bool:
        """Whether the command line names the camera."""
        return self._outfit.given.camera is not None

    @property
    def line_given(self) -> bool:
        """Whether the command line names the table's line."""
        return bool(self._outfit.given.table)

    def remember(
        self, *, place: Place | None = None, step: Step | None = None, skip: Step | None = None, sound: bool = False
    ) -> Rejected | None:
        """Keep where the set-up stands; what is None stays as it is."""

        def alter(before: Settings) -> Settings:
            skipped = before.skipped if skip is None or skip in before.skipped else (*before.skipped, skip)
            return replace(
                before,
                place=place or before.place,
                step=step or before.step,
                skipped=skipped,
                sound=before.sound or sound,
            )

        return self._outfit.change(alter)

    # --- the camera -------------------------------------------------------------------------------------------------

    def cameras(self) -> tuple[FoundCamera, ...]:
        """The cameras that can be chosen, without opening any."""
        return found_cameras(self._outfit.data)

    def chosen(self) -> FoundCamera | None:
        """The camera in use, if it was chosen here."""
        spec = self.settings.camera
        known = next((camera for camera in self.cameras() if camera.spec == spec), None)
        return known or (network_camera(spec) if spec is not None and "://" in spec else None)

    def find(self, name: str) -> FoundCamera:
        """The camera of an id or a network address.

        Raises:
            SourceError: there is none.
        """
        return self._listed(name) or network_camera(name)

    def _listed(self, name: str) -> FoundCamera | None:
        chosen = self.chosen()
        known = (*self.cameras(), *((chosen,) if chosen is not None else ()))
        return next((camera for camera in known if camera.id == name), None)

    def thumbnail(self, name: str) -> bytes | Rejected:
        """What a camera of the list sees now, small, as JPEG; a mere look opens no address in the network."""
        camera = self._listed(name)
        if camera is None:
            return Rejected(sentence=repeat(Said.of("no_camera_word", name=name[:80]), "camera_trouble"))
        try:
            if camera.spec == self.settings.camera:
                return self.picture(THUMB_PX)
            frame, status = self.viewfinder.look(camera.spec)
        except SourceError as error:
            return Rejected(sentence=repeat(said(error), "camera_trouble"))
        if frame is None:
            return Rejected(sentence=repeat(status.text, "camera_trouble"))
        return _jpeg(frame.image, THUMB_PX)

    def choose_camera(self, name: str | None) -> Rejected | None:
        """Use this camera from now on; None for no camera."""
        try:
            spec = self.find(name).spec if name is not None else None
        except SourceError as error:
            return Rejected(sentence=repeat(said(error), "camera_trouble"))
        self.viewfinder.close()
        return self._outfit.use_camera(spec)

    def picture(self, longest_px: int = VIEW_PX) -> bytes | Rejected:
        """What the table's camera sees now, as JPEG."""
        image = self._image()
        return reject("no_camera") if image is None else _jpeg(image, longest_px)

    def scene(self) -> SceneView | Rejected:
        """Light, focus, glare and the tiles that are read; a picture is read once, however many devices ask."""
        camera = self._outfit.runtime.parts.camera
        frame = camera.latest() if camera is not None else None
        if frame is None:
            return reject("no_camera")
        if self._scene is not None and self._scene[0] is frame:
            return self._scene[1]
        try:
            reading = self._outfit.runtime.read(frame.image).result(READ_S)
        except FutureTimeout:
            return reject("eyes_failed", detail="no answer in time")
        check = check_scene(frame.image, faces_of(reading) if reading else ())
        seen = SceneView(
            reading=reading,
            remarks=tuple(remark.key for remark in check.remarks),
            light=check.light,
            sharpness=check.sharpness,
            tile_px=check.tile_px,
        )
        self._scene = (frame, seen)
        return seen

    # --- the felt ---------------------------------------------------------------------------------------------------

    def kept_corners(self) -> Corners | None:
        """The corners in use; None without, or if the camera's pictures have another size now."""
        felt, image = self._outfit.runtime.parts.felt, self._image()
        if felt is None or (image is not None and (image.shape[1], image.shape[0]) != felt.picture_px):
            return None
        seat = next(turn for turn in range(4) if int(np.roll(felt.corners_px, -turn, axis=0).sum(axis=1).argmin()) == 0)
        return Corners(_shares(np.roll(felt.corners_px, -seat, axis=0), felt.picture_px), None, seat)

    def found_corners(self) -> Corners | Rejected:
        """The felt's corners as the eyes find them in the picture now."""
        image = self._image()
        if image is None:
            return reject("no_camera")
        felt = find_felt(image)
        if felt is None:
            return reject("no_felt")
        return Corners(_shares(felt.corners_px, (image.shape[1], image.shape[0])), felt.quality)

    def preview(self, points: tuple[tuple[float, float], ...], seat: int) -> bytes | Rejected:
        """The felt straight from above as seat A sees it, if these were its corners."""
        image = self._image()
        felt = self._felt(image, points, seat)
        if isinstance(felt, Rejected) or image is None:
            return felt if isinstance(felt, Rejected) else reject("no_camera")
        return _jpeg(rectify(image, felt, PREVIEW_PX / max(felt.size_mm)).image, PREVIEW_PX)

    def check(self, points: tuple[tuple[float, float], ...]) -> FeltCheck | Rejected:
        """How well the felt between these corners is seen."""
        felt = self._felt(self._image(), points, 0)
        return felt if isinstance(felt, Rejected) else check_felt(felt)

    def keep_corners(self, points: tuple[tuple[float, float], ...], seat: int) -> Rejected | None:
        """Use these corners from now on.

        Args:
            points, seat: see `Corners`.
        """
        felt = self._felt(self._image(), points, seat)
        return felt if isinstance(felt, Rejected) else self._outfit.use_felt(felt)

    def _felt(self, image: Image | None, points: tuple[tuple[float, float], ...], seat: int) -> Calibration | Rejected:
        if image is None:
            return reject("no_camera")
        size = (image.shape[1], image.shape[0])
        try:
            return turned(calibrate(np.array(points, np.float64) * size, FELT_MM, picture_px=size), seat)
        except CalibrationError as error:
            return Rejected(sentence=repeat(said(error), "camera_trouble"))

    # --- the line ---------------------------------------------------------------------------------------------------

    def listen(self) -> Rejected | None:
        """Wait for dice at every serial port; the line in use is let go for it."""
        if self.line_given:
            return reject("line_given")
        if self.settings.table:
            refused = self._outfit.use_line(())
            if refused is not None:
                return refused
        self.ear.start([(port.path, port.word) for port in self.ports()])
        return None

    def choose_line(self, words: tuple[str, ...]) -> Rejected | None:
        """Use this line from now on; no words for none. `replay:NAME` names a recording of the table's folder."""
        if not all(self._allowed(word) for word in words):
            return reject("no_line_word", word=" ".join(words)[:80])
        self.ear.stop()
        return self._outfit.use_line(tuple(self._word(word) for word in words))

    def ports(self) -> tuple[ListedPort, ...]:
        """This computer's serial ports."""
        return self._list_ports()

    def replays(self) -> tuple[str, ...]:
        """Recordings of a line in the table's folder."""
        folder = self._outfit.data / RECORDINGS
        return tuple(sorted(path.name for path in folder.glob("*.jsonl"))) if folder.is_dir() else ()

    def _allowed(self, word: str) -> bool:
        """A page may name ports, networks and the table's own recordings, not any file of this computer."""
        port = word.removeprefix(TEXT)
        if word.startswith(REPLAY):
            return word.removeprefix(REPLAY) in self.replays()
        known = {name for listed in self.ports() for name in (listed.path, listed.word)}
        return word == SIMULATED or port in known or port.startswith("socket://") or word.startswith(MQTT)

    def _word(self, word: str) -> str:
        name = word.removeprefix(REPLAY)
        return word if word == name else f"{REPLAY}{self._outfit.data / RECORDINGS / name}"

    # --- tiles ------------------------------------------------------------------------------------------------------

    def image(self) -> Image | None:
        """The newest picture of the table's camera."""
        return self._image()

    def tiles_changed(self) -> Rejected | None:
        """The table's own tiles were learnt or forgotten: read with them from now on."""
        return self._outfit.read_anew()

    def _image(self) -> Image | None:
        camera = self._outfit.runtime.parts.camera
        frame = camera.latest() if camera is not None else None
        return None if frame is None else frame.image


def check_felt(felt: Calibration) -> FeltCheck:
    """How well a camera sees the felt, in words that the pages know."""
    tile_px, well_px = felt.face_px, felt.good_face_px
    size = "tiles_small" if tile_px < LEAST_FACE_PX else "tiles_fair" if tile_px < well_px else "tiles_well"
    return FeltCheck(tile_px=tile_px, well_px=well_px, words=(size, "slanted") if felt.slanted else (size,))


def _shares(corners_px: np.ndarray, size: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x) / size[0], float(y) / size[1]) for x, y in corners_px)


def _jpeg(image: Image, longest_px: int) -> bytes:
    scale = min(1.0, longest_px / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 82])[1])
