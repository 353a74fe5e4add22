"""What players did: wins, self-draws, discards into a win, the dearest hand, the longest run; for a game or for years.

Everything is counted from the hands as they stand now, so a correction corrects the statistics too. A player is a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from table.model import CountedIn, WinPart
from table.set_aside import wins_of
from table.state import FalseWin, Game, PlayedHand, State


@dataclass(frozen=True, slots=True, kw_only=True)
class BestHand:
    """The dearest hand that a player won under one ruleset.

    Attributes:
        ruleset: what was played; figures of different games cannot be compared.
        counted_in: what its figure counts (`table.customs.Customs`): ``fan`` or ``points``.
        total: the figure.
        game, hand_no: which hand it was, the first of equals.
    """

    ruleset: str
    counted_in: CountedIn
    total: int
    game: str
    hand_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNumbers:
    """One player over some games.

    Attributes:
        name: who it is.
        games: games with at least one finished hand; firsts: those that he ended (or leads) with the most points.
        points: what he won less what he paid, penalties among them, by ruleset: those of different rules are not added.
        hands: finished hands he took part in.
        wins: hands won; self_drawn: those on his own draw; worth: their figures together, by ruleset.
        fed: discards into a win of another; each counts once, however many won with it.
        false_wins: wins declared that were none.
        best: the dearest hand won of each ruleset, in the order in which they were first won.
        streak: most hands won one after the other in a game.
        fans: how often each fan was counted, most often first.
    """

    name: str
    games: int
    firsts: int
    points: Mapping[str, int]
    hands: int
    wins: int
    self_drawn: int
    worth: Mapping[str, int]
    fed: int
    false_wins: int
    best: tuple[BestHand, ...]
    streak: int
    fans: tuple[tuple[str, int], ...]


def numbers(states: Iterable[State], *, public: bool = False) -> tuple[PlayerNumbers, ...]:
    """Every player of these games; in public without the fans of competitions.

    Most points come first, and most first places where the games have different rules.
    """
    tallies: dict[str, _Tally] = {}
    for state in states:
        if state.game is not None:
            _count_game(state, state.game, tallies, fans=not public or state.game.mode == "friendly")
    found = [tally.numbers(name) for name, tally in tallies.items()]
    mixed = len({ruleset for one in found for ruleset in one.points}) > 1

    def rank(one: PlayerNumbers) -> tuple[int, int, str]:
        return -(one.firsts if mixed else sum(one.points.values())), -one.wins, one.name

    return tuple(sorted(found, key=rank))


@dataclass(slots=True)
class _Tally:
    """The numbers of one player while they are counted."""

    games: int = 0
    firsts: int = 0
    points: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    wins: int = 0
    self_drawn: int = 0
    worth: Counter[str] = field(default_factory=Counter)
    fed: int = 0
    false_wins: int = 0
    best: dict[str, BestHand] = field(default_factory=dict)
    streak: int = 0
    run: int = 0
    fans: Counter[str] = field(default_factory=Counter)

    def numbers(self, name: str) -> PlayerNumbers:
        """What was counted, as it is shown."""
        fans = sorted(self.fans.items(), key=lambda one: (-one[1], one[0]))
        return PlayerNumbers(
            name=name,
            games=self.games,
            firsts=self.firsts,
            points=dict(self.points),
            hands=self.hands,
            wins=self.wins,
            self_drawn=self.self_drawn,
            worth=dict(self.worth),
            fed=self.fed,
            false_wins=self.false_wins,
            best=tuple(self.best.values()),
            streak=self.streak,
            fans=tuple(fans),
        )

    def won(self, win: WinPart, game: Game, hand_no: int, *, fans: bool) -> None:
        """A hand was won; `fans` says whether what made its value is told."""
        self.wins += 1
        self.worth[game.ruleset] += win.total
        self.self_drawn += win.from_seat is None
        for fan in win.fans if fans else ():
            self.fans[fan.name] += fan.count
        known = self.best.get(game.ruleset)
        if known is None or win.total > known.total:
            self.best[game.ruleset] = BestHand(
                ruleset=game.ruleset,
                counted_in=game.customs.counted_in,
                total=win.total,
                game=game.id,
                hand_no=hand_no,
            )


def _count_game(state: State, game: Game, tallies: dict[str, _Tally], *, fans: bool) -> None:
    players = [game.first.seating[seat] for seat in game.places]
    if not state.hands:
        return
    for player in players:
        tallies.setdefault(state.names[player], _Tally()).run = 0
    for row in state.history:
        if isinstance(row, PlayedHand):
            _count_hand(row, state, game, tallies, fans=fans)
        elif isinstance(row, FalseWin) and not row.lifted:
            tallies[_name(state, row.setup.seating[row.seat], row.setup.hand_no, tallies)].false_wins += 1
    for player in players:
        tally = tallies[state.names[player]]
        tally.games += 1
        tally.points[game.ruleset] += state.totals[player]
        tally.firsts += state.totals[player] == max(state.totals[one] for one in players)


def _count_hand(row: PlayedHand, state: State, game: Game, tallies: dict[str, _Tally], *, fans: bool) -> None:
    setup, wins = row.setup, wins_of(row.outcome)
    names = {seat: _name(state, setup.seating[seat], setup.hand_no, tallies) for seat in game.places}
    winners = {win.seat for win in wins}
    for seat, name in names.items():
        tally = tallies[name]
        tally.hands += 1
        tally.run = tally.run + 1 if seat in winners else 0
        tally.streak = max(tally.streak, tally.run)
    for win in wins:
        tallies[names[win.seat]].won(win, game, setup.hand_no, fans=fans)
    for seat, _ in {(win.from_seat, win.stage) for win in wins if win.from_seat is not None}:
        tallies[names[seat]].fed += 1


def _name(state: State, player: int, hand_no: int, tallies: dict[str, _Tally]) -> str:
    """Who played for this player in that hand: himself or a substitute."""
    name = state.names[player]
    for stay in state.stays:
        if stay.player == player and stay.from_hand <= hand_no:
            name = stay.name
    tallies.setdefault(name, _Tally())
    return name
