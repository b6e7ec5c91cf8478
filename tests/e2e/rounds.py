#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rounds that store what the next one stores again (src/target/runtime/
native_redo.c).

    rounds.py FIRST COUNT [MODEL...]     random programs, from that seed on

Two or three threads, main among them, load, store and exchange some variables.  One or two of them
have a loop whose rounds store, and go round again as long as a condition holds,
or a CAS fails; a third of the programs one whose first round is written out before it
(src/instrument/first_round.c), a third a CAS that is tried again with what it found
(native_retry.c).  With -DWRITTEN_OUT there is no loop, but two rounds, and then an
assumption: so nothing is left out.  What is observed there, and what races on
C11, has to be so with the loop, too.
"""
import json
import os
import random
import subprocess
import sys

MODELS = ("sc", "tso", "pso", "pslo", "c11")
LOADS = ("relaxed", "relaxed", "acquire")
STORES = ("relaxed", "relaxed", "release")
HEAD = """#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>
#define LOAD(x, o) atomic_load_explicit(&x, memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&x, v, memory_order_##o)
#define CAS(x, from, to, o)                                            \\
    atomic_compare_exchange_strong_explicit(&x, &(int){from}, to,      \\
        memory_order_##o, memory_order_relaxed)
#define TRY(x, to, o, failed)                                          \\
    atomic_compare_exchange_strong_explicit(&x, &m, to,                \\
        memory_order_##o, memory_order_##failed)
#define ADD(x, v) atomic_fetch_add_explicit(&x, v, memory_order_acq_rel)
#ifdef WRITTEN_OUT
#define ROUNDS(round, again)                                           \\
    do {                                                               \\
        round;                                                         \\
        if (again) { round; fencer_assume(!(again)); }                 \\
    } while (0)
#define PEELED ROUNDS
#define RETRIES(x, load, inner, to, o, failed)                         \\
    do {                                                               \\
        m = LOAD(x, load);                                             \\
        inner;                                                         \\
        if (TRY(x, to, o, failed)) break;                              \\
        inner;                                                         \\
        if (TRY(x, to, o, failed)) break;                              \\
        inner;                                                         \\
        fencer_assume(TRY(x, to, o, failed));                          \\
    } while (0)
#else
#define RETRIES(x, load, inner, to, o, failed)                         \\
    do {                                                               \\
        m = LOAD(x, load);                                             \\
        do { inner; } while (!TRY(x, to, o, failed));                  \\
    } while (0)
#define ROUNDS(round, again) do { round; } while (again)
#define PEELED(round, again)                                           \\
    do {                                                               \\
        round;                                                         \\
        while (again) { PAUSE; round; }                                \\
    } while (0)
#endif
"""


class Writer:
    def __init__(self, rng, seed):
        self.rng = rng
        self.kind = seed % 3
        self.plain = rng.random() < 0.2
        self.count = 3
        # Some loops store where nobody looks too soon: behind a flag.
        self.guarded = rng.random() < 0.5

    def place(self):
        return "xyz"[self.rng.randrange(3)]

    def store(self, place):
        """Never 0 in x and y, so that who waits for these does not wait for
        ever: that is another matter."""
        value = self.rng.choice(("1", "2", "l" if place == "z" else "1"))
        if place == "z" and self.plain:
            return f"z = {value};"
        return f"STORE({place}, {value}, {self.rng.choice(STORES)});"

    def load(self, place):
        if place == "z" and self.plain:
            return f"l = 4 * l + z;"
        return f"l = 4 * l + LOAD({place}, {self.rng.choice(LOADS)});"

    def round(self):
        on = self.rng.choice("xy")
        target = "z" if self.guarded else self.place()
        kind = self.rng.choice(STORES)
        swaps = self.rng.random() < 0.5
        lines = []
        if swaps or self.rng.random() < 0.4:
            lines.append(f"m = LOAD({on}, {self.rng.choice(LOADS)});")
        value = ("m" if lines and target == "z" and self.rng.random() < 0.6
                 else "1")
        at = len(lines) if value == "m" else self.rng.randint(0, len(lines))
        lines.insert(at, f"z = {value};" if target == "z" and self.plain
                     else f"STORE({target}, {value}, {kind});")
        if self.rng.random() < 0.15:
            lines.append(self.store("z" if self.guarded else self.place()))
        if self.rng.random() < 0.1:
            lines.append(self.load("z"))
        again = (f"!CAS({on}, m, m + 1, "
                 f"{self.rng.choice(('relaxed', 'release', 'acq_rel'))})"
                 if swaps else
                 f"LOAD({on}, {self.rng.choice(LOADS)}) == 0")
        return f"ROUNDS({' '.join(lines)[:-1]}, {again});"

    def peeled(self):
        """A round that ends with a read, written out once before the loop."""
        on = self.rng.choice("xy")
        lines = [f"m = LOAD({on}, {self.rng.choice(LOADS)});"]
        if self.rng.random() < 0.25:
            lines.insert(0, self.store("z"))
        if self.rng.random() < 0.25:
            lines.insert(0, self.load("z").replace(
                *self.rng.choice((("4 * l + ", ""), ("4 * l", "l")))))
        if self.rng.random() < 0.1:
            lines.insert(0, "l++;")
        again = self.rng.choice(("m == 0", "!m", "m == 0 || (m & 8)"))
        return f"PEELED({' '.join(lines)[:-1]}, {again});"

    def retries(self):
        """A CAS that is tried again with what it found."""
        inner = "(void)0"
        if self.rng.random() < 0.3:
            inner = self.load("z").replace("4 * l + ", "")[:-1]
        if self.rng.random() < 0.15:
            inner = "z = m" if self.plain else "STORE(z, m, relaxed)"
        orders = self.rng.choice(("relaxed, relaxed", "acq_rel, acquire",
                                  "release, relaxed", "seq_cst, seq_cst",
                                  "acq_rel, relaxed"))
        return (f"RETRIES({self.rng.choice('xy')}, "
                f"{self.rng.choice(LOADS + ('seq_cst',))}, {inner}, "
                f"{self.rng.choice(('m + 1', '2', 'm ? m : 3'))}, {orders}); "
                "l = 4 * l + m;")

    def step(self):
        which = self.rng.random()
        if which < 0.35:
            return self.store(self.place())
        if which < 0.7:
            return self.load(self.place())
        if which < 0.8:
            return f"l += ADD({self.rng.choice('xy')}, 1);"
        if which < 0.9:
            return "if (LOAD(y, acquire)) " + self.load("z")
        return "atomic_thread_fence(memory_order_seq_cst);"

    def thread(self, number, loops):
        lines = [self.step() for _ in range(self.rng.randint(1, 2))]
        if loops:
            lines.insert(self.rng.randint(0, len(lines)),
                         (self.round, self.peeled, self.retries)[self.kind]())
        if loops and self.rng.random() < 0.4:
            lines.append("STORE(y, 1, release);")
        return [f"static void *run{number}(void *a) {{ int l = 0, m = 0;",
                *lines, f"(void)m; r[{number}] = l; return a; }}"]


def program(seed):
    rng = random.Random(seed)
    writer = Writer(rng, seed)
    threads = rng.choice((1, 2, 2))
    text = [HEAD, "static atomic_int x, y;",
            "static int z;" if writer.plain else "static atomic_int z;",
            "static int r[2];"]
    for t in range(threads):
        text += writer.thread(t, t == 0 or rng.random() < 0.3)
    text += ["int main(void) { pthread_t t[2];",
             *(f"pthread_create(&t[{t}], 0, run{t}, 0);"
               for t in range(threads)),
             "ADD(x, 1); ADD(y, 1);",
             *(f"pthread_join(t[{t}], 0);" for t in range(threads)),
             *(f'fencer_observe("r{t}", r[{t}]);' for t in range(threads)),
             "fencer_observe(\"z\", z);" if rng.random() < 0.3 else "",
             "fencer_observe(\"x\", x);", "return 0; }"]
    return "\n".join(text) + "\n"


def races(answer):
    """Of two accesses that race either may come first, on whatever line."""
    return {"race" for f in answer["findings"]
            if (f["error"] or "").startswith("data race")}


def ask(model, flags):
    """What is observed, and races; None: not finished."""
    subprocess.run([os.environ["FENCER"], "verify", "--model", model, "--jobs",
                    "1", "--unroll", "4", "--time", "5", "--quiet", "--out",
                    "out", "--json", "answer.json", "--cflags", flags,
                    "rounds.c"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open("answer.json") as f:
        answer = json.load(f)
    found = races(answer)
    if found:
        return found
    if answer["models"][0]["property_broken"] != "no":
        return None  # the first failure was enough
    if answer["models"][0]["sc_violation"] == "unknown":
        return None
    return {o["outcome"] for o in answer["models"][0].get("outcomes", [])}


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    models = sys.argv[3:] or MODELS
    compared = 0
    for seed in range(first, first + count):
        with open("rounds.c", "w") as f:
            f.write(program(seed))
        pause = "-w -include sched.h -DPAUSE=" + ("sched_yield()" if seed % 4
                                                  else "(void)0")
        for model in models:
            written, loop = ask(model, "-w -DWRITTEN_OUT"), ask(model, pause)
            compared += None not in (written, loop)
            if written and loop is not None and written - loop:
                sys.exit(f"seed {seed}, {model}: {sorted(written - loop)}")
    print(f"{compared} compared, none differ")


main()
