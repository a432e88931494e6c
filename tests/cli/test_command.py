# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command from outside: usage, exit codes, what it says of a matrix."""

import os
import pathlib
import re
import subprocess
import unittest

from command import ARAIA, CommandTest, araia, araia_json, host_device, read_array, write_coordinates


class Command(CommandTest):
    # ---- usage ----

    def test_help_of_every_subcommand_has_examples_and_exit_codes(self):
        self.assertIn("tune", araia("--help").stdout)
        for command in ("info", "tune", "multiply", "spgemm", "sddmm", "convert", "generate", "solve", "eig", "devices"):
            text = araia(command, "--help").stdout
            self.assertIn(f"Usage: araia {command} [OPTIONS]", text)
            self.assertIn("Examples:", text)
            self.assertIn("Exit codes:", text)
        self.assertRegex(araia("--version").stdout, r"^araia \d+\.\d+\.\d+")

    def test_help_offers_what_is_in_the_build(self):
        build = araia_json("devices")
        devices = [device["device"] for device in build["devices"]]
        for command in ("info", "tune", "multiply", "spgemm", "convert"):
            text = araia(command, "--help").stdout
            types = ["f64", "f32", "f32_f64", "c64"] if build["types"] == "full" else ["f64"]
            if command in ("spgemm", "convert") and build["types"] == "full":
                types.remove("f32_f64")
            self.assertEqual(re.search(r"--type TEXT:{([^}]*)}", text)[1].split(","), types)
            if command != "convert":
                self.assertEqual(re.search(r"--device TEXT:{([^}]*)}", text)[1].split(","), devices)
            for name in re.findall(r"--type (f32|c64)", text):
                self.assertIn(name, types)
            for name in re.findall(r"--device (\w+)", text):
                self.assertIn(name, (*devices, "TEXT"))

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

    def test_files_that_may_not_be_read_exit_with_3(self):
        loop, out = self.path / "loop.mtx", self.path / "Y.mtx"
        loop.symlink_to("loop.mtx")
        self.assertIn("loop.mtx: cannot open: Too many", araia("info", loop, code=3).stderr)
        self.matrix.chmod(0)
        self.path.chmod(0o777)
        anyone = {"user": 65534} if os.geteuid() == 0 else {}  # whom permissions do not bind
        if anyone and not all(folder.stat().st_mode & 1 for folder in pathlib.Path(ARAIA).resolve().parents):
            self.skipTest("no other user reaches the command")
        other = self.path / "X.mtx"
        write_coordinates(other, 13, 13, [])
        other.chmod(0o644)
        for arguments in (("info", self.matrix), ("tune", self.matrix), ("multiply", self.matrix, "-o", out),
                          ("multiply", other, "--rhs", self.matrix, "-o", out), ("convert", self.matrix, out)):
            self.assertIn("A.mtx: cannot open: Permission denied", araia(*arguments, code=3, **anyone).stderr)

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
        host = host_device()
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


if __name__ == "__main__":
    unittest.main()
