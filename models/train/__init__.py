"""How the eyes were trained: from labelled photographs and rendered tables to ONNX weights.

Needs the optional `train` extra (torch, torchvision, ultralytics); playing never imports it.
Start with `python -m models.train --help`.
"""
