"""The rules of mahjong as pure functions; the package docstring grows with the frame."""
