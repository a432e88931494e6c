#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`araia closeness` beside NetworkX's closeness_centrality: seconds of both, and the largest relative difference.

NetworkX takes a queue from every node; of larger graphs so many nodes are asked for, and its time is scaled. Files are
Matrix Market, as scipy.io reads them. Without NetworkX or SciPy this says so and ends with 0.

  closeness_networkx.py --command build/bin/araia [--nodes 20] graph.mtx ...
"""

import argparse
import json
import random
import subprocess
import sys
import time

from arguments import count

try:
    import networkx
    import scipy.io
except ImportError:
    print("NetworkX or SciPy is not installed: nothing to compare with")
    sys.exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--nodes", type=count, default=20)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    print("| graph | nodes | edges | araia, s | NetworkX, s | times | largest difference |\n|---|---:|---:|---:|---:|---:|---:|")
    for file in arguments.files:
        done = subprocess.run([arguments.command, "closeness", file, "--json"], capture_output=True, text=True, check=True)
        report = json.loads(done.stdout)
        coo = scipy.io.mmread(file).tocoo()
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(coo.shape[0]))
        graph.add_edges_from((int(i), int(j)) for i, j in zip(coo.row, coo.col) if i != j)
        random.seed(1)
        nodes = random.sample(range(len(graph)), min(arguments.nodes, len(graph)))
        start = time.perf_counter()
        scores = {v: networkx.closeness_centrality(graph, v) for v in nodes}
        theirs = (time.perf_counter() - start) * len(graph) / max(len(nodes), 1)
        ours = report["prepare_seconds"] + report["search_seconds"]
        worst = max((abs(report["scores"][v] - s) / s if s else abs(report["scores"][v]) for v, s in scores.items()), default=0)
        print(f"| {file} | {len(graph)} | {graph.size()} | {ours:.3g} | {theirs:.3g} | {theirs / ours:.0f} | {worst:.2g} |")


if __name__ == "__main__":
    main()
