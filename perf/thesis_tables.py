#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the comparison of the 2019 thesis, in Markdown, from the lines of bench_thesis.

Times are compared within a cell, whose contenders ran in turns. Of several lines of one cell (a table each) the one
with the thesis's fastest kernel counts.

  bench_thesis --part 1/4 --json thesis.jsonl --resume    # and 2/4, 3/4, 4/4
  thesis_tables.py thesis.jsonl
"""

import argparse
import collections
import json

from arguments import run
from summary import geometric_mean

# The thesis's own figures are with wide loads and without warps that prefetch.
OWN = {"wide_loads": True, "prefetch": "none"}
# What stands for cuSPARSE: with B as it lies, by rows or by columns, and as the thesis called it.
AS_IT_LIES = ("row_major", "column_major")
TRANSPOSED = ("transposed",)
WITH_TRANSPOSITION = ("transposition_and_transposed",)


class Unreadable(Exception):
    pass


def load(paths):
    """[cell] of all files; a cell is a line of bench_thesis."""
    cells = []
    for path in paths:
        try:
            with open(path) as file:
                for number, line in enumerate(file, 1):
                    try:
                        cell = json.loads(line)
                        cell["set"], cell["matrix"], cell["columns"], cell["results"]
                    except (ValueError, TypeError, KeyError):
                        raise Unreadable(f"{path}:{number} is no line of bench_thesis")
                    cells.append(cell)
        except OSError as error:
            raise Unreadable(f"{path}: {error.strerror}")
    return cells


def timed(cell, owner, kernels=None, **fields):
    return [
        one
        for one in cell["results"]
        if one["owner"] == owner
        and "us" in one
        and (kernels is None or one["kernel"] in kernels)
        and all(one.get(name, value) == value for name, value in fields.items())
    ]


def fastest(results):
    return min(results, key=lambda one: one["us"]) if results else None


def best(cell):
    """What a row of the table compares, None where nothing of it ran."""
    return {
        "thesis": fastest(timed(cell, "thesis", **OWN)),
        "ours": fastest(timed(cell, "araia")),
        "ours, BCSC": fastest(timed(cell, "araia", ("bcsc",))),
        "cuSPARSE": fastest(timed(cell, "cusparse", AS_IT_LIES)),
        "cuSPARSE, B transposed": fastest(timed(cell, "cusparse", TRANSPOSED)),
        "cuSPARSE and the transposition": fastest(timed(cell, "cusparse", WITH_TRANSPOSITION)),
    }


def merged(cells):
    """One line for each matrix and number of columns: that with the thesis's fastest over ours."""
    chosen = {}
    for cell in cells:
        key = cell["set"], cell["matrix"], cell["columns"]
        row = best(cell)
        if row["thesis"] is None or row["ours"] is None:
            continue
        ratio = row["thesis"]["us"] / row["ours"]["us"]
        if key not in chosen or ratio < chosen[key][0]:
            chosen[key] = (ratio, row)
    return {key: row for key, (_, row) in chosen.items()}


def over_ours(rows, name, ours="ours"):
    """Geometric mean of a contender's time over ours, of the rows that have both."""
    ratios = [row[name]["us"] / row[ours]["us"] for row in rows if row[name] and row[ours]]
    return geometric_mean(ratios) if ratios else None


def text(value, pattern="{:.2f}"):
    return "-" if value is None else pattern.format(value)


def table(head, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head)] + lines)


CONTENDERS = ("thesis", "ours, BCSC", "cuSPARSE", "cuSPARSE, B transposed", "cuSPARSE and the transposition")


def means(rows_by_key, group_of):
    """Geometric means over our fastest, a row for each group, and one of all."""
    groups = collections.defaultdict(list)
    for key, row in rows_by_key.items():
        groups[group_of(key)].append(row)
    lines = [
        [str(group)] + [text(over_ours(rows, name)) for name in CONTENDERS] + [str(len(rows))]
        for group, rows in sorted(groups.items())
    ]
    everything = list(rows_by_key.values())
    lines.append(["all"] + [text(over_ours(everything, name)) for name in CONTENDERS] + [str(len(everything))])
    return lines


def ablation(cells, table_names=("4.4", "4.7")):
    """[(columns, wide, prefetch, time over that of wide loads without prefetching, cells)] of the tiling kernel."""
    ratios = collections.defaultdict(list)
    for cell in cells:
        tilings = [one for one in timed(cell, "thesis", ("tiling",)) if one["table"] in table_names]
        base = {one["parameters"]: one["us"] for one in tilings if all(one[k] == v for k, v in OWN.items())}
        for one in tilings:
            if one["parameters"] in base:
                ratios[cell["columns"], one["wide_loads"], one["prefetch"]].append(one["us"] / base[one["parameters"]])
    return {key: (geometric_mean(values), len(values)) for key, values in ratios.items()}


def ablation_table(cells):
    found = ablation(cells)
    kinds = [(True, "single"), (True, "double"), (False, "none"), (False, "single"), (False, "double")]
    lines = []
    for columns in sorted({key[0] for key in found}):
        lines.append(
            [str(columns)]
            + [text(found.get((columns, *kind), (None,))[0]) for kind in kinds]
            + [str(found.get((columns, True, "none"), (None, 0))[1])]
        )
    head = ["columns", "one buffer", "two buffers", "loads of 32 bits", "these, one buffer", "these, two buffers"]
    return table(head + ["cells"], lines)


def cell_table(rows_by_key):
    peers = CONTENDERS[2:]
    lines = []
    for (_, matrix, columns), row in sorted(rows_by_key.items()):
        thesis, ours = row["thesis"], row["ours"]
        lines.append(
            [matrix, str(columns), f"{thesis['us']:.1f}", f"{thesis['kernel']}{{{thesis['parameters']}}}"]
            + [f"{ours['us']:.1f}", ours["parameters"]]
            + [text(row[name] and row[name]["us"], "{:.1f}") for name in peers]
            + [text(thesis["us"] / ours["us"])]
        )
    head = ["matrix", "columns", "thesis, us", "its kernel", "ours, us", "our kernel"]
    return table(head + [f"{name}, us" for name in peers] + ["thesis / ours"], lines)


def report(cells):
    parts = []
    rows = merged(cells)
    for name, title in (("pruned", "Pruned layers"), ("sparse", "Above 0.99")):
        own = {key: row for key, row in rows.items() if key[0] == name}
        if not own:
            continue
        head = [*CONTENDERS, "cells"]
        parts.append(f"## {title}\n\nTimes over our fastest, geometric means.\n")
        parts.append(table(["columns", *head], means(own, lambda key: key[2])) + "\n")
        parts.append(table(["matrix", *head], means(own, lambda key: key[1])) + "\n")
        parts.append("The thesis's tiling kernel: times over that with loads of 128 bits and without prefetching.\n")
        parts.append(ablation_table([cell for cell in cells if cell["set"] == name]) + "\n")
        parts.append(cell_table(own) + "\n")
    return "\n".join(parts)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="what bench_thesis --json wrote")
    options = parser.parse_args(arguments)
    try:
        cells = load(options.files)
    except Unreadable as error:
        parser.error(str(error))
    print(report(cells) or "no cell has a time of the thesis's and one of ours")
    wrong = [(cell["cell"], one) for cell in cells for one in cell["results"] if "error" in one]
    for cell, one in wrong:
        print(f"failed: {cell}: {one['owner']} {one['kernel']} {one['parameters']}: {one['error']}")
    return 1 if wrong else 0


if __name__ == "__main__":
    run(main)
