"""What values add to the probability of their codes, and values drawn in the cells of codes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..numerics import log
from .moment_words import moment_from_text, moment_step, write_moment
from .number_words import GREATEST_NUMBER, MOST_DECIMALS, rounded
from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Scales beyond an edge from where on a tail is not told from flat.
_FARTHEST = 1e300


def log_densities(variable: Variable, codes: Integers, values: Floats) -> Floats:
    """Nats: 0 for labels and masses, minus the log of a cell's width, or of the exponential tail of an outermost one."""
    result = np.zeros(len(codes))
    if not variable.is_ordered:
        return result
    if not variable.is_density:
        result[codes == variable.other_code] = -log(float(_other_values(variable)))
        return result
    edges, tails = variable.edges, variable.tails
    assert tails is not None
    inner = (codes > 0) & (codes < len(edges))
    result[inner] = -log(edges[codes[inner]] - edges[codes[inner] - 1])
    for code, edge, scale in ((0, edges[0], tails[0]), (len(edges), edges[-1], tails[1])):
        own = codes == code
        result[own] = -log(scale) - np.minimum(_FARTHEST, np.abs(values[own] - edge) / scale)
    return result


def drawn_values(variable: Variable, codes: Integers, uniforms: Floats) -> list[float | str]:
    """A value of each code of an ordered variable: a number, or the text of a date or a time of day."""
    known = [None if value is None else _written(variable, value) for value in variable.values]
    at_once = {code for code, value in enumerate(known) if value is not None}
    result: list[float | str] = []
    for code, uniform in zip(codes.tolist(), uniforms.tolist(), strict=True):
        value = known[code] if code in at_once else _drawn(variable, code, 1 - uniform)
        assert value is not None
        result.append(value)
    return result


def _written(variable: Variable, value: float) -> float | str:
    if variable.is_of_moments:
        return write_moment(value, variable.format)
    places = variable.format["places"]
    return value if places >= MOST_DECIMALS else rounded(value, places)


def _drawn(variable: Variable, code: int, uniform: float) -> float | str:
    value = _draw_in(variable, code, uniform)
    moment = variable.format if variable.is_of_moments else None
    if moment is None and variable.format["places"] >= MOST_DECIMALS:
        return value
    step = 10.0 ** -variable.format["places"] if moment is None else float(moment_step(moment))
    # on the grid of the column's values, to which most cells keep
    for shift in (0.0, step, -step):
        near = value + shift
        if moment is not None:
            text = write_moment(math.floor(near / step + 0.5) * step, moment)
            if _cell_of(variable, moment_from_text(text, moment)) == code:
                return text
        else:
            number = rounded(near, variable.format["places"])
            if _cell_of(variable, number) == code:
                return number
    return value if moment is None else write_moment(value, moment)


def _draw_in(variable: Variable, code: int, uniform: float) -> float:
    edges, tails = variable.edges, variable.tails
    assert tails is not None
    if code == 0 or code == len(edges):
        edge = float(edges[0] if code == 0 else edges[-1])
        distance = -float(log(uniform)) * tails[0 if code == 0 else 1]
        if code == 0:
            return max(-GREATEST_NUMBER, min(edge - distance, _just_below(edge)))
        return min(GREATEST_NUMBER, edge + distance)
    first, end = float(edges[code - 1]), float(edges[code])
    return max(first, min(first + uniform * (end - first), _just_below(end)))


def _just_below(edge: float) -> float:
    return edge - max(abs(edge) * 2.0**-52, 5e-324)


def _cell_of(variable: Variable, value: float) -> int:
    return int(np.searchsorted(variable.edges, value, side="right"))


def _other_values(variable: Variable) -> int:
    """Values between and beyond those of a variable with masses that its "other" is spread over: three times its range."""
    least, greatest = variable.range
    reach = math.floor((greatest - least) / _step_of(variable) + 0.5) + 1
    return max(1, 3 * reach - len(variable.values))


def _step_of(variable: Variable) -> float:
    """The least distance of two values that are written differently."""
    least, greatest = variable.range
    resolution = max(2.0**-1060, max(abs(least), abs(greatest)) * 2.0**-51)
    if variable.is_of_moments:
        return max(float(moment_step(variable.format)), resolution)
    places = variable.format["places"]
    grid = 10.0**-places if places < MOST_DECIMALS else 0.0
    return max(grid, (greatest - least) * 2.0**-20, resolution)
