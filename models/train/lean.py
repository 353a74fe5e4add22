"""Spares an eight-bit network work that it would do for nothing: its answers stay what they were.

`takes_bytes` lets a picture in as it is, so that no floating-point copy of it is made outside; `even_channels` gives
convolutions the widths that processors multiply at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

TOGETHER = 16
"""Output channels that onnxruntime's whole-number convolution works out at once; with another number it is slow."""
POINTWISE = {"QuantizeLinear", "DequantizeLinear", "Sigmoid", "Mul", "Relu"}
"""Operations that leave a channel of zeros without effect on the others."""
WHITE, MIDDLE, SPAN = 255, 0.5, 4.0
"""The classifier sees `(pixel / WHITE - MIDDLE) * SPAN`, see `models.train.network`."""


class Graph:
    """The operations and constants of a network, to look up and to change."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.nodes = model.graph.node
        self._graph = model.graph
        self._constants = {constant.name: constant for constant in model.graph.initializer}
        del model.graph.value_info[:]  # shapes noted before the changes

    def maker(self, value: str) -> onnx.NodeProto:
        """The operation that a value comes from."""
        return next(node for node in self.nodes if value in node.output)

    def users(self, value: str) -> list[onnx.NodeProto]:
        """The operations that take a value."""
        return [node for node in self.nodes if value in node.input]

    def constant(self, name: str) -> NDArray[Any]:
        """A constant's numbers."""
        return np.asarray(numpy_helper.to_array(self._constants[name]))

    def replace(self, name: str, values: NDArray[Any]) -> None:
        """Gives a constant other numbers, of the same type."""
        kept = np.ascontiguousarray(values, self.constant(name).dtype)
        self._constants[name].CopyFrom(numpy_helper.from_array(kept, name))

    def widen(self, name: str, axis: int, width: int, mode: Any = "constant") -> None:
        """Lengthens one axis of a constant: by zeros, or by its last numbers (`edge`)."""
        values = self.constant(name)
        ends = [(0, width - values.shape[axis] if place == axis else 0) for place in range(values.ndim)]
        self.replace(name, np.pad(values, ends, mode=mode))

    def forget_unused(self) -> None:
        """Drops constants that no operation takes any more."""
        for name, constant in list(self._constants.items()):
            if not self.users(name):
                self._graph.initializer.remove(constant)
        self._constants = {constant.name: constant for constant in self._graph.initializer}

    def enter_as_bytes(self, height: int | str, width: int | str, count: int | str) -> str:
        """Makes the input uint8 (count, height, width, 3); the name of the same with the channels first."""
        (pictures,) = self._graph.input
        first = helper.make_node("Transpose", [pictures.name], [f"{pictures.name}_planes"], perm=[0, 3, 1, 2])
        self.nodes.insert(0, first)
        pictures.CopyFrom(helper.make_tensor_value_info(pictures.name, TensorProto.UINT8, [count, height, width, 3]))
        return first.output[0]


def detector_takes_bytes(model: onnx.ModelProto) -> None:
    """Input `images` uint8 (1, height, width, 3), BGR.

    The first convolution, in floating point, sees the very numbers of `vision.network.planes`: folded into its weights,
    colours and scale would change last digits, which whole numbers later round apart.
    """
    graph = Graph(model)
    (first,) = graph.users("images")
    planes = graph.enter_as_bytes("height", "width", 1)
    model.graph.initializer.extend([
        numpy_helper.from_array(np.array([2, 1, 0], np.int64), "red_first"),
        numpy_helper.from_array(np.float32(1 / WHITE), "one_step"),
    ])  # fmt: skip
    steps = [
        helper.make_node("Gather", [planes, "red_first"], ["images_rgb"], axis=1),
        helper.make_node("Cast", ["images_rgb"], ["images_float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["images_float", "one_step"], ["images_scaled"]),
    ]
    for place, step in enumerate(steps, 1):
        graph.nodes.insert(place, step)
    first.input[0] = "images_scaled"


def classifier_takes_bytes(model: onnx.ModelProto) -> None:
    """Input `crops` uint8 (n, S, S, 3), BGR: the bytes are what the first convolution, in whole numbers, takes anyway.

    Its zero lies half a step off the middle between black and white; the bias makes up for that.

    Raises:
        ValueError: the network does not begin as `models.train.network.FaceNet` does.
    """
    graph = Graph(model)
    size = model.graph.input[0].type.tensor_type.shape.dim[2].dim_value
    before, value = [], "crops"
    for kind in ("Sub", "Mul", "QuantizeLinear"):
        (node,) = graph.users(value)
        if node.op_type != kind:
            raise ValueError(f"the classifier begins with {node.op_type} where {kind} was expected")
        before.append(node)
        value = node.output[0]
    (entry,) = graph.users(value)
    (first,) = graph.users(entry.output[0])
    weight, bias = graph.maker(first.input[1]), graph.maker(first.input[2])
    step, zero = SPAN / WHITE, round(WHITE * MIDDLE + 0.1)
    scales = graph.constant(weight.input[1])
    whole = graph.constant(weight.input[0])[:, ::-1]
    was = graph.constant(bias.input[0]) * graph.constant(bias.input[1]).astype(np.float64)
    shift = whole.sum(axis=(1, 2, 3), dtype=np.float64) * scales * (zero - WHITE * MIDDLE) * step
    graph.replace(weight.input[0], whole)
    graph.replace(bias.input[0], np.rint((was + shift) / (scales * step)))
    graph.replace(bias.input[1], scales * np.float32(step))
    graph.replace(entry.input[1], np.array(step))
    graph.replace(entry.input[2], np.array(zero))
    for node in before:
        graph.nodes.remove(node)
    graph.forget_unused()
    entry.input[0] = graph.enter_as_bytes(size, size, "n")


def even_channels(model: onnx.ModelProto) -> list[str]:
    """Adds channels of zeros where a convolution has too few or too many to be quick; the names of those widened.

    Left alone is what does not lead to other convolutions only: a concatenation would have to forget the zeros again.
    """
    graph = Graph(model)
    widened = []
    for conv in [node for node in graph.nodes if node.op_type == "Conv" and _whole(graph, node)]:
        weight, bias = graph.maker(conv.input[1]), graph.maker(conv.input[2])
        channels = len(graph.constant(weight.input[0]))
        followers = _followers(graph, conv)
        if channels % TOGETHER == 0 or followers is None:
            continue
        width = -(-channels // TOGETHER) * TOGETHER
        for constant in (weight, bias):
            graph.widen(constant.input[0], 0, width)
            graph.widen(constant.input[1], 0, width, "edge")  # scales, which must not be zero
            graph.widen(constant.input[2], 0, width)
        for follower in followers:
            graph.widen(graph.maker(follower.input[1]).input[0], 1, width)
        widened.append(conv.name)
    return widened


def _whole(graph: Graph, conv: onnx.NodeProto) -> bool:
    """Whether a convolution of one group has whole-number weights and bias."""
    made = {name for node in graph.nodes if node.op_type == "DequantizeLinear" for name in node.output}
    grouped = any(attribute.name == "group" and attribute.i > 1 for attribute in conv.attribute)
    return not grouped and len(conv.input) == 3 and all(name in made for name in conv.input[1:])


def _followers(graph: Graph, conv: onnx.NodeProto) -> list[onnx.NodeProto] | None:
    """The convolutions that a convolution leads to; None where it leads to anything else."""
    found, waiting = [], list(conv.output)
    while waiting:
        users = graph.users(waiting.pop())
        if not users:
            return None
        for node in users:
            if node.op_type == "Conv" and _whole(graph, node):
                found.append(node)
            elif node.op_type in POINTWISE:
                waiting += node.output
            else:
                return None
    return found
