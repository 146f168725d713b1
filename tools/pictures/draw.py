"""Draws the pictures that ship with the hosted pages, into `web/flow/illustrations/`.

Run it by `python -m tools.pictures.draw`, with names of pictures to draw these alone. A picture is a WebP image of a
scene that this program computes, inside an SVG file, so that the pages show it like an illustration (decision 305).
Parts of a scene may be transparent: there the page shows the colour of its theme.
"""

import base64
import io
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from tools.pictures.solids import Floats, Solid, World, block, cylinder, render, sphere

FOLDER = Path(__file__).parents[2] / "web" / "flow" / "illustrations"
WIDTH, HEIGHT = 900, 1200
_SIZE = f'width="{WIDTH}" height="{HEIGHT}"'
#: A picture may have so many bytes, as the file that is shipped (media, Looks).
MAX_BYTES = 60_000
_QUALITIES = (84, 78, 72, 66, 60, 52)
_GRAIN = 1.6 / 255

Colors = NDArray[np.float64]


def main() -> None:
    """Draw the pictures."""
    for name in sys.argv[1:] or PICTURES:
        content = drawn(name, PICTURES[name]())
        (FOLDER / f"{name}.svg").write_text(content)
        print(f"{name} {len(content):,} bytes")


def drawn(name: str, scene: Colors) -> str:
    """Return a scene as the file of an illustration, as good as its limit allows."""
    for quality in _QUALITIES:
        content = _svg(name, scene, quality)
        if len(content) <= MAX_BYTES:
            return content
    raise ValueError(f"the picture has {len(content)} bytes")


def _svg(name: str, scene: Colors, quality: int) -> str:
    image = _image(scene[..., :3], quality)
    if scene.shape[2] > 3:
        # The alpha channel of WebP has no loss, so it would be twice as large as a mask.
        mask = _image(np.repeat(scene[..., 3:], 3, axis=2), quality)
        image = (
            f'<mask id="picture-{name}">{mask}</mask><rect {_SIZE} fill="var(--primary,#3355ff)"/>'
            f'<g mask="url(#picture-{name})">{image}</g>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="xMidYMid slice">'
        f"{image}</svg>"
    )


def _image(colors: Colors, quality: int) -> str:
    # Grain hides the steps of a gradient.
    grain = np.random.default_rng(7).normal(0, _GRAIN, colors.shape[:2])[..., None]
    image = Image.fromarray((np.clip(colors + grain, 0, 1) * 255).round().astype(np.uint8))
    out = io.BytesIO()
    image.save(out, "WEBP", quality=quality, method=6)
    return f'<image {_SIZE} href="data:image/webp;base64,{base64.b64encode(out.getvalue()).decode()}"/>'


def color(text: str) -> Colors:
    """Return a colour of CSS as numbers from 0 to 1."""
    return np.array([int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)])


def ramp(position: Floats, stops: Mapping[float, str]) -> Colors:
    """Return the colours of a gradient at positions."""
    places = list(stops)
    colors = np.array([color(stop) for stop in stops.values()])
    return np.stack([np.interp(position, places, colors[:, channel]) for channel in range(3)], axis=-1)


def plane() -> tuple[Floats, Floats]:
    """Return the coordinates of the pixels: x from 0 to 1, y from 0 at the top to 4/3."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH] / WIDTH
    return x, y


def blend(below: Colors, above: Colors, share: Floats) -> Colors:
    """Return colours with others above them."""
    return below + (above - below) * np.clip(share, 0, 1)[..., None]


def blurred(mask: Floats, pixels: float) -> Floats:
    """Return a mask with soft edges."""
    image = Image.fromarray((np.clip(mask, 0, 1) * 255).astype(np.uint8))
    return np.asarray(image.filter(ImageFilter.GaussianBlur(pixels)), dtype=float) / 255


def ridge(x: Floats, seed: int, height: float, roughness: float = 0.5) -> Floats:
    """Return the height of hills along x: waves of falling size."""
    random = np.random.default_rng(seed)
    sizes = roughness ** np.arange(7)
    waves = [size * np.sin(x * 2.3 * 2**octave + random.uniform(0, 6.3)) for octave, size in enumerate(sizes)]
    found: Floats = height * np.sum(waves, axis=0)
    return found


def sunrise() -> Colors:
    """Draw hills in the mist below a rising sun."""
    x, y = plane()
    scene = ramp(y, {0: "#41508f", 0.28: "#8c7fb4", 0.5: "#f0a894", 0.66: "#ffd9a8", 0.8: "#fff0cf"})
    distance = np.hypot(x - 0.52, y - 0.58)
    scene = blend(scene, color("#fff3d2"), 0.85 * np.exp(-((distance / 0.23) ** 2)))
    scene = blend(scene, color("#fffaf0"), (0.098 - distance) * 300)
    hills = ["#e8a79d", "#c4839a", "#8f6493", "#5d4a80", "#382f60", "#1f1c40"]
    for place, tone in enumerate(hills):
        top = 0.62 + 0.105 * place - ridge(x, 11 + place, 0.055 + 0.006 * place, 0.42)
        depth = y - top
        mist = np.exp(-np.clip(depth, 0, None) / (0.20 - 0.02 * place))
        lit = blend(
            np.broadcast_to(color(tone), scene.shape), color("#ffe3bd"), 0.5 * (1 - mist) * (0.9 - 0.16 * place)
        )
        scene = blend(scene, lit, depth * 420)
    return scene


def night() -> Colors:
    """Draw a moon above a lake between hills."""
    x, y = plane()
    water = 0.86
    mirrored = np.where(y > water, 2 * water - y + 0.004 * np.sin(y * 420 + 3 * np.sin(x * 9)), y)
    scene = ramp(mirrored, {0: "#0a1030", 0.35: "#1c2660", 0.62: "#46508f", 0.86: "#8a86b8"})
    random = np.random.default_rng(5)
    for _ in range(150):
        at, size = random.uniform((0, 0), (1, 0.62)), random.uniform(0.0007, 0.0019)
        if abs(at[0] - 0.6) < 0.17 and abs(at[1] - 0.34) < 0.17:
            continue
        near = np.hypot(x - at[0], y - at[1])
        scene = blend(scene, color("#ffffff"), random.uniform(0.3, 1) * np.exp(-((near / size) ** 2)))
    distance = np.hypot(x - 0.6, mirrored - 0.34)
    scene = blend(scene, color("#c9cdf5"), 0.5 * np.exp(-((distance / 0.2) ** 2)))
    scene = blend(scene, color("#fff6df"), (0.085 - distance) * 300)
    for place, tone in enumerate(["#5a5d98", "#383d78", "#1e2356"]):
        rise = ridge(x + 0.2 * place, 31 + place, 0.075 - 0.012 * place, 0.45)
        top = 0.74 + 0.045 * place - rise - 0.09 * np.abs(x - 0.55) * (2 + place)
        scene = blend(scene, ramp(mirrored - top, {0: tone, 0.2: "#6d70a8"}), (mirrored - top) * 420)
    is_water = np.clip((y - water) * 400, 0, 1)
    scene = blend(scene, color("#141a48"), is_water * (0.32 + 0.55 * np.clip((y - water) / 0.45, 0, 1)))
    path = np.exp(-(((x - 0.6) / (0.035 + 0.16 * np.clip(y - water, 0, None))) ** 2)) * is_water
    below = np.clip(y - water, 0, None)
    ripples = 0.5 + 0.5 * np.sin(300 * below / (0.25 + below) ** 0.5 + 1.4 * np.sin(x * 31 + y * 24))
    return blend(scene, color("#ffeecb"), 0.62 * path * ripples**2)


def silk() -> Colors:
    """Draw cloth in the colour of the theme: lights and shadows, elsewhere clear."""
    x, y = plane()
    u, v = x * 0.94 + y * 0.34, y * 0.94 - x * 0.34
    bend = 0.16 * np.sin(2.1 * v + 0.4) + 0.05 * np.sin(4.7 * v + 1.7)
    height = np.zeros_like(x)
    for place, (wide, turn) in enumerate(((7.5, 0.4), (13.0, 2.2), (24.0, 4.0))):
        height += np.sin(wide * (u + bend) + turn + 0.9 * np.sin((1.6 + place) * v + turn)) / wide / (1 + 0.9 * place)
    down, right = np.gradient(height, 1 / WIDTH)
    normal = np.stack([-right, -down, np.full_like(x, 0.9)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    lit = normal @ np.array([-0.62, -0.38, 0.69])
    shine = np.clip(normal @ np.array([-0.33, -0.2, 0.92]), 0, 1) ** 22
    shadow = 0.62 * np.clip(0.72 - lit, 0, 1) + 0.16 * np.clip(y - 0.6, 0, 1)
    return veil(np.clip(0.50 * shine, 0, 0.8), np.clip(shadow, 0, 0.5))


def veil(light: Floats, shadow: Floats) -> Colors:
    """Return a scene that only lightens and darkens what is below."""
    share = light + shadow * (1 - light)
    tone = (light / np.maximum(share, 1e-6))[..., None]
    colors = color("#10102a") + (color("#fffaf4") - color("#10102a")) * tone
    return np.concatenate([colors, share[..., None]], axis=-1)


def harvest() -> Colors:
    """Draw fruit on a table in the morning."""
    fruit = [
        sphere((-0.95, 0.62, 0.3), 0.62, "#f08a24", gloss=0.35),
        sphere((0.42, 0.78, 0.75), 0.78, "#d8433a", gloss=0.6),
        sphere((0.30, 0.40, -0.62), 0.40, "#f7c53b", gloss=0.4),
        sphere((-0.42, 0.30, -0.85), 0.30, "#8fb544", gloss=0.5),
        sphere((1.22, 0.46, -0.22), 0.46, "#9bbf4a", gloss=0.5),
        sphere((-0.30, 1.52, 0.62), 0.44, "#f4b03a", gloss=0.4),
        sphere((-1.45, 0.26, -0.75), 0.26, "#5d3b73", gloss=0.7),
        sphere((0.92, 0.20, -1.15), 0.20, "#6a437f", gloss=0.7),
        cylinder((-0.1, 0.0, 0.1), 2.05, 0.05, "#fff6e8"),
    ]
    world = World(fruit, floor="#f3d9b8", sky=("#fbe8cd", "#f6c99b"), sun=(-0.75, 0.85, -0.55))
    return render(world, (WIDTH, HEIGHT), eye=(0.2, 2.9, -6.2), target=(0.0, 0.66, 0), zoom=2.75)


def podium() -> Colors:
    """Draw steps, pillars and balls, as for a product."""
    solids = [
        cylinder((0, 0.0, 0.2), 1.75, 0.28, "#ffffff", is_clear=True),
        cylinder((0, 0.28, 0.35), 1.15, 0.30, "#ffffff", is_clear=True),
        sphere((0.05, 1.13, 0.3), 0.55, "#fff4e4", gloss=0.5),
        block((-1.62, 1.1, 1.0), (0.42, 1.1, 0.42), "#ffffff", is_clear=True),
        block((1.66, 0.75, 0.9), (0.40, 0.75, 0.40), "#ffffff", is_clear=True),
        sphere((1.66, 1.80, 0.9), 0.30, "#ffd37a", gloss=0.6),
        sphere((-0.95, 0.20, -1.55), 0.20, "#ffd37a", gloss=0.6),
        sphere((0.85, 0.13, -1.75), 0.13, "#fff4e4", gloss=0.5),
    ]
    world = World(solids, floor=None, sky=None, sun=(-0.8, 1.0, -0.6))
    return render(world, (WIDTH, HEIGHT), eye=(0.0, 2.5, -7.2), target=(0.0, 0.92, 0), zoom=2.75)


def stairs() -> Colors:
    """Draw stairs that lead up to a ball in the light."""
    steps: list[Solid] = [
        block(
            (-1.5 + 0.52 * place, 0.21 * (place + 1), 0.4), (0.26, 0.21 * (place + 1), 0.75), "#ffffff", is_clear=True
        )
        for place in range(7)
    ]
    solids = [
        *steps,
        sphere((1.62, 3.33, 0.4), 0.38, "#ffd37a", gloss=0.6),
        sphere((-1.5, 0.62, 0.1), 0.2, "#fff4e4", gloss=0.5),
        sphere((-0.75, 0.24, -1.25), 0.24, "#fff4e4", gloss=0.5),
    ]
    world = World(solids, floor=None, sky=None, sun=(-0.75, 0.9, -0.75))
    return render(world, (WIDTH, HEIGHT), eye=(-1.4, 3.6, -8.4), target=(0.1, 1.6, 0.2), zoom=3.0)


def track() -> Colors:
    """Draw the lanes of a running track in the evening."""

    def lanes(x: Floats, z: Floats) -> Colors:
        radius = np.hypot(x - 9.5, z + 1.5)
        lane = np.abs((radius / 1.05 + 0.5) % 1 - 0.5) * 1.05
        speckle = 0.03 * np.sin(x * 61 + 7 * np.sin(z * 47)) * np.sin(z * 53 + 5 * np.sin(x * 39))
        ground = color("#c4502f") + speckle[..., None]
        grass = np.broadcast_to(color("#4f7a4a"), ground.shape)
        ground = blend(ground, grass, (radius - 13.1) * 30)
        return blend(ground, color("#fff3e4"), (0.045 - lane) * 160 * (radius < 13.2))

    solids = [
        sphere((-0.35, 0.22, -2.2), 0.22, "#fff4e4", gloss=0.4),
        block((-1.9, 0.35, 2.2), (0.62, 0.035, 0.04), "#fff8ee"),
        block((-2.45, 0.17, 2.2), (0.03, 0.17, 0.03), "#f2e6da"),
        block((-1.35, 0.17, 2.2), (0.03, 0.17, 0.03), "#f2e6da"),
        block((0.55, 0.35, 3.4), (0.62, 0.035, 0.04), "#fff8ee"),
        block((0.0, 0.17, 3.4), (0.03, 0.17, 0.03), "#f2e6da"),
        block((1.1, 0.17, 3.4), (0.03, 0.17, 0.03), "#f2e6da"),
    ]
    sky = ("#ffd9a0", "#7f86c6")
    world = World(solids, floor="#c4502f", sky=sky, sun=(0.95, 0.5, -0.25), pattern=lanes, haze=0.05)
    return render(world, (WIDTH, HEIGHT), eye=(-0.6, 1.5, -5.6), target=(-0.4, 0.62, 1.5), zoom=1.55)


def city() -> Colors:
    """Draw a city at dusk with lights in its windows."""
    random = np.random.default_rng(23)
    towers: list[Solid] = []
    for row in range(4):
        for place in range(8):
            height = random.uniform(0.5, 1.35) + 0.45 * row
            at = (-3.6 + 1.02 * place + 0.4 * (row % 2), height, 0.2 + 1.5 * row)
            tone = ["#4c4a8c", "#665a9e", "#8a6aa3", "#b583a8"][row]
            towers.append(block(at, (0.36, height, 0.36), tone, has_windows=True))
    world = World(towers, floor="#3a3570", sky=("#ffb38a", "#3d4790"), sun=(0.75, 0.5, -0.85), haze=0.05)
    return render(world, (WIDTH, HEIGHT), eye=(0.5, 3.0, -8.2), target=(0.1, 1.95, 1.0), zoom=2.6)


PICTURES: Mapping[str, Callable[[], Colors]] = {
    scene.__name__: scene for scene in (sunrise, night, silk, harvest, podium, stairs, track, city)
}

if __name__ == "__main__":
    main()
