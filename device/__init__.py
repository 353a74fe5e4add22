"""The line between Paiju and a mahjong table: bytes on one side, table messages on the other.

This package knows no rules of mahjong. It speaks MTL/1 (``docs/device-protocol.md``) and a few simpler dialects,
keeps the line alive, and hands over what the table said, once and in order.

Read it in this order:

- what is said: ``wire`` (values), ``messages``, ``catalogue`` (all of them as data), ``codec`` (frames and check sum)
- keeping a conversation, pure, with bytes and times handed in: ``delivery`` (once, in order), ``requests`` (commands),
  ``checks`` and ``notices`` (doubts), ``boardtime``, ``conversation`` (all of it), ``actions`` (what it wants done)
- the world: ``transports``, ``serial_port`` (the only file with pyserial), ``ports``, and ``link`` with its one thread
- other tables: ``sources`` (the interface), ``plaintext``, ``mqtt``; ``mqtt_client`` (the only file with
  paho-mqtt); ``merge`` joins two witnesses of a throw, ``several`` their sources
- ``open``: the words after ``--table`` become one of all these
- without hardware: ``board``, ``mechanics``, ``simwall``, ``evening``, ``faults``, ``simports``, ``simulator``,
  ``simconsole``; ``record`` and ``tools`` for recordings
"""
