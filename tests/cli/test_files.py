# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that `araia` reads and writes: native ones, descriptors, those that stay whole."""

import gzip
import os
import subprocess
import unittest

from command import (ARAIA, FORMATS, CommandTest, araia, araia_json, has_all_types, host_device,
                     read_array, write_array, write_coordinates, write_native)


class Files(CommandTest):
    def test_files_that_depart_from_their_standard_are_warned_of(self):
        matrix, out = self.path / "P.mtx", self.path / "Y.mtx"
        matrix.write_text("%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1 5\n2 2 6\n")
        commands = (("info", matrix), ("tune", matrix, "--budget", "0", "--assume-bandwidth"),
                    ("multiply", matrix, "-o", out), ("convert", matrix, self.path / "B.mtx"))
        for arguments in commands:
            with self.subTest(command=arguments[0]):
                said = araia(*arguments).stderr.splitlines()
                self.assertEqual(len(said), 2, said)
                self.assertTrue(said[0].startswith(f"araia: warning: {matrix}:1:1: banner: "), said)
                self.assertTrue(said[1].startswith(f"araia: warning: {matrix}:3:5: '5' follows"), said)
                self.assertIn(f"{matrix}:1:1: banner", araia(*arguments, "--strict", code=3).stderr)
        operand = self.path / "X.mtx"
        operand.write_text("%%MatrixMarket matrix array integer general\n9 1\n" + "1\n" * 8 + "2.0\n")
        for strict in ((), ("--strict",)):
            done = araia("multiply", self.matrix, "--rhs", operand, "-o", out, *strict, code=3 if strict else 0)
            self.assertIn(f"{operand}:11:1: value is '2.0', expected an integer", done.stderr)
        two = self.path / "two.mtx"
        two.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n4 3\n2 1\n3 1\n4 3\n")
        araia("info", two, code=3)

    def test_kinds_are_known_by_names_in_any_case_or_told(self):
        smtx = "1, 3, 2\n0 2\n0 2\n"
        boeing = ("title\n             3             1             1             1             0\n"
                  "RUA                        1             3             2             0\n"
                  "(4I3)           (3I3)           (3F5.1)\n  1  2  2  3\n  1  1\n  1.0  2.0\n")
        native = self.path / "N.araia"
        araia("convert", self.matrix, native)
        for kind, name, content in (("smtx", "A.SMTX", smtx.encode()), ("rb", "A.RB", boeing.encode()),
                                    ("hb", "A.Rua", boeing.encode()), ("mtx", "A.MTX", self.matrix.read_bytes()),
                                    ("araia", "A.ARAIA", native.read_bytes())):
            with self.subTest(kind=kind):
                named, plain = self.path / name, self.path / "data"
                for path in (named, plain):
                    path.write_bytes(content)
                expected = araia_json("info", named)["stats"]
                self.assertEqual(araia_json("info", plain, "--kind", kind)["stats"], expected)
                araia("tune", plain, "--kind", kind, "--budget", "0", "--assume-bandwidth")
                araia("multiply", plain, "--kind", kind, "-o", self.path / "Y.mtx")
                araia("convert", plain, self.path / "B.mtx", "--kind", kind)
                with open(plain, "rb") as piped:
                    report = araia_json("info", "-", "--kind", kind, stdin=piped)
                self.assertEqual((report["stats"], report["matrix"]["file"]), (expected, "/dev/stdin"))
                if kind in ("smtx", "rb", "hb"):
                    self.assertIn("--kind", araia("info", plain, code=3).stderr)
        with open(self.matrix, "rb") as piped:  # known by its banner
            self.assertEqual(araia_json("info", "-", stdin=piped)["stats"]["nnz"], len(self.entries))
        with open(self.matrix, "rb") as piped:
            self.assertIn("/dev/stdin", araia("info", "-", "--kind", "smtx", stdin=piped, code=3).stderr)
        self.assertIn("--kind", araia("info", self.matrix, "--kind", "csv", code=2).stderr)
        x, y, z = (self.path / name for name in ("X.mtx", "Y.mtx", "Z.mtx"))
        write_array(x, [[float(i)] for i in range(9)])
        araia("multiply", self.matrix, "--rhs", x, "-o", y)
        with open(x, "rb") as piped:
            araia("multiply", self.matrix, "--rhs", "-", "-o", z, stdin=piped)
        self.assertEqual(y.read_text(), z.read_text())

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

    def test_integers_of_operands_that_are_rounded_are_warned_of(self):
        operand, out = self.path / "X.mtx", self.path / "Y.mtx"
        write_coordinates(self.matrix, 2, 2, [(0, 0, 1.0)])
        array = "%%MatrixMarket matrix array integer general\n2 2\n1\n{}\n3\n{}\n"
        places = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n2 1 {0}\n2 1 -{0}\n2 2 {1}\n"
        types = [("f64", 53, "f64")]
        if has_all_types():
            types += [("f32", 24, "f32"), ("f32_f64", 53, "f64"), ("c64", 53, "c64")]
        for option in ("--rhs", "--initial"):
            for type, digits, name in types:
                if option == "--rhs":
                    arguments = ("multiply", self.matrix, option, operand, "--type", type, "-o", out)
                else:
                    arguments = ("multiply", self.matrix, "--rhs", self.path / "X2.mtx", option, operand, "--beta", "1",
                                 "--type", type, "-o", out)
                    write_array(self.path / "X2.mtx", [[1.0, 1.0], [1.0, 1.0]])
                for text, said in ((array.format(2**digits + 1, -(2**digits + 3)), f"2 integers beyond 2^{digits} rounded "
                                    f"to {name}, the first {2**digits + 1} at (2, 1)"),
                                   (places.format(2**digits + 1, 2**digits), f"2 integers beyond 2^{digits}")):
                    with self.subTest(option=option, type=type, text=text):
                        operand.write_text(text)
                        line = araia(*arguments).stderr
                        self.assertIn("X.mtx: " + said, line)
                        self.assertEqual(len(line.splitlines()), 1)
                operand.write_text(array.format(2**digits, -(2**digits + 2)))
                self.assertEqual(araia(*arguments).stderr, "")

    def test_complex_operands_make_a_product_complex(self):
        if not has_all_types():
            self.skipTest("complex values are not in this build")
        x = [complex(j + 1, -j) for j in range(9)]
        y0 = [complex(0, i) for i in range(13)]
        for name, column in (("X.mtx", x), ("Y0.mtx", y0)):
            write_coordinates(self.path / name, len(column), 1, [(i, 0, z.real, z.imag) for i, z in enumerate(column)],
                              "complex")
        out = self.path / "Y.mtx"
        initial = ("--initial", self.path / "Y0.mtx", "--beta", "2")
        for arguments, factors, start in (
            (("--rhs", self.path / "X.mtx"), x, [0] * 13),
            (initial, [1] * 9, y0),
            (("--rhs", self.path / "X.mtx", *initial), x, y0),
        ):
            with self.subTest(arguments=arguments):
                report = araia_json("multiply", self.matrix, *arguments, "-o", out)
                self.assertEqual(report["type"], "c64")
                expected = [2 * z for z in start]
                for i, j, value in self.entries:
                    expected[i] += value * factors[j]
                for got, wanted in zip(read_array(out), expected, strict=True):
                    self.assertLess(abs(got[0] - wanted), 1e-13)

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

    def test_matrices_without_entries_keep_their_field(self):
        empty, native, back = self.path / "E.mtx", self.path / "E.araia", self.path / "B.mtx"
        fields = {"real": "real", "pattern": "pattern", "integer": "real"}
        if has_all_types():
            fields["complex"] = "complex"
        for sizes in ((3, 4), (0, 0)):
            for field, kept in fields.items():
                write_coordinates(empty, *sizes, [], field)
                for name in FORMATS:
                    with self.subTest(sizes=sizes, field=field, format=name):
                        araia("convert", empty, native, "--format", name)
                        araia("convert", native, back)
                        self.assertEqual(back.read_text().splitlines()[0].split()[3], kept)
        write_coordinates(empty, 3, 4, [], "pattern")
        araia("convert", empty, native, "--values", "random:1")
        self.assertEqual(araia_json("info", native)["matrix"]["field"], "real")

    def test_info_says_how_a_native_file_is_stored(self):
        n = 300  # three diagonals, beside rows that are longer: every word of a format finds what it is for
        write_coordinates(self.matrix, n, n, [(i, j, 1.5) for i in range(n) for j in range(n)
                                              if abs(i - j) < 2 or (i % 32 == 0 and j % 3 == 0)])
        native = self.path / "A.araia"
        for name in FORMATS:
            with self.subTest(format=name):
                araia("convert", self.matrix, native, "--format", name)
                stored = araia_json("info", native)["matrix"]
                self.assertEqual((stored["stored_format"], stored["stored_type"]), (name, "float64"))
                self.assertIn(f" entries stored as {name} in float64; ", araia("info", native).stdout)
        write_native(native, 2, 2, [(0, 0, 0.5)], "float16")
        stored = araia_json("info", native)["matrix"]
        self.assertEqual((stored["stored_format"], stored["stored_type"]), ("coo", "float16"))
        stored = araia_json("info", self.matrix)["matrix"]
        self.assertEqual((stored["stored_format"], stored["stored_type"]), (None, None))
        self.assertNotIn(" as ", araia("info", self.matrix).stdout.splitlines()[0].partition(": ")[2])

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
            host = host_device()
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
