# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts beside this file share of a program: types of arguments, and how it ends."""

import argparse
import os
import re
import sys


def count(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got '{text}'")
    return int(text)


def pattern(text):
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"expected a regular expression, got '{text}': {error}")
    return text


def run(main):
    """Ends the program with main()'s exit code, quietly where the reader of its output has enough."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # not for Python to find once more as it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
