"""Draws the seed's video clips: `python3 clips.py FOLDER`; needs Pillow and ffmpeg.

Each clip is drawn without words, so that one file serves both languages; captions say the rest.
Writes NAME.webm, NAME.mp4 and NAME.svg (the poster) into FOLDER.
"""

import math
import random
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageDraw

WIDTH, HEIGHT, RATE, SECONDS, SCALE = 640, 360, 12, 12, 2
SAND, NAVY, BLUE, CLAY, STONE = "#F4EDE1", "#0E1B33", "#24406F", "#C9803A", "#CDB994"


class Canvas:
    """Draws in the clip's pixels, larger than shown so that edges are smooth."""

    def __init__(self):
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), SAND)
        self.draw = ImageDraw.Draw(self.image)
        self.shapes = []

    def box(self, x, y, w, h, fill):
        if w <= 0 or h <= 0:
            return
        self.draw.rectangle([x * SCALE, y * SCALE, (x + w) * SCALE, (y + h) * SCALE], fill=fill)
        self.shapes.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="{w:.0f}" height="{h:.0f}" fill="{fill}"/>')

    def dot(self, x, y, r, fill):
        self.draw.ellipse([(x - r) * SCALE, (y - r) * SCALE, (x + r) * SCALE, (y + r) * SCALE], fill=fill)
        self.shapes.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}" fill="{fill}"/>')

    def line(self, points, fill, width=4):
        if len(points) < 2:
            return
        self.draw.line([(x * SCALE, y * SCALE) for x, y in points], fill=fill, width=width * SCALE, joint="curve")
        path = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
        self.shapes.append(f'<polyline points="{path}" fill="none" stroke="{fill}" stroke-width="{width}" stroke-linejoin="round"/>')

    def svg(self):
        size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{SAND}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n' + "\n".join([ground, *self.shapes]) + "\n</svg>\n"


def ease(t):
    t = max(0.0, min(1.0, t))
    return t * t * (3 - 2 * t)


def walk(seed, steps, spread, low=None, high=None):
    dice, value, values = random.Random(seed), 0.0, []
    for _ in range(steps):
        value += dice.uniform(-spread, spread)
        if low is not None:
            value = max(low, min(high, value))
        values.append(value)
    return values


def order_book(c, t):
    """Bids on the left rise to meet asks on the right; where they meet, a trade is made."""
    c.box(318, 40, 4, 280, STONE)
    for row in range(6):
        y, reach = 60 + row * 44, 1 - row / 7
        near = ease(t * 1.6 - row * 0.05) if row == 0 else ease(t * 1.2) * 0.55
        c.box(40 + (278 - 200 * reach) * near, y, 200 * reach, 30, BLUE)
        c.box(600 - 200 * reach - (278 - 200 * reach) * near, y, 200 * reach, 30, CLAY)
    if t > 0.66:
        c.dot(320, 75, 10 + 26 * math.sin(min(1, (t - 0.66) / 0.2) * math.pi / 2), NAVY)


def compounding(c, t):
    """Columns of one deposit that earns on what it earned before."""
    c.box(40, 318, 560, 4, NAVY)
    for year in range(12):
        grown = ease(t * 14 - year)
        base, height = 60, 60 * 1.125**year
        c.box(56 + year * 45, 318 - height * grown, 30, (height - base) * grown, CLAY)
        c.box(56 + year * 45, 318 - base * grown, 30, base * grown, BLUE)


def spread_out(c, t):
    """Five restless lines, and their calm average."""
    shown = max(2, int(48 * ease(t * 1.1)))
    lines = [walk(seed, 48, 26, -120, 120) for seed in (3, 5, 8, 13, 21)]
    for values in lines:
        c.line([(40 + i * 12, 180 + v) for i, v in enumerate(values[:shown])], STONE, 3)
    mean = [sum(v[i] for v in lines) / 5 - i * 1.2 for i in range(48)]
    c.line([(40 + i * 12, 195 + v * 0.8) for i, v in enumerate(mean[:shown])], BLUE, 7)


def settlement(c, t):
    """A trade's way over the days until shares and money have changed hands."""
    for day in range(3):
        x = 70 + day * 200
        c.box(x, 110, 100, 140, STONE if t * 3 < day + 0.9 else BLUE)
        c.box(x, 110, 100, 26, NAVY)
    way = ease(t * 1.15)
    c.line([(120, 290), (120 + 400 * way, 290)], NAVY, 5)
    c.dot(120 + 400 * way, 290, 16, CLAY)
    c.dot(520 - 400 * way, 70, 16, NAVY)


def split(c, t):
    """One share becomes four smaller ones of the same total size."""
    apart = ease(t * 2 - 0.5) * 46
    for row in (-1, 1):
        for column in (-1, 1):
            x, y = 320 + column * (50 + apart) - 50, 180 + row * (50 + apart * 0.6) - 50
            c.box(x, y, 98, 98, BLUE if row == column else NAVY)
            c.dot(x + 49, y + 49, 18 * ease(t * 2 - 0.7), STONE)
    if t < 0.3:
        c.dot(320, 180, 36, STONE)


def price_band(c, t):
    """A price moves all day, but never beyond the band."""
    c.box(40, 76, 560, 6, CLAY)
    c.box(40, 278, 560, 6, CLAY)
    c.box(40, 178, 560, 3, STONE)
    values = walk(11, 70, 38, -98, 98)
    shown = max(2, int(70 * ease(t * 1.1)))
    points = [(40 + i * 8, 180 - v) for i, v in enumerate(values[:shown])]
    c.line(points, BLUE, 5)
    c.dot(*points[-1], 10, NAVY)


def trading_day(c, t):
    """The day as a bar: opening auction, continuous trading, closing auction, last trades."""
    parts, x = [(60, STONE), (380, BLUE), (60, CLAY), (60, STONE)], 40
    now = 40 + 560 * ease(t * 1.1)
    for width, fill in parts:
        c.box(x, 190, min(width - 4, now - x), 70, fill)
        x += width
    angle = -math.pi / 2 + 2 * math.pi * ease(t * 1.1) * 0.5
    c.dot(320, 100, 62, NAVY)
    c.dot(320, 100, 54, SAND)
    c.line([(320, 100), (320 + 44 * math.cos(angle), 100 + 44 * math.sin(angle))], CLAY, 6)
    c.box(now - 3, 178, 6, 94, NAVY)


CLIPS = {
    "order-book": order_book, "compounding": compounding, "spread-out": spread_out,
    "settlement": settlement, "split": split, "price-band": price_band, "trading-day": trading_day,
}
CODECS = {
    "webm": ["-c:v", "libvpx-vp9", "-crf", "40", "-b:v", "0", "-row-mt", "1"],
    "mp4": ["-c:v", "libx264", "-profile:v", "main", "-crf", "28", "-movflags", "+faststart"],
}


def frames(draw):
    for at in range(RATE * SECONDS):
        canvas = Canvas()
        # The last second holds still.
        draw(canvas, min(1.0, at / (RATE * (SECONDS - 1))))
        yield canvas


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in CLIPS.items():
        drawn = list(frames(draw))
        raw = b"".join(c.image.resize((WIDTH, HEIGHT), Image.LANCZOS).tobytes() for c in drawn)
        (folder / f"{name}.svg").write_text(drawn[int(len(drawn) * 0.85)].svg())
        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE), "-i", "-"]
        for form, codec in CODECS.items():
            target = ["-pix_fmt", "yuv420p", "-an", "-fflags", "+bitexact", str(folder / f"{name}.{form}")]
            subprocess.run(["ffmpeg", "-v", "error", "-y", *source, *codec, *target], input=raw, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
