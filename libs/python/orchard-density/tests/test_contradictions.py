"""Files whose bytes are whole, but that say what cannot be, are refused in a sentence."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest

import orchard_density
from conftest import said_of_bits
from orchard_density import ModelFileError


def _rewritten(name: str, **changed: Any) -> bytes:
    """The file of a model with other entries, and the checksum of what it says then."""
    file = msgpack.unpackb(said_of_bits(name).file.read_bytes())
    for key, value in changed.items():
        (file if key in file else file["body"])[key] = value
    data: bytes = msgpack.packb(file)
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def _body(name: str, key: str, kind: str) -> Any:
    return np.frombuffer(msgpack.unpackb(said_of_bits(name).file.read_bytes())["body"][key], kind).copy()


def _refused(data: bytes, match: str) -> None:
    with pytest.raises(ModelFileError, match=match):
        orchard_density.load(data)


def test_a_file_that_is_written_anew_without_a_change_is_read() -> None:
    assert orchard_density.load(_rewritten("chow-liu")).family == "chow-liu"


def test_a_family_that_is_not_known_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "network.msgpack"
    path.write_bytes(_rewritten("chow-liu", family="orchid"))
    with pytest.raises(
        ModelFileError, match=r"network\.msgpack: got a model of the family orchid, expected one of lbarn, .*, sparn"
    ):
        orchard_density.load(path)


def test_trees_of_columns_that_go_round_are_refused() -> None:
    parents = _body("chow-liu", "parents", "u1")
    parents[[0, 1]] = [2, 1]
    _refused(
        _rewritten("chow-liu", parents=parents.tobytes()), "^the model: got columns that tell each other in a circle"
    )
    parents[0] = 255
    _refused(_rewritten("chow-liu", parents=parents.tobytes()), "told by column 254, which is none")
    rates = _body("chow-liu", "rates", "f8")
    rates[5] = 1.0
    _refused(_rewritten("chow-liu", rates=rates.tobytes()), "got a rate that is not between 0 and 1, expected a forest")
    _refused(_rewritten("chow-liu", rates=rates[1:].tobytes()), "the model, rates: got .* bytes, expected 224 numbers")


def test_conditions_that_are_no_tree_are_refused() -> None:
    conditions = _body("cutset", "conditions", "u1")
    assert conditions[0] > 0
    again = conditions.copy()
    again[np.flatnonzero(conditions)[1]] = conditions[0]
    _refused(_rewritten("cutset", conditions=again.tobytes()), "got a condition on column .*, which was asked")
    _refused(_rewritten("cutset", conditions=np.full_like(conditions, conditions[0]).tobytes()), "which was asked")
    _refused(_rewritten("cutset", conditions=np.sort(conditions).tobytes()), "more nodes than the tree has")


def test_components_that_are_no_distribution_are_refused() -> None:
    weights = _body("products", "weights", "f8")
    weights[0] *= 2
    _refused(
        _rewritten("products", weights=weights.tobytes()), "got weights of 1.* in all, expected weights that sum to 1"
    )
    rates = _body("products", "rates", "f8")
    rates[7] = 0.0
    _refused(_rewritten("products", rates=rates.tobytes()), "got a rate that is not between 0 and 1")
    parents = _body("forests", "parents", "u1")
    parents[:2] = [2, 1]
    _refused(_rewritten("forests", parents=parents.tobytes()), "in a circle")


def test_weights_of_later_columns_are_refused() -> None:
    predictors = _body("sparn", "predictors", "u1")
    predictors[0] = 111
    _refused(
        _rewritten("sparn", predictors=predictors.tobytes()), "told by column 111, expected of each column an intercept"
    )
    weights = _body("sparn", "weights", "f8")
    weights[0] = np.nan
    _refused(_rewritten("sparn", weights=weights.tobytes()), "a weight that is no number")


def test_experts_that_cannot_be_are_refused() -> None:
    active = _body("partition", "active", "f8")
    active[0] = 1.0
    _refused(_rewritten("partition", active=active.tobytes()), "got a probability that is not between")
    expertise = _body("partition", "expertise", "f8")
    expertise[3] = 0.0
    _refused(_rewritten("partition", expertise=expertise.tobytes()), "got a level of expertise that is not between")
    _refused(_rewritten("compositional", active=b""), "got no expert")
    _refused(_rewritten("compositional", active=np.full(20, 0.5).tobytes()), "got 20 experts of 112 columns, expected")
    _refused(_rewritten("compositional", composition=b"\x07"), "got another composition")
    _refused(
        _rewritten("partition", active=np.full(20, 0.5).tobytes()),
        "got 20 experts of 112 columns, whose likelihoods are lower bounds, expected at most 14",
    )
