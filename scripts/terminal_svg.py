#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `araia tune` printed, from standard input, as an SVG picture of a terminal on standard output.

  araia tune stencil.mtx | terminal_svg.py --prompt "araia tune stencil.mtx" > tune.svg

The picture is cut, never edited: of the ranking the first rows and the row of the default stay, candidates that were
pruned or not tried go, and "..." stands for what is not shown. All other lines stay, among them any that says that the
machine was busy. Lines that are longer than the terminal is wide go on in the next one.

Images in web pages get neither fonts nor scripts, and some renderers drop xml:space, so that spaces in a row become one.
Therefore no text here holds two spaces in a row: each run of text has its own x, and its own length, so that columns
stay where they are whatever monospaced font there is.
"""

import argparse
import re
import sys
import textwrap
from xml.sax.saxutils import escape

FONT_SIZE = 14.0  # px
ADVANCE = 8.4  # px a column, 0.6 of the font size, as most monospaced fonts have it
LINE = 19.0  # px a line
MARGIN = 16.0  # px
COLUMNS = 112  # of the terminal, unless the ranking is wider
RANKS = 10  # rows of the ranking that stay
LEFT_OUT = "..."

ROW = re.compile(r"\d+ +\S.* (yes|no)$")  # of the ranking
NOT_TIMED = re.compile(r" +\S.*: (not tried|pruned)\b")


def cut(lines, ranks=RANKS):
    """The lines without the ranking's later rows, the default's excepted, and without candidates that were not timed."""
    kept = []
    for line in lines:
        row = ROW.match(line)
        rank = int(line.split()[0]) if row else 0
        if NOT_TIMED.match(line) or (rank > ranks and "(default)" not in line):
            if not kept or kept[-1] != LEFT_OUT:
                kept.append(LEFT_OUT)
        else:
            kept.append(line)
    return kept


def wrap(lines, columns=COLUMNS):
    """Lines of at most `columns`, or of what the ranking's rows take; what goes on in the next line is indented."""
    columns = max([columns, *(len(line) for line in lines if ROW.match(line))])
    for line in lines:
        if len(line) <= columns:
            yield line
            continue
        label = re.match(r"\w+: +", line)
        indent = " " * len(label.group()) if label else "  "
        # Spaces in a row are kept from textwrap, which may break a line at any of them.
        yield from textwrap.wrap(line, columns, subsequent_indent=indent, break_on_hyphens=False)


def runs(line):
    """(column, text) of the parts of a line between two or more spaces."""
    return [(found.start(), found.group()) for found in re.finditer(r"\S+(?: \S+)*", line)]


def number(value):
    return f"{value:.1f}".removesuffix(".0")


def svg(lines):
    width = number(2 * MARGIN + ADVANCE * max(map(len, lines), default=0))
    height = number(2 * MARGIN + LINE * len(lines))
    texts = "\n".join(
        f'<text x="{number(MARGIN + ADVANCE * column)}" y="{number(MARGIN + LINE * row + FONT_SIZE)}" '
        f'textLength="{number(ADVANCE * len(text))}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
        for row, line in enumerate(lines)
        for column, text in runs(line)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f'<rect x="0.5" y="0.5" width="{number(float(width) - 1)}" height="{number(float(height) - 1)}" rx="8" '
        f'fill="#10151d" stroke="#3a4452"/>\n'
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" '
        f'font-size="{number(FONT_SIZE)}" fill="#d6dde6">\n{texts}\n</g>\n</svg>\n'
    )


def main(arguments=None, source=sys.stdin, target=sys.stdout):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompt", help="the command, which goes above its output behind a $")
    options = parser.parse_args(arguments)
    lines = [line.expandtabs().rstrip() for line in source]
    if not any(lines):
        parser.error("nothing on standard input: expected the output of a command")
    command = [f"$ {options.prompt}"] if options.prompt else []
    target.write(svg([*command, *wrap(cut(lines))]))


if __name__ == "__main__":
    main()
