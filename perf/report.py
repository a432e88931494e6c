#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One HTML page of benchmark results, self-contained: speed beside the fastest peer, share of the roof, tables, the
machine. Plots are of classes: the geometric mean over the matrices of a class on which all that the plot compares ran.

  bench_spmv --benchmark_out=spmv.json --benchmark_out_format=json
  report.py spmv.json -o report.html
"""

import argparse
import base64
import collections
import html
import io
import re
import statistics
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from results import Unreadable, load  # noqa: E402
from summary import BEST, OURS, PRODUCTS, add_ours, geometric_mean, pick, summarise  # noqa: E402

STYLE = """
body { font-family: sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222; }
table { border-collapse: collapse; font-size: 85%; margin: 1em 0; }
th, td { border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.loss { background: #fbe3e0; } td.win { background: #e4f3e4; }
img { max-width: 100%; }
"""


def embedded(figure):
    """An <img> that carries the figure's bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110, bbox_inches="tight")
    plt.close(figure)
    return f'<img alt="plot" src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}">'


INCHES_A_BAR = 0.28
WIDEST = 24.0  # inches

# What the plots show of a class, in this order: a user's plan, the fastest of our contenders, the fastest peer.
PLAN, FASTEST, PEER = "ours, by a plan", "ours, the fastest", "the fastest peer"
COLORS = {PLAN: "#1b6ca8", FASTEST: "#7fb3d5", PEER: "#b0b0b0"}
# Of less precision than the operands promise: no equals of the peers.
LESS_PRECISE = r"f32_matrix|packed_(fp32_3xtf32|tf32|fp16|bf16)"


def groups_a_plot(names):
    return max(1, int(WIDEST / (INCHES_A_BAR * (len(names) + 1))))


def grouped_bars(title, unit, groups, labels, names, value, line=None):
    """Bars of value(group, name), a cluster a group; None draws nothing. `line` is (height, what it means)."""
    figure, axes = plt.subplots(figsize=(max(6.0, INCHES_A_BAR * len(groups) * (len(names) + 1)), 3.6))
    width = 0.8 / max(len(names), 1)
    for i, name in enumerate(names):
        bars = [(g, value(group, name)) for g, group in enumerate(groups)]
        bars = [(g, height) for g, height in bars if height is not None]
        places = [g + (i - (len(names) - 1) / 2) * width for g, _ in bars]
        axes.bar(places, [height for _, height in bars], width, label=name, color=COLORS[name])
    if line is not None:
        axes.axhline(line[0], color="black", linewidth=0.8, label=line[1])
    axes.set_xticks(range(len(groups)), labels, rotation=30, ha="right", fontsize=8)
    axes.set_xlabel("class (number of matrices)")
    axes.set_ylabel(unit)
    axes.set_ylim(bottom=0)
    axes.set_title(title, fontsize=10)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    return embedded(figure)


def setting_name(key):
    operation, types, columns, regime = key
    return f"{operation} {types}" + (f" columns:{columns}" if operation != "spmv" else "") + f" {regime}"


def sides(group):
    """{PLAN, FASTEST, PEER: series} of the contenders of one matrix, those that there are."""
    equals = [one for one in group if one.owner == OURS and not re.search(LESS_PRECISE, one.contender)]
    candidates = {
        PLAN: [one for one in equals if re.search(PRODUCTS["plan"], one.contender)],
        FASTEST: equals,
        PEER: [one for one in group if one.owner != OURS],
    }
    return {name: pick(found) for name, found in candidates.items() if found}


def by_class(series):
    """{setting: {class: [sides of a matrix]}}"""
    matrices = collections.defaultdict(list)
    for one in series:
        matrices[one.setting].append(one)
    settings = collections.defaultdict(lambda: collections.defaultdict(list))
    for (operation, types, columns, regime, _, klass), group in matrices.items():
        settings[operation, types, columns, regime][klass].append(sides(group))
    return settings


def rate(one):
    """Gflop/s of the median."""
    return 2 * one.counters["nnz"][0] * one.columns / one.median * 1e-9


def roof_share(one):
    return statistics.median(one.counters["copy_share"])


def compared(found):
    """Of the sides of a class's matrices those that have all sides that any of them has: bars of one class are of the
    same matrices."""
    names = {name for sides in found for name in sides}
    return [sides for sides in found if names <= sides.keys()]


def class_plots(settings, title, unit, figure_of, line=None):
    """One plot a setting, or several where there are many classes: the geometric mean of figure_of over a class."""
    for key, classes in settings.items():
        names = [name for name in COLORS if any(name in sides for found in classes.values() for sides in found)]
        common = {klass: compared(found) for klass, found in classes.items()}

        def mean(klass, name, common=common):
            found = [figure_of(sides[name]) for sides in common[klass] if name in sides]
            return geometric_mean(found) if found else None

        classes_in_order = sorted(classes)
        step = groups_a_plot(names)
        for first in range(0, len(classes_in_order), step):
            groups = classes_in_order[first : first + step]
            labels = [f"{klass} ({len(common[klass])})" for klass in groups]
            yield grouped_bars(f"{setting_name(key)}: {title}", unit, groups, labels, names, mean, line)


def table(head, lines):
    """Rows of cells: text, or (number as text, css class)."""
    out = ["<table><tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in head) + "</tr>"]
    for line in lines:
        cells = []
        for cell in line:
            text, kind = cell if isinstance(cell, tuple) else (cell, "")
            cells.append(f'<td class="{kind}">{html.escape(str(text))}</td>')
        out.append("<tr>" + "".join(cells) + "</tr>")
    out.append("</table>")
    return "\n".join(out)


def number(text, more=""):
    return (text, f"number {more}".strip())


def peers_apart(rows):
    """(rows beside the fastest peer, rows beside each peer where there are several), the fastest with the name to show.

    Where there is one peer, it is the fastest: its row would repeat the other.
    """
    peers = collections.defaultdict(list)

    def about(row):
        return tuple(row[key] for key in ("ours", "operation", "types", "columns", "regime", "class"))

    for row in rows:
        if row["peer"] != BEST:
            peers[about(row)].append(row)
    fastest = []
    for row in rows:
        if row["peer"] == BEST:
            names = [one["peer"] for one in peers[about(row)]]
            fastest.append({**row, "peer": names[0] if len(names) == 1 else f"the fastest of {', '.join(names)}"})
    return fastest, [row for several in peers.values() if len(several) > 1 for row in several]


def ratio_table(rows):
    lines = []
    for row in rows:
        several = row["matrices"] > 1  # one matrix says nothing of the scatter of its class
        verdict = "" if not several else "loss" if row["high"] < 1 else "win" if row["low"] > 1 else ""
        lines.append(
            [
                row["ours"],
                setting_name((row["operation"], row["types"], row["columns"], row["regime"])),
                row["class"],
                row["peer"],
                number(row["matrices"]),
                number(f"{row['ratio']:.3f}", verdict),
                number(f"{row['low']:.3f} to {row['high']:.3f}" if several else "one matrix"),
                f"{row['worst']:.3f} {row['worst_matrix']}",
                " ".join(row["chosen"]),
            ]
        )
    head = ["ours", "setting", "class", "peer", "matrices", "ratio", "95%", "worst", "chosen"]
    return table(head, lines)


def series_table(series):
    lines = []
    for one in sorted(series, key=lambda s: (s.setting, s.median)):
        lines.append(
            [
                setting_name(one.setting[:4]),
                one.matrix,
                one.contender,
                one.choice,
                number(f"{one.median * 1e6:.1f}"),
                number(f"{100 * one.spread:.1f}"),
                number(f"{rate(one):.2f}"),
                number(f"{roof_share(one):.2f}"),
                number(f"{one.counters['padding'][0]:.2f}"),
                number(f"{one.counters['setup_s'][0] / one.median:.1f}"),
            ]
        )
    head = ["setting", "matrix", "contender", "chosen", "median us", "spread %", "Gflop/s"]
    head += ["of copy", "padding", "set-up, products"]
    return table(head, lines)


def page(context, series, errors, rows):
    settings = by_class(series)
    fastest, each = peers_apart(rows)
    known = sorted((key, value) for key, value in context.items() if not isinstance(value, (list, dict)))
    parts = [
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Araia performance</title>",
        f"<style>{STYLE}</style></head><body><h1>Araia performance</h1>",
        "<p>Each contender was checked against a reference first. Samples of all contenders were taken in turns in one "
        "process. Cold: operands rotated beyond twice the last-level cache.</p>",
        "<h2>How fast, beside the fastest peer?</h2>",
        *class_plots(settings, "speed", "Gflop/s (2 a nonzero and column)", rate),
        "<p>Bars of a class are geometric means over the same matrices: those on which all that the plot shows of the class "
        "ran.</p>",
        "<p>Ratio: the peer's time over ours, geometric mean over matrices. Above 1 Araia is faster. Green and red: so says "
        "the whole 95% interval.</p>",
        ratio_table(fastest),
        *(["<h3>Beside each peer</h3>", ratio_table(each)] if each else []),
        "<h2>How near to the roof?</h2>",
        *class_plots(
            settings,
            "modelled bytes a second",
            "share of the measured copy bandwidth",
            roof_share,
            line=(1, "the copy bandwidth"),
        ),
        "<h2>Every contender</h2>",
        series_table(series),
        "<h2>Machine</h2>",
        table(["", ""], [[key, value] for key, value in known]),
    ]
    if errors:
        parts += ["<h2>Left out or failed</h2>", table(["benchmark", "reason"], [list(error) for error in errors])]
    parts.append("</body></html>")
    return "\n".join(parts)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON files of the benchmark binaries")
    parser.add_argument("-o", "--output", default="report.html", help="the page to write")
    add_ours(parser)
    options = parser.parse_args(arguments)
    try:
        context, series, errors = load(options.files)
    except Unreadable as error:
        parser.error(str(error))
    text = page(context, series, errors, summarise(series, options.ours))
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
