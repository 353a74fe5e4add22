"""Face styles for training scenes: many looks, drawn from named families and varied at random.

Families of the ``held_out`` pool never appear in training scenes, so that a
rendered test shows styles the eyes have not met.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.train.faces import WINDS, FaceStyle
from models.train.fonts import FontBook
from models.train.ink import Inks

CLASSIC = Inks(red="#c4161c", green="#0d5a30", blue="#1d2c8f", dark="#1a1a1e", paper="#f4efe4")
VIVID = Inks(red="#e0201b", green="#0a8a3c", blue="#1240c8", dark="#101010", paper="#fbfaf6")
ANTIQUE = Inks(red="#8a3038", green="#21464c", blue="#22354f", dark="#20252c", paper="#efe9dc")
RIICHI = Inks(red="#bf1722", green="#0c5f3a", blue="#1b1e2b", dark="#14151a", paper="#f6f1e2")
FOREST = Inks(red="#b2352c", green="#1c6b2c", blue="#0e6a78", dark="#2b2118", paper="#f0ead6")
ROYAL = Inks(red="#d01f3c", green="#00705a", blue="#3a1f9a", dark="#201a3a", paper="#f5f5f8")

FAMILIES: tuple[FaceStyle, ...] = (
    FaceStyle(
        "club_index", CLASSIC, "bkai", 4, five="伍", white="cut", index="all", index_ink="dark", flower_swap=True
    ),
    FaceStyle(
        "old_dark",
        ANTIQUE,
        "cwkai",
        7,
        five="伍",
        white="blank",
        dot="daisy",
        one_dot="wheel",
        stick="bone",
        bird="peacock",
        number_ink="dark",
        wind_ink="dark",
        m_above_w=True,
    ),
    FaceStyle(
        "riichi",
        RIICHI,
        "serif_black",
        0,
        white="blank",
        dot="riichi",
        one_dot="riichi",
        stick="riichi",
        bird="riichi",
        number_ink="dark",
        wind_ink="dark",
        flower="char",
    ),
    FaceStyle("brush", CLASSIC, "yuji_boku", 3, white="double", dot="disc", one_dot="sunflower", bird="sparrow"),
    FaceStyle(
        "printed",
        VIVID,
        "serif_bold",
        2,
        white="frame",
        dot="target",
        one_dot="rings",
        stick="bar",
        bird="crane",
        flower="plant_only_number",
    ),
    FaceStyle(
        "simplified",
        VIVID,
        "gkai",
        8,
        wan="万",
        wind_chars="东南西北",
        green_dragon="发",
        white="double",
        dot="target",
        stick="capsule",
    ),
    FaceStyle("song", FOREST, "uming_tw", 9, white="char", dot="disc", one_dot="wheel", stick="outline", bird="crane"),
    FaceStyle(
        "kai_tw",
        CLASSIC,
        "ukai_tw",
        8,
        five="伍",
        white="cut",
        dot="plain",
        one_dot="sunflower",
        stick="riichi",
        bird="sparrow",
        index="arabic",
        index_place="tl+br",
        index_ink="red",
    ),
    FaceStyle(
        "bold_sans",
        ROYAL,
        "sans_bold",
        0,
        white="double",
        dot="plain",
        one_dot="rings",
        stick="bar",
        bird="peacock",
        flower="medallion",
    ),
    FaceStyle("wenkai", FOREST, "wenkai", 5, white="frame", dot="target", one_dot="rings", stick="capsule"),
    FaceStyle(
        "syuku",
        ROYAL,
        "yuji_syuku",
        4,
        five="伍",
        white="blank",
        dot="riichi",
        one_dot="riichi",
        stick="bone",
        bird="riichi",
        index="all",
        index_place="tr",
        index_ink="blue",
    ),
    FaceStyle(
        "ma_shan",
        VIVID,
        "ma_shan",
        2,
        wan="万",
        wind_chars="东南西北",
        green_dragon="发",
        white="frame",
        dot="disc",
        one_dot="sunflower",
        stick="outline",
        bird="crane",
    ),
)
"""Looks that training scenes start from."""

HELD_OUT: tuple[FaceStyle, ...] = (
    FaceStyle(
        "kaisei", CLASSIC, "kaisei", 0, white="double", dot="coin", one_dot="wheel", stick="capsule", bird="peacock"
    ),
    FaceStyle(
        "fangsong",
        ANTIQUE,
        "cwfs",
        8,
        five="伍",
        white="cut",
        dot="coin",
        one_dot="sunflower",
        stick="riichi",
        bird="crane",
        index="all",
    ),
    FaceStyle(
        "xiaowei",
        VIVID,
        "xiaowei",
        5,
        wan="万",
        wind_chars="东南西北",
        green_dragon="发",
        white="frame",
        dot="coin",
        one_dot="rings",
        stick="bone",
        bird="sparrow",
    ),
)
"""Looks kept for testing: fonts and a dot design that no training scene uses."""

_TRAINING_FONTS = (
    "yuji_boku",
    "yuji_syuku",
    "wenkai",
    "ma_shan",
    "zhi_mang",
    "serif_black",
    "serif_bold",
    "serif_jp",
    "sans_bold",
    "ukai_tw",
    "ukai_cn",
    "uming_tw",
    "bkai",
    "bsmi",
    "gkai",
    "zenhei",
    "cwkai",
    "cwyen",
    "tw_kai",
    "maruberi",
    "kouzan",
    "kouzan_gyosho",
    "soseki",
)
_RUNNING = ("kouzan", "kouzan_gyosho", "kouzan_gyosho", "soseki", "yuji_boku", "yuji_syuku")
"""Written with a brush, as most engravers do; drawn more often than their number."""
_FLOWER_INKS = (("red", "blue"), ("red", "blue"), ("red", "dark"), ("blue", "red"), ("red", "red"), ("dark", "dark"))
_DIGITS = ("sans_bold", "sans_regular", "serif_bold", "cwkai", "maruberi", "kouzan", "wenkai")
_NATURAL_BOLDNESS = {
    "serif_black": 0,
    "sans_bold": 0,
    "ma_shan": 2,
    "yuji_boku": 3,
    "yuji_syuku": 3,
    "serif_bold": 2,
    "zhi_mang": 2,
    "cwyen": 2,
    "zenhei": 4,
    "maruberi": 2,
    "kouzan": 3,
    "kouzan_gyosho": 3,
    "soseki": 6,
}


def _jitter(colour: str, rng: np.random.Generator, amount: float) -> str:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    h = (h + rng.normal(0, 0.02 * amount)) % 1
    s = float(np.clip(s * (1 + rng.normal(0, 0.16 * amount)), 0, 1))
    v = float(np.clip(v * (1 + rng.normal(0, 0.2 * amount)), 0.04, 1))
    return "#" + "".join(f"{round(255 * c):02x}" for c in colorsys.hsv_to_rgb(h, s, v))


def _pick(rng: np.random.Generator, values: Sequence[str]) -> str:
    return values[int(rng.integers(len(values)))]


def _remix(base: FaceStyle, rng: np.random.Generator) -> FaceStyle:
    """The same family with some details exchanged."""
    style = base
    chance = rng.random(10)
    if chance[0] < 0.35:
        style = replace(style, dot=_pick(rng, ("target", "disc", "daisy", "riichi", "plain")))
    if chance[1] < 0.35:
        style = replace(style, one_dot=_pick(rng, ("sunflower", "wheel", "rings", "riichi")))
    if chance[2] < 0.35:
        style = replace(style, stick=_pick(rng, ("capsule", "bone", "riichi", "outline", "bar")))
    if chance[3] < 0.35:
        style = replace(style, bird=_pick(rng, ("sparrow", "peacock", "crane", "riichi")))
    if chance[4] < 0.45:
        style = replace(style, white=_pick(rng, ("blank", "frame", "double", "cut", "blank", "cut")))
    if chance[5] < 0.4:
        places = ("tl", "tr", "tl+br", "tr+bl", "bl")
        style = replace(
            style,
            index=_pick(rng, ("", "", "arabic", "all", "all")),
            index_place=_pick(rng, places),
            index_ink=_pick(rng, ("dark", "red", "blue", "green")),
        )
    if chance[6] < 0.3:
        style = replace(style, flower=_pick(rng, ("plant", "plant", "plant_only_number", "char", "medallion")))
    if chance[7] < 0.3:
        blue = _pick(rng, ("blue", "dark", "green"))
        style = replace(style, dot_inks=("red", "green", blue), wind_ink=_pick(rng, ("blue", "dark")))
    if chance[8] < 0.3:
        style = replace(style, stick_inks=("red", "green", _pick(rng, ("green", "blue", "dark"))))
    return replace(
        style,
        m_above_w=bool(rng.random() < 0.35),
        number_ink=_pick(rng, (style.number_ink, style.number_ink, "dark")),
        five=_pick(rng, (style.five, style.five, "五", "伍")),
        flower_swap=bool(rng.random() < 0.5),
        wan_ink=_pick(rng, ("red", "red", "red", "red", "dark")) if style.name == "simplified" else style.wan_ink,
    )


def _with_font(style: FaceStyle, font: str, book: FontBook) -> FaceStyle:
    """The style in another typeface, with the characters that typeface has."""
    traditional = book.has(font, "萬東發")
    dragon = "發" if traditional else "发"
    return replace(
        style,
        font=font,
        boldness=_NATURAL_BOLDNESS.get(font, 8),
        wan="萬" if traditional else "万",
        wind_chars=WINDS if traditional else "东南西北",
        green_dragon=dragon,
    )


def random_style(rng: np.random.Generator, book: FontBook, *, held_out: bool = False) -> FaceStyle:
    """A face style of one pool, with varied inks and details.

    Args:
        rng: the only source of chance.
        book: installed fonts; families whose font is missing borrow another one.
        held_out: draw from the styles kept for testing.
    """
    pool = HELD_OUT if held_out else FAMILIES
    style = pool[int(rng.integers(len(pool)))]
    installed = [s.key for s in book.available()]
    if not held_out:
        style = _remix(style, rng)
        choices = [f for f in _TRAINING_FONTS if f in installed] or installed
        if rng.random() < 0.4 or style.font not in installed:
            style = _with_font(style, _pick(rng, choices), book)
    elif style.font not in installed:
        style = _with_font(style, _pick(rng, installed), book)
    if style.green_dragon == "發" and rng.random() < 0.15 and book.has(style.font, "発"):
        style = replace(style, green_dragon="発")
    amount = float(rng.choice([0.5, 1.0, 1.6]))
    red, green, blue, dark = (_jitter(getattr(style.inks, k), rng, amount) for k in ("red", "green", "blue", "dark"))
    inks = Inks(red, green, blue, dark, style.inks.paper)
    boldness = max(0.0, style.boldness + float(rng.normal(0, 2)))
    style = _vary(replace(style, inks=inks, boldness=boldness), rng)
    return style if held_out else _widen(style, rng, book)


def _vary(style: FaceStyle, rng: np.random.Generator) -> FaceStyle:
    """Proportions, lean, pictures and colour order at random: what differs between two sets of one family."""
    chance = rng.random(8)
    return replace(
        style,
        fill=float(rng.uniform(0.76, 0.87) if style.index else rng.uniform(0.8, 0.97)),
        char_width=float(rng.uniform(0.78, 1.06)) if chance[0] < 0.6 else 1.0,
        slant_deg=float(rng.normal(0, 4)) if chance[1] < 0.3 else 0.0,
        plant_seed=int(rng.integers(1, 100_000)) if chance[2] < 0.65 else 0,
        line_art=bool(chance[3] < 0.3),
        flip=bool(chance[4] < 0.5),
        dot_swap=bool(chance[5] < 0.3),
        rows_coloured=bool(chance[6] < 0.25),
        flower_corners="opposite" if chance[7] < 0.35 else "top",
    )


def _widen(style: FaceStyle, rng: np.random.Generator, book: FontBook) -> FaceStyle:
    """Engravers' hands, grown birds, herbs that tell nothing and dots pushed together: what real sets vary most.

    Held-out styles never get these, so their pictures stay what they were.
    """
    chance = rng.random(12)
    if chance[0] < 0.45:
        running = [font for font in _RUNNING if book.has(font, "萬東發")]
        style = _with_font(style, _pick(rng, running), book) if running else style
    elif "东" in style.wind_chars and chance[0] < 0.8:
        whole = [font for font in _TRAINING_FONTS if book.has(font, "萬東發")]
        style = _with_font(style, _pick(rng, whole), book) if whole else style
    if chance[10] < 0.25 and "东" not in style.wind_chars:
        style = replace(style, hand_seed=int(rng.integers(1, 100_000)), green_dragon="發", wan="萬")
    if rng.random() < 0.3:
        size = float(rng.uniform(0.55, 1.0))
        style = replace(style, dragon_seed=int(rng.integers(1, 100_000)), dragon_size=size)
    if chance[1] < 0.75:
        style = replace(style, bird_seed=int(rng.integers(1, 100_000)))
    if chance[2] < 0.75:
        any_herb, line_plant = bool(rng.random() < 0.8), bool(rng.random() < 0.6)
        seed = style.plant_seed or int(rng.integers(1, 100_000))
        style = replace(style, any_herb=any_herb, plant_seed=seed, line_plant=line_plant)
    style = _flower_inks(style, rng)
    if chance[3] < 0.2:
        style = replace(style, dot="gear")
    if chance[4] < 0.35:
        style = replace(style, one_dot=_pick(rng, ("oval", "bullseye")))
    packed = bool(chance[5] < 0.55)
    digits = [font for font in _DIGITS if book.has(font, "1234")]
    return replace(
        style,
        packed=packed,
        snug=float(rng.uniform(0.7, 1.0)) if packed else 1.0,
        rise_deg=float(rng.uniform(-2, 12)) if rng.random() < 0.6 else 0.0,
        glyph=float(rng.uniform(0.56, 1.0)) if chance[6] < 0.75 else 1.0,
        boldness=max(0.0, style.boldness + float(rng.normal(2, 3))),
        pattern=float(rng.uniform(0.74, 1.0)) if chance[11] < 0.6 else 1.0,
        char_width=float(rng.uniform(0.68, 1.15)),
        flower_numeral="chinese" if chance[7] < 0.15 else "arabic",
        digit=_pick(rng, digits) if digits else style.digit,
        corner=float(rng.uniform(0.7, 1.6)),
        wind_ink="dark" if chance[8] < 0.3 else style.wind_ink,
        dragon_ink=_pick(rng, ("dark", "blue")) if chance[9] < 0.5 else "green",
    )


def _flower_inks(style: FaceStyle, rng: np.random.Generator) -> FaceStyle:
    """Paints and places of number and character on flowers; a number alone keeps the paints that tell the row."""
    if rng.random() < 0.6:
        style = replace(style, flower="plant")
    style = replace(style, plant_ink=_pick(rng, ("blue", "dark", "green")) if rng.random() < 0.2 else "")
    if style.flower == "plant_only_number":
        return style
    season, herb = _FLOWER_INKS[int(rng.integers(len(_FLOWER_INKS)))]
    return replace(style, season_ink=season, herb_ink=herb, flower_sides=bool(rng.random() < 0.3))
