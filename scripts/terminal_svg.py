#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text of a terminal, from standard input, as an SVG picture on standard output.

The README's picture: build/demo/bin/araia tune build/demo/fem.mtx | scripts/terminal_svg.py > docs/demo.svg
"""

import sys
from xml.sax.saxutils import escape

FONT_SIZE = 14  # px
ADVANCE = 0.602 * FONT_SIZE  # px a column of the usual monospaced fonts
LINE = 19  # px a line
MARGIN = 16  # px


def svg(lines):
    width = round(2 * MARGIN + ADVANCE * max(map(len, lines), default=0))
    height = 2 * MARGIN + LINE * len(lines)
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * i + FONT_SIZE}" textLength="{ADVANCE * len(line):.1f}">{escape(line)}</text>'
        for i, line in enumerate(lines)
        if line.strip()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#10151d"/>\n'
        f'<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="{FONT_SIZE}" '
        f'fill="#d6dde6" xml:space="preserve">\n{rows}\n</g>\n</svg>\n'
    )


if __name__ == "__main__":
    sys.stdout.write(svg([line.rstrip().expandtabs() for line in sys.stdin]))
