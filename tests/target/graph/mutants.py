#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks the search on purpose, once for each row of mutants.txt, and expects
the tests of this folder to notice.

    mutants.py CLANG SOURCE GENERATED [options]
        --only TEXT    rows whose name has it, or of the file of that name
        --rows N-M     the N-th row to the M-th (N-: to the last, N: that one)
        --jobs N       so many at a time; or start it twice, with other rows
        --state FILE   what was noticed is noted there, and not done again as
                       long as neither the row nor a source has changed
        --by ARGUMENTS of graph_test, in the place of what the rows say

Without an option and without FENCER_LONG=1 it looks only whether each row
still changes the source.

A mutant that does not end is noticed only if it has taken ten times the CPU
time of the test without it, which is measured here: other work on the machine
makes no difference.
"""
import argparse
import concurrent.futures
import contextlib
import glob
import hashlib
import os
import queue
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

BESIDE = ["shared/model/*.c", "shared/event/event.c", "shared/base/err.c",
          "shared/base/clean.c", "shared/base/buf.c", "shared/base/arena.c",
          "verify/c11_axioms.c", "verify/c11_cycle.c",
          "verify/processor_axioms.c", "verify/processor_lets.c",
          "verify/square.c", "test/predict/instructions.c",
          "test/predict/language.c"]

SHAPES = "tests/litmus-herd/classical.tsv"

# Tried one after the other if what the row says does not notice; cheap ones
# first.
ALL_ARGUMENTS = [
    "counts", "shapes", "ways 150", "unfolding 300",
    "torn 300", "late-compared 100", "late-pushed 200",
    "late 12 14150 7", "late 400 1 6", "blocks 300", "everybody 400",
    "depends 400 1 7", "reduced 400", "random 1500", "samples 100",
    "late-waits 250 1 6", "chains 1500 1 6", "bundles 150",
    "samples 100 1101", "equal 150", "sizes 300 1 8", "random 1500 50001 9",
    "blocks 4000 1001", "bundles 2000 1001"]

SLOWER = 10  # than the test without the mutant: it does not end
LEAST_SECONDS = 20
MEMORY = 16 << 30  # of addresses, that a mutant does not eat the machine
MOST_SECONDS = 3600


def parse_arguments():
    p = argparse.ArgumentParser()
    p.add_argument("clang")
    p.add_argument("source", type=os.path.abspath)
    p.add_argument("generated", type=os.path.abspath)
    p.add_argument("--only")
    p.add_argument("--rows")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--state", type=os.path.abspath)
    p.add_argument("--by")
    return p.parse_args()


options = parse_arguments()
HERE = os.path.join(options.source, "tests/target/graph")
GRAPH = os.path.join(options.source, "src/target/graph")
WORK = tempfile.mkdtemp()
running = set()  # numbers of processes


def stop(code, words):
    """Out of any thread, whatever the others do."""
    print(words, flush=True)
    for pid in list(running):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    shutil.rmtree(WORK, ignore_errors=True)
    os._exit(code)


# ---- Rows ----

class Row:
    def __init__(self, number, line):
        self.number, self.line = number, line
        self.name, where, self.script = line.split("|", 2)
        self.file, _, self.by = where.partition(" ")

    def broken(self):
        """The file's text; None: the row changes nothing."""
        with open(os.path.join(GRAPH, self.file)) as f:
            text = f.read()
        broken = subprocess.run(["sed", self.script], input=text, text=True,
                                capture_output=True, check=True).stdout
        return broken if broken != text else None


def read_rows():
    with open(os.path.join(HERE, "mutants.txt")) as f:
        lines = [line.rstrip("\n") for line in f]
    lines = [line for line in lines if line and line[0] != "#"]
    rows = [Row(i + 1, line) for i, line in enumerate(lines)]
    if options.only:
        rows = [r for r in rows
                if options.only in r.name or options.only == r.file]
    if options.rows:
        first, dash, last = options.rows.partition("-")
        last = int(last) if last else len(lines) if dash else int(first)
        rows = [r for r in rows if int(first) <= r.number <= last]
    return rows


# ---- Compiling ----

class Folder:
    """The search's sources, one of them perhaps broken, and a test made of
    them.  All paths inside are relative, so that ccache knows them again."""

    def __init__(self, path):
        self.path = path
        shutil.copytree(GRAPH, os.path.join(path, "graph"))

    def put(self, file, text):
        with open(os.path.join(self.path, "graph", file), "w") as f:
            f.write(text)

    def put_back(self, file):
        shutil.copy(os.path.join(GRAPH, file),
                    os.path.join(self.path, "graph", file))

    def run(self, command):
        done = subprocess.run(command, cwd=self.path, text=True,
                              capture_output=True)
        if done.returncode:
            return "\n".join(done.stderr.splitlines()[:3])
        return None

    def compile(self, file, to, depends=False):
        """None, or why not."""
        src = os.path.join(options.source, "src")
        include = [".", src, src + "/shared", src + "/tool", src + "/test",
                   HERE, options.generated]
        launcher = ["ccache"] if shutil.which("ccache") else []
        return self.run(launcher + [options.clang, "-std=gnu17", "-O1",
                                    "-D_GNU_SOURCE", "-w"] +
                        ["-I" + i for i in include] +
                        (["-MD"] if depends else []) +
                        ["-c", file, "-o", to])

    def link(self, objects):
        return self.run([options.clang, *objects, "-lm", "-o", "test"])


def all_sources():
    """Of the test, as compile() takes them."""
    found = sorted(glob.glob(os.path.join(HERE, "*.c")))
    found += ["graph/" + os.path.basename(f)
              for f in sorted(glob.glob(os.path.join(GRAPH, "*.c")))]
    for pattern in BESIDE:
        found += sorted(glob.glob(os.path.join(options.source, "src",
                                               pattern)))
    return found


class Objects:
    """Of the test without a mutant; and what each of them includes."""

    def __init__(self, folder):
        self.folder, self.of, self.includes = folder, {}, {}
        for i, file in enumerate(all_sources()):
            self.of[file] = os.path.join(folder.path, f"{i}.o")
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(self.make, self.of))
        self.key = self.find_key()

    def make(self, file):
        wrong = self.folder.compile(file, self.of[file], depends=True)
        if wrong:
            sys.exit(f"without a mutant: {file}\n{wrong}")
        with open(self.of[file][:-1] + "d") as f:
            words = f.read().replace("\\\n", " ").split()[1:]
        self.includes[file] = {os.path.normpath(w) for w in words}

    def find_key(self):
        """Of all that a test depends on but the row."""
        files = set().union(*self.includes.values())
        files |= {os.path.join(options.source, SHAPES), __file__}
        key = hashlib.sha256()
        for file in sorted(files):
            with open(os.path.join(self.folder.path, file), "rb") as f:
                name = os.path.relpath(file, options.source) \
                    if os.path.isabs(file) else file
                key.update(name.encode() + b"\0" + f.read())
        return key.digest()

    def make_broken(self, folder, file):
        """The test in that folder, whose `file` is broken."""
        objects = []
        for source, own in self.of.items():
            if "graph/" + file in self.includes[source]:
                own = f"broken{len(objects)}.o"
                wrong = folder.compile(source, own)
                if wrong:
                    return wrong
            objects.append(own)
        return folder.link(objects)


# ---- Running ----

def run_test(test, arguments, limit):
    """(Did it pass, its CPU seconds, "does not end" or "")"""
    words = arguments.split()
    if words == ["shapes"]:
        words.append(os.path.join(options.source, SHAPES))
    child = subprocess.Popen([test, *words], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    resource.prlimit(child.pid, resource.RLIMIT_CPU, (limit, limit + 5))
    resource.prlimit(child.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
    running.add(child.pid)
    _, status, usage = os.wait4(child.pid, 0)
    running.discard(child.pid)
    code = child.returncode = os.waitstatus_to_exitcode(status)
    if code in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT):
        stop(3, "somebody killed a test")
    return (code == 0, usage.ru_utime + usage.ru_stime,
            ", does not end" if code == -signal.SIGXCPU else "")


class Measured:
    """Seconds of each list of arguments without a mutant.  It must pass under
    the same limits, else all that a mutant shows is that there are some."""

    def __init__(self, test):
        self.test, self.seconds, self.lock = test, {}, threading.Lock()

    def limit(self, arguments):
        with self.lock:
            if arguments not in self.seconds:
                passed, seconds, _ = run_test(self.test, arguments,
                                              MOST_SECONDS)
                if not passed:
                    stop(1, f"without a mutant: {arguments} fails")
                self.seconds[arguments] = seconds
            return max(LEAST_SECONDS,
                       int(SLOWER * self.seconds[arguments]) + 1)


class State:
    """Lines: the key of a row that was noticed."""

    def __init__(self, key):
        self.key, self.done = key, set()
        if options.state and os.path.exists(options.state):
            with open(options.state) as f:
                self.done = set(f.read().split("\n"))

    def key_of(self, row):
        return hashlib.sha256(self.key + row.line.encode()).hexdigest()

    def note(self, row):
        if options.state:
            with open(options.state, "a") as f:
                f.write(self.key_of(row) + "\n")


class Trial:
    def __init__(self, work):
        path = os.path.join(work, "whole")
        self.objects = Objects(Folder(path))
        wrong = self.objects.folder.link(list(self.objects.of.values()))
        if wrong:
            sys.exit(wrong)
        self.measured = Measured(os.path.join(path, "test"))
        self.state = State(self.objects.key)
        self.folders = queue.Queue()
        for i in range(options.jobs):
            self.folders.put(Folder(os.path.join(work, str(i))))

    def notices(self, test, row):
        """What did, in words, or None."""
        said = options.by or row.by
        for arguments in [said] * bool(said) + \
                [a for a in ALL_ARGUMENTS if a != said and not options.by]:
            limit = self.measured.limit(arguments)
            passed, seconds, how = run_test(test, arguments, limit)
            if not passed:
                other = "" if arguments == said or not said \
                    else f", not by {said}"
                return f"{arguments}{how}{other}; {seconds:.1f} s"
        return None

    def try_in(self, folder, row):
        """Is it noticed?"""
        broken = row.broken()
        if broken is None:
            return say(row, "changes nothing", False)
        folder.put(row.file, broken)
        try:
            wrong = self.objects.make_broken(folder, row.file)
        finally:
            folder.put_back(row.file)
        if wrong:
            return say(row, "does not compile", False, "\n" + wrong)
        by = self.notices(os.path.join(folder.path, "test"), row)
        if by is None:
            return say(row, "NOT NOTICED", False)
        self.state.note(row)
        return say(row, "noticed", True, f" ({by})")

    def try_row(self, row):
        if self.state.key_of(row) in self.state.done:
            return True
        folder = self.folders.get()
        try:
            return self.try_in(folder, row)
        finally:
            self.folders.put(folder)


def say(row, what, noticed, more=""):
    print(f"{row.number} {what}: {row.name}{more}", flush=True)
    return noticed


def look_only(rows):
    bad = 0
    for row in rows:
        bad += row.broken() is None and not say(row, "changes nothing", False)
    print(f"{len(rows)} mutants, {bad} change nothing; FENCER_LONG=1 runs them")
    return bad == 0 and bool(rows)


def run(rows):
    begun = time.monotonic()
    trial = Trial(WORK)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        noticed = sum(pool.map(trial.try_row, rows))
    print(f"{len(rows)} mutants, {len(rows) - noticed} not noticed; "
          f"{time.monotonic() - begun:.0f} s")
    return noticed == len(rows) and bool(rows)


def main():
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop(3, "killed"))
    long = os.environ.get("FENCER_LONG") == "1" or len(sys.argv) > 4
    try:
        passed = (run if long else look_only)(read_rows())
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    sys.exit(not passed)


main()
