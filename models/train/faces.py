"""The 42 tile faces and the back as vector art of our own, in any style.

``face_svg`` is the one place that decides what a tile looks like: the web pages
show one style of it (``python -m models.train.svg_tiles``), training scenes are
textured with many (``models.train.styles``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from models.train import brush_hand
from models.train.fonts import FontBook
from models.train.ink import HEIGHT, WIDTH, Inks, group, shape, stroke, tag
from models.train.line_plants import line_plant
from models.train.picture_art import BIRDS, PLANTS
from models.train.suit_art import dots, sticks
from models.train.wild_birds import wild_bird
from models.train.wild_plants import wild_plant

NUMERALS = "一二三四五六七八九"
WINDS = "東南西北"
FLOWERS = "春夏秋冬梅蘭竹菊"
SIMPLE = str.maketrans("東萬發蘭", "东万发兰")


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """How one tile set draws its faces.

    Attributes:
        name: for people.
        inks: the paints.
        font: typeface of numbers, winds and dragons (key of the font catalogue).
        boldness: extra stroke around characters in face units.
        wan: ``萬``, ``万`` or ``""`` (number alone); five: ``五`` or ``伍``.
        number_ink: name of the ink of the upper number (``blue``, ``dark``, ...).
        wind_ink: ink of the winds.
        wind_chars: the four winds as printed (traditional or simplified).
        green_dragon: ``發``, ``发`` or ``発``.
        white: ``blank``, ``frame``, ``double``, ``cut`` or ``char``.
        dot, one_dot, stick, bird: keys of the designs.
        dot_inks, stick_inks: ink name for the layout letters r, g, b.
        m_above_w: form of 8s.
        index: ``""``, ``arabic`` or ``all`` (letters on honours too).
        index_place: ``tl``, ``tr``, ``bl``, ``br`` or two of them joined by ``+``.
        flower: ``plant``, ``plant_only_number``, ``char`` or ``medallion``.
        flower_swap: 竹 carries 3 and 菊 carries 4 (``False``) or the other way round.
        flower_corners: ``top`` (number and character above) or ``opposite`` (number below right).
        plant_seed: 0 for the fixed drawings, else the seed of grown ones.
        line_art: pictures in outline instead of filled.
        flip: pictures mirrored.
        char_width, slant_deg, rise_deg: proportion and lean of the characters, how far their level strokes rise.
        dot_swap: green and blue dots change places.
        rows_coloured: 9s (and 6s) coloured by row instead of by column.
        fill: share of the face that the drawing fills.
        dragon_ink: ink of 發, dark or blue on some sets.
        hand_seed: 0 for the typeface, else numbers, winds and dragons are written by a brush of our own.
        dragon_seed: 0 for 發 written as the winds are, else the seed of another hand; dragon_size: its size, 1 fills
            the face.
        glyph: size of winds and dragons, 1 fills the face; numbers shrink half as much.
        bird_seed: 0 for the named bird, else the seed of a grown one.
        any_herb: the plant does not tell the flower, only number and character do.
        flower_numeral: ``arabic``, or ``chinese`` for seasons numbered 一 to 四.
        packed: 6, 7 and 8 dots pushed together by colour; snug: smaller, so that the colours stand apart.
        line_plant: plants engraved as lines (``line_plants``) instead of painted.
        digit: typeface of the numerals in the corners.
        corner: size of number and character in the corners of a flower; 1 is a fifth and a quarter of its height.
        season_ink, herb_ink: inks of number and character of seasons and plants.
        plant_ink: ``""`` for plants in all inks, else the one ink of every plant.
        flower_sides: number and character of flowers change sides.
        pattern: width of dots and bamboos on the face, 1 fills it.
    """

    name: str
    inks: Inks
    font: str
    boldness: float = 0
    wan: str = "萬"
    five: str = "五"
    number_ink: str = "blue"
    wan_ink: str = "red"
    wind_ink: str = "blue"
    wind_chars: str = WINDS
    green_dragon: str = "發"
    white: str = "double"
    dot: str = "target"
    one_dot: str = "sunflower"
    stick: str = "capsule"
    bird: str = "sparrow"
    dot_inks: tuple[str, str, str] = ("red", "green", "blue")
    stick_inks: tuple[str, str, str] = ("red", "green", "green")
    m_above_w: bool = False
    index: str = ""
    index_place: str = "tl"
    index_ink: str = "dark"
    flower: str = "plant"
    flower_swap: bool = False
    flower_corners: str = "top"
    plant_seed: int = 0
    line_art: bool = False
    flip: bool = False
    char_width: float = 1.0
    slant_deg: float = 0.0
    rise_deg: float = 0.0
    dot_swap: bool = False
    rows_coloured: bool = False
    fill: float = 0.84
    dragon_ink: str = "green"
    hand_seed: int = 0
    dragon_seed: int = 0
    dragon_size: float = 1.0
    glyph: float = 1.0
    bird_seed: int = 0
    any_herb: bool = False
    flower_numeral: str = "arabic"
    packed: bool = False
    snug: float = 1.0
    line_plant: bool = False
    digit: str = "sans_bold"
    corner: float = 1.0
    pattern: float = 1.0
    season_ink: str = "red"
    herb_ink: str = "blue"
    plant_ink: str = ""
    flower_sides: bool = False

    def ink(self, name: str) -> str:
        """The CSS colour of a named ink."""
        return str(getattr(self.inks, name))


Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class FaceArtist:
    """Draws faces of one style with one set of fonts.

    Attributes:
        style: the style.
        fonts: where glyph outlines come from.
        decimals: precision of glyph outlines.
    """

    style: FaceStyle
    fonts: FontBook
    decimals: int = 1

    def char(self, text: str, box: Box, colour: str, *, stretch: bool = False) -> str:
        """One character fitted into a box, emboldened as the style wants."""
        if self.style.hand_seed and brush_hand.has(text):
            return brush_hand.write(text, box, colour, self.style.hand_seed)
        data = self.fonts.outline(self.style.font, text, box, stretch=stretch, decimals=self.decimals)
        drawn = shape(data, colour)
        if self.style.boldness:
            drawn = group([drawn], stroke=colour, stroke_width=self.style.boldness, stroke_linejoin="round")
        if self.style.char_width == 1 and not self.style.slant_deg and not self.style.rise_deg:
            return drawn
        x, y, width, height = box
        cx, cy = x + width / 2, y + height / 2
        move = f"translate({cx:g} {cy:g}) skewX({-self.style.slant_deg:.1f})"
        if self.style.rise_deg:
            move += f" skewY({-self.style.rise_deg:.1f})"
        move += f" scale({self.style.char_width:.2f} 1)"
        return group([drawn], transform=f"{move} translate({-cx:g} {-cy:g})")

    def picture(self, drawn: str) -> str:
        """A bird or plant the way this set prints pictures: filled or in outline, perhaps mirrored."""
        if self.style.line_art:
            drawn = re.sub(r'fill="(#\w+)"', r'fill="none" stroke="\1" stroke-width="6"', drawn)
        return group([drawn], transform=f"translate({WIDTH} 0) scale(-1 1)") if self.style.flip else drawn

    def art(self, label: str) -> str:
        """SVG elements of a face on the 300 x 400 canvas, index numeral included.

        Args:
            label: a tile text of ``LABELS`` except ``x``.
        """
        rank, suit = int(label[0]), label[1]
        draw = {"m": self._character, "p": self._dots, "s": self._bamboo, "z": self._honour, "f": self._flower}
        inner = draw[suit](rank)
        k = self.style.fill
        placed = group([inner], transform=f"translate({WIDTH * (1 - k) / 2:g} {HEIGHT * (1 - k) / 2:g}) scale({k:g})")
        return placed + self._index(rank, suit)

    def _character(self, rank: int) -> str:
        style = self.style
        number = style.five if rank == 5 else NUMERALS[rank - 1]
        if not style.wan:
            return self.char(number, (40, 60, 220, 280), style.ink(style.number_ink))
        flat = {1: (40, 78, 220, 36), 2: (54, 26, 192, 134), 3: (62, 4, 176, 166)}
        top = flat.get(rank, (58, 0, 184, 182))
        return self._sized(
            self.char(number, top, style.ink(style.number_ink))
            + self.char(style.wan, (38, 200, 224, 200), style.ink(style.wan_ink), stretch=True),
            (1 + style.glyph) / 2,
        )

    def _colours(self, names: tuple[str, str, str]) -> dict[str, str]:
        return dict(zip("rgb", (self.style.ink(n) for n in names), strict=True))

    def _dots(self, rank: int) -> str:
        s = self.style
        red, green, blue = s.dot_inks
        colours = self._colours((red, blue, green) if s.dot_swap else s.dot_inks)
        return self._gathered(dots(rank, s.dot, s.one_dot, colours, s.inks, packed=s.packed, snug=s.snug))

    def _bamboo(self, rank: int) -> str:
        s = self.style
        if rank == 1:
            return self.picture(wild_bird(s.bird_seed, s.inks) if s.bird_seed else BIRDS[s.bird](s.inks))
        colours = self._colours(s.stick_inks)
        drawn = sticks(rank, s.stick, colours, s.inks, m_above_w=s.m_above_w, rows_coloured=s.rows_coloured)
        return self._gathered(drawn)

    def _gathered(self, drawn: str) -> str:
        """Dots or bamboos over as much of the face as the set gives them."""
        if self.style.pattern == 1:
            return drawn
        high = (1 + self.style.pattern) / 2
        scale = f"scale({self.style.pattern:.2f} {high:.2f})"
        return group([drawn], transform=f"translate(150 200) {scale} translate(-150 -200)")

    def _honour(self, rank: int) -> str:
        s = self.style
        if rank <= 4:
            drawn = self.char(s.wind_chars[rank - 1], (22, 60, 256, 290), s.ink(s.wind_ink))
        elif rank == 5:
            return self._white()
        elif rank == 6:
            box = (20.0, 60.0, 260.0, 290.0)
            if s.dragon_seed:
                drawn = brush_hand.write_dragon(box, s.ink(s.dragon_ink), s.dragon_seed)
                return self._sized(drawn, s.dragon_size)
            drawn = self.char(s.green_dragon, box, s.ink(s.dragon_ink))
        else:
            drawn = self.char("中", (32, 40, 236, 320), s.inks.red)
        return self._sized(drawn, s.glyph)

    def _sized(self, drawn: str, share: float) -> str:
        """Characters as large as the set engraves them."""
        if share == 1:
            return drawn
        return group([drawn], transform=f"translate(150 200) scale({share:.2f}) translate(-150 -200)")

    def _white(self) -> str:
        s, blue = self.style, self.style.inks.blue
        frame = {"fill": "none", "stroke": blue}
        outer = tag("rect", x=28, y=30, width=244, height=340, rx=14, stroke_width=14, **frame)
        if s.white == "blank":
            return ""
        if s.white == "char":
            return self.char("白", (50, 70, 200, 260), blue)
        if s.white == "frame":
            return outer
        if s.white == "double":
            return outer + tag("rect", x=54, y=58, width=192, height=284, rx=6, stroke_width=8, **frame)
        corners = "M58 108L104 62L196 62L242 108L242 292L196 338L104 338L58 292Z"
        ticks = "M58 62L104 108M242 62L196 108M58 338L104 292M242 338L196 292"
        return outer + stroke(corners, blue, 8) + stroke(ticks, blue, 7)

    def _plant(self, rank: int) -> str:
        """The plant of a flower tile, in all paints or in one."""
        s = self.style
        one = s.ink(s.plant_ink) if s.plant_ink else ""
        inks = replace(s.inks, red=one, green=one, blue=one, dark=one) if one else s.inks
        flower_ink = inks.blue if rank == 6 else inks.red
        if s.plant_seed and s.line_plant:
            return line_plant(rank, s.plant_seed, inks, flower_ink, any_herb=s.any_herb)
        if s.plant_seed:
            return wild_plant(rank, s.plant_seed, inks, flower_ink, any_herb=s.any_herb)
        return PLANTS[f"{rank}f"](inks, flower_ink)

    def _flower(self, rank: int) -> str:
        s = self.style
        season = rank <= 4
        main = s.ink(s.season_ink if season else s.herb_ink)
        char = FLOWERS[rank - 1]
        if not self.fonts.has(s.font, char) or "东" in s.wind_chars:
            char = char.translate(SIMPLE)
        plant = self._plant(rank)
        if s.flower == "char":
            return self.char(char, (34, 20, 232, 250), main) + self._season_number(rank, (105, 300, 90, 96), main)
        if s.flower == "medallion":
            circle = tag("circle", cx=150, cy=200, r=140, fill="none", stroke=main, stroke_width=10)
            return circle + self.char(char, (76, 120, 148, 160), s.ink("green"))
        small = group([self.picture(plant)], transform="translate(6 40) scale(.96 .9)")
        if s.flower == "plant_only_number":
            return small + self._season_number(rank, (16, 4, 52, 78), main)
        k = s.corner
        wide, high, letter = 48 * k, 78 * k, 90 * k
        left = self._season_number(rank, (10, 6, wide, high), main)
        right = self.char(char, (294 - letter, 2, letter, letter), main)
        if season == s.flower_sides:
            left = self.char(char, (4, 2, letter, letter), main)
            right = self._season_number(rank, (290 - wide, 6, wide, high), main)
        if s.flower_corners == "opposite":
            right = group([right], transform="translate(0 310)")
        return small + left + right

    def _flower_number(self, rank: int) -> int:
        number = (rank - 1) % 4 + 1
        if self.style.flower_swap and rank in (7, 8):
            return 7 - number
        return number

    def _digit(self, text: str, box: Box, colour: str) -> str:
        return shape(self.fonts.outline(self.style.digit, text, box, decimals=self.decimals), colour)

    def _season_number(self, rank: int, box: Box, colour: str) -> str:
        """The numeral of a flower tile in its corner."""
        text = str(self._flower_number(rank))
        if self.style.flower_numeral == "chinese" and rank <= 4:
            return self.char(NUMERALS[rank - 1], box, colour)
        return self._digit(text, box, colour)

    def _index(self, rank: int, suit: str) -> str:
        s = self.style
        if not s.index or suit == "f" or (suit == "z" and s.index == "arabic"):
            return ""
        text = "ESWNPFC"[rank - 1] if suit == "z" else str(rank)
        places = {"tl": (14, 12), "tr": (246, 12), "bl": (14, 338), "br": (246, 338)}
        parts = []
        for place in s.index_place.split("+"):
            x, y = places[place]
            drawn = self._digit(text, (x, y, 40, 50), s.ink(s.index_ink))
            turned = place.startswith("b")
            parts.append(group([drawn], transform=f"rotate(180 {x + 20} {y + 25})") if turned else drawn)
        return "".join(parts)


def face_svg(label: str, artist: FaceArtist) -> str:
    """A complete SVG document of one face (or of the back for ``x``), 300 x 400 units."""
    inner = back_art(artist.style.inks) if label == "x" else artist.art(label)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{inner}</svg>'


def back_art(inks: Inks) -> str:
    """The back of a tile for the web pages: a green field with a woven pattern."""
    xs, ys = range(70, 231, 40), range(80, 321, 40)
    weave = "".join(f"M{x} {y - 14}l14 14l-14 14l-14 -14z" for y in ys for x in xs)
    return (
        tag("rect", x=12, y=12, width=276, height=376, rx=28, fill=inks.green)
        + tag("rect", x=36, y=38, width=228, height=324, rx=14, fill="none", stroke=inks.paper, stroke_width=7)
        + group([shape(weave, inks.paper)], opacity=0.5)
    )


@lru_cache(maxsize=4)
def font_book(folders: tuple[Path, ...]) -> FontBook:
    """The fonts under ``folders``; at least one must be there."""
    book = FontBook(folders)
    book.available()
    return book
