# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command from outside: exit codes, JSON, results, files that stay whole."""

import gzip
import itertools
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

from command import (ARAIA, araia, araia_json, has_all_types, read_array, write_array, write_coordinates,
                     write_native)

FORMATS = ("csr", "csr+by_length", "coo", "csc", "ell", "ell+by_length", "hyb", "sell", "sell+by_length",
           "sell+diagonals", "sell+narrow", "sell+by_length+diagonals+narrow", "bsr", "bcsc", "bcsc+compact",
           "bcsc+split", "bcsc+compact+split")


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.random = random.Random(5)
        cells = [(i, j) for i in range(13) for j in range(9) if (i * 7 + j * 5) % 4 == 0 or i == 6]
        self.entries = [(i, j, self.random.uniform(-1, 1)) for i, j in cells]
        self.matrix = self.path / "A.mtx"
        write_coordinates(self.matrix, 13, 9, self.entries)

    # ---- usage ----

    def test_help_of_every_subcommand_has_examples_and_exit_codes(self):
        self.assertIn("tune", araia("--help").stdout)
        for command in ("info", "tune", "multiply", "convert", "devices"):
            text = araia(command, "--help").stdout
            self.assertIn("Examples:", text)
            self.assertIn("Exit codes:", text)
        self.assertRegex(araia("--version").stdout, r"^araia \d+\.\d+\.\d+")

    def test_wrong_arguments_exit_with_2(self):
        y = self.path / "Y.mtx"
        for arguments in (
            (),
            ("unknown",),
            ("tune",),
            ("tune", self.matrix, "--op", "spgemm"),
            ("tune", self.matrix, "--columns", "0"),
            ("tune", self.matrix, "--columns", "x"),
            ("tune", self.matrix, "--op", "spmv", "--columns", "4"),
            ("tune", self.matrix, "--budget", "-1"),
            ("tune", self.matrix, "--columns", "4", "--precision", "half"),
            ("tune", self.matrix, "--precision", "tf32"),
            ("tune", self.matrix, "--op", "spmv", "--allow-dense"),
            ("tune", self.matrix, "--format", "dia"),
            ("tune", self.matrix, "--values", "ones"),
            ("info", self.matrix, "--type", "f16"),
            ("multiply", self.matrix),
            ("multiply", self.matrix, "-o", y, "--kernel", "no_such"),
            ("multiply", self.matrix, "-o", y, "--format", "coo", "--kernel", "thread_per_row"),
            ("multiply", self.matrix, "-o", y, "--transpose", "--kernel", "thread_per_row"),
            ("convert", self.matrix, self.path / "B.xyz"),
            ("convert", self.matrix, self.path / "B.mtx", "--format", "sell"),
            ("convert", self.matrix, self.path / "B.mtx", "--type", "f32"),
            ("convert", self.matrix, self.path / "B.araia", "--format", "dia"),
            ("convert", self.path / "missing.mtx", self.path / "B.araia", "--format", "dense"),
            ("devices", "extra"),
        ):
            with self.subTest(arguments=arguments):
                araia(*arguments, code=2)

    def test_unreadable_files_exit_with_3(self):
        bad = self.path / "bad.mtx"
        araia("info", self.path / "missing.mtx", code=3)
        araia("info", self.path, code=3)
        for text in ("", "junk", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n"):
            bad.write_text(text)
            araia("tune", bad, code=3)
        bad.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1,5\n")
        self.assertRegex(araia("tune", bad, code=3).stderr, r"bad\.mtx:3:\d+: ")

    def test_control_characters_of_a_file_are_escaped(self):
        bad = self.path / "bad\x1b[31m.mtx"
        bad.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 \x1b[2J\n")
        self.assertNotIn("\x1b", araia("info", bad, code=3).stderr)

    def test_names_are_shown_as_they_are_where_they_are_printable(self):
        for name, shown in (("\u00e9\\.mtx", "\u00e9\\.mtx"), ("a\n.mtx", "a\\x0a.mtx"),
                            ("\u202e.mtx", "\\xe2\\x80\\xae.mtx")):
            path = self.path / name
            path.write_text(self.matrix.read_text())
            self.assertIn(f"{shown}: 13 x 9", araia("info", path).stdout)
            self.assertEqual(araia_json("info", path)["matrix"]["file"], str(path))
            path.write_text("\x1b")
            line = araia("info", path, code=3).stderr
            self.assertIn(shown, line)
            self.assertIn("'\\x1b'", line)  # escaped once
        raw = os.fsdecode(os.fsencode(self.path) + b"/\xff\xc3\xa9.mtx")
        pathlib.Path(raw).write_text(self.matrix.read_text())
        self.assertEqual(araia_json("info", raw)["matrix"]["file"], f"{self.path}/\\xff\u00e9.mtx")

    def test_device_that_is_not_built_exits_with_4(self):
        names = {device["device"] for device in araia_json("devices")["devices"]}
        for name in {"cuda", "openmp", "serial"} - names:
            araia("tune", self.matrix, "--device", name, code=4)
        for name in names:
            self.assertEqual(araia_json("tune", self.matrix, "--device", name, "--budget", "0.05", "--assume-bandwidth")["device"], name)

    def test_closed_standard_output_is_reported(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [ARAIA, "info", str(self.matrix)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
            )
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"^araia: cannot write to standard output: ")
        out = self.path / "Y.mtx"
        with open("/dev/full", "w") as full:
            done = subprocess.run([ARAIA, "multiply", str(self.matrix), "-o", str(out)], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 4)
        self.assertIn(f"'{out}' is written", done.stderr)
        self.assertEqual(len(read_array(out)), 13)

    # ---- info and devices ----

    def test_info_counts(self):
        report = araia_json("info", self.matrix)
        self.assertEqual(report["matrix"]["stored"], len(self.entries))
        stats = report["stats"]
        self.assertEqual((stats["rows"], stats["cols"], stats["nnz"]), (13, 9, len(self.entries)))
        self.assertEqual(stats["max_length"], 9)
        self.assertEqual(sum(bin["rows"] for bin in stats["length_histogram"]), 13)
        self.assertEqual(report["bytes"]["csr"], 12 * len(self.entries) + 4 * 14)
        self.assertEqual(report["bytes"]["coo"], 16 * len(self.entries))
        self.assertEqual(report["bytes"]["ell"], 13 * 9 * 12 + 13 * 4)
        text = araia("info", self.matrix).stdout
        self.assertIn("13 x 9", text)
        self.assertIn("smallest", text)

    def test_info_counts_every_format(self):
        report = araia_json("info", self.matrix)
        nnz = len(self.entries)
        formats = {line["storage"]: line for line in report["formats"]}
        for name in ("csr", "csr+by_length", "coo", "csc", "ell", "ell+by_length", "hyb", "sell", "sell+by_length",
                     "sell+diagonals", "sell+narrow", "sell+diagonals+narrow", "sell{block_width 2}",
                     "bsr{block_rows 2, block_cols 2}", "bcsc{block_height 64}", "bcsc+compact{block_height 128}"):
            self.assertIn(name, formats)
        for name, line in formats.items():
            with self.subTest(format=name):
                self.assertEqual(report["bytes"][name], line["bytes"])
                self.assertEqual(line["padding"], line["slots"] - nnz)
                self.assertGreaterEqual(line["padding"], 0)
                if line["format"] in ("csr", "coo", "csc", "ell"):
                    self.assertEqual(line["predicted_bytes"], line["bytes"])
        # One block of 13 rows holds every column; with heights that the statistics hold, bcsc is predicted exactly.
        self.assertEqual(formats["bcsc{block_height 64}"]["bytes"], 12 * nnz + 8 * 9 + 4 + 8)
        self.assertEqual(formats["bcsc{block_height 64}"]["predicted_bytes"], 12 * nnz + 8 * 9 + 4 + 8)
        for block in report["blocks"]:
            r, c = block["block_rows"], block["block_cols"]
            blocks = len({(i // r, j // c) for i, j, _ in self.entries})
            self.assertAlmostEqual(block["fill"], blocks * r * c / nnz)
            if r > 1:
                bsr = formats[f"bsr{{block_rows {r}, block_cols {c}}}"]
                self.assertEqual(bsr["slots"], blocks * r * c)
                self.assertEqual(bsr["bytes"], blocks * (8 * r * c + 4) + 4 * (-(-13 // r) + 1))
        for columns in report["block_columns"]:
            height = columns["height"]
            self.assertEqual(columns["columns"], len({(i // height, j) for i, j, _ in self.entries}))
            self.assertAlmostEqual(columns["entries_per_column"], nnz / columns["columns"])
        self.assertEqual(report["smallest"], min(formats, key=lambda name: formats[name]["bytes"]))
        self.assertEqual(report["diagonals"]["count"], len({j - i for i, j, _ in self.entries}))

    def test_info_predicts_only_what_was_looked_for(self):
        n = 640
        band = [(i, i + d) for i in range(n) for d in (-1, 0, 1) if 0 <= i + d < n]
        host = next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")
        for field, known in (("real", True), ("pattern", False)):
            write_coordinates(self.matrix, n, n, [(i, j, *([1.5] if known else [])) for i, j in band], field)
            formats = {line["storage"]: line for line in araia_json("info", self.matrix, "--device", host)["formats"]}
            text = araia("info", self.matrix, "--device", host).stdout
            for name in ("sell+diagonals", "sell+diagonals+narrow"):
                with self.subTest(field=field, format=name):
                    predicted, counted = formats[name]["predicted_bytes"], formats[name]["bytes"]
                    if known:
                        self.assertAlmostEqual(predicted / counted, 1, delta=0.1)
                    else:  # the bytes of a pattern are those of its diagonals, which counting finds
                        self.assertIsNone(predicted)
                    self.assertRegex(text, rf"(?m)^ *{name.replace('+', '[+]')} +{'[0-9]' if known else '- '}")
            self.assertEqual([name for name, line in formats.items() if line["predicted_bytes"] is None],
                             [] if known else ["sell+diagonals", "sell+diagonals+narrow"])
            tune = ("tune", self.matrix, "--device", host, "--budget", "0", "--assume-bandwidth")
            for candidate in araia_json(*tune)["candidates"]:
                shown = known or candidate["bytes_exact"] or "diagonals" not in candidate["format"]
                self.assertEqual(candidate["bytes"] is not None, shown, candidate["format"])

    def test_info_finds_diagonals(self):
        n = 640  # whole slices: fewer rows pad the last one beyond what compact BCSC takes
        band = [(i, i + d, 1.5) for i in range(n) for d in (-1, 0, 1) if 0 <= i + d < n]
        write_coordinates(self.matrix, n, n, band)
        report = araia_json("info", self.matrix)
        self.assertEqual(report["diagonals"], {"count": 3, "entries": len(band)})
        self.assertTrue(report["smallest"].startswith("sell+diagonals"))

    # ---- tune ----

    def test_tune_ranks_verifies_and_explains(self):
        report = araia_json("tune", self.matrix, "--budget", "2")
        self.assertTrue(report["verified"]["ok"])
        self.assertTrue(report["verified"]["whole"])
        timed = [c for c in report["candidates"] if c["status"] == "timed"]
        self.assertGreater(len(timed), 1)
        for candidate in timed:
            self.assertTrue(candidate["verified"]["ok"])
            self.assertGreater(candidate["seconds"], 0)
        self.assertEqual(report["winner"], report["candidates"][0]["choice"])
        text = araia("tune", self.matrix, "--budget", "20").stdout
        for word in ("GFLOP/s", "roof", "winner: ", "conversion: ", "verified: all of the result"):
            self.assertIn(word, text)

    def test_tune_takes_columns_types_and_transposes(self):
        for options in (("--columns", "7"), ("--op", "spmm"), ("--transpose",), ("--type", "f32"),
                        ("--type", "f32_f64", "--columns", "3"), ("--type", "c64"), ("--deterministic",),
                        ("--format", "ell"), ("--format", "sell+diagonals"), ("--format", "bcsc+compact", "--columns", "5")):
            if "--type" in options and not has_all_types():
                araia("tune", self.matrix, *options, code=2)
                continue
            with self.subTest(options=options):
                report = araia_json("tune", self.matrix, "--budget", "0.2", "--assume-bandwidth", *options)
                self.assertTrue(report["verified"]["ok"])
                self.assertEqual(report["op"], "spmm" if "--columns" in options or "--op" in options else "spmv")

    def test_tune_names_precisions(self):
        if not has_all_types():
            return
        host = next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")
        options = ("--columns", "4", "--type", "f32", "--budget", "0.2", "--assume-bandwidth", "--device", host)
        plain = araia_json("tune", self.matrix, *options)
        self.assertEqual(plain["precision"], "native")
        report = araia_json("tune", self.matrix, *options, "--precision", "tf32")
        self.assertEqual(report["precision"], "tf32")
        self.assertTrue(report["verified"]["ok"])
        # A permission that no kernel of a host uses.
        self.assertEqual({c["precision"] for c in report["candidates"]}, {"native"})

    def test_values_of_a_pattern_are_recorded_and_repeat(self):
        layer = self.path / "layer.smtx"
        layer.write_text("2, 3, 3\n0 2 3\n0 2 1\n")
        self.assertEqual(araia_json("info", layer)["matrix"]["values"], "random:1")
        outputs = []
        for seed in ("random:1", "random:1", "random:2", "ones"):
            out = self.path / "Y.mtx"
            araia("multiply", layer, "--values", seed, "-o", out)
            outputs.append(read_array(out))
        self.assertEqual(outputs[0], outputs[1])
        self.assertNotEqual(outputs[0], outputs[2])
        self.assertEqual(outputs[3], [[2.0], [1.0]])
        for wrong in ("random:", "random:x", "random:-1", "twos"):
            araia("info", layer, "--values", wrong, code=2)
        pattern = self.path / "P.mtx"
        write_coordinates(pattern, 2, 2, [(0, 0), (1, 1)], "pattern")
        self.assertEqual(araia_json("info", pattern)["matrix"]["values"], "ones")

    # ---- multiply ----

    def product(self, x, transpose, alpha, beta, initial):
        rows = 9 if transpose else 13
        y = [[beta * initial[i][c] for c in range(len(x[0]))] for i in range(rows)]
        for i, j, a in self.entries:
            to, source = (j, i) if transpose else (i, j)
            for c in range(len(x[0])):
                y[to][c] += alpha * a * x[source][c]
        return y

    def test_multiply_equals_the_reference(self):
        out = self.path / "Y.mtx"
        rhs, initial = self.path / "X.mtx", self.path / "Y0.mtx"
        cases = list(itertools.product(FORMATS, (False, True), (1, 4)))
        for number, (format, transpose, columns) in enumerate(cases):
            alpha, beta = ((1, 0), (2.5, -1), (0, 0.5))[number % 3]
            rows, cols = (9, 13) if transpose else (13, 9)
            x = [[self.random.uniform(-1, 1) for _ in range(columns)] for _ in range(cols)]
            y0 = [[self.random.uniform(-1, 1) for _ in range(columns)] for _ in range(rows)]
            write_array(rhs, x)
            write_array(initial, y0)
            arguments = ["multiply", self.matrix, "--rhs", rhs, "--initial", initial, "--format", format,
                         "--alpha", alpha, "--beta", beta, "-o", out, "--verify"]
            with self.subTest(format=format, transpose=transpose, columns=columns):
                araia(*arguments, *(["--transpose"] if transpose else []))
                expected = self.product(x, transpose, alpha, beta, y0)
                for got, want in zip(itertools.chain(*read_array(out)), itertools.chain(*expected), strict=True):
                    self.assertAlmostEqual(got, want, delta=1e-14)

    def test_every_kernel_that_tune_names_multiplies(self):
        reference = self.path / "reference.mtx"
        araia("multiply", self.matrix, "-o", reference, "--format", "csr")
        out = self.path / "Y.mtx"
        for candidate in araia_json("tune", self.matrix, "--budget", "0", "--assume-bandwidth")["candidates"]:
            arguments = ("multiply", self.matrix, "--format", candidate["format"], "--kernel", candidate["kernel"])
            araia(*arguments, "-o", out)
            for got, want in zip(read_array(out), read_array(reference), strict=True):
                self.assertAlmostEqual(got[0], want[0], delta=1e-14)

    def test_kernels_are_taken_as_tune_prints_them(self):
        text = araia("tune", self.matrix, "--budget", "0", "--assume-bandwidth").stdout
        printed = [line.strip().split(": ")[0] for line in text.splitlines() if line.startswith("   ")]
        self.assertIn("csr/thread_per_row{rows_per_team 128}", printed)
        for kernel in printed:
            done = araia("multiply", self.matrix, "-o", self.path / "Y.mtx", "--kernel", kernel)
            self.assertIn(f" by {kernel}\n", done.stdout)
        kernel = "thread_per_row{rows_per_team 128}"
        done = araia("multiply", self.matrix, "-o", self.path / "Y.mtx", "--kernel", kernel, "--format", "csr")
        self.assertIn(f" by csr/{kernel}\n", done.stdout)

    def test_fill_that_is_multiplied_is_warned_of(self):
        write_coordinates(self.matrix, 4, 4, [(0, 0, 1.0), (1, 1, 1.0), (3, 2, 1.0)])
        rhs = self.path / "X.mtx"
        arguments = ("multiply", self.matrix, "--rhs", rhs, "-o", self.path / "Y.mtx", "--format")
        for value, format, warned in ((float("nan"), "bsr", True), (float("inf"), "bsr", True), (2.0, "bsr", False),
                                      (float("nan"), "csr", False), (float("inf"), "sell", False)):
            write_array(rhs, [[value], [1.0], [1.0], [1.0]])
            with self.subTest(value=value, format=format):
                self.assertEqual("warning: X has" in araia(*arguments, format).stderr, warned)

    def test_shapes_that_do_not_fit_exit_with_3(self):
        rhs = self.path / "X.mtx"
        write_array(rhs, [[1.0]] * 8)
        araia("multiply", self.matrix, "--rhs", rhs, "-o", self.path / "Y.mtx", code=3)
        self.assertFalse((self.path / "Y.mtx").exists())

    def test_conjugate_transpose_conjugates(self):
        if not has_all_types():
            self.skipTest("complex matrices are not in this build")
        write_coordinates(self.matrix, 1, 1, [(0, 0, 1.0, 2.0)], "complex")
        out = self.path / "Y.mtx"
        araia("multiply", self.matrix, "--conjugate-transpose", "-o", out)
        self.assertEqual(read_array(out), [[1 - 2j]])
        araia("multiply", self.matrix, "--transpose", "-o", out)
        self.assertEqual(read_array(out), [[1 + 2j]])
        araia("tune", self.matrix, "--type", "f64", code=2)

    # ---- files ----

    def test_open_descriptors_take_outputs_and_the_report_goes_elsewhere(self):
        expected, coordinates = self.path / "expected.mtx", self.path / "coordinates.mtx"
        araia("multiply", self.matrix, "-o", expected)
        araia("convert", self.matrix, coordinates)
        for arguments, content in ((("multiply", self.matrix, "-o"), expected), (("convert", self.matrix), coordinates)):
            done = araia(*arguments, "/dev/stdout")
            self.assertEqual(done.stdout, content.read_text())
            self.assertIn("written to /dev/stdout", done.stderr)
            log = self.path / "log"
            log.write_text("before\n")
            with open(log, "a") as standard:  # a file, which is neither replaced nor begun again
                subprocess.run([ARAIA, *map(str, arguments), "/dev/stdout"], stdout=standard, stderr=subprocess.DEVNULL,
                               timeout=60, check=True)
            self.assertEqual(log.read_text(), "before\n" + content.read_text())
            with open(log, "w") as other:
                done = araia(*arguments, f"/dev/fd/{other.fileno()}", pass_fds=(other.fileno(),))
            self.assertEqual(log.read_text(), content.read_text())
            self.assertIn("written to /dev/fd/", done.stdout)
            fifo = self.path / "fifo"
            os.mkfifo(fifo)
            with subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE, text=True) as reader:
                araia(*arguments, fifo)
                self.assertEqual(reader.communicate(timeout=60)[0], content.read_text())
            fifo.unlink()
        self.assertEqual([path.name for path in self.path.glob(".araia-*")], [])

    def test_native_files_are_known_by_their_content(self):
        native, expected = self.path / "A.araia", araia_json("info", self.matrix)["stats"]
        araia("convert", self.matrix, native, "--format", "sell")
        for name in ("wrong.mtx", "data", "data.smtx"):
            path = self.path / name
            for content in (native.read_bytes(), gzip.compress(native.read_bytes())):
                path.write_bytes(content)
                self.assertEqual(araia_json("info", path)["stats"], expected)
                araia("multiply", path, "-o", self.path / "Y.mtx")
                araia("convert", path, self.path / "B.mtx")
        with open(native, "rb") as piped:
            self.assertEqual(araia_json("info", "/dev/stdin", stdin=piped)["stats"], expected)
        piped = subprocess.run([ARAIA, "convert", str(self.matrix), "/dev/stdout", "--format", "sell"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=True).stdout
        self.assertEqual(piped, native.read_bytes())
        text = self.path / "text.araia"
        text.write_text(self.matrix.read_text())
        self.assertEqual(araia_json("info", text)["stats"], expected)

    def test_convert_reports_what_it_wrote(self):
        native = self.path / "A.araia"
        report = araia_json("convert", self.matrix, native, "--format", "ell")
        self.assertEqual((report["format"], report["type"], report["entries"]), ("ell", "f64", len(self.entries)))
        self.assertEqual(report["bytes"], 13 * 9 * 12 + 13 * 4)
        self.assertEqual(report["file_bytes"], native.stat().st_size)
        self.assertIn(f"{native.stat().st_size} bytes", araia("convert", self.matrix, native, "--format", "ell").stdout)
        text = self.path / "A.mtx.gz"
        report = araia_json("convert", self.matrix, text)
        self.assertEqual((report["format"], report["entries"]), ("matrix_market", len(self.entries)))
        self.assertEqual(report["file_bytes"], text.stat().st_size)

    def test_numbers_that_change_are_warned_of(self):
        native, text = self.path / "A.araia", self.path / "B.mtx"
        most = 2**53
        write_coordinates(self.matrix, 2, 2, [(0, 0, most), (0, 1, -(most + 2)), (1, 1, 2**62)], "integer")
        for arguments in (("convert", self.matrix, native), ("multiply", self.matrix, "-o", text)):
            self.assertEqual(araia(*arguments).stderr, "")
        write_coordinates(self.matrix, 2, 2, [(0, 0, 1), (1, 0, -(most + 1)), (1, 1, 2**63 - 1)], "integer")
        for arguments in (("convert", self.matrix, native), ("multiply", self.matrix, "-o", text), ("info", self.matrix)):
            said = araia(*arguments).stderr
            for word in ("warning", "A.mtx", "2 integers", "f64", f"{-(most + 1)}", "(2, 1)"):
                self.assertIn(word, said)
        self.assertEqual(araia("convert", self.matrix, text).stderr, "")  # text keeps them
        self.assertIn(str(-(most + 1)), text.read_text())
        if has_all_types():
            write_coordinates(self.matrix, 2, 2, [(0, 0, 1e-45), (1, 0, 1e-50)])
            self.assertIn("A.mtx: 1 value turned into 0 by f32, the first 1e-50 at (2, 1)",
                          araia("convert", self.matrix, native, "--type", "f32").stderr)

    def test_failed_output_leaves_the_old_file_and_no_other(self):
        out = self.path / "Y.mtx"
        out.write_text("old")
        before = sorted(p.name for p in self.path.iterdir())
        bad = self.path / "missing.mtx"
        araia("multiply", bad, "-o", out, code=3)
        araia("convert", bad, out, code=3)
        araia("multiply", self.matrix, "--kernel", "no_such", "-o", out, code=2)
        self.assertEqual(out.read_text(), "old")
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), before)
        araia("multiply", self.matrix, "-o", self.path / "no" / "such" / "Y.mtx", code=4)
        araia("multiply", self.matrix, "-o", self.path, code=2)

    def test_convert_keeps_every_entry(self):
        plain, packed = self.path / "B.mtx", self.path / "B.mtx.gz"
        araia("convert", self.matrix, plain)
        araia("convert", self.matrix, packed)
        self.assertEqual(gzip.decompress(packed.read_bytes()), plain.read_bytes())
        lines = plain.read_text().splitlines()
        body = [line.split() for line in lines if not line.startswith("%")][1:]
        self.assertEqual([(int(i) - 1, int(j) - 1, float(v)) for i, j, v in body], self.entries)
        self.assertEqual(araia_json("convert", plain, self.path / "C.mtx")["matrix"]["stored"], len(self.entries))


    def test_native_files_of_every_format_hold_the_matrix(self):
        expected, got = self.path / "expected.mtx", self.path / "got.mtx"
        araia("convert", self.matrix, self.path / "csr.araia")
        araia("convert", self.path / "csr.araia", expected)
        for name in ("coo", "csr", "csc", "ell", "hyb", "sell", "sell+by_length+diagonals+narrow",
                     "bsr", "bcsc", "bcsc+compact", "bcsc+compact+split"):
            for ending in (".araia", ".araia.gz"):
                native = self.path / (name + ending)
                self.assertIn(name, araia("convert", self.matrix, native, "--format", name).stdout)
                araia("convert", native, got)
                self.assertEqual(got.read_text(), expected.read_text(), native.name)
            self.assertEqual(araia_json("info", native)["stats"]["nnz"], len(self.entries))
        x, y, z = self.path / "X.mtx", self.path / "Y.mtx", self.path / "Z.mtx"
        write_array(x, [[self.random.uniform(-1, 1)] for _ in range(9)])
        araia("multiply", self.matrix, "--rhs", x, "-o", y, "--format", "csr")
        araia("multiply", self.path / "sell.araia", "--rhs", x, "-o", z, "--format", "csr")
        self.assertEqual(y.read_text(), z.read_text())

    def test_native_files_keep_patterns_and_types(self):
        pattern = self.path / "P.mtx"
        pattern.write_text("%%MatrixMarket matrix coordinate pattern general\n3 4 2\n1 2\n3 4\n")
        for name in ("csr", "bsr", "bcsc"):
            native = self.path / "P.araia"
            araia("convert", pattern, native, "--format", name)
            self.assertEqual(araia_json("info", native)["matrix"]["field"], "pattern")
        if has_all_types():
            native, back = self.path / "F.araia", self.path / "F.mtx"
            araia("convert", self.matrix, native, "--type", "f32", "--format", "ell")
            araia("convert", native, back)
            self.assertEqual(araia_json("info", native, "--type", "f32")["stats"]["nnz"], len(self.entries))
            pairs = self.path / "D.mtx"  # sums in double are rounded once: 1 + 2^-24 + 2^-50 is not 1 in f32
            write_coordinates(pairs, 2, 2, [(0, 0, 1.0), (0, 0, 2.0**-24), (0, 0, 2.0**-50), (1, 1, 0.1)])
            for name in ("csr", "coo", "ell", "sell", "bsr", "bcsc"):
                araia("convert", pairs, native, "--type", "f32", "--format", name)
                araia("convert", native, back)
                values = [float(line.split()[2]) for line in back.read_text().splitlines()[2:]]
                self.assertEqual(values, [1 + 2.0**-23, 0.10000000149011612], name)
                araia("convert", pattern, native, "--type", "f32", "--format", name)
                self.assertEqual(araia_json("info", native, "--type", "f32")["matrix"]["field"], "pattern", name)

    def test_native_files_are_taken_in_their_own_type(self):
        native, out, text = self.path / "F.araia", self.path / "G.araia", self.path / "Y.mtx"
        tenth = 0.100000001490116119384765625  # of float
        tune = ("tune", native, "--columns", "4", "--budget", "0.05", "--assume-bandwidth")
        commands = (("info", native), tune, ("multiply", native, "-o", text), ("convert", native, out, "--format", "ell"))
        for scalar, value, own in (("float16", 0.5, "f32"), ("float32", 0.1, "f32"), ("float64", 0.1, "f64")):
            write_native(native, 2, 2, [(0, 0, value), (1, 0, 2.0), (1, 1, 3.0)], scalar)
            own = own if has_all_types() else "f64"
            for arguments in commands:
                with self.subTest(scalar=scalar, command=arguments[0]):
                    self.assertEqual(araia_json(*arguments)["type"], own)
                    if has_all_types():  # what is asked for goes before
                        self.assertEqual(araia_json(*arguments, "--type", "f64")["type"], "f64")
                        self.assertEqual(araia_json(*arguments, "--type", "c64")["type"], "c64")
            if scalar == "float32":
                y = read_array(self.product_in(native, text))[0][0]
                self.assertEqual(y, (tenth + 1.0) if own == "f64" else 1.10000002384185791015625)
        if has_all_types():
            for scalar in ("f32", "f64", "c64"):  # of files without values and without entries too
                for entries in ("1 1\n2 2\n", ""):
                    pattern = self.path / "P.mtx"
                    pattern.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                                       f"2 2 {entries.count(chr(10))}\n{entries}")
                    araia("convert", pattern, native, "--type", scalar)
                    self.assertEqual(araia_json("info", native)["type"], scalar, entries)
            write_native(native, 2, 2, [(0, 0, 0.1), (1, 1, 3.0)])
            araia("convert", native, out, "--format", "sell")  # and what was converted keeps it
            self.assertEqual(araia_json("info", out)["type"], "f32")
            self.assertIn("in f32 on", araia(*tune).stdout)
            host = next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")
            report = araia_json(*tune, "--precision", "tf32", "--device", host)
            self.assertEqual((report["type"], report["precision"]), ("f32", "tf32"))

    def product_in(self, matrix, out):
        """A x + y0 of ones."""
        ones = self.path / "ones.mtx"
        write_array(ones, [[1.0], [1.0]])
        araia("multiply", matrix, "--beta", "1", "--initial", ones, "-o", out)
        return out

    def test_native_files_that_were_changed_are_refused(self):
        native, out = self.path / "A.araia", self.path / "B.mtx"
        araia("convert", self.matrix, native)
        good = native.read_bytes()
        for bad in (good[:-1], good + b"x", good[:200] + b"?" + good[201:], b"", b"ARAIA"):
            native.write_bytes(bad)
            self.assertIn("A.araia", araia("convert", native, out, code=3).stderr)
            self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
