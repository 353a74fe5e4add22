"""Functions that look at one reading of a hand and say how often a pattern is in it.

`kinds` by which tiles the hand holds · `sets` by its chows, pungs, kongs and pair · `winning` by special shapes, the
wait and the way the winning tile came. Each takes a `Hand` and changes nothing; the first line of its docstring is the
definition that players read. Rulesets put names and values to them in their fan rows.
"""
