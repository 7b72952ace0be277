#!/usr/bin/env python3
"""Tests of eval/tools/sample_graph.py on a ring of 60 places."""

import unittest

from files import Files, run_script, write_graph

from lib import graphs


class SampleGraph(Files):
    def setUp(self):
        super().setUp()
        write_graph(self.directory)

    def sample(self, *options):
        done = run_script("tools/sample_graph.py", self.directory, self.path("to"), *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [graphs.read(graphs.path_of(self.path("to"), part)) for part in graphs.PARTS]

    def test_the_most_frequent_relation_divided_anew(self):
        splits = self.sample("--relations", "1")
        self.assertEqual([len(split) for split in splits], [54, 3, 3])
        # Of equals the first, which leads one place on.
        self.assertEqual(sorted(triple for split in splits for triple in split),
                         [(place, (place + 1) % 60, 0) for place in range(60)])

    def test_entities_of_a_walk(self):
        splits = self.sample("--entities", "30", "--seed", "2")
        triples = [triple for split in splits for triple in split]
        self.assertEqual(len(set(triples)), len(triples))
        self.assertEqual({end for triple in triples for end in triple[:2]}, set(range(30)))
        self.assertEqual(splits, self.sample("--entities", "30", "--seed", "2"))

    def test_a_share_of_the_triples(self):
        self.assertEqual(sum(map(len, self.sample("--share", "0.5"))), 60)

    def test_too_few_triples(self):
        done = run_script("tools/sample_graph.py", self.directory, self.path("to"), "--share",
                          "0.1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("take more", done.stderr)


if __name__ == "__main__":
    unittest.main()
