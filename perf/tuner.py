#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does measuring pay? Times plans that the tuner measured beside those that its model chose, as a solver uses them.

Each cell is a matrix, a product and a scalar. bench_tuner makes both plans on one matrix and times loops of products by
turns. A plan's time is the median over its loops of what a product takes in one: the loop's median product; with
--by=loop the whole loop over its number of products, which other processes disturb most; with --by=fastest the loop's
fastest product, which they disturb least. Plans of the same choice run
the same kernel, so their ratio is noise: the rules take it as 1, and a line tells how far it was from that.

Four rules decide the exit status:

  mean        geometric mean of measured over default time, over all cells
  worst       the same ratio of the worst cell
  candidates  geometric mean of the measured plan's time over that of the fastest candidate, in cells that time all
  busy        plans measured beside busy processes: each one's time over the default's once these have stopped, unless
              the plan's report says that the machine was busy

Exit status: 0 where the rules hold, 1 where one does not, 2 for wrong arguments or where a cell could not be measured.
"""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import platform
import re
import shlex
import signal
import statistics
import subprocess
import sys
import threading
import time

from arguments import count, pattern
from summary import geometric_mean

BYTES_OF_AN_ENTRY = 12  # as --size-mb counts
BUSY_PROCESSES = 4
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(10000))"  # ends with its parent
TIMES = {"product": "loop_medians", "loop": "loop_means", "fastest": "loop_fastest"}  # by --by
EXTENSIONS = (".mtx", ".mtx.gz", ".smtx", ".smtx.gz")


class Failed(Exception):
    """A cell that could not be measured."""


@dataclasses.dataclass
class Cell:
    """One run of bench_tuner."""

    name: str
    arguments: list
    kind: str = "pair"  # or "candidates", which times all of the report too, or "busy"


# ---- the cells ----


def stencil(points, edge):
    size = points * edge**3 * BYTES_OF_AN_ENTRY / 1e6
    return f"stencil{points}_{edge}", [f"--classes=stencil{points}", f"--size-mb={size:.9g}"]


def generated(name, megabytes):
    return f"{name}_{megabytes}MB", [f"--classes={name}", f"--size-mb={megabytes}"]


def files_of(folder):
    """Matrices of the folder as (name, arguments), in the order of their names."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(EXTENSIONS))
    return [(name.split(".")[0], [f"--matrix={os.path.join(folder, name)}"]) for name in names]


def cells_of(options, files):
    edges = (20, 40) if options.quick else (20, 40, 64, 100)
    size = 4 if options.quick else 16
    fem, circuit = generated("fem", size), generated("circuit", size)
    matrices = [stencil(points, edge) for edge in edges for points in (27, 7)] + [fem, circuit]
    by_columns = [stencil(27, 20), circuit] if options.quick else [stencil(27, 40), stencil(7, 40), fem, circuit]
    with_candidates = {"stencil27_20/spmv/f64", f"{circuit[0]}/spmv/f64"}
    if not options.quick:
        with_candidates |= {"stencil7_20/spmv/f64", "stencil27_40/spmv/f64", "stencil27_40/spmv/f32",
                            "stencil7_64/spmv/f64", f"{fem[0]}/spmv/f64", "stencil27_40/spmm16/f64"}
    cells = []
    for operation, columns, group in (("spmv", "", matrices + files[: 2 if options.quick else None]),
                                      ("spmm", "16", by_columns)):
        for matrix, arguments in group:
            for types in ("f64", "f32"):
                name = f"{matrix}/{operation}{columns}/{types}"
                flags = [*arguments, f"--operation={operation}", f"--types={types}"]
                if columns:
                    flags.append(f"--columns={columns}")
                kind = "candidates" if name in with_candidates else "pair"
                cells.append(Cell(name, flags + ["--finalists=4"] * (kind == "candidates"), kind))
    plans = options.busy_plans or (3 if options.quick else 10)
    for edge in (20,) if options.quick else (20, 40):
        matrix, arguments = stencil(27, edge)
        cells.append(Cell(f"{matrix}/busy/f64", [*arguments, "--types=f64", f"--plans={plans}", "--wait"], "busy"))
    return [cell for cell in cells if re.search(options.cells, cell.name)]


# ---- running ----


def environment(threads):
    """Threads are pinned, each to a core of its own; what the caller has set stands."""
    pinned = {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true", "OMP_PLACES": "cores"}
    return {**pinned, **os.environ}


def stop(processes):
    for process in processes:
        process.kill()
    for process in processes:
        process.wait()


def run_cell(cell, options):
    """What bench_tuner says of the cell; None, with the reason printed, where it leaves the matrix out."""
    command = [options.bin, *cell.arguments, f"--budget={options.budget}", f"--loops={options.loops}",
               f"--products={options.products}", f"--between={options.between}"]
    busy = []
    try:
        if cell.kind == "busy":
            busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(BUSY_PROCESSES)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=environment(options.threads)) as process:
            late = threading.Timer(options.cell_limit, process.kill)
            late.start()
            try:
                if cell.kind == "busy":
                    process.stdout.readline()  # "planned"; empty where the program has ended, as its status says below
                    stop(busy)
                    busy = []
                    time.sleep(options.rest)
                output, errors = process.communicate("go\n")
            finally:
                late.cancel()
                process.kill()
    except OSError as error:
        raise Failed(f"{cell.name}: {error}") from error
    finally:
        stop(busy)
    if process.returncode == -signal.SIGKILL:
        raise Failed(f"{cell.name}: {shlex.join(command)} took longer than {options.cell_limit:g} s, or was killed")
    if process.returncode != 0:
        raise Failed(f"{cell.name}: {shlex.join(command)} ended with {process.returncode}: {errors.strip()}")
    reasons = []
    for line in output.splitlines():
        if line.startswith("{"):
            return {"name": cell.name, "kind": cell.kind, **json.loads(line)}
        if line.startswith("#"):
            reasons.append(line)
    types = cell.name.split("/")[-1]
    print("\n".join(reasons) or f"# {cell.name}: left out: this build has no plans for {types}")
    return None


def machine():
    model = platform.processor() or platform.machine()
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        model = re.search(r"(?m)^model name\s*:\s*(.*)$", text)[1]
    except (OSError, TypeError):
        pass
    return {"processor": model, "processors": len(os.sched_getaffinity(0)), "load": os.getloadavg()[0]}


# ---- judging: on results alone ----


def seconds_of(timed, by):
    """Median over the loops of what a product takes."""
    return statistics.median(timed[TIMES[by]])


def raw_ratios(cell, by):
    """Time of each measured plan over that of the default."""
    default, *measured = cell["plans"]
    return [seconds_of(plan, by) / seconds_of(default, by) for plan in measured]


def ratios_of(cell, by):
    """As raw_ratios, with 1 for plans of the default's choice."""
    default, *measured = cell["plans"]
    return [1.0 if plan["label"] == default["label"] else ratio for plan, ratio in zip(measured, raw_ratios(cell, by))]


def fastest_other(cell, by):
    return min(cell["candidates"]["finalists"], key=lambda one: seconds_of(one, by), default=None)


def over_best(cell, by):
    """Time of the measured plan over that of the fastest candidate, itself included: never below 1."""
    measured, other = seconds_of(cell["candidates"]["measured"], by), fastest_other(cell, by)
    return max(1.0, measured / seconds_of(other, by)) if other else 1.0


def judge(cells, limits):
    """[(rule, value, limit, cell it is about or "", holds)] of the rules that there are cells for."""
    by, rules = limits["by"], []
    pairs = [(ratios_of(cell, by)[0], cell["name"]) for cell in cells if cell["kind"] != "busy"]
    if pairs:
        mean = geometric_mean([ratio for ratio, _ in pairs])
        rules.append(("mean", mean, limits["most_mean"], "", mean <= limits["most_mean"]))
        worst, name = max(pairs)
        rules.append(("worst", worst, limits["most_worst"], name, worst <= limits["most_worst"]))
    all_timed = [over_best(cell, by) for cell in cells if cell["kind"] == "candidates"]
    if all_timed:
        mean = geometric_mean(all_timed)
        rules.append(("candidates", mean, limits["most_over_best"], "", mean <= limits["most_over_best"]))
    silent = [(ratio, cell["name"]) for cell in cells if cell["kind"] == "busy"
              for ratio, plan in zip(ratios_of(cell, by), cell["plans"][1:]) if not plan["busy"]]
    if silent:
        worst, name = max(silent)
        rules.append(("busy", worst, limits["most_busy"], name, worst <= limits["most_busy"]))
    elif any(cell["kind"] == "busy" for cell in cells):
        rules.append(("busy", None, limits["most_busy"], "every report says that the machine was busy", True))
    return rules


def noise(cells, by):
    """Ratios of plans that run the same kernel."""
    return [ratio for cell in cells for ratio, plan in zip(raw_ratios(cell, by), cell["plans"][1:])
            if plan["label"] == cell["plans"][0]["label"]]


# ---- printing: tables that are Markdown too ----


def table(head, lines):
    rows = [head, *lines]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    rows.insert(1, tuple("-" * width for width in widths))
    return "\n".join("| " + " | ".join(text.ljust(width) for text, width in zip(row, widths)) + " |" for row in rows)


def microseconds(timed, by):
    return f"{seconds_of(timed, by) * 1e6:.4g}"


def plan_lines(cell, by):
    default, *measured = cell["plans"]
    for plan, ratio in zip(measured, raw_ratios(cell, by)):
        chosen = "the same" if plan["label"] == default["label"] else plan["label"]
        yield (cell["name"], cell["class"], cell["types"], default["label"], chosen, microseconds(default, by),
               microseconds(plan, by), f"{ratio:.2f}", "yes" if plan["busy"] else "no")


def candidates_line(cell, by):
    found, other = cell["candidates"], fastest_other(cell, by)
    return (cell["name"], str(found["tried"]), cell["plans"][1]["label"], other["label"] if other else "none",
            microseconds(found["measured"], by), microseconds(other, by) if other else "", f"{over_best(cell, by):.2f}")


def report(cells, rules, failures, by):
    parts = []
    for busy in (False, True):
        lines = [line for cell in cells if (cell["kind"] == "busy") == busy for line in plan_lines(cell, by)]
        if lines:
            parts.append(table(("cell", "class", "types", "default", "measured", "default, us", "measured, us", "ratio",
                                "says busy"), lines))
    lines = [candidates_line(cell, by) for cell in cells if cell["kind"] == "candidates"]
    if lines:
        parts.append(table(("cell", "candidates", "measured", "fastest other", "measured, us", "fastest other, us",
                            "over the fastest"), lines))
    lines = [(rule, "" if value is None else f"{value:.3f}", f"{limit:g}", "yes" if holds else "NO", name)
             for rule, value, limit, name, holds in rules]
    parts.append(table(("rule", "value", "at most", "holds", "where"), lines) if lines else "no cell was measured")
    same = noise(cells, by)
    if same:
        parts.append(f"noise: {len(same)} measured plans run what the default runs, at {min(same):.2f} to "
                     f"{max(same):.2f} of its time")
    parts += [f"failed: {failure}" for failure in failures]
    return "\n\n".join(parts)


# ---- the command ----


def number(least, most):
    def parse(text):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"expected a number from {least:g} to {most:g}, got '{text}'")
        return value
    return parse


def load(path):
    """Cells and failures of a file that --json has written."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        cells, failures = document["cells"], document["failed"]
        for by in TIMES:
            report(cells, [], failures, by)
        return cells, failures
    except OSError as error:
        raise Failed(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, IndexError, ZeroDivisionError) as error:
        raise Failed(f"{path}: expected what --json of this program writes: {error!r}") from error


def measure(options):
    files = []
    if options.data is None:
        print("no real matrices: --data=DIR names a folder of them")
    elif not os.path.isdir(options.data):
        print(f"no real matrices: there is no folder '{options.data}'")
    else:
        files = files_of(options.data)
        if not files:
            print(f"no real matrices: '{options.data}' has no files that end in {', '.join(EXTENSIONS)}")
    cells, failures = [], []
    for cell in cells_of(options, files):
        started = time.monotonic()
        try:
            result = run_cell(cell, options)
        except Failed as error:
            failures.append(str(error))
            print(f"failed: {error}", file=sys.stderr)
            continue
        if result:
            cells.append(result)
            ratios = " ".join(f"{ratio:.2f}" for ratio in raw_ratios(result, options.by))
            print(f"{cell.name}: {ratios}  ({time.monotonic() - started:.1f} s)", file=sys.stderr, flush=True)
    return cells, failures


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--bin", help="bench_tuner, to measure with")
    what.add_argument("--results", metavar="FILE", help="judge what --json wrote before; nothing is measured")
    parser.add_argument("--json", metavar="FILE", help="write the results there")
    parser.add_argument("--data", metavar="DIR", help="Matrix Market and SMTX files to measure too")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller cells, about two minutes")
    parser.add_argument("--cells", type=pattern, default="", help="regular expression over the names of cells")
    parser.add_argument("--threads", type=count, default=len(os.sched_getaffinity(0)),
                        help="OMP_NUM_THREADS where the environment does not set it (default: all)")
    parser.add_argument("--budget", type=number(0, 3600), default=2, help="seconds of measuring a plan (default 2)")
    parser.add_argument("--loops", type=count, default=7, help="loops of each plan (default 7)")
    parser.add_argument("--products", type=count, default=50, help="products of a loop (default 50)")
    parser.add_argument("--between", choices=("yes", "no"), default="yes",
                        help="a vector update between products, as solvers have (default yes)")
    parser.add_argument("--busy-plans", type=count, help="plans made beside busy processes (default 10, --quick 3)")
    parser.add_argument("--rest", type=number(0, 60), default=1,
                        help="seconds between the end of the busy processes and the timing (default 1)")
    parser.add_argument("--cell-limit", type=number(0, 1e6), default=1200,
                        help="seconds after which a cell has failed (default 1200)")
    parser.add_argument("--by", choices=tuple(TIMES), default="product",
                        help="the time of a product in a loop: the median one, the loop over their number, or the "
                             "fastest (default product)")
    limits = number(0, 1e9)
    parser.add_argument("--most-mean", type=limits, default=1.005, help="limit of the rule mean (default 1.005: 1 to two digits)")
    parser.add_argument("--most-worst", type=limits, default=1.25, help="limit of the rule worst (default 1.25)")
    parser.add_argument("--most-over-best", type=limits, default=1.07, help="of the rule candidates (default 1.07)")
    parser.add_argument("--most-busy", type=limits, default=1.25, help="of the rule busy (default 1.25)")
    options = parser.parse_args(arguments)
    if options.bin and not os.access(options.bin, os.X_OK):
        parser.error(f"argument --bin: expected a program, got '{options.bin}'")
    if options.bin:
        options.bin = os.path.abspath(options.bin)
    return options


def main(arguments=None):
    options = parse(arguments)
    try:
        cells, failures = load(options.results) if options.results else measure(options)
        rules = judge(cells, vars(options))
        print(report(cells, rules, failures, options.by))
        if options.json:
            document = {"machine": machine(), "command": shlex.join(sys.argv), "cells": cells, "failed": failures,
                        "rules": [dict(zip(("rule", "value", "limit", "where", "holds"), rule)) for rule in rules]}
            try:
                with open(options.json, "w", encoding="utf-8") as file:
                    json.dump(document, file, indent=1)
            except OSError as error:
                raise Failed(f"{options.json}: {error.strerror}") from error
    except Failed as error:
        print(f"tuner.py: {error}", file=sys.stderr)
        return 2
    if failures or not rules:
        return 2
    return 0 if all(holds for *_, holds in rules) else 1


if __name__ == "__main__":
    sys.exit(main())
