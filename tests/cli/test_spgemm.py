# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""araia spgemm: products by hand and by every kernel, refusals, files."""

import unittest

from command import CommandTest, araia, araia_json, has_all_types, host_device, write_coordinates

KERNELS = ("automatic", "row_bins", "dense_window", "hash", "expand_sort_merge", "outer_product", "csr/hash")


def read_coordinates(path):
    """Shape and a dictionary of entries, which must be in order and each there once."""
    lines = path.read_text().splitlines()
    banner = lines[0].split()
    lines = [line for line in lines if not line.startswith("%")]
    rows, cols, stored = map(int, lines[0].split())
    entries = [line.split() for line in lines[1:]]
    places = [(int(entry[0]) - 1, int(entry[1]) - 1) for entry in entries]
    assert places == sorted(set(places)) and len(places) == stored and banner[4] == "general", path.read_text()
    return (rows, cols), {place: tuple(map(float, entry[2:])) for place, entry in zip(places, entries)}


class Spgemm(CommandTest):
    def setUp(self):
        super().setUp()
        self.a, self.b, self.c = (self.path / name for name in ("left.mtx", "right.mtx", "C.mtx"))
        write_coordinates(self.a, 2, 3, [(0, 0, 1), (0, 2, 2), (1, 1, 7), (1, 2, 1)])
        write_coordinates(self.b, 3, 2, [(0, 1, 4), (1, 0, 5), (2, 1, -2), (2, 0, 1)])

    def test_product_of_two_files_by_every_kernel(self):
        for kernel in KERNELS:
            with self.subTest(kernel=kernel):
                report = araia_json("spgemm", self.a, self.b, "--kernel", kernel, "-o", self.c,
                                    "--device", host_device())
                shape, entries = read_coordinates(self.c)
                self.assertEqual(shape, (2, 2))
                self.assertEqual(entries, {(0, 0): (2,), (0, 1): (0,), (1, 0): (36,), (1, 1): (-2,)})
                self.assertEqual((report["nnz"], report["products"], report["compression"]), (4, 6, 1.5))
                self.assertEqual(report["peak_bytes"], report["bytes"] + report["workspace_bytes"])
                self.assertTrue(report["verified"]["ok"] and report["verified"]["whole"])
                named = kernel.removeprefix("csr/")
                self.assertEqual(report["kernel"], "row_bins" if kernel == "automatic" else named)
                self.assertEqual(report["winner"]["kernel"], report["kernel"])
                self.assertFalse(report["measured"])

    def test_products_with_the_transpose(self):
        araia("spgemm", self.a, "--aat", "-o", self.c)
        self.assertEqual(read_coordinates(self.c), ((2, 2), {(0, 0): (5,), (0, 1): (2,), (1, 0): (2,), (1, 1): (50,)}))
        araia("spgemm", self.a, "--ata", "--pattern", "-o", self.c)
        shape, entries = read_coordinates(self.c)
        self.assertEqual(shape, (3, 3))
        self.assertEqual(entries, {place: () for place in ((0, 0), (0, 2), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))})

    def test_native_output_and_no_output(self):
        native = self.path / "C.araia"
        araia("spgemm", self.matrix, "--aat", "-o", native)
        araia("convert", native, self.c)
        text = self.path / "text.mtx"
        said = araia("spgemm", self.matrix, "--aat", "-o", text).stdout
        self.assertEqual(read_coordinates(self.c), read_coordinates(text))
        self.assertIn("kernel row_bins" if host_device() == araia_json("spgemm", self.matrix, "--aat")["device"] else "kernel",
                      said)
        for part in ("entries", "products", "workspace", "would have taken", "rows verified"):
            self.assertIn(part, said)

    def test_kernels_are_listed_timed_and_explained(self):
        listed = araia_json("spgemm", self.matrix, "--aat", "--device", host_device())
        kernels = {candidate["kernel"] for candidate in listed["candidates"]}
        self.assertEqual(kernels, set(KERNELS[1:-1]))
        self.assertTrue(all(candidate["modelled_seconds"] > 0 for candidate in listed["candidates"]))
        said = araia("spgemm", self.matrix, "--aat", "--explain", "--device", host_device()).stdout
        for part in ("SpGEMM of", "chosen: csr/row_bins", *(f"csr/{kernel}" for kernel in KERNELS[2:-1])):
            self.assertIn(part, said)
        report = araia_json("spgemm", self.matrix, "--aat", "--budget", 20, "-o", self.c, "--device", host_device())
        timed = [candidate for candidate in report["candidates"] if candidate["status"] == "timed"]
        self.assertTrue(report["measured"] and timed, report["remark"])
        self.assertTrue(all(candidate["verified"]["ok"] for candidate in timed))
        self.assertEqual(report["winner"], report["candidates"][0]["choice"])
        self.assertEqual((report["symbolic_seconds"], report["numeric_seconds"]),
                         (report["candidates"][0]["conversion_seconds"], report["candidates"][0]["seconds"]))
        entries = read_coordinates(self.c)
        araia("spgemm", self.matrix, "--aat", "-o", self.c)
        self.assertEqual(read_coordinates(self.c)[0], entries[0])
        self.assertEqual(read_coordinates(self.c)[1].keys(), entries[1].keys())
        self.assertLessEqual(report["racing_seconds"], report["planning_seconds"])
        said = araia("spgemm", self.matrix, "--aat", "--budget", 20, "--kernel", "hash").stdout
        for part in ("kernel hash", "winner: csr/hash"):
            self.assertIn(part, said)

    def test_unsorted_and_types(self):
        for type in ("f64", "f32", "c64") if has_all_types() else ("f64",):
            report = araia_json("spgemm", self.matrix, "--aat", "--unsorted", "--type", type)
            self.assertEqual(report["type"], type)
            self.assertTrue(report["verified"]["ok"])

    def test_refusals(self):
        said = araia("spgemm", self.a, code=3).stderr
        self.assertIn("2 x 3", said)
        said = araia("spgemm", self.a, self.a, code=3).stderr
        self.assertIn("expected as many rows of op(B) as columns of op(A)", said)
        araia("spgemm", self.a, self.b, "--aat", code=2)
        araia("spgemm", self.a, "--aat", "--ata", code=2)
        self.assertIn("--explain excludes --json", araia("spgemm", self.a, "--aat", "--explain", "--json", code=2).stderr)
        said = araia("spgemm", self.a, self.b, "--kernel", "fast", code=2).stderr
        self.assertIn("--kernel is 'fast'", said)
        for kernel in KERNELS[1:-1]:
            self.assertIn(kernel, said)
        said = araia("spgemm", self.a, self.b, "--kernel", "hash{team_size 3}", code=2).stderr
        self.assertIn("does not read team_size", said)
        araia("spgemm", self.a, self.b, "--budget", -1, code=2)
        araia("spgemm", self.a, self.b, "-o", self.path / "C.txt", code=2)
        araia("spgemm", self.a, self.b, "-o", self.b, code=2)
        araia("spgemm", self.a, self.path / "missing.mtx", code=3)

    def test_memory(self):
        # A dense column times a dense row: few entries, and a million of C.
        tall, flat = self.path / "tall.mtx", self.path / "flat.mtx"
        write_coordinates(tall, 1000, 1, [(i, 0, 1) for i in range(1000)])
        write_coordinates(flat, 1, 1000, [(0, i, 1) for i in range(1000)])
        said = araia("spgemm", tall, flat, "--memory", "2MB", "--device", host_device(), code=4).stderr
        for part in ("tall.mtx: with --memory 2000000: ", "C and the workspace"):
            self.assertIn(part, said)
        self.assertNotIn("araia::", said)
        araia("spgemm", tall, flat, "--memory", "100MB")


if __name__ == "__main__":
    unittest.main()
