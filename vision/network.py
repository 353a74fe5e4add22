"""Runs a network of the shipped weights on the CPU, and feeds it pictures as they are: bytes, blue first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

from vision.types import Floats, Images


class Network:
    """An ONNX file that takes pictures, as an onnxruntime session keeps to its share of threads and memory.

    Eight-bit twins take bytes and do the rest themselves; the exact networks, and twins made before 0.5.0, take
    `planes`. Which one it is, the file says.
    """

    def __init__(self, path: Path, threads: int) -> None:
        """Loads the file.

        Raises:
            ValueError: `threads` is not positive.
        """
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle eyes must not burn the CPU
        self._session: Any = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        (self._input,) = self._session.get_inputs()

    @property
    def output_shape(self) -> Sequence[int | str]:
        """Shape of the first answer; text stands for what varies."""
        shape: Sequence[int | str] = self._session.get_outputs()[0].shape
        return shape

    def run(self, pictures: Images, outputs: Sequence[str] | None = None) -> list[Floats]:
        """What the network says about pictures of one size.

        Args:
            pictures: uint8 (N, height, width, 3), BGR.
            outputs: Names of the answers wanted; all of them when left out.
        """
        fed = pictures if self._input.type == "tensor(uint8)" else planes(pictures)
        answers: list[Floats] = self._session.run(outputs, {self._input.name: fed})
        return answers


def planes(pictures: Images) -> Floats:
    """Pictures as networks are trained with them: float32 (N, 3, height, width), RGB, 0 to 1."""
    apart = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2)[:, ::-1])
    scaled: Floats = np.multiply(apart, np.float32(1 / 255), dtype=np.float32)
    return scaled
