"""Eight-bit networks spared of work answer as before; skipped where the `train` extra is not installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models import LABELS, load_manifest
from vision.classifier import CropRule, OnnxClassifier, cut_crops
from vision.network import Network, planes
from vision.pictures import load_picture
from vision.types import Images

onnx = pytest.importorskip("onnx", reason="needs the train extra (onnx)")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from models.train import lean  # noqa: E402

ROW = Path(__file__).parent / "pictures" / "hand_row.jpg"


def network(nodes: list[onnx.NodeProto], constants: dict[str, np.ndarray], pictures: str = "images") -> onnx.ModelProto:
    """A network from float32 pictures (1, 3, H, W) to `answer`."""
    shown = helper.make_tensor_value_info(pictures, TensorProto.FLOAT, [1, 3, "height", "width"])
    answer = helper.make_tensor_value_info("answer", TensorProto.FLOAT, [1, "channels", "rows", "columns"])
    held = [numpy_helper.from_array(values, name) for name, values in constants.items()]
    graph = helper.make_graph(nodes, "tried", [shown], [answer], held)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def whole_convolution(name: str, shown: str, inside: int, outside: int) -> tuple[list[onnx.NodeProto], dict]:
    """A convolution in whole numbers, what it is shown and what it answers rounded to bytes."""
    rng = np.random.default_rng(len(name))
    step, zero = np.float32(0.02), np.uint8(100)
    scales = rng.uniform(0.01, 0.02, outside).astype(np.float32)
    constants = {
        f"{name}_step": step,
        f"{name}_zero": zero,
        f"{name}_weights": rng.integers(-60, 60, (outside, inside, 3, 3)).astype(np.int8),
        f"{name}_scales": scales,
        f"{name}_middle": np.zeros(outside, np.int8),
        f"{name}_bias": rng.integers(-900, 900, outside).astype(np.int32),
        f"{name}_bias_scales": scales * step,
        f"{name}_bias_middle": np.zeros(outside, np.int32),
    }
    nodes = [
        helper.make_node("QuantizeLinear", [shown, f"{name}_step", f"{name}_zero"], [f"{name}_bytes"]),
        helper.make_node("DequantizeLinear", [f"{name}_bytes", f"{name}_step", f"{name}_zero"], [f"{name}_in"]),
        helper.make_node(
            "DequantizeLinear", [f"{name}_weights", f"{name}_scales", f"{name}_middle"], [f"{name}_w"], axis=0
        ),
        helper.make_node(
            "DequantizeLinear", [f"{name}_bias", f"{name}_bias_scales", f"{name}_bias_middle"], [f"{name}_b"], axis=0
        ),
        helper.make_node("Conv", [f"{name}_in", f"{name}_w", f"{name}_b"], [f"{name}_out"], name=name, pads=[1] * 4),
    ]
    return nodes, constants


def answer(model: onnx.ModelProto, folder: Path, pictures: Images) -> np.ndarray:
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / "tried.onnx"))
    return Network(folder / "tried.onnx", 1).run(pictures)[0]


@pytest.fixture
def pictures() -> Images:
    return np.random.default_rng(2).integers(0, 256, (1, 40, 56, 3), np.uint8)


def test_a_detector_that_takes_bytes_sees_the_very_same_numbers(tmp_path: Path, pictures: Images) -> None:
    weights = np.random.default_rng(1).normal(size=(4, 3, 3, 3)).astype(np.float32)
    model = network([helper.make_node("Conv", ["images", "weights"], ["answer"])], {"weights": weights})
    before = answer(model, tmp_path, pictures)
    lean.detector_takes_bytes(model)
    (shown,) = model.graph.input
    assert shown.type.tensor_type.elem_type == TensorProto.UINT8
    assert np.array_equal(answer(model, tmp_path, pictures), before)


def test_added_channels_of_zeros_change_nothing(tmp_path: Path, pictures: Images) -> None:
    first, some = whole_convolution("narrow", "images", 3, 8)
    second, more = whole_convolution("following", "curved", 8, 16)
    curve = [
        helper.make_node("Sigmoid", ["narrow_out"], ["bent"]),
        helper.make_node("Mul", ["narrow_out", "bent"], ["curved"]),
        helper.make_node("Identity", ["following_out"], ["answer"]),
    ]
    model = network([*first, *curve[:2], *second, curve[2]], some | more)
    before = answer(model, tmp_path, pictures)
    assert before.std() > 0.1
    assert lean.even_channels(model) == ["narrow"]
    widths = {held.name: list(held.dims) for held in model.graph.initializer}
    assert widths["narrow_weights"] == [16, 3, 3, 3]
    assert widths["following_weights"] == [16, 16, 3, 3]
    assert np.array_equal(answer(model, tmp_path, pictures), before)


def test_what_others_look_at_keeps_its_width(tmp_path: Path, pictures: Images) -> None:
    nodes, constants = whole_convolution("narrow", "images", 3, 8)
    model = network([*nodes, helper.make_node("Identity", ["narrow_out"], ["answer"])], constants)
    assert lean.even_channels(model) == []
    assert answer(model, tmp_path, pictures).shape == (1, 8, 40, 56)


def test_a_classifier_that_takes_bytes_names_as_the_exact_one(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the train extra (torch)")
    from models.train.quantise import quantise

    sheet = load_manifest().classifier
    image = load_picture(ROW)
    height, width = image.shape[:2]
    places = np.random.default_rng(3).uniform((60, 60, 40), (width - 60, height - 60, 160), (48, 3)).astype(np.float32)
    crops = cut_crops(image, places, sheet.size_px)
    small = tmp_path / "small.onnx"
    quantise("classifier", sheet.path, small, ({"crops": planes(crops[start : start + 8])} for start in (0, 8, 16, 24)))
    graph = onnx.load(str(small)).graph
    assert [value.dim_value for value in graph.input[0].type.tensor_type.shape.dim][1:] == [64, 64, 3]
    taken = {name for node in graph.node for name in node.input}
    assert {constant.name for constant in graph.initializer} <= taken
    rule = CropRule(sheet.size_px, sheet.margin)
    exact, twin = (OnnxClassifier(path, LABELS, rule, 0.95, 1).look(crops) for path in (sheet.path, small))
    assert (exact.embedding * twin.embedding).sum(axis=1).min() > 0.97
    assert (exact.embedding * twin.embedding).sum(axis=1).mean() > 0.99


def test_another_classifier_is_refused() -> None:
    model = network([helper.make_node("Relu", ["crops"], ["answer"])], {}, "crops")
    with pytest.raises(ValueError, match="begins with Relu where Sub was expected"):
        lean.classifier_takes_bytes(model)
