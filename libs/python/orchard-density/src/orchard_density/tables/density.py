"""What values add to the probability of their codes, and values sampled in the cells of codes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..moment_words import moment_from_text, moment_step, write_moment
from ..number_words import GREATEST_NUMBER, MOST_DECIMALS, rounded
from ..numerics import exp, log
from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Scales beyond an edge beyond which a tail counts as flat.
_FARTHEST = 1e300


def log_densities(variable: Variable, codes: Integers, values: Floats) -> Floats:
    """
    Nats: 0 for masses but for numbers that training never had, and for labels but for the share of a pooled one, minus the log of a cell's
    width, or of the exponential tail of an outermost one.
    """
    result = np.zeros(len(codes))
    if not variable.is_ordered:
        if variable.other_labels > 0:
            result[codes == variable.other_code] = -log(float(variable.other_labels + 1))
        return result
    if not variable.is_density:
        other = codes == variable.other_code
        result[other] = _log_shares_of_other(variable, values[other])
        if variable.beyond is not None:
            masses = np.flatnonzero(codes < len(variable.values))
            own = codes[masses]
            is_new = np.array(variable.values, np.float64)[own] != values[masses]
            # half a row is shared out among the numbers that training never had, by the nearest that it had
            shares = _log_shares_of_other(variable, values[masses[is_new]])
            result[masses[is_new]] = shares - log(2.0 * np.asarray(variable.counts, np.float64)[own[is_new]] + 1)
        return result
    if variable.pieces is not None:
        return _log_densities_in_pieces(variable, codes, values)
    edges, tails = variable.edges, variable.tails
    assert tails is not None
    inner = (codes > 0) & (codes < len(edges))
    result[inner] = -log(edges[codes[inner]] - edges[codes[inner] - 1])
    for code, edge, scale in ((0, edges[0], tails[0]), (len(edges), edges[-1], tails[1])):
        own = codes == code
        result[own] = -log(scale) - np.minimum(_FARTHEST, np.abs(values[own] - edge) / scale)
    return result


def _log_densities_in_pieces(variable: Variable, codes: Integers, values: Floats) -> Floats:
    result = np.zeros(len(codes))
    tails = variable.tails
    assert tails is not None
    for code in np.unique(codes[codes < len(variable.values)]).tolist():
        pieces = variable.pieces_of_cells[code]
        own = np.flatnonzero(codes == code)
        total = 0.0
        for _, _, weight in pieces:
            total += weight
        ends = np.array([to for _, to, _ in pieces[:-1]])
        places = np.searchsorted(ends, values[own], side="right")
        for place in np.unique(places).tolist():
            first, end, weight = pieces[place]
            rows = own[places == place]
            share = log(weight / total)
            if math.isinf(first):
                result[rows] = share - log(tails[0]) - np.minimum(_FARTHEST, (end - values[rows]) / tails[0])
            elif math.isinf(end):
                result[rows] = share - log(tails[1]) - np.minimum(_FARTHEST, (values[rows] - first) / tails[1])
            else:
                result[rows] = share - log(end - first)
    return result


def drawn_values(variable: Variable, codes: Integers, uniforms: Floats) -> list[float | str]:
    """A value of each code of an ordered variable: a number, or the text of a date or a time of day."""
    known = [
        None if value is None else _written(variable, value)
        for value in (variable.own_value(code) for code in range(variable.value_count))
    ]
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


def drawn_within(variable: Variable, code: int, uniform: float, low: float, high: float) -> float | str:
    """A value of a code that lies between two ends, between which some of its values are."""
    known = variable.own_value(code)
    if known is not None:
        return _written(variable, known)
    value = _draw_within(variable, code, uniform, low, high)
    assert value is not None
    return _on_grid(variable, code, value, low, high)


def share_between(variable: Variable, code: int, low: float, high: float) -> float:
    """The share of a cell's probability that lies between two ends; of a variable with pieces."""
    known = variable.own_value(code)
    if known is not None:
        return 1.0 if low <= known <= high else 0.0
    inside, total = 0.0, 0.0
    for first, end, weight in variable.pieces_of_cells[code]:
        inside += weight * _share_of_piece(variable, first, end, max(first, low), min(end, high))
        total += weight
    return inside / total


def _drawn(variable: Variable, code: int, uniform: float) -> float | str:
    value = _draw_in(variable, code, uniform)
    if _is_beyond_bounds(variable, code):
        return _written(variable, value)
    return _on_grid(variable, code, value, -math.inf, math.inf)


def _is_beyond_bounds(variable: Variable, code: int) -> bool:
    """Whether a cell has no value within the column's bounds, as the one below a least value of 0 that many rows have."""
    if variable.bounds == (None, None) or variable.pieces is None or code not in (0, len(variable.edges)):
        return False
    least, greatest = variable.bounds
    low, high = -math.inf if least is None else least, math.inf if greatest is None else greatest
    return share_between(variable, code, low, high) == 0


def _on_grid(variable: Variable, code: int, value: float, low: float, high: float) -> float | str:
    moment = variable.format if variable.is_of_moments else None
    if moment is None and variable.format["places"] >= MOST_DECIMALS:
        return value
    step = 10.0 ** -variable.format["places"] if moment is None else float(moment_step(moment))
    for near in (*_nearest_on_grid(variable, value), *(value + shift for shift in (0.0, step, -step))):
        if moment is not None:
            text = write_moment(math.floor(near / step + 0.5) * step, moment)
            number = moment_from_text(text, moment)
            if code_of(variable, number) == code and low <= number <= high:
                return text
        else:
            number = rounded(near, variable.format["places"])
            if code_of(variable, number) == code and low <= number <= high:
                return number
    return value if moment is None else write_moment(value, moment)


def _nearest_on_grid(variable: Variable, value: float) -> list[float]:
    """The nearest values of the grid that the column keeps to, nearest first; none where it keeps to no other than that of its digits."""
    if variable.grid is None:
        return []
    step, first = variable.grid["step"], variable.grid["first"]
    per_unit = 1.0 if variable.is_of_moments else 10.0 ** variable.format["places"]
    at = math.floor((value * per_unit - first) / step + 0.5)
    lowest, highest = variable.bounds
    nearest = [(first + (at + steps) * step) / per_unit for steps in (0, 1, -1)]
    return [near for near in nearest if (lowest is None or near >= lowest) and (highest is None or near <= highest)]


def _draw_in(variable: Variable, code: int, uniform: float) -> float:
    if variable.pieces is not None:
        return _draw_in_pieces(variable, code, uniform)
    edges, tails = variable.edges, variable.tails
    assert tails is not None
    if code == 0 or code == len(edges):
        edge = float(edges[0] if code == 0 else edges[-1])
        distance = -float(log(uniform)) * tails[0 if code == 0 else 1]
        if code == 0:
            return max(-GREATEST_NUMBER, min(edge - distance, _just_below(edge)))
        return min(GREATEST_NUMBER, edge + distance)
    return _draw_between(float(edges[code - 1]), float(edges[code]), uniform)


def _draw_between(first: float, end: float, uniform: float) -> float:
    return max(first, min(first + uniform * (end - first), _just_below(end)))


def _draw_in_pieces(variable: Variable, code: int, uniform: float) -> float:
    """In the pieces of a cell that keep to the column's bounds, in their order; in all of them where none does."""
    least, greatest = variable.bounds
    low, high = -math.inf if least is None else least, math.inf if greatest is None else greatest
    drawn = _draw_within(variable, code, uniform, low, high)
    if drawn is None:
        drawn = _draw_within(variable, code, uniform, -math.inf, math.inf)
    assert drawn is not None
    return max(low, min(drawn, high))


def _draw_within(variable: Variable, code: int, uniform: float, low: float, high: float) -> float | None:
    within = []
    total = 0.0
    for first, end, weight in variable.pieces_of_cells[code]:
        start, stop = max(first, low), min(end, high)
        share = weight * _share_of_piece(variable, first, end, start, stop)
        if share > 0:
            within.append((start, stop, share, math.isinf(first), math.isinf(end)))
            total += share
    if not within:
        return None
    rest = uniform * total
    at = 0
    while at < len(within) - 1 and rest > within[at][2]:
        rest -= within[at][2]
        at += 1
    start, stop, share, is_below, is_above = within[at]
    left = min(1.0, rest / share)
    if not is_below and not is_above:
        return _draw_between(start, stop, left)
    assert variable.tails is not None
    scale = variable.tails[0 if is_below else 1]
    left = max(left, 2.0**-53)
    distance = -scale * float(log(1 - left * (1 - float(exp(-(stop - start) / scale)))))
    if is_below:
        return max(-GREATEST_NUMBER, start, min(stop - distance, _just_below(stop)))
    return min(GREATEST_NUMBER, stop, start + distance)


def _share_of_piece(variable: Variable, first: float, end: float, start: float, stop: float) -> float:
    """The share of what lies between two ends, one of them perhaps infinite, that lies between two others within them."""
    if not stop > start:
        return 0.0
    if start == first and stop == end:
        return 1.0
    if not math.isinf(first) and not math.isinf(end):
        return (stop - start) / (end - first)
    assert variable.tails is not None
    if math.isinf(first):
        scale = variable.tails[0]
        return float(exp(-(end - stop) / scale)) - float(exp(-(end - start) / scale))
    scale = variable.tails[1]
    return float(exp(-(start - first) / scale)) - float(exp(-(stop - first) / scale))


def _just_below(edge: float) -> float:
    return edge - max(abs(edge) * 2.0**-52, 5e-324)


def code_of(variable: Variable, value: float) -> int:
    """The cell or the atom of a number."""
    if value in variable.atoms:
        return len(variable.values) + variable.atoms.index(value)
    return int(np.searchsorted(variable.edges, value, side="right"))


def _log_shares_of_other(variable: Variable, values: Floats) -> Floats:
    """log P(value | "other") of masses: half over the gaps between them, and geometric on both sides; in older files all alike."""
    least, greatest = variable.range
    step = step_of(variable)
    reach = math.floor((greatest - least) / step + 0.5) + 1
    if variable.beyond is None:
        return np.full(len(values), -log(float(max(1, 3 * reach - len(variable.values)))))
    gaps = max(0, reach - len(variable.values))
    distances = np.maximum(least - values, values - greatest)
    steps = np.minimum(_FARTHEST, np.maximum(1.0, np.floor(distances / step + 0.5)))
    outside = log(0.25 if gaps > 0 else 0.5) + log(1 - float(exp(-1 / reach))) - (steps - 1) / reach
    return np.where(distances <= 0, -log(float(2 * max(1, gaps))), outside)


def step_of(variable: Variable) -> float:
    """The least distance of two values that are written differently."""
    least, greatest = variable.range
    resolution = max(2.0**-1060, max(abs(least), abs(greatest)) * 2.0**-51)
    if variable.is_of_moments:
        return max(float(moment_step(variable.format)), resolution)
    places = variable.format["places"]
    grid = 10.0**-places if places < MOST_DECIMALS else 0.0
    return max(grid, (greatest - least) * 2.0**-20, resolution)
