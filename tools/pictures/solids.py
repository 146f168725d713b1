"""Renders solids on a floor in the light of a sun, for `tools/pictures/draw.py`: rays march along distances."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]
Place = tuple[float, float, float]
#: Returns the distances of points to a solid.
Distance = Callable[[Floats], Floats]

_STEPS, _FAR, _NEAR = 90, 40.0, 0.0012
_ROUND = 0.035
#: Pixels of a side that make one of the picture.
_OVERSAMPLING = 4 / 3
#: Rows that are rendered at once.
_ROWS = 160
_SHADE, _LIGHT = np.array([0.063, 0.063, 0.165]), np.array([1.0, 0.98, 0.957])


@dataclass(frozen=True)
class Solid:
    """A solid with a colour. A clear one shows the colour of the theme, with its lights and shadows."""

    distance: Distance
    tone: Floats
    gloss: float = 0.0
    is_clear: bool = False
    has_windows: bool = False


@dataclass(frozen=True)
class World:
    """Solids on a floor. Without a colour, floor and sky are clear. `sky` has the colours of the horizon and above."""

    solids: Sequence[Solid]
    floor: str | None
    sky: tuple[str, str] | None
    sun: Place
    pattern: Callable[[Floats, Floats], Floats] | None = None
    haze: float = 0.0


def sphere(center: Place, radius: float, tone: str, *, gloss: float = 0.0) -> Solid:
    """Return a ball."""
    middle = np.array(center)
    return Solid(lambda points: np.linalg.norm(points - middle, axis=-1) - radius, _tone(tone), gloss)


def block(center: Place, half: Place, tone: str, *, is_clear: bool = False, has_windows: bool = False) -> Solid:
    """Return a block with round edges."""
    middle, size = np.array(center), np.array(half)
    edge = min(_ROUND, min(half) * 0.8)

    def distance(points: Floats) -> Floats:
        off = np.abs(points - middle) - size + edge
        return _beyond(off) - edge

    return Solid(distance, _tone(tone), is_clear=is_clear, has_windows=has_windows)


def cylinder(base: Place, radius: float, height: float, tone: str, *, is_clear: bool = False) -> Solid:
    """Return a disc on its base, with round edges."""
    foot = np.array(base)
    edge = min(_ROUND, height * 0.4)

    def distance(points: Floats) -> Floats:
        at = points - foot
        off = np.stack([np.hypot(at[..., 0], at[..., 2]) - radius, np.abs(at[..., 1] - height / 2) - height / 2], -1)
        off += edge
        return _beyond(off) - edge

    return Solid(distance, _tone(tone), is_clear=is_clear)


def render(world: World, size: tuple[int, int], *, eye: Place, target: Place, zoom: float) -> Floats:
    """Return the colours of a picture, with a fourth channel where parts are clear."""
    width, height = (round(side * _OVERSAMPLING) for side in size)
    forward = _unit(np.array(target) - np.array(eye))
    right = _unit(np.cross(np.array([0.0, 1.0, 0.0]), forward))
    up = np.cross(forward, right)
    rows = []
    for top in range(0, height, _ROWS):
        y, x = np.mgrid[top : min(top + _ROWS, height), 0:width]
        across, down = (x + 0.5 - width / 2) / width, (height / 2 - y - 0.5) / width
        rays = _unit(forward * zoom + across[..., None] * 2 * right + down[..., None] * 2 * up)
        rows.append(_seen(world, np.array(eye), rays.reshape(-1, 3)).reshape(*y.shape, 4))
    scene = np.concatenate(rows)
    levels = (np.clip(scene, 0, 1) * 255).round().astype(np.uint8)
    small = Image.fromarray(levels, "RGBA").resize(size, Image.Resampling.LANCZOS)
    colors = np.asarray(small, dtype=float) / 255
    return colors if (colors[..., 3] < 1).any() else colors[..., :3]


def _seen(world: World, eye: Floats, rays: Floats) -> Floats:
    """Return the colours that rays meet, as red, green, blue and the share above the colour of the theme."""
    sun = _unit(np.array(world.sun))
    with np.errstate(divide="ignore", invalid="ignore"):
        to_floor = np.where(rays[:, 1] < -1e-4, -eye[1] / rays[:, 1], np.inf)
    reach = _march(world, np.broadcast_to(eye, rays.shape), rays, np.minimum(to_floor, _FAR))
    hits_floor = (to_floor < reach) & (to_floor < _FAR)
    reach = np.minimum(reach, np.where(hits_floor, to_floor, np.inf))
    is_hit = reach < _FAR
    found = np.tile([*_SHADE, 0.0], (len(rays), 1))
    above = np.clip(rays[:, 1] * 2.6 + 0.12, 0, 1)[:, None]
    if world.sky:
        low, high = (_tone(tone) for tone in world.sky)
        glow = np.clip(rays @ sun, 0, 1)[:, None] ** 8
        found[:, :3] = low + (high - low) * above + 0.3 * glow * (_LIGHT - low)
        found[:, 3] = 1
    else:
        found[:] = _over(0.42 * np.exp(-(((rays[:, 0] + 0.12) / 0.3) ** 2 + ((rays[:, 1] + 0.06) / 0.32) ** 2)), 0.1)
    points = eye + rays[is_hit] * reach[is_hit, None]
    colors = _shaded(world, points, rays[is_hit], sun, hits_floor[is_hit])
    if world.floor is None:
        # The floor fades into the light of the wall.
        far = (1 - np.exp(-((np.clip(reach[is_hit] - 6, 0, None) / 5) ** 2)))[:, None] * hits_floor[is_hit, None]
        colors = colors + (found[is_hit] - colors) * far
    if world.haze and world.sky:
        share = (1 - np.exp(-world.haze * np.clip(reach[is_hit] - 4, 0, None)))[:, None]
        colors[:, :3] += (_tone(world.sky[0]) - colors[:, :3]) * share
    found[is_hit] = colors
    return found


def _shaded(world: World, points: Floats, rays: Floats, sun: Floats, on_floor: NDArray[np.bool_]) -> Floats:
    distances = np.stack([solid.distance(points) for solid in world.solids])
    nearest = distances.argmin(axis=0)
    normals = np.where(on_floor[:, None], np.array([0.0, 1.0, 0.0]), _normals(world, points))
    start = points + normals * 0.006
    direct = np.clip(normals @ sun, 0, 1) * _sunlit(world, start, sun)
    ambient = _open(world, points, normals)
    lit = 0.46 * ambient * (0.75 + 0.25 * normals[:, 1]) + 0.78 * direct
    tones = np.stack([solid.tone for solid in world.solids])[nearest]
    if world.floor:
        floor = world.pattern(points[:, 0], points[:, 2]) if world.pattern else _tone(world.floor)
        tones = np.where(on_floor[:, None], floor, tones)
    gloss = np.where(on_floor, 0, np.array([solid.gloss for solid in world.solids])[nearest])
    shine = np.clip(np.einsum("ij,ij->i", _reflected(rays, normals), np.broadcast_to(sun, rays.shape)), 0, 1) ** 28
    rim = np.clip(1 + np.einsum("ij,ij->i", rays, normals), 0, 1) ** 4
    warm = np.array([1.06, 1.0, 0.92])
    cool = np.array([0.86, 0.92, 1.12])
    tint = cool + (warm - cool) * np.clip(direct * 1.4, 0, 1)[:, None]
    colors = tones * tint * lit[:, None] * 1.12 + ((gloss * (shine + 0.25 * rim))[:, None]) * _LIGHT
    if any(solid.has_windows for solid in world.solids):
        colors = _with_windows(points, normals, nearest, colors, on_floor)
    found = np.concatenate([colors, np.ones((len(points), 1))], axis=1)
    is_clear = np.array([solid.is_clear for solid in world.solids])[nearest]
    clear = (is_clear & ~on_floor) | (on_floor if world.floor is None else False)
    light = np.clip((lit - 0.62) * np.where(on_floor, 0.5, 1.25), 0, 0.8) + 0.10 * (is_clear & ~on_floor)
    found[clear] = _over(light, np.clip((0.62 - lit) * 1.15, 0, 0.7))[clear]
    return found


def _with_windows(
    points: Floats,
    normals: Floats,
    nearest: NDArray[np.int_],
    colors: Floats,
    on_floor: NDArray[np.bool_],
) -> Floats:
    """Return colours with lit windows on the walls of towers."""
    along = np.where(np.abs(normals[:, 0]) > 0.5, points[:, 2], points[:, 0])
    column, story = np.floor(along / 0.13), np.floor(points[:, 1] / 0.17)
    is_pane = (np.abs(along / 0.13 - column - 0.5) < 0.3) & (np.abs(points[:, 1] / 0.17 - story - 0.5) < 0.3)
    chance = np.modf(np.abs(np.sin(column * 12.9898 + story * 78.233 + nearest * 37.719) * 43758.5453))[0]
    is_lit = is_pane & (chance > 0.62) & ~on_floor & (np.abs(normals[:, 1]) < 0.3)
    lamp = np.array([1.0, 0.82, 0.52]) * (0.75 + 0.35 * chance)[:, None]
    dark = np.where((is_pane & ~on_floor & (np.abs(normals[:, 1]) < 0.3))[:, None], colors * 0.78, colors)
    return np.where(is_lit[:, None], lamp, dark)


def _march(world: World, origin: Floats, rays: Floats, limit: Floats) -> Floats:
    """Return how far rays go until they meet a solid; infinity for those that meet none within their limit."""
    reach = np.zeros(len(rays))
    active = np.arange(len(rays))
    for _ in range(_STEPS):
        step = _distance(world, origin[active] + rays[active] * reach[active, None])
        reach[active] += step
        active = active[(step > _NEAR) & (reach[active] < limit[active])]
        if not len(active):
            break
    reach[active] = np.inf
    return np.where(reach < limit, reach, np.inf)


def _sunlit(world: World, points: Floats, sun: Floats) -> Floats:
    """Return the share of the sun that points see, with soft edges of shadows."""
    share = np.ones(len(points))
    reach = np.full(len(points), 0.02)
    active = np.arange(len(points))
    for _ in range(48):
        distance = _distance(world, points[active] + sun * reach[active, None])
        share[active] = np.minimum(share[active], np.clip(14 * distance / reach[active], 0, 1))
        reach[active] += np.clip(distance, 0.02, 0.5)
        active = active[(share[active] > 0.005) & (reach[active] < 9)]
        if not len(active):
            break
    return share * share * (3 - 2 * share)


def _open(world: World, points: Floats, normals: Floats) -> Floats:
    """Return how open points are: less in corners and below solids."""
    closed = np.zeros(len(points))
    for place in range(1, 6):
        at = 0.11 * place
        height = points[:, 1] + normals[:, 1] * at
        free = np.minimum(_distance(world, points + normals * at), np.maximum(height, 0))
        closed += (at - free) * 0.72**place
    return np.clip(1 - 1.35 * closed, 0, 1)


def _normals(world: World, points: Floats) -> Floats:
    steps = np.eye(3) * 0.001
    return _unit(
        np.stack([_distance(world, points + step) - _distance(world, points - step) for step in steps], axis=-1)
    )


def _distance(world: World, points: Floats) -> Floats:
    found = world.solids[0].distance(points)
    for solid in world.solids[1:]:
        found = np.minimum(found, solid.distance(points))
    return found


def _over(light: Floats, shadow: Floats | float) -> Floats:
    """Return what lightens and darkens the colour of the theme."""
    share = light + shadow * (1 - light)
    tone = (light / np.maximum(share, 1e-6))[:, None]
    return np.concatenate([_SHADE + (_LIGHT - _SHADE) * tone, share[:, None]], axis=1)


def _beyond(off: Floats) -> Floats:
    """Return the distances to a shape from those along its axes."""
    found: Floats = np.linalg.norm(np.maximum(off, 0), axis=-1) + np.minimum(off.max(axis=-1), 0)
    return found


def _reflected(rays: Floats, normals: Floats) -> Floats:
    found: Floats = rays - 2 * np.einsum("ij,ij->i", rays, normals)[:, None] * normals
    return found


def _unit(vectors: Floats) -> Floats:
    unit: Floats = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit


def _tone(text: str) -> Floats:
    return np.array([int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)])
