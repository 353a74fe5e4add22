"""The rules of mahjong as pure functions: what is a legal win, what it is worth, who pays whom, who deals next.

Standard library only; no I/O, no clock, no randomness. Start with `rules.registry.ruleset(name, options)` and its
`judge`, or with `rules.questions.answer` for the JSON form.

    tiles        tile numbers, sets of kinds, and the text form 123m456p77z
    model        what is asked (Winner, Meld, TableFacts) and answered (Win, Refusal, Transfer, HandResult)
    shapes       every way to read tiles into a shape, wildcards included
    hand         Case (what is certain about a win) and Hand (one reading of it): what fan functions look at
    patterns/    fan functions, each a question to a Hand
    combinations what several chows or pungs make together; the account-once principle
    fans         a fan as a row of data, and counting with exclusions
    evaluate     evaluate, choose, settle: the same steps for every ruleset
    ruleset      the Ruleset value; rulesets/ has one file for each game; registry lists them
    waits        winning tiles with value and unseen copies
    questions    the JSON form; reading_json reads it, explain puts results into words

How to add a ruleset: read `rulesets/gb.py`, then write `rulesets/<name>.py` in the same order: tiles and wildcard, the
fan rows, what may win (gates), value (`price`), payments (`settle`), dealer (`deal`), other questions (`answers`), and
the options with where each default comes from. Add it to `registry.RULESETS`, its terms to `fan_names.FAN_NAMES`, and
write `docs/rules/<name>.md`. A pattern that a second ruleset could use belongs into `patterns/`.
"""
