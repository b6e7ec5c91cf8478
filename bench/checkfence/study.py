# SPDX-License-Identifier: MIT
"""CheckFence's study, run by `fencer check`: what bench/tables and bench/sat
share.

A *case* is a variant of an implementation, a test and a model; check() runs
one in a process of its own and says what came of it.
"""
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import threading

FOLDER = os.path.dirname(os.path.abspath(__file__))
MODELS = ("sc", "tso", "pso", "pslo", "relaxed")
REFERENCE = {kind: os.path.join(FOLDER, f"ref_{kind}.c")
             for kind in ("queue", "set", "deque")}


@dataclasses.dataclass(frozen=True)
class Variant:
    """A row of `list`."""
    implementation: str
    name: str
    kind: str
    flags: str

    @property
    def path(self):
        return os.path.join(FOLDER, self.implementation + ".c")

    def without(self, fence):
        return dataclasses.replace(
            self, name=f"without {fence}",
            flags=f"{self.flags} -DWITHOUT={fence}")


def read_list():
    """Tests by type, with their number of observations; those that are small;
    all variants."""
    tests, small, variants = {}, set(), []
    with open(os.path.join(FOLDER, "list")) as f:
        rows = [line.split() for line in f]
    for row in rows:
        if not row or row[0] == "#":
            continue
        if row[0] == "tests":
            for name, count in (t.split(":") for t in row[2:]):
                tests.setdefault(row[1], {})[name.lstrip("+")] = int(count)
                if name[0] == "+":
                    small.add(name[1:])
        else:
            variants.append(Variant(*row[:3], " ".join(row[3:])))
    return tests, small, variants


@dataclasses.dataclass
class Result:
    """verdict: "." every execution is as if serial, "x" one is not, "?" not
    decided within the limit, "!" the tool did not do its work.  row: what it
    says of the test in its JSON, or {}.  cpu: seconds; peak: MiB, both of
    the tool and all that it started."""
    verdict: str
    code: int
    row: dict
    answer: dict
    cpu: float
    peak: float
    output: str

    def get(self, key):
        return self.row.get(key)


def run(command, limit):
    """Exit code, output, CPU seconds and MiB.  Killed after the limit."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, text=True,
                             start_new_session=True)
    watch = threading.Timer(limit, os.killpg, (child.pid, signal.SIGKILL))
    watch.start()
    output = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    watch.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return (child.returncode, output, used.ru_utime + used.ru_stime,
            used.ru_maxrss / 1024)


def check(fencer, variant, test, model, limit, home, options=(), keep=False):
    """One case, within that many seconds.  keep: a specification that is in
    `home` already may be used."""
    answer_file = os.path.join(home, "answer.json")
    findings = os.path.join(home, "findings")
    if not keep:
        shutil.rmtree(findings, ignore_errors=True)
    if os.path.exists(answer_file):
        os.remove(answer_file)
    code, output, cpu, peak = run(
        [fencer, "check", "--quiet", "--no-color", "--model", model,
         "--test", test, "--time", str(limit), "--json", answer_file,
         "--out", findings, "--cflags", variant.flags, *options,
         variant.path], limit + 60)
    answer = {}
    if os.path.exists(answer_file):
        with open(answer_file) as f:
            answer = json.load(f)
    rows = answer.get("tests", [])
    return Result({0: ".", 1: "x", 3: "?"}.get(code, "!"), code,
                  rows[0] if rows else {}, answer, cpu, peak, output)


def producer_consumer(count):
    """Tpc with that many operations a thread, as a test."""
    return f"( {'e' * count} | {'d' * count} )"
