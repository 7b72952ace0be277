#!/usr/bin/env python3
"""Tests of lib/grid.py and lib/tables.py: what is run, recorded, resumed after any end, refused."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
import unittest

from files import EVAL, Files

from lib import grid, stats, tables
from lib.cli import UserError
from lib.tables import Table

COLUMNS = ("setting", "seed", "rho")
# A run that is killed in its third run, as by the machine's going down.
KILLED = """
import os, signal, sys
from lib import grid, tables
from grid_test import COLUMNS, plan, result
def make(run):
    if run == plan("ab", [1, 2])[2]:
        os.kill(os.getpid(), signal.SIGKILL)
    return result(run), [{"place": 1, "loss": 0.5}]
grid.complete(plan("ab", [1, 2]), make, tables.Table(sys.argv[1], COLUMNS), sys.argv[2])
"""


def plan(settings, seeds):
    return [{"setting": setting, "seed": seed} for seed in seeds for setting in settings]


def result(run):
    return {"rho": run["seed"] + ord(run["setting"]) / 1000}


class Grid(Files):
    def setUp(self):
        super().setUp()
        self.table = Table(self.path("table.tsv"), COLUMNS, {"corpus": "text"})
        self.curves = self.path("curves.tsv")
        self.made = []

    def make(self, run):
        self.made.append((run["setting"], run["seed"]))
        return result(run)

    def make_with_curves(self, run):
        return self.make(run), [{"place": place, "loss": f"{run['seed'] / place:.6f}"}
                                for place in (1, 2, 3)]

    def make_many(self, run):
        return [{"step": step, **self.make(run)} for step in (1, 2, 3)]

    def complete(self, runs, make=None, table=None, curves=None):
        self.said = io.StringIO()
        self.made = []
        with contextlib.redirect_stderr(self.said):
            return grid.complete(runs, make or self.make, table or self.table, curves)

    def read(self, path):
        with open(path, encoding="utf-8") as stream:
            return stream.read()

    def test_two_seeds(self):
        first = self.complete(plan("ab", [1]))
        self.assertEqual(first, [{"setting": "a", "seed": 1, "rho": 1.097},
                                 {"setting": "b", "seed": 1, "rho": 1.098}])
        self.assertEqual(self.made, [("a", 1), ("b", 1)])
        text = self.read(self.table.path)
        second = self.complete(plan("abc", [1, 2]))
        self.assertEqual(self.made, [("c", 1), ("a", 2), ("b", 2), ("c", 2)])
        self.assertEqual([(row["setting"], row["seed"]) for row in second],
                         [("a", 1), ("b", 1), ("c", 1), ("a", 2), ("b", 2), ("c", 2)])
        self.assertTrue(self.read(self.table.path).startswith(text))
        # Less than the table has: nothing is run, and only that is reported.
        self.assertEqual(self.complete(plan("b", [2, 1])), [second[4], second[1]])
        self.assertEqual((self.made, self.said.getvalue()), ([], ""))
        self.assertEqual(list(stats.summary(second, ("setting",), ("rho",)))[1],
                         "a\t2\t1.60 ± 0.71")

    def test_each_run_is_in_the_table_as_soon_as_it_is_done(self):
        def make(run):
            if run["seed"] == 2:
                self.assertEqual(tables.read(self.table.path), [{"setting": "a", "seed": 1,
                                                                 "rho": 1.097}])
            return self.make(run)
        self.complete(plan("a", [1, 2]), make)
        self.assertRegex(self.said.getvalue(),
                         r"\A\S+: 1/2: a, seed 1: rho 1.097; \d+ minutes left\n"
                         r"\S+: 2/2: a, seed 2: rho 2.097; 0 minutes left\n\Z")

    def test_a_run_that_fails_is_reported_and_not_recorded(self):
        def make(run):
            if run == {"setting": "b", "seed": 1}:
                raise UserError("acevec: it broke; fix it")
            return self.make_with_curves(run)
        with self.assertRaisesRegex(UserError, r"\Ab, seed 1: acevec: it broke; fix it\Z"):
            self.complete(plan("ab", [1, 2]), make, curves=self.curves)
        self.assertEqual(self.made, [("a", 1)])
        for path, number in ((self.table.path, 1), (self.curves, 3)):
            self.assertEqual([row["setting"] for row in tables.read(path)], ["a"] * number)
        self.complete(plan("ab", [1, 2]), self.make_with_curves, curves=self.curves)
        self.assertEqual(self.made, [("b", 1), ("a", 2), ("b", 2)])

    def test_the_first_that_fails_leaves_no_table(self):
        def make(run):
            raise UserError("it broke; fix it")
        self.assertRaises(UserError, self.complete, plan("a", [1]), make)
        self.assertEqual(os.listdir(self.directory), [])

    def test_a_crash_anywhere_in_a_row(self):
        self.complete(plan("ab", [1, 2]))
        text = self.read(self.table.path)
        head = text.index("a\t1")
        for end in range(head, len(text) + 1):
            self.write("table.tsv", text[:end])
            rows = self.complete(plan("ab", [1, 2]))
            self.assertEqual(self.read(self.table.path), text, end)
            self.assertEqual(len(rows), 4)
            self.assertEqual(len(self.made), 4 - text[head:end].count("\n"))

    def test_a_crash_anywhere_in_a_run_of_several_rows(self):
        table = Table(self.path("table.tsv"), ("step", *COLUMNS), rows_each=3)
        self.complete(plan("ab", [1, 2]), self.make_many, table)
        text = self.read(table.path)
        head = text.index("1\ta\t1")
        for end in range(head, len(text) + 1):
            self.write("table.tsv", text[:end])
            rows = self.complete(plan("ab", [1, 2]), self.make_many, table)
            self.assertEqual(self.read(table.path), text, end)
            self.assertEqual(len(rows), 12)
            self.assertEqual(len(self.made), 3 * (4 - text[head:end].count("\n") // 3))

    def test_a_crash_anywhere_in_the_curves(self):
        runs = plan("ab", [1])
        self.complete(runs, self.make_with_curves, curves=self.curves)
        table, curves = self.read(self.table.path), self.read(self.curves)
        # Curves come before the row: all of the first run's, and any part of the second's.
        for end in range(curves.index("b\t1"), len(curves) + 1):
            self.write("table.tsv", table[:table.index("b\t1")])
            self.write("curves.tsv", curves[:end])
            self.complete(runs, self.make_with_curves, curves=self.curves)
            self.assertEqual((self.read(self.table.path), self.read(self.curves)),
                             (table, curves), end)
            self.assertEqual(self.made, [("b", 1)])
        for end in range(0, curves.index("b\t1")):
            self.write("table.tsv", table[:table.index("a\t1")])
            self.write("curves.tsv", curves[:end])
            self.complete(runs, self.make_with_curves, curves=self.curves)
            self.assertEqual(self.read(self.curves), curves, end)

    def test_killed(self):
        paths = self.table.path, self.curves
        environment = {**os.environ,
                       "PYTHONPATH": os.pathsep.join([EVAL, os.path.dirname(__file__)])}
        done = subprocess.run([sys.executable, "-c", KILLED, *paths], env=environment, check=False,
                              stderr=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.returncode, -9, done.stderr)
        self.assertEqual([len(tables.read(path)) for path in paths], [2, 2])
        rows = self.complete(plan("ab", [1, 2]), lambda run: (self.make(run), []),
                             Table(self.table.path, COLUMNS), self.curves)
        self.assertEqual(self.made, [("a", 2), ("b", 2)])
        self.assertEqual([row["rho"] for row in rows], [1.097, 1.098, 2.097, 2.098])

    def test_what_is_another_table_is_refused(self):
        self.complete(plan("a", [1]))
        text = self.read(self.table.path)
        for other in (Table(self.table.path, COLUMNS, {"corpus": "other"}),
                      Table(self.table.path, COLUMNS, {"corpus": None}),
                      Table(self.table.path, COLUMNS, {"corpus": "text", "options": "-size 8"}),
                      Table(self.table.path, ("setting", "seed", "f1"), {"corpus": "text"})):
            with self.assertRaisesRegex(UserError, "holds runs of other|has other columns"):
                self.complete(plan("a", [1, 2]), table=other)
            self.assertEqual((self.made, self.read(self.table.path)), ([], text))
        self.complete(plan("a", [1, 2]),
                      table=Table(self.table.path, COLUMNS, {"corpus": "text", "options": None}))
        self.assertEqual(self.made, [("a", 2)])

    def test_of_curves_with_other_columns(self):
        self.complete(plan("a", [1]), self.make_with_curves, curves=self.curves)
        with self.assertRaisesRegex(UserError, "other columns than setting, seed, place; move it"):
            self.complete(plan("a", [1, 2]), lambda run: (self.make(run), [{"place": 1}]),
                          curves=self.curves)
        self.assertEqual(len(tables.read(self.table.path)), 1)

    def test_a_key_is_its_text(self):
        runs = [{"setting": name, "seed": 1} for name in ("1", "1.0", "01")]
        self.complete(runs, lambda run: {"rho": 0.5})
        self.assertEqual(self.complete(runs), [{"setting": value, "seed": 1, "rho": 0.5}
                                               for value in (1, 1.0, 1)])
        self.assertEqual(self.made, [])


class Tables(Files):
    def test_read_back(self):
        path = self.path("new/table.tsv")
        tables.write(Table(path, ("a", "b", "c"), {"fact": 1, "unsaid": None}),
                     [{"a": "x", "b": 1.5, "c": None}])
        self.assertEqual(tables.read(path), [{"a": "x", "b": 1.5, "c": None}])
        self.assertEqual(tables.texts(path), [{"a": "x", "b": "1.500", "c": ""}])
        with open(path, encoding="utf-8") as stream:
            self.assertRegex(stream.read(), r"\A# made by: .*\n# cpu: .*\n# fact: 1\na\tb\tc\n")
        self.assertRaises(UserError, tables.texts, self.write("none", ""))
        self.assertRaises(UserError, tables.texts, self.write("other", "a\tb\n1\n"))

    def test_a_table_that_cannot_be_written_stays(self):
        path = self.write("table.tsv", "a\n1\n")
        self.assertRaises(KeyError, tables.write, Table(path, ("a", "b")), [{"a": 2}])
        self.assertEqual(tables.read(path), [{"a": 1}])
        self.assertEqual(os.listdir(self.directory), ["table.tsv"])

    def test_the_tables_of_results_can_be_gone_on_with(self):
        word = ("setting", "flags", "iter", "seed")
        keys = {"order.tsv": ("split", "setting", "seed"), "kg.tsv": ("setting", "seed"),
                "kg-time.tsv": ("graph", "setting", "seed"),
                "metric.tsv": ("way", "seed"), "metric-curves.tsv": ("way", "seed"),
                "metric-digits.tsv": ("way", "seed"), "metric-digits-curves.tsv": ("way", "seed"),
                "order-curves.tsv": ("split", "setting", "seed"), "kg-curves.tsv": word[::3],
                "noise-word.tsv": word, "fine-tuning.tsv": ("arm", "seed"),
                "agnews.tsv": ("noise", "flags", "seed", "hidden"), "density.tsv": ("repetition",),
                **{f"ace-{name}.tsv": word
                   for name in ("tuned", "tuned-articles", "samplers", "converged")},
                "ace-paper.tsv": ("arm", "seed")}
        rows_each = {"density.tsv": 277, "ace-paper.tsv": 15}
        for name, key in keys.items():
            result = os.path.join(EVAL, "results", name)
            path = shutil.copy(result, self.path(name))
            runs = tables.resume(Table(path, tables.columns_of(path),
                                       rows_each=rows_each.get(name, 1)), key)
            self.assertEqual(runs, {tables.key_of(row, key) for row in tables.texts(result)})
            with open(path, "rb") as copy, open(result, "rb") as stream:
                self.assertEqual(copy.read(), stream.read(), name)


if __name__ == "__main__":
    unittest.main()
