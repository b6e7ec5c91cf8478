#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Waits for a condition that are left out (src/target/runtime/native_wait.c).

    waits.py FIRST COUNT [MODEL [polls]]      random programs, from that seed on

Two or three threads change two variables under a mutex, wait for conditions on
them, and tell others, inside and outside of the mutex, one or all.  With -DPLAIN
a thread asks some other mutex whether it is free, and no wait is left out: what
fails then has to fail without these waits, too.  (What fails without them was
replayed; with them it may be missing, since the tool stops at 16 failures.)

On c11 data races are failures, too.  There more is done outside of the mutex,
and one variable may be atomic; a program that is not finished is left out.

polls: who waits lets the mutex go and takes it again (native_poll.c), with
-DPLAIN twice at most, and then an assumption.  A thread may do so for good, and
then no answer is expected; but nobody may seem to wait for the mutex for good.
"""
import json
import os
import random
import subprocess
import sys

OUTCOMES = 12
VARIABLES = ("volatile int x, y;", "int x; static atomic_int y;",
             "atomic_int x; static int y;", "int x, y;")
CHANGES = ("x++;", "y++;", "x = 1;", "y = 1;", "x = 0;", "y = x;", "l = x;",
           "l = y;", "l = x + 2 * y;", "x--;")
UNTIL = ("x == 0", "y == 0", "x < 1", "y != 1", "x == 1", "x < 2", "x == y",
         "x <= y && y < 2")
HEAD = """#include <assert.h>
#include <fencer.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define AGAIN (pthread_mutex_unlock(&m), sched_yield(), pthread_mutex_lock(&m))
#ifdef PLAIN
#define POLL(until)                                                     \\
    do {                                                                \\
        if (until) AGAIN;                                               \\
        if (until) AGAIN;                                               \\
        fencer_assume(!(until));                                        \\
    } while (0)
#else
#define POLL(until) do while (until) AGAIN; while (0)
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
static pthread_cond_t c1 = PTHREAD_COND_INITIALIZER;
static int r[4];

static void ask(void)
{
#ifdef PLAIN
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    if (!pthread_mutex_trylock(&other))
        pthread_mutex_unlock(&other);
#endif
}
"""


def wait(rng, conditions):
    if polls():
        return [f"POLL({rng.choice(UNTIL)});"]
    how = "if" if rng.random() < 0.12 else "while"
    before = [rng.choice(("y++;", "l += x;"))] if rng.random() < 0.15 else []
    return before + [f"{how} ({rng.choice(UNTIL)}) pthread_cond_wait("
                     f"&c{rng.randrange(conditions)}, &m);"]


def polls():
    return sys.argv[4:] == ["polls"]


def section(rng, conditions, waits, outside):
    lines = ["pthread_mutex_lock(&m);"]
    if rng.random() < outside:
        lines.insert(0, rng.choice(("x = 0;", "y = 0;", "x = 1;", "l = x;",
                                    "y = 1; x = 0;")))
    if waits:
        lines += wait(rng, conditions)
    lines += [rng.choice(CHANGES) for _ in range(rng.randint(1, 2))]
    end = ["pthread_mutex_unlock(&m);"]
    if rng.random() < 0.7:
        tell = (f"pthread_cond_{rng.choice(('signal', 'signal', 'broadcast'))}"
                f"(&c{rng.randrange(conditions)});")
        end = [tell] + end if rng.random() < 0.6 else end + [tell]
    return lines + end + (["x = 1;"] if rng.random() < 0.1 else [])


def program(seed, model):
    rng = random.Random(seed)
    threads, conditions = rng.choice((2, 2, 3)), rng.choice((1, 1, 2))
    outside = 0.0
    variables = VARIABLES[0]
    if model == "c11":
        threads, outside = 2, rng.choice((0.0, 0.2))
        variables = rng.choice(VARIABLES)
    text = [HEAD, f"static {variables}"]
    for t in range(threads):
        body = [line for _ in range(rng.choice((1, 1, 2)))
                for line in section(rng, conditions, rng.random() < 0.5,
                                    outside)]
        text += [f"static void *run{t}(void *a) {{ int l = 0;",
                 "ask();" if t == 0 else "", *body, f"r[{t}] = l; return a; }}"]
    main = (section(rng, conditions, rng.random() < 0.3, outside)
            if rng.random() < 0.4 else [])
    text += ["int main(void) { pthread_t t[4]; int l = 0; unsigned o;",
             *(f"pthread_create(&t[{t}], 0, run{t}, 0);"
               for t in range(threads)), *main,
             *(f"pthread_join(t[{t}], 0);" for t in range(threads)),
             "o = (unsigned)(x * 7 + y * 3 + l"
             + "".join(f" + r[{t}] * {5 + 6 * t}" for t in range(threads))
             + f") % {OUTCOMES}u;",
             *(f"assert(o != {o});" for o in range(OUTCOMES)), "return 0; }"]
    return "\n".join(text) + "\n"


def name(error):
    """Of two accesses that race either may come first."""
    if error.startswith("data race: "):
        return " and ".join(sorted(error[len("data race: "):].split(" and ")))
    return "lost wake-up" if "lost wake-up" in error else error


def ask(flags, model):
    """Which assertions fail, which accesses race, or that there is a lost
    wake-up; None: not finished."""
    subprocess.run([os.environ["FENCER"], "verify", "--model", model, "--jobs",
                    "1", "--time", "20" if model == "sc" and not polls() else "4", "--quiet", "--out", "out", "--json",
                    "answer.json", "--cflags", flags, "waits.c"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open("answer.json") as f:
        answer = json.load(f)
    if not answer["models"][0]["complete"]:
        return None
    return {name(f["error"]) for f in answer["findings"]}


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    model = sys.argv[3] if len(sys.argv) > 3 else "sc"
    bad = compared = 0
    for seed in range(first, first + count):
        with open("waits.c", "w") as f:
            f.write(program(seed, model))
        left_out, plain = ask("-w", model), ask("-w -DPLAIN", model)
        compared += None not in (plain, left_out)
        if (left_out is None and model == "sc" and not polls()) or (
                left_out is not None and plain and plain - left_out) or (
                    polls() and None not in (plain, left_out) and any(
                        "deadlock" in f for f in left_out - plain)):
            print(f"seed {seed}: {left_out}, and with all waits {plain}",
                  flush=True)
            bad += 1
    print(f"{compared} of {count} compared on {model}")
    sys.exit(bad != 0)


main()
