# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""araia closeness: the scores of NetworkX in every convention, what it prints and writes, what it refuses."""

import collections
import concurrent.futures
import csv
import functools
import gzip
import json
import math
import os
import pathlib
import random
import subprocess
import unittest
import warnings

from command import ARAIA, RefusalTest, araia, araia_json, write_coordinates

try:
    import networkx
    import scipy.io
except ImportError:
    networkx = None

FOLDER = pathlib.Path(os.environ["ARAIA_TEST_DATA_DIR"])
LONG = "ARAIA_LONG_TESTS" in os.environ  # all graphs, nodes and conventions, not those of a quarter of a second alone
WHOLE = 5000  # nodes: of larger graphs 50 are looked at


def lists(n, entries):
    """Where edges lead, and where they come from, without loops."""
    heads, tails = [set() for _ in range(n)], [set() for _ in range(n)]
    for i, j in entries:
        if i != j:
            heads[i].add(j)
            tails[j].add(i)
    return heads, tails


def distances(heads, source):
    d, queue = {source: 0}, collections.deque([source])
    while queue:
        u = queue.popleft()
        for v in heads[u]:
            if v not in d:
                d[v] = d[u] + 1
                queue.append(v)
    del d[source]
    return d.values()


class Closeness(RefusalTest):
    def setUp(self):
        super().setUp()
        # A path 1 -> 2 -> 3 -> 4, a loop, a zero, an edge apart and an isolated node.
        self.graph = self.path / "graph.mtx"
        self.n = 7
        self.entries = [(0, 1, 1.0), (1, 2, 0.0), (2, 3, -2.0), (3, 3, 5.0), (4, 5, 1.0)]
        write_coordinates(self.graph, self.n, self.n, self.entries)

    def test_scores_by_definition(self):
        heads, tails = lists(self.n, [(i, j) for i, j, _ in self.entries])
        both = [a | b for a, b in zip(heads, tails)]
        for options, edges in (((), tails), (("--outgoing",), heads), (("--undirected",), both),
                               (("--undirected", "--outgoing"), both)):
            sums = [(len(d), sum(d), sum(1 / x for x in d)) for d in (distances(edges, v) for v in range(self.n))]
            report = araia_json("closeness", self.graph, *options)
            self.assertEqual(report["scores"], [r / s * (r / (self.n - 1)) if r else 0 for r, s, _ in sums])
            self.assertEqual((report["exact"], report["sources"], report["score"]), (True, self.n, "closeness"))
            self.assertEqual(report["edges"], sum(map(len, edges)))
            scores = araia_json("closeness", self.graph, "--unscaled", *options)["scores"]
            self.assertEqual(scores, [r / s if r else 0 for r, s, _ in sums])
            scores = araia_json("closeness", self.graph, "--reach", *options)["scores"]
            self.assertEqual(scores, [r for r, _, _ in sums])
            for score, (_, _, h) in zip(araia_json("closeness", self.graph, "--harmonic", *options)["scores"], sums):
                self.assertAlmostEqual(score, h, delta=1e-14)

    def test_methods_and_batches_give_the_same_numbers(self):
        random.seed(3)
        n = 300
        write_coordinates(self.graph, n, n, [(random.randrange(n), random.randrange(n), 1.0) for _ in range(700)])
        expected = araia_json("closeness", self.graph, "--harmonic")
        for method in ("bit_packed", "portable", "spmm"):
            for batch in (64, 256):
                report = araia_json("closeness", self.graph, "--harmonic", "--method", method, "--batch", batch)
                self.assertEqual(report["scores"], expected["scores"])
                self.assertEqual((report["method"], report["batch"]), (method, batch))

    def test_sampled_sources_keep_their_bound(self):
        random.seed(4)
        n = 400
        edges = [(random.randrange(n), random.randrange(n), 1.0) for _ in range(1200)]
        write_coordinates(self.graph, n, n, edges)
        for score in ("--harmonic", "--reach"):
            exact = araia_json("closeness", self.graph, "--undirected", score)
            self.assertIsNone(exact["score_error"])
            for seed in (1, 2):
                report = araia_json("closeness", self.graph, "--undirected", score, "--sources", 150, "--seed", seed)
                self.assertEqual((report["exact"], report["sources"], report["seed"]), (False, 150, seed))
                for a, b in zip(report["scores"], exact["scores"]):
                    self.assertLessEqual(abs(a - b), report["score_error"])
        text = araia("closeness", self.graph, "--undirected", "--sources", 150).stdout
        self.assertRegex(text, r"with a probability of 0.95 at least, no mean distance is off by more than [0-9.]+")
        self.assertIn("no bound", araia("closeness", self.graph, "--sources", 150).stdout)
        self.assertEqual(araia_json("closeness", self.graph, "--sources", "all")["scores"],
                         araia_json("closeness", self.graph, "--sources", n)["scores"])

    def test_what_it_writes(self):
        scores = araia_json("closeness", self.graph)["scores"]
        for name, opened in (("scores.csv", open), ("scores.csv.gz", gzip.open)):
            out = self.path / name
            self.assertIn("scores written to ", araia("closeness", self.graph, "-o", out).stdout)
            with opened(out, "rt") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([int(row["node"]) for row in rows], list(range(1, self.n + 1)))
            self.assertEqual([float(row["score"]) for row in rows], scores)
        text = araia("closeness", self.graph).stdout
        self.assertRegex(text, r"closeness of 7 nodes, 4 edges, from 7 sources")
        done = araia("closeness", self.graph, "-o", "/dev/stdout")
        self.assertTrue(done.stdout.startswith("node,score\n1,0\n"))
        write_coordinates(self.graph, 0, 0, [])
        self.assertEqual(araia_json("closeness", self.graph)["scores"], [])
        write_coordinates(self.graph, 1, 1, [])
        for method in ("bit_packed", "portable", "spmm"):
            report = araia_json("closeness", self.graph, "--method", method)
            self.assertEqual((report["scores"], report["edges"]), ([0], 0))
            sampled = araia_json("closeness", self.graph, "--method", method, "--sources", 1)
            self.assertEqual((sampled["scores"], sampled["exact"]), ([0], True))

    def test_few_sources_take_a_narrow_batch(self):
        for method in ("bit_packed", "portable", "spmm"):
            self.assertEqual(araia_json("closeness", self.graph, "--sources", 3, "--method", method)["batch"], 64)

    def test_refusals(self):
        self.refused("closeness", self.graph, "--sources", "0", says=("--sources", "all or an integer"))
        self.refused("closeness", self.graph, "--sources", "some", says=("--sources", "all or an integer"))
        self.refused("closeness", self.graph, "--batch", "65", says=("--batch",))
        self.refused("closeness", self.graph, "--method", "queue", says=("--method",))
        self.refused("closeness", self.graph, "--harmonic", "--reach", says=("--harmonic", "--reach"))
        for score in ("--harmonic", "--reach"):
            self.refused("closeness", self.graph, "--unscaled", score, says=("--unscaled is for the closeness", score))
        for sources in ((), ("--sources", "all")):
            self.refused("closeness", self.graph, *sources, "--seed", "1", says=("--seed is for --sources N",))
        self.refused("closeness", self.graph, "-o", self.path / "scores.txt", says=("-o", ".csv"))
        self.refused("closeness", self.graph, "--memory", "1", code=4, says=("needs", "the limit is"))
        # Few edges between many nodes: what the scores take is beyond the limit, what the matrix takes is not.
        write_coordinates(self.graph, 100000, 100000, [(0, 1, 1.0)])
        self.refused("closeness", self.graph, "--memory", "6MB", code=4, says=("the graph and its scores", "needs"))
        write_coordinates(self.graph, 2, 3, [(0, 0, 1.0)])
        self.refused("closeness", self.graph, code=3, says=("2 x 3", "square"))


CONVENTIONS = [(u, o, s) for u in (False, True) for o in (False, True) for s in ("", "--unscaled", "--harmonic")
               if not (u and o)]


@functools.lru_cache(maxsize=1)  # the conventions of a graph follow each other
def read_graph(path):
    """Of the entries that the file stores; None where it is no square matrix that SciPy reads, or too large a one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows, cols = scipy.io.mminfo(path)[:2]
            if rows != cols or (rows > WHOLE and not LONG):
                return None
            matrix = scipy.io.mmread(path)
    except Exception:
        return None
    if not scipy.sparse.issparse(matrix):
        return None
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(matrix.shape[0]))
    coo = matrix.tocoo()
    graph.add_edges_from((int(i), int(j)) for i, j in zip(coo.row, coo.col) if i != j)
    return graph


def expected(graph, nodes, score):
    """Of the graph along whose edges nodes are reached."""
    if score == "--harmonic":
        return networkx.harmonic_centrality(graph, nbunch=nodes)
    if len(nodes) == len(graph):
        return networkx.closeness_centrality(graph, wf_improved=score != "--unscaled")
    return {v: networkx.closeness_centrality(graph, v, wf_improved=score != "--unscaled") for v in nodes}


def nodes_and_conventions(graph):
    """What of a graph is looked at."""
    n, source = len(graph), len(graph) + graph.size()
    random.seed(n)
    large = n > WHOLE
    nodes = random.sample(range(n), 50) if large else list(range(n))
    if LONG:
        return nodes, CONVENTIONS if source < 3000 else CONVENTIONS[:: 8 if large else 4]
    # NetworkX looks at a million nodes and edges a second: a quarter of it a file.
    nodes = random.sample(nodes, max(1, min(len(nodes), 250000 // max(source, 1))))
    return nodes, random.sample(CONVENTIONS, max(1, min(9, 250000 // max(source * len(nodes), 1))))


def disagreement(path, nodes, convention):
    """What the command and NetworkX do not agree on; empty where they do."""
    undirected, outgoing, score = convention
    options = [*(["--undirected"] if undirected else []), *(["--outgoing"] if outgoing else []), *([score] if score else [])]
    done = subprocess.run([ARAIA, "closeness", path, "--json", *options], capture_output=True, text=True)
    if done.returncode:
        return f"{path.name} {options}: {done.stderr}"
    scores = json.loads(done.stdout)["scores"]
    graph = read_graph(path)
    if len(scores) != len(graph):
        return f"{path.name} {options}: {len(scores)} scores of {len(graph)} nodes"
    along = graph.to_undirected() if undirected else graph.reverse() if outgoing else graph
    for v, value in expected(along, nodes, score).items():
        if not math.isclose(scores[v], value, rel_tol=1e-12, abs_tol=0):
            return f"{path.name} {options}: node {v} has {scores[v]}, NetworkX says {value}"
    return ""


@unittest.skipIf("ARAIA_UNDER_SANITIZERS" in os.environ, "the scores are the same, and take minutes")
@unittest.skipIf(networkx is None, "NetworkX or SciPy is not installed")
class BesideNetworkX(unittest.TestCase):
    def test_every_square_matrix_of_the_data(self):
        if not FOLDER.is_dir():
            self.skipTest(f"no test data in {FOLDER}: set ARAIA_TEST_DATA_DIR")
        files = sorted(p for p in FOLDER.rglob("*") if p.name.endswith((".mtx", ".mtx.gz")) and "invalid" not in p.parts)
        graphs, scores, work = 0, 0, []
        for path in files:
            graph = read_graph(path)
            if graph is None:
                continue
            graphs += 1
            nodes, conventions = nodes_and_conventions(graph)
            scores += len(nodes) * len(conventions)
            work += [((len(graph) + graph.size()) * len(nodes), path, nodes, c) for c in conventions]
        work.sort(key=lambda one: -one[0])  # an hour of one core, if all is looked at: the longest first
        with concurrent.futures.ProcessPoolExecutor(os.cpu_count() if LONG else 1) as pool:
            for answer in pool.map(disagreement, *zip(*(one[1:] for one in work))):
                with self.subTest():
                    self.assertEqual(answer, "")
        if LONG:
            print(f"{scores} scores of {graphs} graphs, {len(work)} runs", flush=True)
        self.assertGreaterEqual(graphs, 40 if LONG else 25)


if __name__ == "__main__":
    unittest.main()
