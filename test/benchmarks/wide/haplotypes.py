"""Haplotypes of a coalescent with recombination, and what is compared on them: `make` writes them, `mask` hides cells, `judge` measures.

A haplotype is a row of 0 and 1, one column per site: 1 where the site has the mutated allele. Population size, recombination and mutation rates
are those that are usual for humans. Only sites at which each allele has at least 1 % of the rows are kept.
"""

import json
import sys
from pathlib import Path

import msprime
import numpy as np

BASES_PER_SITE = 600
MINOR_SHARE = 0.01
HIDDEN_SHARE = 0.1


def make(folder: Path, sites: int, rows: int, seed: int) -> None:
    """Writes train.npy, valid.npy and test.npy (80, 10 and 10 % of the rows) and positions.npy."""
    ancestry = msprime.sim_ancestry(
        rows / 2, sequence_length=BASES_PER_SITE * sites, recombination_rate=1e-8, population_size=10_000, random_seed=seed
    )
    tree = msprime.sim_mutations(ancestry, rate=1.25e-8, random_seed=seed, model=msprime.BinaryMutationModel())
    columns, positions = [], []
    for variant in tree.variants():
        share = variant.genotypes.mean()
        if MINOR_SHARE <= share <= 1 - MINOR_SHARE:
            columns.append(variant.genotypes.astype(np.uint8))
            positions.append(variant.site.position)
        if len(columns) == sites:
            break
    if len(columns) < sites:
        raise SystemExit(f"{len(columns)} of {sites} sites are common enough; another seed may have more")
    matrix = np.random.default_rng(seed).permutation(np.stack(columns, axis=1))
    held_out = rows // 10
    np.save(folder / "test.npy", matrix[:held_out])
    np.save(folder / "valid.npy", matrix[held_out : 2 * held_out])
    np.save(folder / "train.npy", matrix[2 * held_out :])
    np.save(folder / "positions.npy", np.array(positions))


def markov(train: np.ndarray, test: np.ndarray) -> float:
    """Mean log-likelihood per row of a first-order Markov chain over the sites, half a row added to each count."""
    total = np.log(np.where(test[:, 0] == 1, train[:, 0].mean(), 1 - train[:, 0].mean()))
    for site in range(1, train.shape[1]):
        for before in (0, 1):
            rows = train[train[:, site - 1] == before, site]
            one = (rows.sum() + 0.5) / (len(rows) + 1)
            asked = test[:, site - 1] == before
            total[asked] += np.log(np.where(test[asked, site] == 1, one, 1 - one))
    return float(total.mean())


def copying(train: np.ndarray, test: np.ndarray, positions: np.ndarray, switch: float, error: float) -> float:
    """
    Mean log-likelihood per row of the copying model (Li and Stephens, 2003), exactly: each row of `test` is a mosaic of the rows of `train`,
    leaves its template between two sites with probability 1 - exp(-switch * distance), and copies an allele wrongly with probability `error`.
    """
    rows, sites = test.shape
    templates = len(train)
    weight = np.full((rows, templates), 1 / templates, dtype=np.float32)
    total = np.zeros(rows)
    for site in range(sites):
        if site > 0:
            leave = np.float32(1 - np.exp(-switch * (positions[site] - positions[site - 1])))
            weight *= 1 - leave
            weight += leave / templates
        agrees = train[:, site][None, :] == test[:, site][:, None]
        weight *= np.where(agrees, np.float32(1 - error), np.float32(error))
        share = weight.sum(axis=1, dtype=np.float64)
        total += np.log(share)
        weight /= share[:, None].astype(np.float32)
    return float(total.mean())


def hidden_cells(test: np.ndarray, rows: int) -> np.ndarray:
    """A tenth of the cells of the first rows, drawn: what is to be imputed."""
    return np.random.default_rng(1).random((rows, test.shape[1])) < HIDDEN_SHARE


def mask(folder: Path, rows: int) -> None:
    """Writes masked.csv: the first test rows, hidden cells as question marks."""
    test = np.load(folder / "test.npy")[:rows]
    hidden = hidden_cells(test, len(test))
    lines = [",".join("?" if gone else str(value) for value, gone in zip(row, away)) for row, away in zip(test, hidden)]
    (folder / "masked.csv").write_text("\n".join(lines) + "\n")


def copied_chances(
    train: np.ndarray, row: np.ndarray, hidden: np.ndarray, positions: np.ndarray, switch: float, error: float
) -> np.ndarray:
    """P(1) of each site of a row given its sites that are not hidden, by the copying model: forward and backward, exactly."""
    sites, templates = len(row), len(train)
    agrees = np.where(hidden[:, None], np.float32(1), np.where(train.T == row[:, None], np.float32(1 - error), np.float32(error)))
    leave = np.concatenate([[1.0], 1 - np.exp(-switch * np.diff(positions))]).astype(np.float32)
    ahead = np.empty((sites, templates), dtype=np.float32)
    weight = np.full(templates, 1 / templates, dtype=np.float32)
    for site in range(sites):
        weight = weight * (1 - leave[site]) + leave[site] / templates
        ahead[site] = weight
        weight = weight * agrees[site]
        weight /= weight.sum()
    chances = np.empty(sites)
    behind = np.ones(templates, dtype=np.float32)
    for site in range(sites - 1, -1, -1):
        # of the others: what the site itself says is left out where it is hidden, and not asked for where it is not
        share = ahead[site] * behind
        carried = (share * train[:, site]).sum() / share.sum()
        chances[site] = carried * (1 - error) + (1 - carried) * error
        behind = behind * agrees[site]
        behind = behind * (1 - leave[site]) + leave[site] * behind.mean()
        behind /= behind.mean()
    return chances


def imputation(folder: Path, filled: Path, chosen: tuple[float, float]) -> dict[str, object]:
    """Of hidden cells, how many are filled in wrongly: by Orchard, by the copying model, and by the commoner allele."""
    train, test = np.load(folder / "train.npy"), np.load(folder / "test.npy")
    positions = np.load(folder / "positions.npy")
    ours = np.loadtxt(filled, delimiter=",", dtype=np.uint8, ndmin=2)
    truth = test[: len(ours)]
    hidden = hidden_cells(test, len(ours))
    copied = np.stack([copied_chances(train, row, gone, positions, *chosen) > 0.5 for row, gone in zip(truth, hidden)])
    common = np.broadcast_to(train.mean(axis=0) > 0.5, truth.shape)
    wrong = {name: float((guess != truth)[hidden].mean()) for name, guess in (("orchard", ours), ("copying", copied), ("common", common))}
    return {"rows": len(ours), "cells": int(hidden.sum()), "wrong": wrong}


def linkage(rows: np.ndarray, distances: list[int]) -> list[float]:
    """Mean squared correlation of two sites so many sites apart, over the sites that vary."""
    deviation = rows - rows.mean(axis=0)
    spread = deviation.std(axis=0)
    found = []
    for distance in distances:
        left, right = deviation[:, :-distance], deviation[:, distance:]
        scale = spread[:-distance] * spread[distance:]
        varies = scale > 0
        correlation = (left * right).mean(axis=0)[varies] / scale[varies]
        found.append(float((correlation**2).mean()))
    return found


def judge(folder: Path, samples: Path, filled: Path) -> dict[str, object]:
    """The switch and error of the copying model are chosen by 50 validation rows, at the first 1,000 sites."""
    train, valid, test = (np.load(folder / f"{name}.npy") for name in ("train", "valid", "test"))
    positions = np.load(folder / "positions.npy")
    few = slice(0, min(1000, len(positions)))
    grid = [(switch, error) for switch in (3e-6, 1e-5, 3e-5) for error in (1e-4, 3e-4, 1e-3)]
    chosen = max(grid, key=lambda one: copying(train[:, few], valid[:50, few], positions[few], *one))
    distances = [distance for distance in (1, 10, 100) if distance < len(positions)]
    return {
        "markov": markov(train, test),
        "copying": copying(train, test, positions, *chosen),
        "chosen": chosen,
        "imputation": imputation(folder, filled, chosen),
        "distances": distances,
        "linkage": {"test": linkage(test, distances), "samples": linkage(np.load(samples), distances)},
    }


if __name__ == "__main__":
    what, folder, *words = sys.argv[1:]
    if what == "make":
        make(Path(folder), *map(int, words))
    elif what == "mask":
        mask(Path(folder), int(words[0]))
    else:
        print(json.dumps(judge(Path(folder), *map(Path, words))))
