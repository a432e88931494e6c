#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One HTML page of benchmark results, self-contained: ratios to peers, rates per matrix, tables, the machine.

  bench_spmv --benchmark_out=spmv.json --benchmark_out_format=json
  report.py spmv.json -o report.html
"""

import argparse
import base64
import collections
import html
import io
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from results import Unreadable, load  # noqa: E402
from summary import add_ours, summarise  # noqa: E402

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


def groups_a_plot(names):
    return max(1, int(WIDEST / (INCHES_A_BAR * (len(names) + 1))))


def grouped_bars(title, unit, groups, names, value, error=None, line=None):
    """Bars of value(group, name), a cluster a group; None draws nothing."""
    figure, axes = plt.subplots(figsize=(max(6.0, INCHES_A_BAR * len(groups) * (len(names) + 1)), 3.6))
    width = 0.8 / max(len(names), 1)
    for i, name in enumerate(names):
        places, heights, errors = [], [], ([], [])
        for g, group in enumerate(groups):
            height = value(group, name)
            if height is None:
                continue
            places.append(g + (i - (len(names) - 1) / 2) * width)
            heights.append(height)
            low, high = error(group, name) if error else (height, height)
            errors[0].append(max(height - low, 0))
            errors[1].append(max(high - height, 0))
        axes.bar(places, heights, width, label=name, yerr=errors if error else None, capsize=2)
    if line is not None:
        axes.axhline(line, color="black", linewidth=0.8)
    axes.set_xticks(range(len(groups)), groups, rotation=30, ha="right", fontsize=8)
    axes.set_ylabel(unit)
    axes.set_title(title, fontsize=10)
    axes.legend(fontsize=7, ncols=2)
    return embedded(figure)


def setting_name(key):
    operation, types, columns, regime = key
    return f"{operation} {types}" + (f" columns:{columns}" if operation != "spmv" else "") + f" {regime}"


def ratio_plots(rows):
    settings = collections.defaultdict(dict)
    for row in rows:
        key = (row["operation"], row["types"], row["columns"], row["regime"])
        settings[key][row["class"], row["peer"]] = row
    for key, cells in settings.items():
        classes = sorted({klass for klass, _ in cells})
        peers = sorted({peer for _, peer in cells})
        yield grouped_bars(
            f"{setting_name(key)}: peer's time over ours, geometric mean and 95%",
            "ratio",
            classes,
            peers,
            lambda klass, peer, cells=cells: cells[klass, peer]["ratio"] if (klass, peer) in cells else None,
            lambda klass, peer, cells=cells: (cells[klass, peer]["low"], cells[klass, peer]["high"]),
            line=1,
        )


def rate_plots(series):
    settings = collections.defaultdict(dict)
    for one in series:
        key = (one.operation, one.types, one.columns, one.regime)
        settings[key][one.matrix, one.contender] = one
    for key, cells in settings.items():
        matrices = sorted({matrix for matrix, _ in cells})
        contenders = sorted({contender for _, contender in cells})

        def rate(matrix, contender, cells=cells):
            one = cells.get((matrix, contender))
            return None if one is None else 2 * one.counters["nnz"][0] * one.columns / one.median * 1e-9

        step = groups_a_plot(contenders)
        for first in range(0, len(matrices), step):
            some = matrices[first : first + step]
            yield grouped_bars(f"{setting_name(key)}: rate per matrix", "Gflop/s", some, contenders, rate)


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


def ratio_table(rows):
    lines = []
    for row in rows:
        verdict = "loss" if row["high"] < 1 else "win" if row["low"] > 1 else ""
        lines.append(
            [
                setting_name((row["operation"], row["types"], row["columns"], row["regime"])),
                row["class"],
                row["peer"],
                number(row["matrices"]),
                number(f"{row['ratio']:.3f}", verdict),
                number(f"{row['low']:.3f} to {row['high']:.3f}"),
                f"{row['worst']:.3f} {row['worst_matrix']}",
            ]
        )
    return table(["setting", "class", "peer", "matrices", "ratio", "95%", "worst"], lines)


def series_table(series):
    lines = []
    for one in sorted(series, key=lambda s: (s.setting, s.median)):
        flops = 2 * one.counters["nnz"][0] * one.columns / one.median
        lines.append(
            [
                setting_name(one.setting[:4]),
                one.matrix,
                one.contender,
                number(f"{one.median * 1e6:.1f}"),
                number(f"{100 * one.spread:.1f}"),
                number(f"{flops * 1e-9:.2f}"),
                number(f"{sorted(one.counters['copy_share'])[len(one.seconds) // 2]:.2f}"),
                number(f"{one.counters['padding'][0]:.2f}"),
                number(f"{one.counters['setup_s'][0] / one.median:.1f}"),
            ]
        )
    head = ["setting", "matrix", "contender", "median us", "spread %", "Gflop/s", "of copy", "padding", "set-up, products"]
    return table(head, lines)


def page(context, series, errors, rows):
    known = sorted((key, value) for key, value in context.items() if not isinstance(value, (list, dict)))
    parts = [
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Araia performance</title>",
        f"<style>{STYLE}</style></head><body><h1>Araia performance</h1>",
        "<p>Each contender was checked against a reference first. Samples of all contenders were taken in turns in one "
        "process. Cold: operands rotated beyond twice the last-level cache. A ratio above 1 means that Araia is faster.</p>",
        "<h2>Against peers</h2>",
        *ratio_plots(rows),
        ratio_table(rows),
        "<h2>Rates</h2>",
        *rate_plots(series),
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
