# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Benchmark output with known answers, as the binaries write it."""

import json


def run(name, owner, klass, seconds, nnz=1000, choice=None, **counters):
    """One series: a run a sample."""
    return [
        {
            "name": name,
            "run_name": name,
            "run_type": "iteration",
            "repetitions": len(seconds),
            "repetition_index": i,
            "threads": 1,
            "iterations": 1,
            "real_time": value * 1e6,
            "cpu_time": 0.1,
            "time_unit": "us",
            "label": f"owner={owner}{'' if choice is None else f' choice={choice}'} class={klass}",
            "nnz": nnz,
            "copy_share": 0.5,
            "padding": 0.0,
            "setup_s": 0.25,
            **counters,
        }
        for i, value in enumerate(seconds)
    ]


def median_of(name, seconds):
    """The aggregate that Google Benchmark adds; readers must not take it for a sample."""
    return {"name": name + "_median", "run_name": name, "run_type": "aggregate", "aggregate_name": "median",
            "real_time": seconds * 1e6, "time_unit": "us", "label": ""}


def failed(name, message):
    return {"name": name, "run_name": name, "run_type": "iteration", "error_occurred": True, "error_message": message}


def write(path, runs):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"context": {"device": "made up", "commit": "abc", "caches": []}, "benchmarks": runs}, file)
