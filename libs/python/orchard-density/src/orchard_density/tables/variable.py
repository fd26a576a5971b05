"""A column of a table: which codes its values have, how a code is decided, and what other columns may split on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..moment_words import write_moment
from ..whole_number import is_of_whole_numbers

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class DecisionTree:
    """Decision i goes on to `zero[i]` or `one[i]`: another decision from 0 on, or `-1 - code`. Each stands behind what leads to it."""

    zero: Integers
    one: Integers

    @property
    def root(self) -> int:
        return -1 if len(self.zero) == 0 else 0

    @cached_property
    def paths(self) -> list[list[tuple[int, int]]]:
        """Of each code: the decisions that lead to it, first to last, with their outcomes."""
        found: dict[int, list[tuple[int, int]]] = {}
        open_nodes: list[tuple[int, list[tuple[int, int]]]] = [(self.root, [])]
        while open_nodes:
            child, path = open_nodes.pop()
            if child < 0:
                found[-1 - child] = path
                continue
            open_nodes.append((int(self.zero[child]), [*path, (child, 0)]))
            open_nodes.append((int(self.one[child]), [*path, (child, 1)]))
        return [found[code] for code in range(len(found))]

    @cached_property
    def outcomes(self) -> NDArray[np.uint8]:
        """Shape (decisions, codes): 0 or 1, or 2 where the code does not come to the decision."""
        table = np.full((len(self.zero), len(self.zero) + 1), 2, np.uint8)
        for code, path in enumerate(self.paths):
            for decision, outcome in path:
                table[decision, code] = outcome
        return table


class Variable:
    """What is said of a column in a model's file, with what follows from it."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.name: str = said["name"]
        #: binary, categorical or ordered
        self.kind: str = said["kind"]
        self.holes: int = said["holes"]
        self.labels: list[str] = said.get("labels", [])
        self.counts: list[int] = said["counts"]
        #: Training rows of labels that are not distinguished; None where no code stands for them.
        self.others: int | None = said.get("others")
        #: How many labels those are; 0 where there are none, and of older files.
        self.other_labels: int = said.get("otherLabels", 0)
        #: Of an ordered one: how its values are written.
        self.format: dict[str, Any] = said.get("format", {})
        #: Of an ordered one: mass, each cell is one value, or density.
        self.measure: str = said.get("measure", "mass")
        self.edges = np.array(said.get("edges", []), np.float64)
        self.values: list[float | None] = said.get("values", [])
        self.tails: tuple[float, float] | None = said.get("tails")
        self.range: tuple[float, float] = said.get("range", (0.0, 0.0))
        self.cuts: list[int] = said.get("cuts", [])
        #: Of a density: values with a mass of their own, whose codes stand behind those of the cells, and their training rows.
        self.atoms: list[float] = said.get("atoms", {}).get("values", [])
        self.atom_counts: list[int] = said.get("atoms", {}).get("counts", [])
        #: Of a density: the lowest and the highest value that is drawn, None where there is none.
        lowest, highest = said.get("bounds", (None, None))
        self.bounds: tuple[float | None, float | None] = (lowest, highest)
        #: Of a density: `step` and `first` of the grid that values that are drawn keep to; None where there is none, and of older files.
        self.grid: dict[str, int] | None = said.get("grid")
        self.pieces: dict[str, Any] | None = said.get("pieces")
        #: Of masses: how likely values between and beyond them are; None of older files.
        self.beyond: str | None = said.get("beyond")

    def written(self, values: NDArray[np.float64]) -> NDArray[Any]:
        """Numbers as they are; of dates, times of day and durations their texts."""
        if not self.is_of_moments:
            return values
        return np.array([*(write_moment(value, self.format) for value in values.tolist()), None], object)[:-1]

    @property
    def is_ordered(self) -> bool:
        return self.kind == "ordered"

    @property
    def is_of_moments(self) -> bool:
        """Whether its values are dates, times of day or durations, which are written as text."""
        return self.is_ordered and self.format["type"] != "number"

    @property
    def is_of_durations(self) -> bool:
        return self.is_ordered and self.format["type"] == "duration"

    @property
    def is_of_whole_numbers(self) -> bool:
        """Whether its values are dates or times of day that a file has as whole numbers, without zeros before them."""
        return is_of_whole_numbers(self.format) and not self.format.get("clock", {}).get("padded", False)

    @property
    def is_density(self) -> bool:
        return self.is_ordered and self.measure == "density"

    @property
    def value_count(self) -> int:
        return len(self.values) + len(self.atoms) if self.is_ordered else len(self.labels)

    def own_value(self, code: int) -> float | None:
        """The one value that a code of an ordered variable stands for; None where it stands for many."""
        cells = len(self.values)
        return self.values[code] if code < cells else self.atoms[code - cells]

    @cached_property
    def pieces_of_cells(self) -> list[list[tuple[float, float, float]]]:
        """Of each cell its pieces, ascending: from, to, weight; those of the outermost cells begin and end at infinity."""
        assert self.pieces is not None
        borders, weights, beyond = self.pieces["borders"], self.pieces["weights"], self.pieces["beyond"]
        cells = [[(-np.inf, borders[0], beyond[0])]]
        for at, weight in enumerate(weights):
            if len(cells) <= len(self.edges) and borders[at] == self.edges[len(cells) - 1]:
                cells.append([])
            cells[-1].append((borders[at], borders[at + 1], weight))
        cells[-1].append((borders[-1], np.inf, beyond[1]))
        return cells

    @cached_property
    def other_code(self) -> int | None:
        """The code of all values that training did not distinguish."""
        has_none = self.is_density or (self.kind == "binary" and self.others is None)
        return None if has_none else self.value_count

    @cached_property
    def hole_code(self) -> int | None:
        """The code of absence, the last one; None where training had none missing."""
        if self.holes == 0:
            return None
        return self.value_count if self.other_code is None else self.value_count + 1

    @cached_property
    def code_count(self) -> int:
        return self.value_count + (self.other_code is not None) + (self.hole_code is not None)

    @cached_property
    def codes_in_order(self) -> list[int]:
        """Of an ordered one: the codes of cells and atoms in the order of their values, an atom behind the cell in which it would lie."""
        if not self.is_ordered:
            return []
        cells = len(self.values)
        cell_of_atom = np.searchsorted(self.edges, self.atoms, side="right").tolist()
        codes = [(cell, 0, cell) for cell in range(cells)]
        codes += [(cell, 1 + at, cells + at) for at, cell in enumerate(cell_of_atom)]
        return [code for _, _, code in sorted(codes)]

    @cached_property
    def tree(self) -> DecisionTree:
        """Absence and "(other)" come first; then labels by a Huffman tree of their counts, ordered values by a balanced one."""
        if self.kind == "categorical":
            node = _huffman(self.counts)
        elif self.atoms:
            cells = len(self.values)
            node = (_balanced(0, cells), _huffman(self.atom_counts, cells))
        else:
            node = _balanced(0, self.value_count)
        if self.other_code is not None:
            node = (node, self.other_code)
        if self.hole_code is not None:
            node = (node, self.hole_code)
        return _numbered(node, self.code_count - 1)

    @cached_property
    def predictors(self) -> NDArray[np.uint8]:
        """The bits that others may split on, shape (bits, codes): labels, thresholds of an order, absence."""
        hole = self.hole_code
        codes = np.arange(self.code_count)
        if self.kind == "binary":
            bits = [codes == 1]
        elif self.kind == "categorical":
            bits = [codes == label for label in range(self.value_count + 1)]
        else:
            # of "other" it is not known where it lies
            is_value = (codes != (-1 if hole is None else hole)) & (
                codes != (-1 if self.other_code is None else self.other_code)
            )
            # an atom lies in a cell too, and has a bit to itself
            cell = codes.copy()
            for at, value in enumerate(self.atoms):
                cell[len(self.values) + at] = np.searchsorted(self.edges, value, side="right")
            bits = [(cell >= cut) & is_value for cut in self.cuts]
            bits += [codes == len(self.values) + at for at in range(len(self.atoms))]
        if hole is not None:
            bits.append(codes == hole)
        return np.array(bits, np.uint8).reshape(len(bits), self.code_count)

    @cached_property
    def numbers_between_cuts(self) -> NDArray[np.float64]:
        """By code, the middle of the range that the bits leave for a value, or the atom; NaN of a missing value."""
        assert self.pieces is not None
        cells = len(self.values)
        borders = self.pieces["borders"]
        ends = np.array([borders[0], *(self.edges[cut - 1] for cut in self.cuts), borders[-1]], np.float64)
        passed = np.searchsorted(self.cuts, np.arange(cells), side="right")
        numbers = np.full(self.code_count, np.nan)
        numbers[:cells] = ends[passed] / 2 + ends[passed + 1] / 2
        numbers[cells : cells + len(self.atoms)] = self.atoms
        return numbers

    @cached_property
    def drawn_weights(self) -> NDArray[np.float64]:
        """Which codes are drawn: all but "(other)", unless training had labels that it stands for."""
        weights = np.ones(self.code_count)
        if self.other_code is not None and not self.others:
            weights[self.other_code] = 0
        return weights

    @cached_property
    def filled_weights(self) -> NDArray[np.float64]:
        """Which codes fill in a missing value: nothing missing, since what is unknown is not absent, and no "(other)", which is not a value."""
        weights = np.ones(self.code_count)
        for code in (self.other_code, self.hole_code):
            if code is not None:
                weights[code] = 0
        return weights


_Node = Any  # a code, or (zero, one)


def _balanced(first: int, end: int) -> _Node:
    if end - first == 1:
        return first
    middle = (first + end) >> 1
    return _balanced(first, middle), _balanced(middle, end)


def _huffman(counts: list[int], first_code: int = 0) -> _Node:
    import heapq

    # ties: the earlier label, the earlier pair
    open_nodes: list[tuple[int, int, _Node]] = [
        (count, label, first_code + label) for label, count in enumerate(counts)
    ]
    heapq.heapify(open_nodes)
    rank = len(counts)
    while len(open_nodes) > 1:
        first, second = heapq.heappop(open_nodes), heapq.heappop(open_nodes)
        # the more frequent side is outcome 0
        heapq.heappush(open_nodes, (first[0] + second[0], rank, (second[2], first[2])))
        rank += 1
    return open_nodes[0][2]


def _numbered(root: _Node, decisions: int) -> DecisionTree:
    tree = DecisionTree(np.zeros(decisions, np.int64), np.zeros(decisions, np.int64))
    following = 0

    def number(node: _Node) -> int:
        nonlocal following
        if not isinstance(node, tuple):
            return -1 - int(node)
        decision = following
        following += 1
        tree.zero[decision] = number(node[0])
        tree.one[decision] = number(node[1])
        return decision

    number(root)
    return tree
