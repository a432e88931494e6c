# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command refuses, and what is left when it does: files as they were, one line that names the argument."""

import math
import unittest

from command import (RefusalTest, araia, araia_json, has_all_types, host_device, read_array, write_array,
                     write_coordinates, write_native)

REAL_OPTIONS = (("multiply", "--alpha"), ("multiply", "--beta"), ("tune", "--budget"))


class Refusals(RefusalTest):
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
        self.refused("multiply", self.matrix, "--type", "f64", "--rhs", self.path / "X.mtx", "-o", self.path / "Y.mtx",
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
        subcommands = ("info", "tune", "multiply", "spgemm", "convert", "devices")
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
        host = host_device()
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

    def test_sizes_of_memory_are_numbers_with_units(self):
        for wrong in ("0", "-1", "x", "1.5", "1.5B", "1.kB", "1.5.0kB", ".5kB", "0.0001kB", "1.5e3kB", "1e9", "GiB", "1 GiB", "1PB", "9223372036854775808", "9999999TiB", "8388607.99999999999999999999TiB", " 1"):
            self.refused("info", self.missing, f"--memory={wrong}", says=("--memory", f"'{wrong}'", "512MiB"))
        for right, bytes in (("100", 100), ("100B", 100), ("1kB", 1000), ("2KiB", 2048), ("2kib", 2048), ("1MB", 10**6), ("1.5kB", 1500), ("0.25KiB", 256), ("1.0001kB", 1000),
                             ("1.50MiB", 3 << 19)):
            write_coordinates(self.matrix, 10**6, 2, [])
            self.refused("info", self.matrix, "--memory", right, code=4,
                         says=("A.mtx", "needs 8000008 bytes", f"limit is {bytes}; --memory is {bytes}"))

    def test_what_an_option_lacks_or_has_too_much_of_is_said_in_one_way(self):
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx")
        self.refused(*multiply, "--alpha", "1", "--alpha", "2", says=("--alpha is given 2 times, expected once",))
        self.refused("tune", self.missing, "--columns", says=("--columns lacks its value",))
        for command, option, names in (("tune", "--op", "spmv, spmm"), ("tune", "--kind", "mtx, smtx"),
                                       ("tune", "--precision", "native"), ("closeness", "--batch", "64, 128, 256, 512"),
                                       ("info", "--device", host_device()), ("info", "--type", "f64")):
            line = self.refused(command, self.missing, option, "what", says=(f"{option} is 'what', expected one of ",))
            self.assertIn(names, line)

    def test_operands_that_cannot_be_read_are_named_with_their_option(self):
        multiply = ("multiply", self.matrix, "-o", self.path / "Y.mtx")
        for option in ("--rhs", "--initial"):
            self.refused(*multiply, option, self.missing, code=3, says=(f"araia: {option} {self.missing}: cannot open",))

    def test_steps_share_one_memory(self):
        rows, out = 10**6, self.path / "Y.mtx"
        write_coordinates(self.matrix, rows, rows, [])
        commands = (("info", self.matrix), ("tune", self.matrix, "--budget", "0", "--assume-bandwidth"),
                    ("multiply", self.matrix, "-o", out), ("convert", self.matrix, self.path / "A.araia"))
        for command in commands:  # 8 bytes a row to read, 4 for offsets, then what the command is for
            with self.subTest(command=command[0]):
                self.refused(*command, "--memory", "8000007", code=4, says=("A.mtx", "needs 8000008 bytes"))
        # The flags of the diagonals are 8 bytes a row, of which offsets leave 4: each step alone would fit.
        self.refused("info", self.matrix, "--memory", "8000008", code=4,
                     says=("A.mtx", "flags of the diagonals needs 7999996 bytes, the limit is 4000004 bytes",))
        # 32000 bytes of entries are held while the matrix is made.
        write_coordinates(self.matrix, 1000, 1000, [(i, j % 1000, 1.5) for i in range(1000) for j in (i, i + 1)])
        self.refused("info", self.matrix, "--memory", "59999", code=4,
                     says=("A.mtx", "assemble: the matrix needs 28004 bytes, the limit is 27999 bytes"))
        self.refused("convert", self.matrix, self.path / "A.araia", "--memory", "59999", code=4,
                     says=("A.mtx", "assemble: the matrix needs", "the limit is 27999 bytes"))
        araia("convert", self.matrix, self.path / "A.araia", "--memory", "1MB")

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

    def test_operands_beyond_the_memory_name_need_and_limit(self):
        write_coordinates(self.matrix, 1000, 1000, [(0, 0, 1.0), (999, 999, 1.0)])
        arguments = ("tune", self.matrix, "--columns", 2**30, "--assume-bandwidth", "--budget", "1")
        says = ("A.mtx: with --columns 1073741824: verifying", "1073741824 columns needs", "bytes, the limit is")
        self.refused(*arguments, code=4, says=says)

    def test_a_product_beyond_the_memory_names_need_and_limit(self):
        write_coordinates(self.matrix, 1000000, 1, [(0, 0, 1.0)])
        wide = self.path / "wide.mtx"
        write_coordinates(wide, 1, 3000000, [])
        self.refused("multiply", self.matrix, "--rhs", wide, "-o", self.path / "y.mtx", code=4,
                     says=("A.mtx: with --rhs ", "wide.mtx", "the product needs", "bytes, the limit is"))

    def test_a_format_beyond_the_memory_names_file_format_and_type(self):
        rows, length = 10000000, 100000  # 8 TB of slots and more
        write_coordinates(self.matrix, rows, length, [(0, j, 1.0) for j in range(length)])
        slots, lengths = rows * length, 4 * rows
        for scalar, bytes_of_slot in (("f64", 12), ("f32", 8)) if has_all_types() else (("f64", 12),):
            says = ("A.mtx as ell in " + scalar, f"needs {slots * bytes_of_slot + lengths} bytes, the limit is")
            arguments = ("convert", self.matrix, self.path / "A.araia", "--format", "ell", "--type", scalar)
            self.refused(*arguments, code=4, says=says)


if __name__ == "__main__":
    unittest.main()
