# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmark binaries wrote (--benchmark_out=FILE), read back: one Series a contender, matrix and regime."""

import dataclasses
import json
import re
import statistics

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class Unreadable(Exception):
    """Names the file and what is wrong with it."""


@dataclasses.dataclass
class Series:
    """Samples of one contender on one matrix; sample i of all contenders comes from the same round."""

    operation: str
    format: str
    kernel: str
    types: str
    columns: int
    matrix: str
    regime: str
    owner: str
    klass: str
    choice: str = ""  # what a plan chose
    seconds: list = dataclasses.field(default_factory=list)
    counters: dict = dataclasses.field(default_factory=dict)

    @property
    def contender(self):
        return f"{self.format}/{self.kernel}"

    @property
    def setting(self):
        """What must agree before two times are compared."""
        return (self.operation, self.types, self.columns, self.regime, self.matrix, self.klass)

    @property
    def median(self):
        return statistics.median(self.seconds)

    @property
    def timed_in(self):
        """The set of contenders that took their samples in turns: rounds of two sets are of different moments."""
        return self.counters.get("set", [0])[0]

    @property
    def spread(self):
        """Width that holds the middle half of the samples, as a share of the median."""
        ordered = sorted(self.seconds)
        last = len(ordered) - 1
        return (ordered[3 * last // 4] - ordered[last // 4]) / self.median


def parse_name(name):
    """Fields of spmm/csr/tiled/f64_i32/columns:64/cant/cold; columns is 1 where the name has none."""
    parts = name.split("/")
    columns = 1
    if len(parts) == 7 and parts[4].startswith("columns:"):
        columns = int(parts.pop(4).split(":")[1])
    if len(parts) != 6:
        raise ValueError(f"'{name}': expected operation/format/kernel/types/[columns:N/]matrix/regime")
    return {
        "operation": parts[0],
        "format": parts[1],
        "kernel": parts[2],
        "types": parts[3],
        "columns": columns,
        "matrix": parts[4],
        "regime": parts[5],
    }


def parse_label(label):
    """owner, choice and class from 'owner=araia choice=csr/balanced class=fem', mostly without a choice.

    The class is a folder's name, which may have spaces.
    """
    fields = re.fullmatch(r"owner=(\S*)(?: choice=(\S*))? class=(.*)", label, re.DOTALL)
    if not fields:
        raise ValueError(f"'{label}': expected owner=NAME [choice=LABEL] class=NAME")
    return {"owner": fields[1], "choice": fields[2] or "", "klass": fields[3]}


# Numbers of Google Benchmark's own; every other number of a run is one of our counters.
OWN_NUMBERS = {
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
    "real_time",
    "cpu_time",
}


def add_runs(document, series, errors):
    for run in document["benchmarks"]:
        if run.get("error_occurred"):
            errors.append((run["name"], run.get("error_message", "")))
            continue
        if run["run_type"] != "iteration":
            continue
        name, label = run["run_name"], run["label"]  # files of two classes may share a name
        if (name, label) not in series:
            series[name, label] = Series(**parse_name(name), **parse_label(label))
        one = series[name, label]
        one.seconds.append(run["real_time"] * SECONDS[run["time_unit"]])
        for key, value in run.items():
            if key not in OWN_NUMBERS and isinstance(value, (int, float)) and not isinstance(value, bool):
                one.counters.setdefault(key, []).append(value)


def load(paths):
    """(context of the first file, [Series], [(name, message)] of those that failed or were left out).

    Raises Unreadable for a file that is none of ours.
    """
    context, series, errors = {}, {}, []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
            context = context or document["context"]
            add_runs(document, series, errors)
        except OSError as error:
            raise Unreadable(f"{path}: {error.strerror}") from error
        except ValueError as error:
            raise Unreadable(f"{path}: {error}") from error
        except (KeyError, TypeError, AttributeError) as error:
            raise Unreadable(f"{path}: expected what --benchmark_out of a benchmark binary writes") from error
    return context, list(series.values()), errors
