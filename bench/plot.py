#!/usr/bin/env python3
"""Draws how cost grows: with the vocabulary, the batch, the history and k.

  chain_bench --benchmark_out=growth.json
  plot.py growth.json FOLDER

writes vocabulary.svg, batch.svg, history.svg and top_k.svg there, from what the file has of them.
"""

import json
import math
import pathlib
import sys
from html import escape

WIDTH, HEIGHT = 820, 420
LEFT, RIGHT, TOP, BOTTOM = 90, 220, 50, 60

# Told apart on white and on black, and by those who see few colours.
COLOURS = ["#2f7ed8", "#e07b00", "#1a9850", "#c2528b", "#8c6bd1", "#b8860b", "#d1495b", "#3a9fa8",
           "#7f7f7f", "#6b8e23", "#a0522d", "#4b6fb3", "#d85fd8", "#5f9e6e"]

TARGET_VOCABULARY = "151936"

STYLE = """
  text { font: 13px sans-serif; fill: #6e7681; }
  .title { font-size: 16px; font-weight: bold; }
  .grid { stroke: #8b949e; stroke-opacity: 0.3; }
  .line { fill: none; stroke-width: 2; }
  @media (prefers-color-scheme: dark) { text { fill: #c9d1d9; } }
"""


def read_cases(path):
  """The measured cases: their name's parts, and the median in µs."""
  cases = []
  for run in json.loads(pathlib.Path(path).read_text())["benchmarks"]:
    # Google Benchmark appends its settings to a name.
    parts = [part for part in run["name"].split("/")
             if part != "manual_time" and not part.startswith("iterations:")]
    if "error_occurred" not in run:
      cases.append((parts, run["real_time"]))
  return cases


def series_by(cases, group, label, x):
  """{label: [(x, µs), …]} of the cases of a group; a label of None leaves a case out."""
  series = {}
  for parts, time in cases:
    if parts[0] != group or label(parts) is None:
      continue
    series.setdefault(label(parts), []).append((int(x(parts)), time))
  return {name: sorted(points) for name, points in series.items()}


def batch_series(cases):
  """By number of threads; of one vocabulary, the one that targets are for if it was measured."""
  sizes = {parts[1] for parts, _ in cases if parts[0] == "batch"}
  size = TARGET_VOCABULARY if TARGET_VOCABULARY in sizes else max(sizes, default=None)

  def label(parts):
    if parts[1] != size:
      return None
    return "1 thread" if parts[3] == "1" else f"{parts[3]} threads"

  return series_by(cases, "batch", label, lambda p: p[2])


def plots(cases):
  """(file, title, x axis, series) of each plot."""
  by_vocabulary = series_by(
      cases, "target", lambda p: f"{p[1]}, {p[2]}", lambda p: p[3])
  by_history = series_by(cases, "history", lambda p: p[1], lambda p: p[2])
  by_k = series_by(cases, "top_k", lambda p: p[1], lambda p: p[2])
  return [
      ("vocabulary.svg", "A token, by size of the vocabulary", "tokens in the vocabulary",
       by_vocabulary),
      ("batch.svg", "A batch of the default chain, by number of rows", "rows", batch_series(cases)),
      ("history.svg", "A token, by length of the history", "tokens in the history", by_history),
      ("top_k.svg", "A token, top-k and a draw, by k", "k", by_k),
  ]


class LogAxis:
  """Maps values to coordinates, from whole powers of ten to whole powers of ten."""

  def __init__(self, values, begin, end):
    self.low = math.floor(math.log10(min(values)))
    self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
    self.begin, self.end = begin, end

  def __call__(self, value):
    part = (math.log10(value) - self.low) / (self.high - self.low)
    return self.begin + part * (self.end - self.begin)

  def ticks(self):
    return [10.0**e for e in range(self.low, self.high + 1)]


def spread(positions, gap, lowest):
  """Positions in the same order, at least `gap` apart, and none beyond `lowest`."""
  order = sorted(range(len(positions)), key=lambda i: positions[i])
  result = list(positions)
  for before, i in zip(order, order[1:]):
    result[i] = max(result[i], result[before] + gap)
  limit = lowest
  for i in reversed(order):
    result[i] = min(result[i], limit)
    limit = result[i] - gap
  return result


def number(value):
  return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def axes(x, y, x_title, y_title):
  out = []
  for value in x.ticks():
    at = x(value)
    out.append(f'<line class="grid" x1="{at:.1f}" y1="{y.end}" x2="{at:.1f}" y2="{y.begin}"/>')
    out.append(f'<text x="{at:.1f}" y="{y.begin + 20}" text-anchor="middle">{number(value)}</text>')
  for value in y.ticks():
    at = y(value)
    out.append(f'<line class="grid" x1="{x.begin}" y1="{at:.1f}" x2="{x.end}" y2="{at:.1f}"/>')
    out.append(f'<text x="{x.begin - 8}" y="{at + 4:.1f}" text-anchor="end">{number(value)}</text>')
  middle_x, middle_y = (x.begin + x.end) / 2, (y.begin + y.end) / 2
  out.append(f'<text x="{middle_x}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_title)}</text>')
  out.append(f'<text transform="translate(18 {middle_y}) rotate(-90)" text-anchor="middle">'
             f'{escape(y_title)}</text>')
  return out


def lines(series, x, y):
  """Each series as a line with its name where it ends."""
  names = sorted(series, key=lambda name: -series[name][-1][1])
  labels = spread([y(series[name][-1][1]) for name in names], 17, y.begin)
  out = []
  for i, name in enumerate(names):
    colour = COLOURS[i % len(COLOURS)]
    points = [(x(a), y(b)) for a, b in series[name]]
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
    out.append(f'<polyline class="line" stroke="{colour}" points="{path}"/>')
    out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
    out.append(f'<line stroke="{colour}" stroke-opacity="0.5" x1="{points[-1][0]:.1f}" '
               f'y1="{points[-1][1]:.1f}" x2="{x.end + 10}" y2="{labels[i]:.1f}"/>')
    out.append(f'<text x="{x.end + 14}" y="{labels[i] + 4:.1f}" style="fill: {colour}">'
               f'{escape(name)}</text>')
  return out


def svg(title, x_title, series):
  points = [point for values in series.values() for point in values]
  x = LogAxis([a for a, _ in points], LEFT, WIDTH - RIGHT)
  y = LogAxis([b for _, b in points], HEIGHT - BOTTOM, TOP)
  body = axes(x, y, x_title, "µs") + lines(series, x, y)
  return "\n".join([
      f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
      f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>",
      f'<text class="title" x="{LEFT}" y="28">{escape(title)}</text>', *body, "</svg>", ""])


def main(arguments):
  if len(arguments) != 3:
    sys.exit(__doc__)
  for file, title, x_title, series in plots(read_cases(arguments[1])):
    if series:
      (pathlib.Path(arguments[2]) / file).write_text(svg(title, x_title, series))


if __name__ == "__main__":
  main(sys.argv)
