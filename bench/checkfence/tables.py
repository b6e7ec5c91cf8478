# SPDX-License-Identifier: MIT
"""The tables of `bench/tables checkfence`: CheckFence's Figures 10 and 11, its
fences, and what each part of our encoding is worth.
"""
import os
import re
import statistics
import sys

import study

# Options of fencer check that leave something out or do it in another way.
WAYS = [
    ("without range analysis", ["--no-ranges"]),
    ("order: all pairs, cubic", ["--order", "cubic"]),
    ("order: chordal", ["--order", "chordal"]),
]
LIMIT = 1800
SHORT = 0.001  # seconds


def show(value, digits=2):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    return str(value)


def progress(variant, test, model, result):
    print(f"{variant.implementation} {variant.name} {test} {model}: "
          f"{result.verdict} {result.cpu:.1f} s {result.peak:.0f} MiB",
          file=sys.stderr)
    if result.verdict == "!":
        print(result.output, file=sys.stderr)


class Study:
    """Cases are run once, one at a time, and remembered."""

    def __init__(self, fencer, names, home):
        tests, self.small, self.variants = study.read_list()
        self.only_small = "small" in names
        wanted = [n for n in names if n != "small"]
        self.variants = [v for v in self.variants
                         if not wanted or v.implementation in wanted]
        self.tests = {kind: [t for t in all_of
                             if t in self.small or not self.only_small]
                      for kind, all_of in tests.items()}
        self.fencer, self.home, self.done = fencer, home, {}

    def check(self, variant, test, model, options=(), limit=LIMIT):
        key = (variant, test, model, tuple(options))
        if key not in self.done:
            result = study.check(self.fencer, variant, test, model, limit,
                                 self.home, options)
            progress(variant, test, " ".join([model, *options]), result)
            self.done[key] = result
        return self.done[key]

    def implementations(self):
        return list(dict.fromkeys(v.implementation for v in self.variants))

    def variants_of(self, implementation):
        return [v for v in self.variants
                if v.implementation == implementation]

    def fenced(self):
        return [v for v in self.variants if v.name == "fenced"]

    def small_of(self, variant):
        return [t for t in self.tests[variant.kind] if t in self.small]


# ---- Figure 10 and the verdicts ----

def verdicts(s, variant, test):
    return "".join(s.check(variant, test, m).verdict for m in study.MODELS)


def main_table(s):
    print("CheckFence, Figures 10 and 11a.  Sizes and times of the fenced "
          "version on Relaxed.\nVerdicts: SC TSO PSO PSLO Relaxed.\n")
    print(f"{'':9} {'':7}{'acc.':>5}{'inst.':>6}{'vars':>8}{'clauses':>9}"
          f"{'obs.':>6}{'mine s':>8}{'solve s':>9}{'all s':>8}{'MiB':>6}  "
          f"{'publ.':7}{'fixed':7}{'fenced':7}")
    for implementation in s.implementations():
        variants = {v.name: v for v in s.variants_of(implementation)}
        fenced = variants["fenced"]
        for test in s.tests[fenced.kind]:
            told = s.check(fenced, test, "relaxed")
            words = [verdicts(s, variants[n], test) if n in variants else ""
                     for n in ("published", "fixed", "fenced")]
            print(f"{implementation:9} {test:7}"
                  f"{show(told.get('accesses')):>5}"
                  f"{show(told.get('instructions')):>6}"
                  f"{show(told.get('variables')):>8}"
                  f"{show(told.get('clauses')):>9}"
                  f"{show(told.get('observations')):>6}"
                  f"{show(told.get('mining_seconds')):>8}"
                  f"{show(told.get('solve_seconds')):>9}"
                  f"{told.cpu:8.2f}{told.peak:6.0f}  "
                  + "".join(f"{w:7}" for w in words).rstrip(), flush=True)
    print(f"""
acc., inst.: loads and stores, and instructions, of the unrolled test.  obs.:
observations of serial executions; -: too many, the serial execution is part of
the formula.  mine, solve: seconds for the specification, and in the solver, to
the proof that the loop bounds suffice; all: CPU seconds of the whole command,
compiling included.  Verdicts: . passes, x fails, ? undecided after {LIMIT} s.
publ.: without fences; fixed: the same with `marked` initialised; fenced: only
load-load and store-store fences.""")


# ---- Fences ----

def places(variant):
    """Kind and lines of each fence of the source, by number."""
    found = {}
    with open(variant.path) as f:
        for number, line in enumerate(f, 1):
            match = re.match(r"\s+FENCE\((\d+), (\w+)\);", line)
            if match:
                fence = found.setdefault(int(match[1]), (match[2], []))
                fence[1].append(number)
    return found


def first_failure(s, variant, model):
    """The first small test that fails there but passes with all fences."""
    fenced = next(v for v in s.variants_of(variant.implementation)
                  if v.name == "fenced")
    more = ["Da", "Db", "Dh"] * (variant.kind == "deque")
    for test in s.small_of(variant) + more:
        if s.check(fenced, test, model, limit=300).verdict == "." and \
                s.check(variant, test, model, limit=300).verdict == "x":
            return test
    return "-"


def fence_table(s):
    print("\nThe fences: a test that fails without that one alone.\n")
    print(f"{'':9}{'':>3} {'kind':5}{'lines':14}"
          + "".join(f"{m:>9}" for m in ("pso", "pslo", "relaxed")))
    for variant in s.fenced():
        for number, (kind, lines) in sorted(places(variant).items()):
            cells = [first_failure(s, variant.without(number), m)
                     for m in ("pso", "pslo", "relaxed")]
            print(f"{variant.implementation:9}{number:>3} {kind:5}"
                  f"{', '.join(map(str, lines)):14}"
                  + "".join(f"{c:>9}" for c in cells), flush=True)


def search_table(s):
    print("\nfencer check --fences --model relaxed: what the version without "
          "fences needs, as\nkind:line in front of which it goes (a test that "
          "fails without it).\n")
    for implementation in s.implementations():
        variants = {v.name: v for v in s.variants_of(implementation)}
        variant = variants.get("fixed", variants["published"])
        tests = [t for t in s.small_of(variant)
                 if s.check(variants["fenced"], t, "relaxed").verdict == "."]
        if variant.kind == "deque":
            tests += ["Da", "Db"]
        options = ["--fences"]
        for test in tests[1:]:
            options += ["--test", test]
        told = s.check(variant, tests[0], "relaxed", options)
        found = [f"{f['kind']}:{f['line']} ({f.get('test', '-')})"
                 for f in told.answer.get("fence_set", [])]
        print(f"{implementation:9}{told.cpu:8.1f} s  "
              f"{', '.join(found) if found else told.verdict}", flush=True)


# ---- What the parts are worth ----

def compare(name, pairs):
    """Of pairs of seconds, of which some are None: sums, and the ratios' mean,
    less what is too short to measure."""
    pairs = [(a, b) for a, b in pairs if a is not None and b is not None]
    ratios = [b / a for a, b in pairs if a >= SHORT]
    if not ratios:
        return
    print(f"{name:26}{len(pairs):6}{sum(a for a, _ in pairs):10.3f}"
          f"{sum(b for _, b in pairs):10.3f}"
          f"{statistics.geometric_mean(max(r, 1e-6) for r in ratios):8.2f}"
          f"{max(ratios):8.2f}", flush=True)


def comparisons(s):
    print("\nOther ways, on the small tests, fenced, Relaxed: seconds of all "
          "tests that both\nfinish, ours and the other's, and the ratio: mean "
          "and greatest.\n")
    print(f"{'':26}{'tests':>6}{'ours':>10}{'other':>10}{'mean':>8}"
          f"{'most':>8}")
    cases = [(v, t) for v in s.fenced() for t in s.small_of(v)]

    def seconds(model, options=(), key="seconds"):
        results = [s.check(*c, model, options, limit=300) for c in cases]
        return [None if r.verdict in "?!" else r.get(key) for r in results]

    def of_reference(key):
        return [s.check(*c, "relaxed", ["--spec", study.REFERENCE[c[0].kind]],
                        limit=300).get(key) for c in cases]

    ours, mining = seconds("relaxed"), seconds("relaxed", key="mining_seconds")
    for name, options in WAYS:
        compare(name, zip(ours, seconds("relaxed", options)))
    compare("SC", zip(ours, seconds("sc")))
    compare("mining alone", zip(ours, mining))
    compare("mining: from a reference",
            zip(mining, of_reference("mining_seconds")))
    print(f"""
Seconds of the engine, without compiling and replays; the mean leaves out what
takes less than {1000 * SHORT:.0f} ms.  CheckFence: range analysis saves 42 %; SC is 4 % faster
than Relaxed; mining is a third of the time, less from a reference.""")


def table(build_dir, names, home):
    s = Study(os.path.join(build_dir, "bin", "fencer"), names, home)
    main_table(s)
    fence_table(s)
    search_table(s)
    comparisons(s)
