#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks the rules of waits and of rounds that are left out, once for each row
of waits/mutants.txt, and expects waits.py, waits-guarded.sh or rounds.py to
notice.

    waits-mutants.py [ONLY]      rows whose name has it; FENCER_LONG=1: all

The runtime is made anew of the objects that the tool's build has, with the
broken file in the place of its own.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys

SOURCE = os.environ["SOURCE"]
FENCER = os.environ["FENCER"]
HERE = os.path.join(SOURCE, "tests/e2e")


def runtime_build():
    """The folder that the runtime is built in, by its archive."""
    bin_folder = os.path.dirname(os.path.realpath(FENCER))
    build = os.path.dirname(bin_folder)
    for line in open(os.path.join(build, "CMakeCache.txt")):
        if line.startswith("FENCER_RT_BUILD:"):
            return bin_folder, line.split("=", 1)[1].strip()
    sys.exit("no FENCER_RT_BUILD")


def object_of(entry):
    words = shlex.split(entry["command"])
    return os.path.join(entry["directory"], words[words.index("-o") + 1])


def same(a, b):
    return os.path.realpath(a) == os.path.realpath(b)


class Runtime:
    def __init__(self):
        self.bin, self.build = runtime_build()
        with open(os.path.join(self.build, "compile_commands.json")) as f:
            self.entries = json.load(f)
        commands = subprocess.run(
            ["ninja", "-C", self.build, "-t", "commands",
             "plain/libfencer_rt.a"], capture_output=True, text=True,
            check=True).stdout.splitlines()
        self.archive = commands[-1].replace("/./", "/")
        shutil.rmtree("mutant", ignore_errors=True)
        shutil.copytree(self.bin, "mutant/bin")

    def make(self, file, text):
        """False: it does not compile."""
        path = os.path.join(SOURCE, "src/target", file)
        archive = self.archive.replace(
            os.path.join(self.build, "plain"), os.path.abspath("mutant"))
        changed = False
        for i, entry in enumerate(self.entries):
            if not same(entry["file"], path):
                continue
            own, new = object_of(entry), os.path.abspath(f"mutant/{i}.o")
            if own not in archive:
                continue
            broken = os.path.abspath("mutant/" + os.path.basename(file))
            with open(broken, "w") as f:
                f.write(text)
            words = shlex.split(entry["command"]) + ["-w", "-Wno-error"]
            words[words.index("-o") + 1] = new
            words[words.index("-c") + 1] = broken
            if subprocess.run(words, cwd=entry["directory"]).returncode:
                return False
            archive = archive.replace(own, new)
            changed = True
        if not changed:
            sys.exit(f"{file} is not in the runtime")
        subprocess.run(archive, shell=True, check=True)
        shutil.copy("mutant/libfencer_rt.a", "mutant/bin/libfencer_rt.a")
        return True


def notices(by):
    env = dict(os.environ, FENCER=os.path.abspath("mutant/bin/fencer"))
    script, *rest = by.split()
    if script == "guarded":
        command = ["sh", os.path.join(HERE, "waits-guarded.sh")]
    elif script == "rounds":
        command = ["python3", os.path.join(HERE, "rounds.py"), *rest]
    else:
        command = ["python3", os.path.join(HERE, "waits.py"), *by.split()]
    return subprocess.run(command, env=env,
                          stdout=subprocess.DEVNULL).returncode != 0


def try_row(runtime, name, where, script):
    file, by = where.split(" ", 1)
    with open(os.path.join(SOURCE, "src/target", file)) as f:
        text = f.read()
    broken = subprocess.run(["sed", script], input=text, text=True,
                            capture_output=True, check=True).stdout
    if broken == text:
        print(f"changes nothing: {name}")
        return False
    if not runtime.make(file, broken):
        print(f"does not compile: {name}")
        return False
    noticed = notices(by)
    print(f"{'noticed' if noticed else 'NOT NOTICED'}: {name}", flush=True)
    return noticed


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    if not only and os.environ.get("FENCER_LONG") != "1":
        print("not run: FENCER_LONG=1 runs it")
        sys.exit(77)
    runtime, count, bad = Runtime(), 0, 0
    for line in open(os.path.join(HERE, "waits/mutants.txt")):
        row = line.rstrip("\n").split("|", 2)
        if line.startswith("#") or len(row) < 3 or only not in row[0]:
            continue
        count += 1
        bad += not try_row(runtime, *row)
    print(f"{count} mutants, {bad} not noticed")
    sys.exit(bad != 0 or not count)


main()
