"""The plots are well-formed, and show what was measured."""

import json
import pathlib
import tempfile
import unittest
import xml.dom.minidom

import plot


def run(name, time):
  return {"name": name + "/iterations:1/manual_time", "real_time": time}


class PlotTest(unittest.TestCase):

  def draw(self, runs):
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "in.json").write_text(json.dumps({"benchmarks": runs}))
    plot.main(["plot.py", str(folder / "in.json"), str(folder)])
    return {file.name: file.read_text() for file in folder.glob("*.svg")}

  def test_draws_what_there_is(self):
    files = self.draw([run("target/greedy/peaked/1000", 2.0),
                       run("target/greedy/peaked/10000", 20.0),
                       run("batch/151936/64/2", 900.0),
                       run("batch/32000/64/2", 100.0),
                       run("history/dry/64", 5.0)])
    self.assertEqual(set(files), {"vocabulary.svg", "batch.svg", "history.svg"})
    for text in files.values():
      xml.dom.minidom.parseString(text)
    self.assertIn("greedy, peaked", files["vocabulary.svg"])

  def test_leaves_out_what_failed(self):
    self.assertEqual(self.draw([run("top_k/flat/40", 3.0) | {"error_occurred": True}]), {})

  def test_a_tenfold_value_is_one_decade_away(self):
    axis = plot.LogAxis([1, 100], 0, 200)
    self.assertEqual([axis(1), axis(10), axis(100)], [0, 100, 200])

  def test_labels_keep_apart(self):
    self.assertEqual(plot.spread([10, 12, 50], 5, 100), [10, 15, 50])
    self.assertEqual(plot.spread([98, 99], 5, 100), [95, 100])


if __name__ == "__main__":
  unittest.main()
