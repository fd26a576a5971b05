"""One library that trains boosted trees, as a program that answers requests for decisions of a table.

    python libraries.py LIBRARY [--core N]

A request is one line of JSON on standard input, the answer one line on standard output: {"open": {"folder"}}, {"train": CASE},
{"whole": CASE}, or an {"error"} back. CASE is {"position", "decision", "leaves", "rounds", "shrinkage", "featureFraction", "patience"};
a whole model has neither position nor decision. Times are milliseconds of processor time of this process; losses are nats per row.

The problem of every library is Orchard's: predictors are the variables before the decision's own, in the bins that Orchard splits
them at (`ours.mjs` writes them), and the rows are those that reach the decision. Each label can be split off by itself. A trial of
every way to hold the data picks the fastest for each case and is not counted. What is counted is the library's own work from
contiguous arrays of the rows that reach the decision.
"""

import argparse
import json
import os
import pathlib
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np

TRIAL_ROUNDS = 25
MIN_LEAF_WEIGHT = 0.1
L2 = 0.1
BINS = 256


class Problem:
    """One decision: the rows that reach it, those of training and of validation, and which columns are labels."""

    def __init__(self, table, position, decision):
        outcomes = np.frombuffer(table.outcomes[position][decision].encode(), dtype=np.uint8) - ord("0")
        target = outcomes[table.codes[position]]
        reached = np.flatnonzero(target < 2)
        first = np.searchsorted(reached, table.train)
        self.position = position
        self.labels = [at for at, is_label in enumerate(table.labels[:position]) if is_label]
        rows = [reached[:first], reached[first:]]
        self.train, self.valid = (np.ascontiguousarray(table.features[:position, which].T) for which in rows)
        self.train_target, self.valid_target = (target[which].astype(np.float32) for which in rows)

    def learns(self):
        ones = self.train_target.sum()
        return self.position > 0 and 0 < ones < len(self.train_target) and len(self.valid_target) > 0

    def rate(self):
        """Of the training rows."""
        return float(self.train_target.mean())

    def one_hot(self, rows):
        """With a column for each label instead of one for all."""
        numbers = [at for at in range(rows.shape[1]) if at not in self.labels]
        parts = [rows[:, numbers]]
        for at in self.labels:
            most = int(max(self.train[:, at].max(), self.valid[:, at].max(initial=0)))
            parts.append(rows[:, [at]] == np.arange(most + 1))
        return np.asfortranarray(np.concatenate(parts, axis=1), dtype=np.float32)


def loss(probability, target):
    """Mean nats per row; 0 log 0 is 0."""
    right = np.where(target == 1, probability, 1 - probability.astype(np.float64))
    with np.errstate(divide="ignore"):
        return float(-np.mean(np.log(right))) if len(target) else 0.0


def is_spent(losses, patience):
    """Orchard's rule: half as many rounds again as the best had, and `patience` more."""
    return patience > 0 and len(losses) >= 1.5 * (1 + int(np.argmin(losses))) + patience


# --- libraries ----------------------------------------------------------------------------------------------------------
# Each offers `settings`, the ways to hold the data that are tried; `prepare`, which is not counted; `fit`, which is: it returns the
# model and its validation losses round by round.


class XGBoost:
    settings = ["dense bins", "quantile bins", "quantile bins of the table"]

    def __init__(self):
        import xgboost

        self.library = xgboost
        self.whole = {}

    def open(self):
        self.whole = {}

    def options(self, problem):
        types = ["c" if at in problem.labels else "q" for at in range(problem.position)]
        return {"feature_types": types, "enable_categorical": True, "nthread": 1}

    def prepare(self, problem, setting, table):
        if setting.endswith("table") and problem.position not in self.whole:
            rows = np.ascontiguousarray(table.features[: problem.position].T)
            self.whole[problem.position] = self.library.QuantileDMatrix(rows, max_bin=BINS, **self.options(problem))
        return problem.train, problem.valid

    def fit(self, problem, setting, case, arrays):
        library, options = self.library, self.options(problem)
        if setting == "dense bins":
            train = library.DMatrix(arrays[0], problem.train_target, **options)
            valid = library.DMatrix(arrays[1], problem.valid_target, **options)
        else:
            whole = self.whole[problem.position] if setting.endswith("table") else None
            train = library.QuantileDMatrix(arrays[0], problem.train_target, max_bin=BINS, ref=whole, **options)
            valid = library.QuantileDMatrix(arrays[1], problem.valid_target, max_bin=BINS, ref=train, **options)
        parameters = {
            "objective": "binary:logistic",
            "base_score": problem.rate(),
            "tree_method": "hist",
            "max_bin": BINS,
            "max_cat_to_onehot": 1 << 16,
            "grow_policy": "lossguide",
            "max_leaves": case["leaves"],
            "max_depth": 0,
            "eta": case["shrinkage"],
            "reg_lambda": L2,
            "min_child_weight": MIN_LEAF_WEIGHT,
            "gamma": 0,
            "colsample_bytree": case["featureFraction"],
            "nthread": 1,
            "eval_metric": "logloss",
        }
        patience = case.get("patience", 0)

        class Stop(library.callback.TrainingCallback):
            def after_iteration(self, model, epoch, log):
                return is_spent(log["valid"]["logloss"], patience)

        record = {}
        self.sides = train, valid
        evals = [(valid, "valid")]
        stops = [Stop()] if patience else None
        model = library.train(
            parameters, train, case["rounds"], evals=evals, evals_result=record, verbose_eval=False, callbacks=stops
        )
        return model, record["valid"]["logloss"]

    def probabilities(self, model, _):
        return [model.predict(side) for side in self.sides]


class LightGBM:
    settings = [f"{by}{bins}" for bins in ("", ", bins of the table") for by in ("column-wise", "row-wise")]

    def __init__(self):
        import lightgbm

        self.library = lightgbm

    def open(self):
        self.whole = {}

    def parameters(self, setting, case):
        return {
            "objective": "binary",
            "boost_from_average": True,
            "max_bin": BINS,
            "min_data_in_bin": 1,
            "force_col_wise": setting.startswith("column"),
            "force_row_wise": setting.startswith("row"),
            "feature_pre_filter": False,
            "max_cat_to_onehot": 1 << 16,
            "cat_smooth": 0,
            "cat_l2": 0,
            "min_data_per_group": 1,
            "num_leaves": case["leaves"],
            "max_depth": -1,
            "learning_rate": case["shrinkage"],
            "min_data_in_leaf": 0,
            "min_sum_hessian_in_leaf": MIN_LEAF_WEIGHT,
            "min_gain_to_split": 0,
            "lambda_l2": L2,
            "feature_fraction": case["featureFraction"],
            "num_threads": 1,
            "metric": "binary_logloss",
            "verbose": -1,
        }

    def prepare(self, problem, setting, table):
        if setting.endswith("table") and problem.position not in self.whole:
            rows = np.ascontiguousarray(table.features[: problem.position].T)
            bins = {"max_bin": BINS, "min_data_in_bin": 1, "feature_pre_filter": False, "num_threads": 1, "verbose": -1}
            whole = self.library.Dataset(rows, params=bins, categorical_feature=problem.labels, free_raw_data=False)
            self.whole[problem.position] = whole.construct()
        return problem.train, problem.valid

    def fit(self, problem, setting, case, arrays):
        library, parameters = self.library, self.parameters(setting, case)
        whole = self.whole[problem.position] if setting.endswith("table") else None
        options = {"params": parameters, "categorical_feature": "auto" if whole else problem.labels}
        train = library.Dataset(arrays[0], problem.train_target, reference=whole, **options)
        valid = library.Dataset(arrays[1], problem.valid_target, reference=train, params=parameters)
        record, losses, patience = {}, [], case.get("patience", 0)

        def stop(state):
            losses.append(state.evaluation_result_list[0][2])
            if is_spent(losses, patience):
                raise library.callback.EarlyStopException(state.iteration, state.evaluation_result_list)

        callbacks = [library.record_evaluation(record), *([stop] if patience else [])]
        model = library.train(
            parameters, train, case["rounds"], valid_sets=[valid], valid_names=["valid"], callbacks=callbacks
        )
        return model, record["valid"]["binary_logloss"]

    def probabilities(self, model, problem):
        return [model.predict(rows, num_iteration=-1) for rows in (problem.train, problem.valid)]


class CatBoost:
    """Labels are columns of 0 and 1: those of its own are hashed one by one, which takes longer. It has no second derivatives in its
    scores on the CPU, so its trees differ a little."""

    settings = ["borders"]

    def __init__(self):
        import catboost

        self.library = catboost

    def open(self):
        pass

    def prepare(self, problem, _, __):
        return problem.one_hot(problem.train), problem.one_hot(problem.valid)

    def fit(self, problem, _, case, arrays):
        library = self.library
        model = library.CatBoost(
            {
                "loss_function": "Logloss",
                "boost_from_average": True,
                "iterations": case["rounds"],
                "learning_rate": case["shrinkage"],
                "grow_policy": "Lossguide",
                "max_leaves": case["leaves"],
                "depth": 16,
                "border_count": BINS - 2,
                "rsm": case["featureFraction"],
                "score_function": "L2",
                "l2_leaf_reg": L2,
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
        self.sides = [
            library.Pool(array, target)
            for array, target in zip(arrays, (problem.train_target, problem.valid_target), strict=True)
        ]
        model.fit(self.sides[0], eval_set=self.sides[1])
        return model, model.get_evals_result()["validation"]["Logloss"]

    def probabilities(self, model, _):
        return tuple(model.predict(side, prediction_type="Probability")[:, 1] for side in self.sides)


LIBRARIES = {"xgboost": XGBoost, "lightgbm": LightGBM, "catboost": CatBoost}


# --- requests -----------------------------------------------------------------------------------------------------------


class Table:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        facts = json.loads((folder / "table.json").read_text())
        self.train, self.labels, self.outcomes = facts["train"], facts["labels"], facts["outcomes"]
        self.features = np.fromfile(folder / "features.f32", dtype=np.float32).reshape(len(self.labels), -1)
        self.codes = np.fromfile(folder / "codes.u16", dtype=np.uint16).reshape(len(self.labels), -1)


class Program:
    def __init__(self, library):
        self.library = library
        self.fastest = {}

    def open(self, request):
        self.table = Table(request["folder"])
        self.fastest = {}
        self.library.open()
        return {"rows": self.table.features.shape[1]}

    def timed(self, problem, setting, case):
        arrays = self.library.prepare(problem, setting, self.table)
        started = time.process_time()
        model, losses = self.library.fit(problem, setting, case, arrays)
        return model, losses, (time.process_time() - started) * 1e3

    def setting_for(self, name, problems, case):
        """The setting that trains these soonest, by short trials that are made once a name."""
        settings = self.library.settings
        if len(settings) > 1 and name not in self.fastest:
            brief = {**case, "rounds": min(case["rounds"], TRIAL_ROUNDS), "patience": 0}
            # a first one warms up
            self.timed(problems[0], settings[0], brief)
            times = {one: sum(self.timed(problem, one, brief)[2] for problem in problems) for one in settings}
            self.fastest[name] = min(times, key=times.get)
        return self.fastest.get(name, settings[0])

    def train(self, case):
        problem = Problem(self.table, case["position"], case["decision"])
        setting = self.setting_for((case["position"], case["decision"], case["rounds"]), [problem], case)
        model, _, milliseconds = self.timed(problem, setting, case)
        train, valid = self.library.probabilities(model, problem)
        losses = {"train": loss(train, problem.train_target), "valid": loss(valid, problem.valid_target)}
        return {"milliseconds": milliseconds, "losses": losses, "setting": setting}

    def whole(self, case):
        """All decisions of all variables, each with the rounds that its validation rows like best; labels and rows are counted."""
        table = self.table
        deepest = [(len(table.labels) - 1, 0), (len(table.labels) - 1, len(table.outcomes[-1]) // 2)]
        trials = [problem for problem in (Problem(table, *at) for at in deepest) if problem.learns()]
        setting = self.setting_for("whole", trials, case) if trials else self.library.settings[0]
        valid_rows, nats = table.features.shape[1] - table.train, 0.0
        for position in range(len(table.labels)):
            # bins of the whole table are made before the clock starts
            if position > 0:
                self.library.prepare(Problem(table, position, 0), setting, table)
        started = time.process_time()
        for position, decisions in enumerate(table.outcomes):
            for decision in range(len(decisions)):
                problem = Problem(table, position, decision)
                rate = np.float64(problem.rate()) if len(problem.train_target) else np.float64(0.5)
                own = loss(np.full(len(problem.valid_target), np.clip(rate, 1e-4, 1 - 1e-4)), problem.valid_target)
                if problem.learns():
                    arrays = self.library.prepare(problem, setting, table)
                    own = min(own, *self.library.fit(problem, setting, case, arrays)[1])
                nats += own * len(problem.valid_target)
        milliseconds = (time.process_time() - started) * 1e3
        return {"milliseconds": milliseconds, "losses": {"valid": nats / valid_rows}, "setting": setting}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--core", type=int)
    arguments = parser.parse_args()
    if arguments.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {arguments.core})

    # libraries print to standard output; the answers keep it to themselves
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    program = Program(LIBRARIES[arguments.library]())
    requests = {"open": program.open, "train": program.train, "whole": program.whole}
    for line in sys.stdin:
        ((name, argument),) = json.loads(line).items()
        try:
            answer = requests[name](argument)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
