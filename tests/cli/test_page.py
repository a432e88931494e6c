# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/command.md names every option and every field of JSON that the command has, and none besides."""

import pathlib
import re
import unittest

from command import CommandTest, araia, araia_json, has_all_types, write_coordinates

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "command.md").read_text()
SUBCOMMANDS = ("info", "tune", "multiply", "spgemm", "sddmm", "convert", "generate", "solve", "eig", "conv", "closeness",
               "devices")
SHARED = ("matrix", "stats", "choice", "verified")  # objects with tables of their own


def documented(path):
    """Where the page has a field: shared objects stand alone, a winner is a choice, a machine is a device, a second
    matrix is a matrix."""
    alike = {"winner": "choice", "machine": "devices[]", "second": "matrix", "mass": "matrix"}
    parts = [alike.get(part, part) for part in path[:-1]] + [path[-1]]
    for at, part in enumerate(parts[:-1]):
        if part.removesuffix("[]") in SHARED:
            parts = parts[at:]
            break
    return ".".join(parts)


def fields(json, path=()):
    """Every field as a tuple of names, those of arrays' elements with [] behind the array's."""
    if isinstance(json, list):
        return {field for one in json for field in fields(one, (*path[:-1], path[-1] + "[]"))}
    if not isinstance(json, dict) or path == ("bytes",):  # info's, whose names are data
        return set()
    found = set()
    for name, value in json.items():
        found |= {(*path, name)} | fields(value, (*path, name))
    return found


def section(command):
    """What the page says of a subcommand."""
    return re.search(rf"^## `{command}`\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)[1]


def in_tables(text):
    """Fields that tables name: code in the first column below the head `field`."""
    tables = re.findall(r"^\| field \|.*?\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.M)
    return {name for table in tables for line in table.splitlines()
            for name in re.findall(r"`([^`]+)`", line.split(" | ")[0])}


class Page(CommandTest):
    def reports(self, command):
        native, text = self.path / "A.araia", self.path / "Y.mtx"
        if command == "info":
            araia("convert", self.matrix, native)
            return [araia_json("info", file) for file in (self.matrix, native)]
        if command == "tune":
            return [araia_json("tune", self.matrix, "--budget", "1", "--assume-bandwidth")]
        if command == "multiply":
            return [araia_json("multiply", self.matrix, "-o", text, "--verify")]
        if command == "spgemm":
            square, out = self.path / "S.mtx", self.path / "C.mtx"
            araia("spgemm", self.matrix, "--aat", "-o", square)
            return [araia_json("spgemm", square, square, "-o", out)]
        if command == "sddmm":
            return [araia_json("sddmm", self.matrix, "--budget", "1", "--verify", "-o", text)]
        if command == "convert":
            return [araia_json("convert", self.matrix, out) for out in (native, text)]
        if command == "generate":
            return [araia_json("generate", "uniform", "--rows", 9, "-o", out) for out in (native, text)]
        if command == "solve":
            network = self.path / "net.inp"
            network.write_text("[JUNCTIONS]\nA 1 1\n[RESERVOIRS]\nR 9\n[PIPES]\np R A 1 1 1\n")
            matrix = self.path / "spd.mtx"
            write_coordinates(matrix, 2, 2, [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0)])
            return [araia_json("solve", network), araia_json("solve", matrix)]
        if command == "eig":
            matrix = self.path / "symmetric.mtx"
            write_coordinates(matrix, 2, 2, [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0)])
            return [araia_json("eig", matrix, "--mass", matrix)]
        if command == "closeness":
            graph = self.path / "graph.mtx"
            write_coordinates(graph, 3, 3, [(0, 1, 1.0), (1, 2, 1.0)])
            return [araia_json("closeness", graph), araia_json("closeness", graph, "--harmonic", "--sources", "2")]
        if command == "conv":
            return [araia_json("conv", "--layer", "4,6,6,4,3,3", "--budget", "0.01", "-o", self.path / "y.npy")]
        return [araia_json("devices")]

    def test_fields_of_json(self):
        shared_on_page = in_tables(PAGE[: PAGE.index("## `info`")])
        devices_on_page = in_tables(section("devices"))
        printed_shared = set()
        for command in SUBCOMMANDS:
            with self.subTest(command=command):
                printed = {documented(path) for report in self.reports(command) for path in fields(report)}
                shared = {path for path in printed if path.split(".")[0] in SHARED and "." in path}
                printed_shared |= shared
                machine = {path for path in printed if path.startswith("devices[]") and command != "devices"}
                # An object's own name may stand for it: `diagonals.count` tells what diagonals is.
                own = {path for path in printed - shared - machine
                       if not any(other.startswith(path + ".") for other in printed)}
                on_page = in_tables(section(command))
                self.assertEqual(sorted(own - on_page), [], "printed, not on the page")
                self.assertEqual(sorted(on_page - printed), [], "on the page, not printed")
                self.assertEqual(sorted(machine - devices_on_page), [], "printed, not on the page")
        self.assertEqual(sorted(printed_shared - shared_on_page), [], "printed, not on the page")
        self.assertEqual(sorted(shared_on_page - printed_shared), [], "on the page, not printed")

    def test_options(self):
        options = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
        common = set(options.findall(PAGE[: PAGE.index("## `info`")]))
        every = set(options.findall(araia("--help").stdout))
        for command in SUBCOMMANDS:
            with self.subTest(command=command):
                own = set(options.findall(araia(command, "--help").stdout))
                self.assertEqual(sorted(own - set(options.findall(section(command))) - {"--help", "--json"}), [])
                every |= own
        self.assertEqual(sorted(every - set(options.findall(PAGE))), [])
        self.assertEqual(sorted(set(options.findall(PAGE)) - every), [])
        self.assertLessEqual({"--help", "--version", "--json"}, common)

    def test_examples(self):
        """Every command of the page ends well, on small files of the names that it has."""
        commands = [line.partition("#")[0].split() for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S)
                    for line in block.splitlines()]
        self.assertTrue(all(command[0] == "araia" for command in commands))
        self.assertLessEqual(set(SUBCOMMANDS), {command[1] for command in commands})
        for name in ("A.mtx", "bcsstk17.mtx.gz", "roads.mtx"):
            araia("generate", "stencil7", "--rows", 27, "-o", self.path / name)
        araia("generate", "uniform", "--rows", 27, "--cols", 3, "--entries-per-row", 2, "-o", self.path / "X.mtx")
        (self.path / "layer.smtx").write_text("2, 3, 3\n0 2 3\n0 2 1\n")
        (self.path / "Net3.inp").write_text("[JUNCTIONS]\nA 1 1\n[RESERVOIRS]\nR 9\n[PIPES]\np R A 1 1 1\n")
        for _, *arguments in commands:
            if "f32" in arguments and not has_all_types():
                continue
            with self.subTest(arguments=arguments):
                small = [text if not text.isdigit() else str(min(1000, int(text))) for text in arguments]
                if arguments[0] == "generate":
                    small[-1] = "made.mtx"
                budget = {"tune": ["--budget", "0.3"], "conv": ["--budget", "0"]}.get(arguments[0], [])
                araia(*small, *budget, cwd=self.path)

    def test_exit_codes(self):
        for code in re.findall(r"\b(\d) [a-z]", re.search("Exit codes: (.*)", araia("--help").stdout)[1]):
            self.assertRegex(PAGE, rf"(?m)^\| {code} \| ")


if __name__ == "__main__":
    unittest.main()
