"""The line between Paiju and a mahjong table: bytes on one side, table messages on the other.

This package knows no rules of mahjong. It speaks MTL/1 (``docs/device-protocol.md``) and a few simpler
dialects, keeps the line alive, and hands over what the table said, once and in order.
"""
