"""Writes trained weights as ONNX files, proves that they answer alike, updates the manifest."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from models import HERE
from models.train.network import MARGIN, SIZE_PX, FaceNet

log = logging.getLogger(__name__)

OPSET = 17
HALF_FROM = 256
"""Weights with at least this many numbers are stored in half precision."""


class ParityError(RuntimeError):
    """The exported file answers differently from the network it was made from."""


@dataclass(frozen=True, slots=True)
class Parity:
    """How alike torch and the exported file answer over the tried inputs.

    `used` is the largest difference as a share of the allowed one.
    """

    file: str
    used: float


class DetectorGraph(nn.Module):
    """An ultralytics detector reduced to its one inference output [1, 4 + classes, N]."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, images: Tensor) -> Tensor:
        """[1, 3, H, W] RGB 0..1 -> [1, 4 + classes, N] boxes in pixels and scores."""
        answer = self.model(images)
        output: Tensor = answer[0] if isinstance(answer, tuple | list) else answer
        return output


def export_classifier(net: FaceNet, path: Path) -> Parity:
    """Writes the face classifier with a free batch size and checks it on random crops."""
    net = net.eval().to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        net,
        (torch.rand(2, 3, SIZE_PX, SIZE_PX),),
        str(path),
        input_names=["crops"],
        output_names=["logits", "embedding"],
        dynamic_axes={"crops": {0: "n"}, "logits": {0: "n"}, "embedding": {0: "n"}},
        opset_version=OPSET,
        dynamo=False,
    )
    _finish(path)
    samples = [torch.rand(n, 3, SIZE_PX, SIZE_PX) for n in (1, 5)]
    return _compare(net, path, samples, np.array(0.05))


def export_detector(model: nn.Module, path: Path, classes: int) -> Parity:
    """Writes the detector with free height and width and checks it on two picture sizes."""
    graph = detector_graph(model)
    torch.onnx.export(
        graph,
        (torch.rand(1, 3, 448, 640),),
        str(path),
        input_names=["images"],
        output_names=["output"],
        dynamic_axes={"images": {2: "height", 3: "width"}, "output": {2: "anchors"}},
        opset_version=OPSET,
        dynamo=False,
    )
    _finish(path)
    samples = [torch.rand(1, 3, h, w) for h, w in ((320, 320), (384, 640))]
    allowed = np.array([2.0] * 4 + [0.02] * classes).reshape(1, -1, 1)  # pixels, then scores
    return _compare(graph, path, samples, allowed)


def detector_graph(model: nn.Module) -> DetectorGraph:
    """The detector in export mode: fused, evaluating, anchors made anew for each size."""
    fused: nn.Module = model.float().eval()
    if hasattr(fused, "fuse"):
        fused = fused.fuse(verbose=False)
    for part in fused.modules():
        if type(part).__name__ == "Detect":
            head: Any = part
            head.export, head.dynamic, head.format = True, True, "onnx"
    return DetectorGraph(fused).eval()


def _finish(path: Path) -> None:
    """Simplifies the graph and stores the large weights in half precision."""
    import onnxslim

    model = onnxslim.slim(onnx.load(str(path)))
    halve(model.graph)
    model.producer_name, model.producer_version = "paiju", ""
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def halve(graph: onnx.GraphProto) -> None:
    """Stores float32 weights as float16 followed by a cast; arithmetic stays float32.

    onnxruntime folds the casts when it loads the file, so only the file shrinks.
    """
    casts = []
    for weight in graph.initializer:
        if weight.data_type != TensorProto.FLOAT:
            continue
        values = numpy_helper.to_array(weight)
        if values.size < HALF_FROM or float(np.abs(values).max()) > 6e4:
            continue
        name = weight.name
        weight.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


@torch.no_grad()
def _compare(net: nn.Module, path: Path, samples: Sequence[Tensor], allowed: NDArray[np.float64]) -> Parity:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    used = 0.0
    for sample in samples:
        expected = net(sample)
        expected = expected if isinstance(expected, tuple) else (expected,)
        for mine, theirs in zip(session.run(None, {name: sample.numpy()}), expected, strict=True):
            used = max(used, float((np.abs(np.asarray(mine) - theirs.numpy()) / allowed).max()))
    if used > 1:
        raise ParityError(f"{path.name} differs from torch by {used:.2f} times what is allowed")
    return Parity(path.name, used)


def write_manifest(folder: Path, changes: dict[str, Any]) -> None:
    """Updates `manifest.json`: the given entries, and the checksums of the files it names.

    A folder without one gets the shipped one's settings.
    """
    source = folder / "manifest.json"
    like = source if source.is_file() else HERE / "manifest.json"
    raw: dict[str, Any] = json.loads(like.read_text(encoding="utf-8"))
    for key, value in changes.items():
        raw[key] = {**raw.get(key, {}), **value} if isinstance(value, dict) else value
    raw.setdefault("classifier", {}).update({"size": SIZE_PX, "margin": MARGIN})
    for part in ("detector", "classifier"):
        file = folder / f"{part}.onnx"
        if file.is_file():
            entry, sha256 = raw.setdefault(part, {}), hashlib.sha256(file.read_bytes()).hexdigest()
            twin = folder / f"{part}-int8.onnx"
            if entry.get("sha256") != sha256 or not twin.is_file():
                entry.pop("int8", None)  # the eight-bit twin is one of other weights, or not in this folder
            entry.update({"file": file.name, "sha256": sha256})
    source.write_text(json.dumps(raw, indent=2) + "\n", encoding="utf-8")
