"""One library that trains boosted trees, as a program that answers requests for conditionals.

    python peers.py LIBRARY [--core N] [--clock processor|wall]

LIBRARY is xgboost, lightgbm, catboost or ydf. A request is one line of JSON on standard input, the answer one line of JSON
on standard output: {"open": DATA}, {"train": CASE}, {"whole": CASE, "data": DATA}, {"predict": CASE}, or an {"error"} back.

DATA is {"train": path, "valid": path, "abreast": n, "columns": d}: `abreast` rows of the file side by side make one row, of which
the first `columns` are kept (null: all). CASE is {"dimension", "leaves", "rounds", "shrinkage"}. Times are milliseconds from the
library's first look at a contiguous array to the last round, by the processor time of this process unless told otherwise
(work of others does not lengthen it); whole runs are wall time. Losses are mean nats per row.

Every library gets the same problem: the predictors are the columns before `dimension`, the start is odds 1, trees grow
best-first to `leaves` leaves, nothing is regularised, and the validation loss is computed every round. Where a library
has several ways to hold 0/1 data, a short trial that is not counted picks its fastest for each case.
"""

import argparse
import gzip
import json
import math
import os
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np

TRIAL_ROUNDS = 5, 25


# --- data ---------------------------------------------------------------------------------------------------------------


def read_split(path, abreast=1, columns=None):
    """The rows of a gzipped file of 0,1,… lines as a C-contiguous u1 array."""
    with gzip.open(path) as file:
        text = np.frombuffer(file.read(), dtype=np.uint8)
    width = int(np.argmax(text == ord("\n"))) + 1
    bits = text.reshape(-1, width)[:, 0::2] - ord("0")
    rows = len(bits) // abreast
    return np.ascontiguousarray(bits[: rows * abreast].reshape(rows, -1)[:, :columns])


class Problem:
    """One conditional: predictors as contiguous arrays in the type that libraries take without another copy."""

    def __init__(self, data, case):
        train, valid = data
        dim = case["dimension"]
        self.train = np.ascontiguousarray(train[:, :dim], dtype=np.float32)
        self.valid = np.ascontiguousarray(valid[:, :dim], dtype=np.float32)
        self.train_target = train[:, dim].astype(np.float32)
        self.valid_target = valid[:, dim].astype(np.float32)
        self.leaves = case["leaves"]
        self.rounds = case["rounds"]
        self.shrinkage = case["shrinkage"]


def loss(probability, target):
    """Mean nats per row; 0 log 0 is 0."""
    right = np.where(target == 1, probability, 1 - probability.astype(np.float64))
    with np.errstate(divide="ignore"):
        return float(-np.mean(np.log(right)))


def loss_without_predictors(problem):
    """Dimension 0 has no columns, which no library accepts: its trees are single leaves, so the odds obey a recursion."""
    log_odds, ones = 0.0, float(problem.train_target.mean())
    for _ in range(problem.rounds):
        p = 1 / (1 + math.exp(-log_odds))
        weight = p * (1 - p)
        log_odds += problem.shrinkage * (ones - p) / weight if weight > 0 else 0
    p = np.float64(1 / (1 + math.exp(-log_odds)))
    return [loss(np.full(len(t), p), t) for t in (problem.train_target, problem.valid_target)]


# --- libraries ----------------------------------------------------------------------------------------------------------
# Each offers `settings`, the ways to hold the data that are tried; `fit`, what is timed; and `probabilities` of the result.


class XGBoost:
    settings = ["dense bins", "quantile bins", "sparse quantile bins"]

    def __init__(self):
        import xgboost

        self.library = xgboost

    def prepare(self, problem, setting):
        if not setting.startswith("sparse"):
            return problem.train, problem.valid
        from scipy.sparse import csr_matrix

        return csr_matrix(problem.train), csr_matrix(problem.valid)

    def fit(self, problem, setting, rounds, arrays):
        library, (train, valid) = self.library, arrays
        if setting == "dense bins":
            self.train = library.DMatrix(train, problem.train_target, nthread=1)
            self.valid = library.DMatrix(valid, problem.valid_target, nthread=1)
        else:
            self.train = library.QuantileDMatrix(train, problem.train_target, max_bin=2, nthread=1)
            self.valid = library.QuantileDMatrix(valid, problem.valid_target, ref=self.train, max_bin=2, nthread=1)
        parameters = {
            "objective": "binary:logistic",
            "base_score": 0.5,
            "tree_method": "hist",
            "max_bin": 2,
            "grow_policy": "lossguide",
            "max_leaves": problem.leaves,
            "max_depth": 0,
            "eta": problem.shrinkage,
            "reg_lambda": 0,
            "min_child_weight": 0,
            "gamma": 0,
            "nthread": 1,
            "eval_metric": "logloss",
        }
        evals = [(self.valid, "valid")]
        return library.train(parameters, self.train, rounds, evals=evals, evals_result={}, verbose_eval=False)

    def probabilities(self, model, _):
        return model.predict(self.train), model.predict(self.valid)

    def predict(self, model, rows):
        return model.inplace_predict(rows)


class LightGBM:
    settings = ["column-wise", "row-wise", "row-wise without bundles"]

    def __init__(self):
        import lightgbm

        self.library = lightgbm

    def prepare(self, problem, _):
        return problem.train, problem.valid

    def fit(self, problem, setting, rounds, arrays):
        library = self.library
        parameters = {
            "objective": "binary",
            "boost_from_average": False,
            "max_bin": 2,
            "min_data_in_bin": 1,
            "enable_bundle": setting != "row-wise without bundles",
            "force_col_wise": setting == "column-wise",
            "force_row_wise": setting != "column-wise",
            "feature_pre_filter": False,
            "num_leaves": problem.leaves,
            "max_depth": -1,
            "learning_rate": problem.shrinkage,
            "min_data_in_leaf": 0,
            "min_sum_hessian_in_leaf": 0,
            "min_gain_to_split": 0,
            "lambda_l2": 0,
            "num_threads": 1,
            "metric": "binary_logloss",
            "verbose": -1,
        }
        train = library.Dataset(arrays[0], problem.train_target, params=parameters)
        valid = library.Dataset(arrays[1], problem.valid_target, reference=train, params=parameters)
        record = library.record_evaluation({})
        return library.train(parameters, train, rounds, valid_sets=[valid], valid_names=["valid"], callbacks=[record])

    def probabilities(self, model, problem):
        return model.predict(problem.train), model.predict(problem.valid)

    def predict(self, model, rows):
        return model.predict(rows, num_threads=1)


class CatBoost:
    """Its scores on the CPU know no second derivatives (score_function L2), so its trees and losses differ a little."""

    settings = ["one border"]

    def __init__(self):
        import catboost

        self.library = catboost

    def prepare(self, problem, _):
        return np.asfortranarray(problem.train), np.asfortranarray(problem.valid)

    def fit(self, problem, _, rounds, arrays):
        library = self.library
        model = library.CatBoost(
            {
                "loss_function": "Logloss",
                "boost_from_average": False,
                "iterations": rounds,
                "learning_rate": problem.shrinkage,
                "grow_policy": "Lossguide",
                "max_leaves": problem.leaves,
                "depth": 16,
                "border_count": 1,
                "score_function": "L2",
                "l2_leaf_reg": 0,
                "min_data_in_leaf": 1,
                "leaf_estimation_method": "Newton",
                "leaf_estimation_iterations": 1,
                "leaf_estimation_backtracking": "No",
                "boosting_type": "Plain",
                "bootstrap_type": "No",
                "random_strength": 0,
                "model_size_reg": 0,
                "use_best_model": False,
                "metric_period": 1,
                "thread_count": 1,
                "allow_writing_files": False,
                "logging_level": "Silent",
            }
        )
        self.train = library.Pool(arrays[0], problem.train_target)
        self.valid = library.Pool(arrays[1], problem.valid_target)
        model.fit(self.train, eval_set=self.valid)
        return model

    def probabilities(self, model, _):
        return tuple(model.predict(pool, prediction_type="Probability")[:, 1] for pool in (self.train, self.valid))


class YDF:
    """It starts at the base rate and has no option for odds 1, so that its losses are a little ahead in the first rounds, and it
    sums gradients as 32-bit floats."""

    settings = ["booleans", "two bins"]

    def __init__(self):
        import ydf

        self.library = ydf

    def prepare(self, problem, setting):
        kind = bool if setting == "booleans" else np.float32
        sides = (problem.train, problem.train_target), (problem.valid, problem.valid_target)
        return [{"x": np.asfortranarray(rows, dtype=kind), "y": target.astype(np.int64)} for rows, target in sides]

    def fit(self, problem, setting, rounds, sets):
        self.sets = sets
        learner = self.library.GradientBoostedTreesLearner(
            label="y",
            label_classes=[0, 1],
            loss="BINOMIAL_LOG_LIKELIHOOD",
            num_trees=rounds,
            shrinkage=problem.shrinkage,
            growing_strategy="BEST_FIRST_GLOBAL",
            max_num_nodes=problem.leaves,
            max_depth=-1,
            min_examples=1,
            use_hessian_gain=True,
            l2_regularization=0.0,
            discretize_numerical_columns=setting == "two bins",
            num_discretized_numerical_bins=2,
            early_stopping="NONE",
            validation_interval_in_trees=1,
            num_threads=1,
        )
        return learner.train(sets[0], valid=sets[1], verbose=0)

    def probabilities(self, model, _):
        return [model.predict(rows, num_threads=1) for rows in self.sets]


LIBRARIES = {"xgboost": XGBoost, "lightgbm": LightGBM, "catboost": CatBoost, "ydf": YDF}
CLOCKS = {"processor": time.process_time, "wall": time.perf_counter}


# --- requests -----------------------------------------------------------------------------------------------------------


class Program:
    def __init__(self, library, clock):
        self.library = library
        self.clock = clock
        self.trials = {}
        self.predicted = None

    def timed(self, problem, setting, rounds):
        arrays = self.library.prepare(problem, setting)
        started = self.clock()
        model = self.library.fit(problem, setting, rounds, arrays)
        return model, (self.clock() - started) * 1e3

    def fastest_setting(self, problem, dim):
        """The setting that should train the case soonest, by set-up and slope of two short trials, made once a dimension."""
        settings = self.library.settings
        if len(settings) == 1:
            return settings[0]
        few, more = TRIAL_ROUNDS
        if (dim, problem.leaves) not in self.trials:
            times = {setting: [self.timed(problem, setting, rounds)[1] for rounds in TRIAL_ROUNDS] for setting in settings}
            self.trials[dim, problem.leaves] = times

        def expected(setting):
            short, long = self.trials[dim, problem.leaves][setting]
            return short + (problem.rounds - few) * max(0, long - short) / (more - few)

        return min(settings, key=expected)

    def open(self, data):
        arguments = (data.get("abreast", 1), data.get("columns"))
        self.data = [read_split(data[split], *arguments) for split in ("train", "valid")]
        self.trials, self.predicted = {}, None
        return {"rows": len(self.data[0]), "dimensions": self.data[0].shape[1]}

    def train(self, case):
        problem = Problem(self.data, case)
        setting = self.fastest_setting(problem, case["dimension"])
        model, milliseconds = self.timed(problem, setting, problem.rounds)
        train, valid = self.library.probabilities(model, problem)
        losses = {"train": loss(train, problem.train_target), "valid": loss(valid, problem.valid_target)}
        return {"milliseconds": milliseconds, "losses": losses, "setting": setting}

    def whole(self, case, data):
        """All dimensions one after another, reading included; losses are computed apart from the clock."""
        self.open(data)
        middle = self.data[0].shape[1] // 2
        setting = self.fastest_setting(Problem(self.data, {**case, "dimension": middle}), middle)
        started, apart = time.perf_counter(), 0.0
        self.open(data)
        sums = np.zeros(2)
        for dim in range(self.data[0].shape[1]):
            problem = Problem(self.data, {**case, "dimension": dim})
            if dim == 0:
                sums += loss_without_predictors(problem)
                continue
            try:
                model, _ = self.timed(problem, setting, problem.rounds)
            except Exception as error:  # CatBoost refuses a target of one value: there is nothing to learn, and the loss is 0
                if len(np.unique(problem.train_target)) > 1:
                    raise error
                continue
            paused = time.perf_counter()
            train, valid = self.library.probabilities(model, problem)
            sums += loss(train, problem.train_target), loss(valid, problem.valid_target)
            apart += time.perf_counter() - paused
        milliseconds = (time.perf_counter() - started - apart) * 1e3
        return {"milliseconds": milliseconds, "losses": dict(zip(("train", "valid"), sums)), "setting": setting}

    def predict(self, case):
        """Rows a second of the trees of one conditional on the validation rows."""
        if case != self.predicted:
            self.problem = Problem(self.data, case)
            setting = self.fastest_setting(self.problem, case["dimension"])
            self.model, _ = self.timed(self.problem, setting, self.problem.rounds)
            self.predicted = case
        problem, model = self.problem, self.model
        best = math.inf
        for _ in range(3):
            started = self.clock()
            self.library.predict(model, problem.valid)
            best = min(best, self.clock() - started)
        return {"rowsPerSecond": len(problem.valid) / best}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--core", type=int)
    parser.add_argument("--clock", choices=CLOCKS, default="processor")
    arguments = parser.parse_args()
    if arguments.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {arguments.core})

    # Libraries print to standard output; the answers keep it to themselves.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    program = Program(LIBRARIES[arguments.library](), CLOCKS[arguments.clock])
    requests = {"open": program.open, "train": program.train, "whole": program.whole, "predict": program.predict}
    for line in sys.stdin:
        request = json.loads(line)
        (name, argument), *rest = request.items()
        try:
            answer = requests[name](argument, *(value for _, value in rest))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
