# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What becomes of outputs: none replaces an input, and files are written whole or stay as they were."""

import os
import resource
import signal
import subprocess
import time
import unittest

from command import ARAIA, RefusalTest, araia, write_array, write_coordinates


class Outputs(RefusalTest):
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
