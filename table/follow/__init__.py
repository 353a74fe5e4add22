"""Following a hand tile by tile: what lay on the table, what lies there now, and the shortest legal way between.

Pure values and functions: no clock, no randomness, no files. `follower.look` is the one door for a running table;
`explain.explain` is the reasoning behind it, `facts.circumstances` what a win gets out of it.
"""
