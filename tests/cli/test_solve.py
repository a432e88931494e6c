# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""araia solve of matrices and of water networks: what it prints and writes, how it ends, what it refuses."""

import csv
import gzip
import io
import os
import pathlib
import subprocess
import unittest

from command import ARAIA, RefusalTest, araia, araia_json, read_array, write_array, write_coordinates

FOLDER = pathlib.Path(os.environ["ARAIA_TEST_DATA_DIR"]) / "epanet"
NETWORK = """[JUNCTIONS]
A 10 1
B,"b 20 0.5
C 30
[RESERVOIRS]
R 100
[PIPES]
p R A 1000 12 100
q A B,"b 1000 12 100
r A C 1000 12 100 CLOSED
[OPTIONS]
UNITS CFS
"""


def loss(flow):
    """Of 1000 ft of 12 in with C = 100, ft."""
    return 4.727 * 1000 / 100**1.852 * flow**1.852


class SolveMatrix(RefusalTest):
    def setUp(self):
        super().setUp()
        self.n = 40
        self.spd = self.path / "spd.mtx"
        entries = [(i, j, 3.0 if i == j else -1.0)
                   for i in range(self.n) for j in (i - 1, i, i + 1) if 0 <= j < self.n]
        write_coordinates(self.spd, self.n, self.n, entries)

    def times(self, x):
        return [3 * x[i] - (x[i - 1] if i else 0) - (x[i + 1] if i + 1 < self.n else 0) for i in range(self.n)]

    def test_the_default_right_hand_side_has_the_solution_ones(self):
        out = self.path / "x.mtx"
        text = araia("solve", self.spd, "-o", out).stdout
        self.assertRegex(text, r"converged in \d+ iterations.*b is A times ones; x written to ")
        for (value,) in read_array(out):
            self.assertAlmostEqual(value, 1, delta=1e-9)
        self.assertNotIn("written", araia("solve", self.spd).stdout)

    def test_a_right_hand_side_tolerance_format_and_preconditioner(self):
        x = [((7 * i) % 11) / 11 for i in range(self.n)]
        rhs, out = self.path / "b.mtx", self.path / "x.mtx.gz"
        write_array(rhs, [[value] for value in self.times(x)])
        for options in ((), ("--format", "ell"), ("--format", "csr"), ("--precondition", "none"),
                        ("--precondition", "jacobi")):
            report = araia_json("solve", self.spd, "--rhs", rhs, "--tolerance", "1e-13", "-o", out, *options)
            self.assertEqual(report["status"], "converged")
            self.assertEqual(report["rhs"], str(rhs))
            self.assertLessEqual(report["relative_residual"], 1e-13)
            self.assertLessEqual(report["backward_error"], 1e-13)
            self.assertTrue(report["product"].startswith(options[1] if "--format" in options else ""))
            for i, line in enumerate(gzip.open(out, "rt").read().splitlines()[2:]):
                self.assertAlmostEqual(float(line), x[i], delta=1e-12)

    def test_what_is_not_reached_ends_with_1(self):
        report = araia_json("solve", self.spd, "--max-iterations", "2", code=1)
        self.assertEqual((report["status"], report["iterations"]), ("limit", 2))
        out = self.path / "x.mtx"
        self.assertIn("limit", araia("solve", self.spd, "--max-iterations", "2", "-o", out, code=1).stdout)
        self.assertEqual(len(read_array(out)), self.n)
        write_coordinates(self.spd, 2, 2, [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 1.0)])
        rhs = self.path / "b.mtx"
        write_array(rhs, [[1.0], [-2.0]])
        self.assertEqual(araia_json("solve", self.spd, "--rhs", rhs, code=1)["status"], "indefinite")
        write_array(rhs, [[1.0], [float("inf")]])
        report = araia_json("solve", self.spd, "--rhs", rhs, code=1)
        self.assertEqual((report["status"], report["residual"]), ("breakdown", None))

    def test_bad_input_exits_with_3(self):
        bad = self.path / "bad.mtx"
        write_coordinates(bad, 2, 3, [(0, 0, 1.0)])
        self.refused("solve", bad, code=3, says=("2 x 3", "square"))
        write_coordinates(bad, 2, 2, [(0, 0, 1.0), (0, 1, 0.5), (1, 1, 1.0)])
        self.refused("solve", bad, code=3, says=("not symmetric", "A(1, 2) is 0.5", "A(2, 1) is 0"))
        bad.write_text("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n")
        self.refused("solve", bad, code=3, says=("complex", "real"))
        write_array(bad, [[1.0, 2.0]] * self.n)
        self.refused("solve", self.spd, "--rhs", bad, code=3, says=("--rhs", "40 x 2", "40 x 1"))
        self.refused("solve", self.path / "missing.mtx", code=3, says=("missing.mtx",))

    def test_wrong_usage_exits_with_2(self):
        for option in (("--tolerance", "0"), ("--tolerance", "2"), ("--tolerance", "x"), ("--max-iterations", "0"),
                       ("--precondition", "ilu"), ("--format", "magic"), ("-o", "x.txt"), ("--device", "magic")):
            self.refused("solve", self.spd, *option, says=(option[0],))
        self.refused("solve", self.spd, "-o", self.spd, says=("-o", "FILE"))


class Solve(RefusalTest):
    def setUp(self):
        super().setUp()
        self.network = self.path / "net.inp"
        self.network.write_text(NETWORK)
        self.heads = {"A": 100 - loss(1.5), 'B,"b': 100 - loss(1.5) - loss(0.5)}

    def methods(self):
        """Those of the build: direct is there where Eigen was found."""
        direct = [ARAIA, "solve", str(self.network), "--method", "direct"]
        done = subprocess.run(direct, capture_output=True, text=True, timeout=120)
        return ("cg",) if "Eigen was not found" in done.stderr else ("cg", "direct")

    def test_json_has_heads_and_flows(self):
        for method in self.methods():
            report = araia_json("solve", self.network, "--method", method)
            self.assertEqual(report["status"], "converged")
            self.assertEqual(report["method"], method)
            self.assertEqual(report["units"], {"length": "ft", "flow": "CFS", "pressure": "psi"})
            self.assertLessEqual(report["mass_balance"], 1e-8)
            self.assertLessEqual(report["flow_change"], 1e-8)
            junctions = {node["id"]: node for node in report["junctions"]}
            self.assertEqual(list(junctions), ["A", 'B,"b', "C"])
            for name, head in self.heads.items():
                self.assertAlmostEqual(junctions[name]["head"], head, delta=1e-6)
                self.assertTrue(junctions[name]["connected"])
            self.assertAlmostEqual(junctions["A"]["pressure"], (self.heads["A"] - 10) * 0.4333, delta=1e-6)
            self.assertFalse(junctions["C"]["connected"])
            links = {link["id"]: link for link in report["links"]}
            self.assertAlmostEqual(links["p"]["flow"], 1.5, delta=1e-8)
            self.assertEqual((links["p"]["status"], links["r"]["status"], links["r"]["flow"]), ("open", "closed", 0))

    def test_text_names_the_lowest_and_highest_pressure(self):
        text = araia("solve", self.network).stdout
        self.assertIn("converged in", text)
        self.assertRegex(text, r"lowest pressure \d+\.\d\d psi \(head \d+\.\d\d ft\) at B,\"b\n")
        self.assertRegex(text, r"highest pressure .* at A\n")

    def test_heads_are_written_as_csv(self):
        for name, opened in (("h.csv", open), ("h.csv.gz", gzip.open)):
            out = self.path / name
            text = araia("solve", self.network, "-o", out).stdout
            self.assertIn(f"written to {out}", text)
            with opened(out, "rt") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows[0], ["node", "head", "pressure"])
            self.assertEqual([row[0] for row in rows[1:]], ["A", 'B,"b', "C", "R"])
            self.assertAlmostEqual(float(rows[2][1]), self.heads['B,"b'], delta=1e-6)
            self.assertEqual(float(rows[4][1]), 100)
        done = araia("solve", self.network, "-o", "/dev/stdout")
        self.assertEqual(len(list(csv.reader(io.StringIO(done.stdout)))), 5)
        self.assertIn("converged", done.stderr)

    def test_a_network_that_is_not_balanced_ends_with_1_and_what_was_reached(self):
        self.network.write_text(NETWORK.replace("C 30", "C 30 0.25"))
        done = araia("solve", self.network, "-o", self.path / "h.csv", code=1)
        self.assertIn("isolated", done.stdout)
        self.assertIn("node 'C' has a demand", done.stderr)
        self.assertIn("C,", (self.path / "h.csv").read_text())
        report = araia_json("solve", self.network, code=1)
        self.assertEqual(report["status"], "isolated")
        self.assertIn("node 'C'", report["message"])

    def test_negative_pressures_are_warned_of(self):
        self.network.write_text(NETWORK.replace("A 10 1", "A 300 1"))
        self.assertIn("below 0 at 1 junctions with a demand, lowest at 'A'", araia("solve", self.network).stderr)

    def test_networks_are_known_by_their_names(self):
        for name in ("NET.INP", "net.inp.gz", "Net.Inp.GZ"):
            path = self.path / name
            data = NETWORK.encode()
            path.write_bytes(gzip.compress(data) if name.lower().endswith("gz") else data)
            self.assertEqual(araia_json("solve", path)["status"], "converged")

    def test_bad_input_exits_with_3_and_the_place(self):
        bad = self.path / "bad.inp"
        bad.write_text("[JUNCTIONS]\nA x\n")
        self.refused("solve", bad, code=3, says=("bad.inp:2:3:", "'x'", "a finite number"))
        bad.write_text("<html>\n")
        self.refused("solve", bad, code=3, says=("web page",))
        bad.write_text(NETWORK + "DEMAND MODEL PDA\n")
        self.refused("solve", bad, code=3, says=("bad.inp:13:14:", "PDA"))
        bad.write_text(NETWORK + "[PUMPS]\nu R A HEAD c\n[CURVES]\nc 0 10\n")
        self.refused("solve", bad, code=3, says=("bad.inp:14:", "pump 'u'"))
        self.refused("solve", self.path / "missing.inp", code=3, says=("missing.inp",))
        self.refused("solve", self.network, "--memory", "1kB", code=4, says=("net.inp:", "limit"))

    def test_wrong_usage_exits_with_2(self):
        for option in (("--rhs", self.matrix), ("--tolerance", "1e-8"), ("--precondition", "none"),
                       ("--format", "csr"), ("--max-iterations", "5"), ("--device", "serial"), ("--kind", "mtx")):
            self.refused("solve", self.network, *option, says=(option[0], "is for matrices", "net.inp"))
        self.refused("solve", self.matrix, "--method", "cg", says=("--method", "water networks"))
        self.refused("solve", self.network, "--method", "magic", says=("--method", "magic"))
        self.refused("solve", self.network, "-o", self.path / "h.txt", says=("-o", "NAME.csv"))
        self.refused("solve", self.network, "-o", "/dev/stdout", "--json", says=("--json", "-o"))
        self.refused("solve", self.network, "--tolerance", "0", says=("--tolerance", "above 0"))

    def test_networks_of_others_converge(self):
        if not FOLDER.is_dir():
            self.skipTest(f"no networks in {FOLDER}: set ARAIA_TEST_DATA_DIR")
        files = sorted(FOLDER.glob("*.inp*"))
        self.assertGreaterEqual(len(files), 11)
        for path in files:
            with self.subTest(path=path.name):
                report = araia_json("solve", path)
                self.assertEqual(report["status"], "converged")
                self.assertEqual(len(report["junctions"]), report["network"]["junctions"])


if __name__ == "__main__":
    unittest.main()
