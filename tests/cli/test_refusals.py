# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command refuses, and what is left when it does: files as they were, one line that names the argument."""

import math
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import (ARAIA, araia, araia_json, has_all_types, read_array, write_array, write_coordinates,
                     write_native)

REAL_OPTIONS = (("multiply", "--alpha"), ("multiply", "--beta"), ("tune", "--budget"))


class Refusals(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.matrix = self.path / "A.mtx"
        self.missing = self.path / "missing.mtx"  # whoever reads it exits with 3
        write_coordinates(self.matrix, 2, 2, [(0, 0, 1.5), (1, 0, -2.0)])

    def names(self):
        return sorted(entry.name for entry in self.path.iterdir())

    def refused(self, *arguments, code=2, says=(), **options):
        """Nothing is changed, and one line says all of `says`."""
        before = {entry.name: entry.read_bytes() for entry in self.path.iterdir() if entry.is_file()}
        line = araia(*arguments, code=code, **options).stderr
        for word in says:
            self.assertIn(word, line)
        after = {entry.name: entry.read_bytes() for entry in self.path.iterdir() if entry.is_file()}
        self.assertEqual(before, after)
        return line

    # ---- outputs ----

    def test_an_output_that_is_an_input_is_refused(self):
        vector = self.path / "X.mtx"
        write_array(vector, [[1.0], [1.0]])
        linked, hard = self.path / "link.mtx", self.path / "hard.mtx"
        linked.symlink_to("A.mtx")
        os.link(self.matrix, hard)
        around = self.path / ".." / self.path.name / "A.mtx"
        for name in (self.matrix, linked, hard, around):
            with self.subTest(name=name):
                self.refused("convert", self.matrix, name, says=("OUT", "IN", "same file"))
                self.refused("multiply", self.matrix, "-o", name, says=("-o", "FILE", "same file"))
        for option in ("--rhs", "--initial"):
            arguments = ("multiply", self.matrix, option, vector, "-o", vector)
            self.refused(*arguments, says=("-o", option, "same file"))
        # Before anything is read: the matrix is not even there.
        self.refused("multiply", self.missing, "--rhs", vector, "-o", vector, says=("--rhs",))

    def test_a_file_that_may_not_be_written_stays(self):
        out = self.path / "Y.mtx"
        out.write_text("old")
        out.chmod(0o444)
        self.refused("multiply", self.matrix, "-o", out, code=4, says=("Y.mtx", "Permission denied"))
        self.refused("convert", self.matrix, out, code=4, says=("Y.mtx", "Permission denied"))
        self.assertEqual(out.stat().st_mode & 0o777, 0o444)

    def test_loops_of_links_are_refused_and_stay(self):
        one, two = self.path / "one.mtx", self.path / "two.mtx"
        one.symlink_to("two.mtx")
        two.symlink_to("one.mtx")
        self.refused("convert", self.matrix, one, code=4, says=("one.mtx", "symbolic links"))
        self.assertEqual((os.readlink(one), os.readlink(two)), ("two.mtx", "one.mtx"))

    def test_outputs_have_a_name_and_a_known_suffix(self):
        for name in ("Y.araia", "Y.txt", "Y.smtx", "Y", "Y.gz", "Y.araia.gz", ".mtx", ".mtx.gz", "Y.mtx.zip", "Y.MTX"):
            with self.subTest(name=name):
                self.refused("multiply", self.missing, "-o", self.path / name, says=("-o", name, "NAME.mtx"))
        for name in ("Y.txt", "Y.smtx", "Y", "Y.gz", ".mtx", ".mtx.gz", ".araia", ".araia.gz"):
            with self.subTest(name=name):
                says = ("OUT", name, "NAME.mtx or NAME.araia")
                self.refused("convert", self.missing, self.path / name, says=says)
        araia("multiply", self.matrix, "-o", self.path / ".Y.mtx")
        for json in ((), ("--json",)):  # what /dev/null takes mixes with nothing
            araia("multiply", self.matrix, "-o", "/dev/null", *json)
        self.assertEqual(self.names(), [".Y.mtx", "A.mtx"])

    def test_outputs_that_cannot_be_made_are_refused_before_the_file_is_read(self):
        sealed = self.path / "sealed.mtx"
        sealed.write_text("old")
        sealed.chmod(0o444)
        folder = self.path / "folder.mtx"
        folder.mkdir()
        for out, code, reason in ((self.path / "no" / "Y.mtx", 4, "No such file"), (folder, 2, "directory"),
                                  (self.matrix / "Y.mtx", 4, "Not a directory"), (sealed, 4, "Permission denied")):
            with self.subTest(out=out.name):
                self.refused("multiply", self.missing, "-o", out, code=code, says=(out.name, reason))
                self.refused("convert", self.missing, out, code=code, says=(out.name, reason))

    def test_json_and_a_matrix_do_not_share_standard_output(self):
        for arguments in (("multiply", self.missing, "-o"), ("convert", self.missing)):
            for name in ("/dev/stdout", "/dev/fd/1"):
                with self.subTest(arguments=arguments, name=name):
                    self.refused(*arguments, name, "--json", says=("--json", name, "standard output"))

    # ---- inputs ----

    def test_a_stream_that_is_named_twice_is_refused(self):
        text, out, fifo = self.matrix.read_text(), self.path / "Y.mtx", self.path / "fifo"
        os.mkfifo(fifo)
        says = ("same stream", "read but once")
        for other in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            for option in ("--rhs", "--initial"):
                self.refused("multiply", "/dev/stdin", option, other, "-o", out, input=text,
                             says=("FILE '/dev/stdin'", f"{option} '{other}'", *says))
        self.refused("multiply", self.missing, "--rhs", fifo, "--initial", fifo, "-o", out,
                     says=("--rhs", "--initial", "fifo", *says))
        self.refused("multiply", fifo, "-o", fifo, says=("-o", "FILE", "same file", "fifo"))
        # A file begins anew, whoever else reads it; and streams are many.
        araia("multiply", self.matrix, "--rhs", self.matrix, "-o", out)
        expected = out.read_text()
        for arguments in (("/dev/stdin", "--rhs", "/dev/stdin"), ("/dev/stdin", "--rhs", self.matrix)):
            with open(self.matrix) as standard:
                araia("multiply", *arguments, "-o", out, stdin=standard)
            self.assertEqual(out.read_text(), expected)
        araia("multiply", "/dev/stdin", "--rhs", self.matrix, "-o", out, input=text)
        self.assertEqual(out.read_text(), expected)
        with subprocess.Popen(["cp", str(self.matrix), str(fifo)]) as writer:
            try:
                araia("multiply", "/dev/stdin", "--rhs", fifo, "-o", out, input=text)
            finally:  # whoever did not open the pipe leaves its writer waiting
                writer.kill()
        self.assertEqual(out.read_text(), expected)

    # ---- arguments ----

    def test_real_options_take_finite_numbers(self):
        out = self.path / "Y.mtx"
        for command, option in REAL_OPTIONS:
            to = ("-o", out) if command == "multiply" else ()
            for wrong in ("foo", "1e999", "-1e999", "inf", "nan", "1,5", "1.5x", " 1", "0x10", "+-1", "1e-999"):
                with self.subTest(option=option, wrong=wrong):
                    says = (option, f"'{wrong}'", "expected a")
                    self.refused(command, self.missing, *to, f"{option}={wrong}", says=says)
        for right, value in (("+2", 2.0), ("-1.5", -1.5), ("1e308", 1e308), (".5", 0.5), ("4.9e-324", 5e-324)):
            araia("multiply", self.matrix, "--format", "csr", "--beta", right, "--initial", self.ones(), "-o", out)
            self.assertEqual(read_array(out)[1], [value - 2.0])
        for wrong in ("x", "0", "-3", "1.5", "1073741825", "99999999999999999999"):
            self.refused("tune", self.missing, "--columns", wrong, says=("--columns", f"'{wrong}'", "integer"))

    def test_numbers_of_the_command_line_fit_the_type(self):
        out = self.path / "Y.mtx"
        for option in ("--alpha", "--beta"):
            for number in ("1e300", "-3.5e38", "1e-60"):
                self.refused("multiply", self.missing, "--type", "f32", f"{option}={number}", "-o", out,
                             says=(option, "f32", "--type f64"))
        if not has_all_types():
            return
        for type, number in (("f32_f64", "1e300"), ("f32", "3.4028235e38"), ("f32", "1.4e-45"), ("f32", "0")):
            araia("multiply", self.matrix, "--type", type, "--alpha", number, "-o", "/dev/null")

    def test_numbers_of_the_command_line_fit_the_type_of_the_file(self):
        if not has_all_types():
            self.skipTest("f32 is not in this build")
        native, out = self.path / "F.araia", self.path / "Y.mtx"
        write_native(native, 2, 2, [(0, 0, 1.5)])
        for option in ("--alpha", "--beta"):
            self.refused("multiply", native, f"{option}=1e300", "-o", out, says=(option, "f32", "--type f64"))
            araia("multiply", native, f"{option}=1e300", "-o", "/dev/null", "--type", "f64")

    def test_operands_beyond_the_type_are_refused(self):
        if not has_all_types():
            self.skipTest("f32 is not in this build")
        operand = self.path / "X.mtx"
        write_array(operand, [[1.0], [-1e200]])
        for option in ("--rhs", "--initial"):
            arguments = ("multiply", self.matrix, option, operand, "-o", self.path / "Y.mtx", "--type", "f32")
            self.refused(*arguments, code=3, says=("X.mtx", "(2, 1)", "-1e+200", "f32", "--type f64"))
            araia("multiply", self.matrix, option, operand, "-o", "/dev/null", "--type", "f32_f64")

    def test_values_beyond_the_type_are_refused(self):
        if not has_all_types():
            self.skipTest("f32 is not in this build")
        native, out = self.path / "B.araia", self.path / "Y.mtx"
        commands = [(("convert", self.matrix, native), "f32")]
        for type in ("f32", "f32_f64"):
            commands += [(("info", self.matrix), type), (("multiply", self.matrix, "--verify", "-o", out), type),
                         (("tune", self.matrix, "--budget", "0", "--assume-bandwidth"), type)]
        halfway = float.fromhex("0x1.ffffffp127")  # from the largest float to what would be the next
        for value in (1e300, -halfway):
            write_coordinates(self.matrix, 2, 2, [(0, 0, 1.5), (1, 0, value)])
            for arguments, type in commands:
                with self.subTest(arguments=arguments, type=type, value=value):
                    says = ("A.mtx", "(2, 1)", str(value)[:5], "f32", "--type f64")
                    self.refused(*arguments, "--type", type, code=3, says=says)
        for value in (math.nextafter(halfway, 0), math.inf, math.nan):
            write_coordinates(self.matrix, 2, 2, [(0, 0, 1.5), (1, 0, value)])
            for arguments, type in commands:
                with self.subTest(arguments=arguments, type=type, value=value):
                    self.assertEqual(araia(*arguments, "--type", type).stderr, "")
        native.unlink()
        write_coordinates(self.matrix, 2, 2, [(1, 0, 3e38), (1, 0, 3e38)])
        self.refused("convert", self.matrix, native, "--type", "f32", code=3, says=("A.mtx", "6e+38"))

    def test_sums_beyond_double_are_refused(self):
        native, text = self.path / "B.araia", self.path / "B.mtx"
        parts = [("real", (1e308,), (1e308,))]
        if has_all_types():
            parts.append(("complex", (0.0, -1e308), (0.0, -1e308)))
        for field, *values in parts:
            write_coordinates(self.matrix, 2, 2, [(1, 0, *value) for value in values], field)
            self.refused("convert", self.matrix, native, code=3, says=("A.mtx", "at one place", "1.797"))
        write_coordinates(self.matrix, 2, 2, [(1, 0, math.inf), (1, 0, 1e308)])  # an infinity of the file's own is kept
        araia("convert", self.matrix, native)
        araia("convert", native, text)
        self.assertIn("2 1 inf", text.read_text())

    def test_kernels_that_are_not_there_are_told_those_that_are(self):
        multiply = ("multiply", self.matrix, "-o", self.path / "Y.mtx", "--kernel")
        for kernel in ("no_such", "csr/no_such"):
            line = self.refused(*multiply, kernel, says=(f"--kernel is '{kernel}'", "thread_per_row", "balanced"))
            self.assertNotIn("araia::", line)
        line = self.refused(*multiply, "segmented", "--transpose", says=("no kernel with op transpose", "by_columns"))
        self.assertNotIn("balanced", line)
        line = self.refused(*multiply, "balanced", "--format", "coo", says=("no kernel of coo", "segmented"))
        self.assertNotIn("by_columns", line)
        host = next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")
        line = self.refused(*multiply, "sell/thread_per_row{block_width 3}", "--device", host,
                            says=("block_width is 3, expected 1, 2 or 4",))
        self.assertNotIn("araia::", line)
        self.refused(*multiply, "thread_per_row{rows 3}", says=("no parameter is called 'rows'",))
        self.refused(*multiply, "csr/thread_per_row{rows_per_team -3}", says=("--kernel", "rows_per_team"))

    def test_kernels_of_other_devices_are_neither_taken_nor_offered(self):
        host = next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", "--device", host, "--kernel")
        for kernel, says in (("no_such", ("no kernel with op none is called so", "balanced", "naive")),
                             ("csr/no_such", ("no kernel of csr with op none is called so", "balanced")),
                             ("sub_warp", (f"no such kernel with op none runs on {host}", "balanced", "naive")),
                             ("bsr/tensor_cores", (f"no such kernel of bsr with op none runs on {host}", "host_simd"))):
            with self.subTest(kernel=kernel):
                offered = self.refused(*multiply, kernel, says=says).partition("expected one of ")[2]
                for other in ("sub_warp", "equal_chunks", "column_panels", "row_per_warp", "jammed", "tensor_cores",
                              "rows_per_lane", "tiled"):
                    self.assertNotIn(other, offered)

    def test_parameters_that_a_kernel_does_not_read_are_refused(self):
        host = next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")
        device = ("--device", host)
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", *device, "--kernel")
        for kernel, says in (("host_simd{team_size 2}", "csr/host_simd does not read team_size; it reads no parameter"),
                             ("csr/thread_per_row{rows_per_team 2, vector_length 2}",
                              "csr/thread_per_row does not read vector_length; it reads rows_per_team, team_size"),
                             ("sell+narrow/host_simd{slice_height 8, entries 2}", "sell/host_simd does not read entries"),
                             ("balanced{entries 0}", "csr/balanced does not read entries; it reads team_size")):
            with self.subTest(kernel=kernel):
                self.refused(*multiply, kernel, says=(f"--kernel is '{kernel}': {says}",))
        multiply = ("multiply", self.matrix, "-o", self.path / "Y.mtx", *device, "--kernel")
        for kernel in ("csr/vector_per_row{vector_length 2}", "coo/segmented{entries 3, team_size 1}", "balanced{team_size 1}",
                       "ell/thread_per_row{rows_per_team 3}", "hyb/ell_then_tail{entries 2, width 1}",
                       "sell/thread_per_row{rows_per_team 2, slice_height 4}"):
            araia(*multiply, kernel)
        # Without a format, that of the first whose kernel reads them.
        self.assertIn(" by sell/thread_per_row{vector_length 2}\n", araia(*multiply, "thread_per_row{vector_length 2}").stdout)

    def test_integers_of_kernels_beyond_every_range_are_told_theirs(self):
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", "--kernel")
        for number in ("16777217", "2147483648", "99999999999999999999", "-1", "-99999999999999999999"):
            self.refused(*multiply, f"csr/thread_per_row{{rows_per_team {number}}}",
                         says=("rows_per_team must be an integer from 0 to 16777216",))

    def test_kernels_are_read_before_the_file(self):
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx")
        self.refused(*multiply, "--kernel", "csr/balanced", "--format", "ell", says=("--kernel", "--format is ell"))
        self.refused(*multiply, "--kernel", "dia/balanced", says=("--kernel", "'dia'"))
        self.refused(*multiply, "--kernel", "balancd", says=("--kernel", "no kernel with op none", "balanced"))
        for kernel in ("csr/", "{}", "Balanced", b"\xff", "balanced{", "balanced{rows_per_team}", "balanced{rows_per_team x}", "balanced{rows_per_team 1,2}",
                       "balanced{rows_per_team 1, }", "balanced{, rows_per_team 1}"):
            self.refused(*multiply, "--kernel", os.fsdecode(kernel), says=("--kernel", "{rows_per_team 128}"))
        self.refused(*multiply, "--kernel", "balanced{rows_per_team 1, rows_per_team 2}",
                     says=("--kernel", "'rows_per_team' is given twice"))
        self.refused(*multiply, "--format", "sell+narrow+narrow", says=("--format", "twice", "expected sell+narrow"))

    def test_complex_files_in_a_build_without_complex_have_one_error(self):
        native, text, real = self.path / "Z.araia", self.path / "Z.mtx", self.path / "R.mtx"
        write_coordinates(text, 2, 2, [(0, 0, 1.0, 2.0)], "complex")
        write_native(native, 2, 2, [(0, 0, 1.0, 2.0)], "complex_float64")
        y, out = self.path / "Y.mtx", self.path / "Y.araia"
        commands = [command for file in (text, native)
                    for command in (("info", file), ("tune", file), ("multiply", file, "-o", y), ("convert", file, out))]
        commands.append(("convert", native, y))
        commands += [("multiply", self.matrix, option, text, "-o", y) for option in ("--rhs", "--initial")]
        if has_all_types():
            for command in commands[:-2]:
                araia(*command, *(("--budget", "0", "--assume-bandwidth") if command[0] == "tune" else ()))
            return
        for command in commands:
            file = next(argument for argument in reversed(command) if argument in (text, native))
            with self.subTest(command=command):
                line = self.refused(*command, code=3)
                self.assertEqual(line, f"araia: {file}: the values are complex, which this build does not have: "
                                       "its Araia_TYPES is minimal, full has them\n")
        araia("convert", text, real)  # text to text has no type

    def test_complex_operands_of_a_real_product_name_the_option(self):
        if not has_all_types():
            self.skipTest("complex values are not in this build")
        write_coordinates(self.path / "X.mtx", 2, 1, [(0, 0, 1.0, 2.0)], "complex")
        self.refused("multiply", self.matrix, "--rhs", self.path / "X.mtx", "-o", self.path / "Y.mtx",
                     says=("--rhs", "X.mtx", "complex", "--type c64"))

    def ones(self):
        path = self.path / "ones.mtx"
        write_array(path, [[1.0], [1.0]])
        return path

    def test_empty_arguments_are_named(self):
        out = self.path / "Y.mtx"
        for arguments, name in (
            (("info", ""), "FILE"),
            (("tune", ""), "FILE"),
            (("tune", self.matrix, "--format", ""), "--format"),
            (("tune", self.matrix, "--columns", ""), "--columns"),
            (("info", self.matrix, "--values", ""), "--values"),
            (("info", self.matrix, "--type", ""), "--type"),
            (("multiply", "", "-o", out), "FILE"),
            (("multiply", self.matrix, "-o", ""), "-o"),
            (("multiply", self.matrix, "-o", out, "--rhs", ""), "--rhs"),
            (("multiply", self.matrix, "-o", out, "--initial="), "--initial"),
            (("multiply", self.matrix, "-o", out, "--format", ""), "--format"),
            (("multiply", self.matrix, "-o", out, "--kernel", ""), "--kernel"),
            (("multiply", self.matrix, "-o", out, "--alpha", ""), "--alpha"),
            (("convert", "", out), "IN"),
            (("convert", self.matrix, ""), "OUT"),
            (("convert", self.matrix, self.path / "A.araia", "--format", ""), "--format"),
        ):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, says=(name,))

    def test_unknown_arguments_are_named_in_order(self):
        subcommands = ("info", "tune", "multiply", "convert", "devices")
        self.refused(says=subcommands)
        self.refused("foo", says=("'foo'", *subcommands))
        self.refused("--foo", says=("'--foo'", *subcommands))
        for arguments in (("tune", self.matrix, "one", "two"), ("devices", "one", "--two")):
            line = self.refused(*arguments, says=("unknown arguments", arguments[0]))
            self.assertLess(line.index("'one'"), line.index("two'"))
        # Rather the misspelt option than that -o is missing.
        self.refused("multiply", self.matrix, "--ouput", "Y.mtx", says=("'--ouput'",))
        self.refused("multiply", self.matrix, says=("--output is required",))

    def test_options_that_would_be_ignored_are_refused(self):
        host = next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")
        tune = ("tune", self.matrix, "--columns", "4")  # whose type may be its own
        self.refused(*tune, "--precision", "tf32", says=("--precision", "--type f32", "f64, by the file"))
        tune = ("tune", self.missing, "--columns", "4")
        for type in ("f64", "c64", "f32_f64"):
            self.refused(*tune, "--precision", "bf16", "--type", type, says=("--precision", "--type f32", type))
        self.refused(*tune, "--allow-dense", "--device", host, says=("--allow-dense", "cuda", host))

    def test_options_are_refused_before_the_file_is_read(self):
        self.refused("tune", self.missing, "--op", "spmv", "--columns", "4", says=("--columns", "--op"))
        self.refused("tune", self.missing, "--op", "spmv", "--allow-dense", says=("--op spmm",))
        self.refused("tune", self.missing, "--format", "dia", says=("--format", "'dia'", "sell+diagonals"))
        self.refused("multiply", self.missing, "--format", "dia", "-o", self.path / "Y.mtx", says=("--format", "'dia'"))

    def test_values_devices_and_types_are_refused_before_the_file_is_read(self):
        native, text = self.path / "Y.araia", self.path / "Y.mtx"
        commands = (("info", self.missing), ("tune", self.missing), ("multiply", self.missing, "-o", text))
        for command in (*commands, ("convert", self.missing, native)):
            for values in ("random:", "random:x", "random:-1", "twos", "random:18446744073709551616"):
                self.refused(*command, "--values", values, says=("--values", f"'{values}'", "random:SEED"))
            if not has_all_types():
                for type in ("f32", "c64"):
                    self.refused(*command, "--type", type, says=("--type", type, "minimal"))
        devices = {device["device"] for device in araia_json("devices")["devices"]}
        for device in {"cuda", "openmp", "serial"} - devices:
            for command in commands:
                self.refused(*command, "--device", device, code=4, says=("--device", device, *devices))

    def test_a_line_that_is_too_long_is_named(self):
        with open(self.matrix, "w") as out:
            out.write("%%MatrixMarket matrix coordinate real general\n2 2 1\n%" + "c" * (40 << 20) + "\n1 1 1.0\n")
        line = self.refused("info", self.matrix, code=4, says=("A.mtx:3: ", "longer than the limit of 16777216 bytes"))
        self.assertNotIn("memory of this machine", line)

    def test_names_of_files_are_whole(self):
        for name in ("araia: a.mtx", "araia::b.mtx: c.mtx"):
            line = araia("info", name, code=3, cwd=self.path).stderr
            self.assertTrue(line.startswith(f"araia: {name}: "), line)
            (self.path / name).write_text("junk")
            line = araia("convert", name, "B.mtx", code=3, cwd=self.path).stderr
            self.assertTrue(line.startswith(f"araia: {name}:1:1: "), line)

    def test_unknown_kinds_of_files_are_told_all_known_ones(self):
        unknown = self.path / "A.xyz"
        unknown.write_text("1 2 3\n")
        self.refused("info", unknown, code=3, says=(".mtx", ".smtx", ".rb", ".araia"))

    def test_long_paths_leave_room_for_the_reason(self):
        long = "/".join(["d" * 99] * 50)
        for arguments, code, says in (
            (("info", long + ".mtx"), 3, ("dd...dd", ".mtx: cannot open: File name too long")),
            (("info", "\n" * 5000 + ".mtx"), 3, ("\\x0a...\\x0a", ".mtx: cannot open: File name too long")),
            (("convert", self.matrix, long + ".mtx"), 4, ("dd...dd", ".mtx: cannot open: File name too long")),
            (("convert", self.matrix, long), 2, ("OUT is 'ddd", "dd...dd", "expected NAME.mtx")),
            (("tune", self.matrix, long, long), 2, ("unknown arguments", "dd...dd", "--help")),
        ):
            with self.subTest(command=arguments[0], code=code):
                self.assertLessEqual(len(self.refused(*arguments, code=code, says=says)), len("araia: \n") + 1000)

    # ---- surroundings ----

    def test_wrong_numbers_of_threads_are_named(self):
        for variable, values in (
            ("KOKKOS_NUM_THREADS", ("0", "-1", "foo", "", "2x", "2,2", "513", "99999", "99999999999999999999")),
            ("OMP_NUM_THREADS", ("513", "1000000", "2,1000000")),
        ):
            for value in values:
                with self.subTest(variable=variable, value=value):
                    surroundings = {**os.environ, variable: value}
                    says = (variable, f"'{value}'", "threads from 1 to 512")
                    self.refused("info", self.matrix, says=says, env=surroundings)
                    self.assertIn("Exit codes:", araia("info", "--help", env=surroundings).stdout)
        for value in ("0", "-1", "foo", "2,", "99999999999999999999"):  # OpenMP speaks of these first, in lines of its own
            done = subprocess.run([ARAIA, "info", str(self.matrix)], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "OMP_NUM_THREADS": value})
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"araia: OMP_NUM_THREADS is '{value}'", done.stderr)
        for value in ("1", " 2 ", "2,1"):
            araia("info", self.matrix, env={**os.environ, "OMP_NUM_THREADS": value})
        for variable in ("KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"):
            surroundings = {**os.environ, variable: "512", "OMP_WAIT_POLICY": "passive"}
            araia("convert", self.matrix, self.path / "B.mtx", env=surroundings)

    def test_a_host_of_more_threads_than_kokkos_keeps(self):
        compiler = shutil.which("cc")
        names = [device["device"] for device in araia_json("devices")["devices"]]
        if not compiler or not sys.platform.startswith("linux") or "openmp" not in names:
            self.skipTest("needs OpenMP, a C compiler and LD_PRELOAD")
        large, source = self.path / "large.so", self.path / "large.c"
        source.write_text("void omp_set_num_threads(int);\n"
                          "__attribute__((constructor)) static void many(void) { omp_set_num_threads(600); }\n")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", str(large), str(source)], check=True, timeout=60)
        surroundings = {name: value for name, value in os.environ.items()
                        if name not in ("OMP_NUM_THREADS", "KOKKOS_NUM_THREADS")}
        surroundings.update(LD_PRELOAD=str(large), OMP_WAIT_POLICY="passive",
                            ASAN_OPTIONS=":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "verify_asan_link_order=0"))))
        for asked, threads in (({}, 512), ({"KOKKOS_NUM_THREADS": "3"}, 3)):
            devices = araia_json("devices", env={**surroundings, **asked})["devices"]
            self.assertEqual([device["threads"] for device in devices if device["device"] == "openmp"], [threads])

    def test_wrong_devices_are_named(self):
        for variable, values, expected in (
            ("KOKKOS_DEVICE_ID", ("-1", "foo", "", "2x", "99999999999999999999"), "a device, 0 or more"),
            ("KOKKOS_MAP_DEVICE_ID_BY", ("foo", "", "random,mpi_rank"), "random or mpi_rank"),
        ):
            for value in values:
                with self.subTest(variable=variable, value=value):
                    self.refused("info", self.matrix, says=(variable, f"'{value}'", expected),
                                 env={**os.environ, variable: value})

    def test_kokkos_prints_nothing_into_a_report(self):
        for variable in ("KOKKOS_PRINT_CONFIGURATION", "KOKKOS_DISABLE_WARNINGS", "KOKKOS_TUNE_INTERNALS"):
            for value in ("1", "true", "neither"):
                report = araia_json("info", self.matrix, env={**os.environ, variable: value})
                self.assertEqual(report["command"], "info")

    def test_operands_beyond_the_memory_name_need_and_limit(self):
        write_coordinates(self.matrix, 1000, 1000, [(0, 0, 1.0), (999, 999, 1.0)])
        arguments = ("tune", self.matrix, "--columns", 2**30, "--assume-bandwidth", "--budget", "0")
        says = ("A.mtx: with --columns 1073741824: verifying", "1073741824 columns needs", "bytes, the limit is")
        self.refused(*arguments, code=4, says=says)

    def test_a_product_beyond_the_memory_names_need_and_limit(self):
        write_coordinates(self.matrix, 1000000, 1, [(0, 0, 1.0)])
        wide = self.path / "wide.mtx"
        write_coordinates(wide, 1, 3000000, [])
        self.refused("multiply", self.matrix, "--rhs", wide, "-o", self.path / "y.mtx", code=4,
                     says=("A.mtx: with --rhs ", "wide.mtx", "the product needs", "bytes, the limit is"))

    def test_options_that_leave_no_kernel_are_named_with_the_file(self):
        tune = ("tune", self.matrix, "--assume-bandwidth", "--budget", "0", "--deterministic")
        for columns in ((), ("--columns", "4")):
            says = ("A.mtx: with", *map(str, columns), "--format coo --deterministic: no deterministic kernel",
                    "in the formats asked for (coo)", "sums by atomics")
            line = self.refused(*tune, "--format", "coo", *columns, says=says)
            self.assertNotIn("araia::", line)
        says = ("A.mtx: with --columns 4 --transpose --format bsr --deterministic: no ", "spmm with op transpose")
        self.refused(*tune, "--format", "bsr", "--columns", "4", "--transpose", says=says)

    def test_a_format_that_memory_does_not_allow_is_named_with_file_and_option(self):
        rows = 300000  # one row with an entry in each column: in ell all have as many slots
        write_coordinates(self.matrix, rows, rows, [(0, j, 1.0) for j in range(rows)])
        host = next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")
        reason = ("thread_per_row", "needs ", "bytes, the limit is")
        left = ("no candidate is left in the formats asked for (ell); ell/", *reason)
        tune = ("tune", self.matrix, "--assume-bandwidth", "--budget", "0", "--format", "ell", "--device", host)
        self.refused(*tune, code=4, says=("A.mtx: with --format ell: ", *left))
        multiply = ("multiply", self.matrix, "-o", self.path / "y.mtx", "--device", host)
        self.refused(*multiply, "--format", "ell", code=4, says=("A.mtx: with --format ell: ", *left))
        says = ("A.mtx: with --kernel 'ell/thread_per_row': the choice ell/thread_per_row is out: ", *reason)
        self.refused(*multiply, "--kernel", "ell/thread_per_row", code=4, says=says)

    def test_a_format_beyond_the_memory_names_file_format_and_type(self):
        rows, length = 10000000, 100000  # 8 TB of slots and more
        write_coordinates(self.matrix, rows, length, [(0, j, 1.0) for j in range(length)])
        slots, lengths = rows * length, 4 * rows
        for scalar, bytes_of_slot in (("f64", 12), ("f32", 8)) if has_all_types() else (("f64", 12),):
            says = ("A.mtx as ell in " + scalar, f"needs {slots * bytes_of_slot + lengths} bytes, the limit is")
            arguments = ("convert", self.matrix, self.path / "A.araia", "--format", "ell", "--type", scalar)
            self.refused(*arguments, code=4, says=says)

    def test_a_limit_of_file_sizes_is_an_error_of_writing(self):
        out = self.path / "Y.mtx"
        out.write_text("old")
        write_coordinates(self.matrix, 1000, 1, [(i, 0, 0.1) for i in range(1000)])

        def limit():  # LLVM's OpenMP writes a file of a kilobyte when it starts
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        says = ("Y.mtx", "cannot write: File too large")
        self.refused("convert", self.matrix, out, code=4, says=says, preexec_fn=limit)

    def test_a_signal_leaves_the_old_file_and_no_part_of_the_new(self):
        layer, out = self.path / "layer.smtx", self.path / "Y.mtx.gz"
        rows, length = 1000, 1000  # a second of compressing numbers by chance
        offsets = " ".join(str(i * length) for i in range(rows + 1))
        columns = " ".join([" ".join(map(str, range(length)))] * rows)
        layer.write_text(f"{rows}, {length}, {rows * length}\n{offsets}\n{columns}\n")
        out.write_text("old")
        before = self.names()

        def unfinished():  # empty ones come and go before anything is read, to see whether the output can be made
            try:
                return any(path.stat().st_size for path in self.path.glob(".araia-*.tmp"))
            except FileNotFoundError:
                return False

        def prepare(sent, disposition):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.signal(sent, disposition)

        def ended_by(sent, disposition):
            running = subprocess.Popen([ARAIA, "convert", str(layer), str(out)], stdout=subprocess.DEVNULL,
                                       preexec_fn=lambda: prepare(sent, disposition))
            while running.poll() is None and not unfinished():
                time.sleep(0.001)
            running.send_signal(sent)
            return running.wait(60)

        for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGALRM,
                     signal.SIGUSR1, signal.SIGUSR2, signal.SIGABRT, signal.SIGRTMIN):
            with self.subTest(signal=sent):
                self.assertEqual(ended_by(sent, signal.SIG_DFL), -sent)
                self.assertEqual(self.names(), before)
                self.assertEqual(out.read_bytes(), b"old")
        self.assertEqual(ended_by(signal.SIGHUP, signal.SIG_IGN), 0)  # as nohup has it
        self.assertEqual(self.names(), before)
        self.assertNotEqual(out.read_bytes(), b"old")


if __name__ == "__main__":
    unittest.main()
