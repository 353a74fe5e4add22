"""Makes the small, fast twins of the weights: `python -m models.train.quantise --pictures DIR [DIR ...]`.

Whole numbers of eight bits instead of floating point, scaled by what labelled pictures make the network say
(onnxruntime's static quantisation); they take pictures as bytes, blue first. The files lie beside the exact ones and
are named in the manifest under `int8`; judge them with `python -m models.train.evaluate` before they are committed.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from models import HERE, Manifest, load_manifest
from models.train.data import LabelledPicture, read_pictures
from models.train.export import write_manifest
from models.train.lean import classifier_takes_bytes, detector_takes_bytes, even_channels
from vision.boxes import crop_squares, letterbox
from vision.classifier import cut_crops
from vision.network import planes
from vision.pictures import load_picture

log = logging.getLogger(__name__)

Part = Literal["detector", "classifier"]
SIDES = (416, 640)
"""Longer sides of the pictures shown to the detector."""
FAINT = 0.05
"""Places whose scores are all below this are left out of the detector's answer; the reader asks for far more."""
EXACT = {"MatMul", "Softmax", "Flatten", "ReduceL2", "Div", "Expand", "Shape", "Sub"}
"""Operations that stay in floating point: few numbers, and every one of them counts."""


class Shown(CalibrationDataReader):  # type: ignore[misc]
    """Inputs of a network, one after the other."""

    def __init__(self, inputs: Iterable[dict[str, NDArray[np.float32]]]) -> None:
        self._inputs = iter(inputs)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        """The next input; None at the end."""
        return next(self._inputs, None)


def quantise(part: Part, exact: Path, small: Path, inputs: Iterable[dict[str, NDArray[np.float32]]]) -> None:
    """Writes the eight-bit twin of a network.

    Weights use seven of the eight bits: processors without VNNI would overflow otherwise, and nobody could tell.

    Args:
        part: which network it is.
        exact: its ONNX file.
        small: where to write the twin.
        inputs: what it usually sees.
    """
    with TemporaryDirectory() as folder:
        plain = _plain(exact, Path(folder))
        graph = onnx.load(str(plain)).graph
        quantize_static(
            str(plain),
            str(small),
            Shown(inputs),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=[node.name for node in graph.node if _stays_exact(part, node)],
        )
    model = onnx.load(str(small))
    if part == "detector":
        only_candidates(model)
        even_channels(model)
        detector_takes_bytes(model)
    else:
        classifier_takes_bytes(model)
    model.producer_name, model.producer_version = "paiju", ""
    onnx.checker.check_model(model)
    onnx.save(model, str(small))


def _plain(exact: Path, folder: Path) -> Path:
    """The network with half-precision weights and other constants worked out."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(folder / "plain.onnx")
    options.log_severity_level = 3
    onnxruntime.InferenceSession(str(exact), options, providers=["CPUExecutionProvider"])
    return folder / "plain.onnx"


def _stays_exact(part: Part, node: onnx.NodeProto) -> bool:
    if part == "classifier":
        return node.op_type not in ("Conv", "Relu", "Add", "MaxPool", "Clip")
    in_head = "/model.23/" in node.name
    layer = in_head and ("/cv2." in node.name or "/cv3." in node.name) and node.op_type in ("Conv", "Sigmoid", "Mul")
    answers = layer and node.op_type == "Conv" and node.name.endswith(".2/Conv")
    return (in_head and not layer) or answers or node.op_type in EXACT or "/model.0/" in node.name


def only_candidates(model: onnx.ModelProto) -> None:
    """Works out boxes only where there may be a tile: of thousands of places, a few hundred.

    The head makes the sides of every place out of sixteen probabilities each, nearly always for nothing. The first
    place is always kept, because an answer without any could not be shaped.

    Raises:
        ValueError: the head is another one than expected.
    """
    graph = model.graph
    by_output = {name: node for node in graph.node for name in node.output}
    last = by_output[graph.output[0].name]
    boxes, scores = last.input
    by_place = [*_made_of(boxes, by_output), scores]
    for node in graph.node:
        for slot, name in enumerate(node.input):
            if name in by_place:
                node.input[slot] = f"{name}_few"
    nodes = [
        helper.make_node("ReduceMax", [scores], ["best_score"], axes=[0, 1], keepdims=0),
        helper.make_node("Greater", ["best_score", "faint"], ["likely"]),
        helper.make_node("NonZero", ["likely"], ["likely_row"]),
        helper.make_node("Squeeze", ["likely_row", "first"], ["likely_places"]),
        helper.make_node("Concat", ["first", "likely_places"], ["places"], axis=0),
        *(helper.make_node("Gather", [name, "places"], [f"{name}_few"], axis=-1) for name in by_place),
    ]
    graph.initializer.extend([
        numpy_helper.from_array(np.array(FAINT, np.float32), "faint"),
        numpy_helper.from_array(np.array([0], np.int64), "first"),
    ])  # fmt: skip
    known = {value.name for value in [*graph.input, *graph.initializer]}
    in_order = _sorted([*graph.node, *nodes], known)
    del graph.node[:]
    graph.node.extend(in_order)
    del graph.value_info[:]


def _made_of(boxes: str, by_output: dict[str, onnx.NodeProto]) -> list[str]:
    """What the boxes are made of, with one column a place: probabilities of their sides, middles, strides."""
    strides = next(name for name in by_output[boxes].input if by_output[name].op_type == "Transpose")
    sides = _upwards(boxes, by_output, "Softmax").input[0]
    while by_output[sides].op_type in ("Transpose", "Reshape"):
        sides = by_output[sides].input[0]
    middles = next(
        name for name in _upwards(boxes, by_output, "Sub").input if by_output[name].op_type in ("Unsqueeze", "Sub")
    )
    if by_output[middles].op_type == "Sub":
        middles = by_output[middles].input[0]
    return [sides, middles, strides]


def _upwards(name: str, by_output: dict[str, onnx.NodeProto], kind: str) -> onnx.NodeProto:
    """The nearest operation of a kind that a value is made by."""
    waiting = [name]
    while waiting:
        node = by_output.get(waiting.pop(0))
        if node is None:
            continue
        if node.op_type == kind:
            return node
        waiting.extend(node.input)
    raise ValueError(f"the detector has no {kind} before its boxes; its head is another one than expected")


def _sorted(nodes: Sequence[onnx.NodeProto], known: set[str]) -> list[onnx.NodeProto]:
    """Nodes so that each comes after what it needs."""
    ready: list[onnx.NodeProto] = []
    waiting, have = list(nodes), known | {""}
    while waiting:
        later: list[onnx.NodeProto] = []
        for node in waiting:
            if all(name in have for name in node.input):
                ready.append(node)
                have.update(node.output)
            else:
                later.append(node)
        if len(later) == len(waiting):
            raise ValueError(f"{later[0].name} needs what nothing makes")
        waiting = later
    return ready


def shown_pictures(folders: Sequence[Path], count: int, seed: int) -> list[LabelledPicture]:
    """So many pictures of each folder, drawn at random."""
    draw = np.random.default_rng(seed)
    shown: list[LabelledPicture] = []
    for folder in folders:
        pictures = read_pictures(folder)
        shown += [pictures[place] for place in draw.permutation(len(pictures))[:count]]
    return shown


def inputs_of(part: Part, shown: Sequence[LabelledPicture], manifest: Manifest) -> Iterator[Any]:
    """What the network sees of these pictures."""
    sheet = manifest.classifier
    for place, picture in enumerate(shown):
        image = load_picture(picture.path)
        if part == "detector":
            yield {"images": planes(letterbox(image, SIDES[place % len(SIDES)]).pixels)}
        elif len(picture.boxes):
            boxes_px = picture.boxes[:32] * np.array(image.shape[1::-1] * 2, np.float32)
            yield {"crops": planes(cut_crops(image, crop_squares(boxes_px, sheet.margin), sheet.size_px))}


def main() -> int:
    """Quantises the shipped weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, nargs="+", required=True, help="labelled pictures in YOLO form")
    parser.add_argument("--count", type=int, default=40, help="pictures of each folder")
    parser.add_argument("--part", choices=("detector", "classifier"), nargs="+", default=["detector", "classifier"])
    parser.add_argument("--folder", type=Path, default=HERE, help="holds the weights and the manifest")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    manifest = load_manifest(given.folder)
    shown = shown_pictures(given.pictures, given.count, given.seed)
    for part in given.part:
        exact = manifest.detector.path if part == "detector" else manifest.classifier.path
        small = given.folder / f"{part}-int8.onnx"
        quantise(part, exact, small, inputs_of(part, shown, manifest))
        entry = {"file": small.name, "sha256": hashlib.sha256(small.read_bytes()).hexdigest()}
        write_manifest(given.folder, {part: {"int8": entry}})
        log.info("%s: %.1f MB, was %.1f MB", small.name, small.stat().st_size / 1e6, exact.stat().st_size / 1e6)
    return 0


if __name__ == "__main__":
    sys.exit(main())
