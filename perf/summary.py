#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Geometric-mean speed ratios per class and peer, with 95% confidence.

The ratio is the peer's time over ours: above 1 we are faster. Each matrix counts once, with the peer's best kernel
(by its median) against ours. Ours is first what a user gets: a plan by the model, one by measuring, and one call; with
--ours the fastest of the contenders that it names. Confidence by bootstrap: matrices of a class and rounds of a matrix
are drawn again with replacement; a round's samples of both sides stay together, as they were taken within moments of
each other, unless memory made the two take their samples in different sets.

  bench_spmv --benchmark_out=spmv.json --benchmark_out_format=json
  summary.py spmv.json
"""

import argparse
import collections
import json
import math
import random
import re
import statistics

from arguments import count, pattern, run
from results import Unreadable, load

BEST = "best_peer"  # the fastest of all peers, matrix by matrix
OURS = "araia"
# What a user gets without choosing, in the order of the table. Of SpMM the faster of both layouts, as of peers.
PRODUCTS = {
    "plan": r"^plan/default(_column_major)?$",
    "measured plan": r"^plan/measured(_column_major)?$",
    "one call": r"^one_call/default(_column_major)?$",
}
AUTOMATIC = "automatic"  # counts for results without any of these


def pick(candidates):
    """The series with the smallest median."""
    return min(candidates, key=lambda one: one.median)


def selections(series, ours_pattern=None):
    """{name: regular expression over format/kernel} of what counts as ours, one after the other."""
    if ours_pattern is not None:
        return {ours_pattern: ours_pattern}
    found = {
        name: product
        for name, product in PRODUCTS.items()
        if any(one.owner == OURS and re.search(product, one.contender) for one in series)
    }
    return found or {AUTOMATIC: AUTOMATIC}


def pairs(series, ours_pattern, by_kernel):
    """{(operation, types, columns, regime, class, peer): [(ours, peer)]}, one pair a matrix."""
    settings = collections.defaultdict(list)
    for one in series:
        settings[one.setting].append(one)
    table = collections.defaultdict(list)
    for (operation, types, columns, regime, *_), group in settings.items():
        ours = [one for one in group if one.owner == OURS and re.search(ours_pattern, one.contender)]
        peers = collections.defaultdict(list)
        for one in group:
            if one.owner != OURS:
                peers[one.contender if by_kernel else one.owner].append(one)
                peers[BEST].append(one)
        if not ours:
            continue
        mine = pick(ours)
        for peer, candidates in peers.items():
            table[operation, types, columns, regime, mine.klass, peer].append((mine, pick(candidates)))
    return table


def geometric_mean(ratios):
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def resampled_ratio(pair, generator):
    ours, peer = pair
    rounds = min(len(ours.seconds), len(peer.seconds))
    drawn = [generator.randrange(rounds) for _ in range(rounds)]
    apart = drawn if ours.timed_in == peer.timed_in else [generator.randrange(rounds) for _ in range(rounds)]
    return statistics.median(peer.seconds[i] for i in apart) / statistics.median(ours.seconds[i] for i in drawn)


def confidence(matched, replicates, seed=1):
    """Bounds of the middle 95% of the bootstrapped geometric means."""
    generator = random.Random(seed)
    means = sorted(
        geometric_mean([resampled_ratio(generator.choice(matched), generator) for _ in matched])
        for _ in range(replicates)
    )
    cut = 0.025 * (len(means) - 1)
    return means[math.floor(cut)], means[math.ceil(len(means) - 1 - cut)]


def summarise(series, ours_pattern=None, by_kernel=False, replicates=2000):
    """Rows of the table, as dictionaries: by what counts as ours, then sorted by what they are about."""
    rows = []
    keyed = [
        (name, key, matched)
        for name, product in selections(series, ours_pattern).items()
        for key, matched in sorted(pairs(series, product, by_kernel).items())
    ]
    for name, key, matched in keyed:
        low, high = confidence(matched, replicates)
        ratios = [peer.median / ours.median for ours, peer in matched]
        rows.append(
            dict(
                zip(("operation", "types", "columns", "regime", "class", "peer"), key),
                ours=name,
                chosen=sorted({ours.choice for ours, _ in matched} - {""}),
                matrices=len(matched),
                ratio=geometric_mean(ratios),
                low=low,
                high=high,
                worst=min(ratios),
                worst_matrix=min(zip(ratios, (ours.matrix for ours, _ in matched)))[1],
            )
        )
    return rows


def text_table(rows):
    keys = ("ours", "operation", "types", "columns", "regime", "class", "peer", "matrices")
    head = keys + ("ratio", "95% from", "to", "worst", "chosen")
    lines = [head]
    for row in rows:
        lines.append(
            tuple(str(row[key]) for key in keys)
            + tuple(f"{row[key]:.3f}" for key in ("ratio", "low", "high"))
            + (f"{row['worst']:.3f} {row['worst_matrix']}", " ".join(row["chosen"]))
        )
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def add_ours(parser):
    parser.add_argument(
        "--ours",
        type=pattern,
        help="regular expression over our format/kernel, of which the best counts (default: plans and one call, "
        f"each for itself, or where these did not run '{AUTOMATIC}')",
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON files of the benchmark binaries")
    add_ours(parser)
    parser.add_argument("--by-kernel", action="store_true", help="each kernel of a peer apart, not its best")
    parser.add_argument("--replicates", type=count, default=2000, help="of the bootstrap")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    try:
        context, series, errors = load(options.files)
    except Unreadable as error:
        parser.error(str(error))
    rows = summarise(series, options.ours, options.by_kernel, options.replicates)
    failed = [error for error in errors if not error[1].startswith("left out")]
    if options.json:
        print(json.dumps({"context": context, "ratios": rows, "errors": errors}, indent=1))
    else:
        print("ratio: the peer's time over ours, geometric mean over matrices; above 1 we are faster")
        print(text_table(rows) if rows else "none: no benchmark of ours that --ours names ran beside a peer")
        for name, message in failed:
            print(f"failed: {name}: {message}")
    return 1 if failed else 0


if __name__ == "__main__":
    run(main)
