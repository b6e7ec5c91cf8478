/* SPDX-License-Identifier: MIT
 *
 * The table of options: one row for each, with its default and its range.  An
 * option that differs from command to command has several rows.
 */
#include "cmd/options_table.h"

#include <stddef.h>

#include "cmd/options.h"
#include "event/channel.h"
#include "litmus/litmus.h"
#include "predict/predict.h"
#include "report/report.h"

#define RUNS (FOR_RUN | FOR_TEST | FOR_VERIFY)
#define WORKS (RUNS | FOR_CHECK)
#define TELLS (WORKS | FOR_REPLAY | FOR_REPORT)
#define ALL                                                                    \
    (WORKS | FOR_REPLAY | FOR_REPORT | FOR_TRACE | FOR_LITMUS | FOR_MODELS |   \
     FOR_SUITE | FOR_DOCTOR)
#define AT(field) offsetof(struct options, field)

/* What is looked at if no model is named: the machines that people own and the
 * language that they write; SC first, since who fails there needs no relaxed
 * memory for it. */
#define OWN_MODELS "sc,tso,arm,c11"
#define GROUPS "papers (sc to pslo), machines (tso and the processors) or all"

#define ROW(name, value, type, commands, field, initial, low, high, help)      \
    {name, value, OPT_##type, commands, AT(field), initial, low, high, help}
#define FLAG(name, commands, field, help)                                      \
    ROW(name, NULL, FLAG, commands, field, NULL, 0, 0, help)
#define TEXT(name, value, commands, field, initial, help)                      \
    ROW(name, value, TEXT, commands, field, initial, 0, 0, help)
#define NUMBER(name, value, commands, field, initial, low, high, help)         \
    ROW(name, value, NUMBER, commands, field, initial, low, high, help)
/* `low` is what the first of the words stands for. */
#define WORD(name, words, commands, field, initial, low, help)                 \
    ROW(name, words, WORD, commands, field, initial, low, 0, help)

const struct option_row option_rows[] = {
    /* name, value, type, commands, field, default, low, high, help */
    {"model", "M[,M...]", OPT_MODELS, RUNS, 0, OWN_MODELS, 0, 0,
     "memory models: sc, tso, pso, pslo, arm, riscv, power, c11, " GROUPS},
    {"model", "M[,M...]", OPT_MODELS, FOR_CHECK, 0, OWN_MODELS, 0, 0,
     "memory models: sc, tso, pso, pslo, arm, riscv, power, c11, "
     "relaxed, " GROUPS},
    {"model", "M[,M...]", OPT_MODELS, FOR_LITMUS, 0, NULL, 0, 0,
     "memory models: sc, tso, arm, riscv, pso, pslo, power, c11, rc11, " GROUPS
     " (default: that of the file)"},
    WORD("arm", "lse|llsc|both", FOR_LITMUS | RUNS | FOR_CHECK, arm, "both", 0,
         "how C's atomics are compiled for arm"),
    FLAG("rcpc", FOR_LITMUS | RUNS | FOR_CHECK, rcpc,
         "acquire loads of C are ldapr on arm"),
    WORD("engine", "axioms|verify|check|oracle", FOR_LITMUS, engine, "axioms",
         LITMUS_AXIOMS, "who judges: the model's axioms, or an engine"),
    FLAG("to-c", FOR_LITMUS, to_c, "write the test as a C program, to stdout"),
    TEXT("file", "FILE", FOR_SUITE, file, "fencer.toml",
         "the list of tests; what it names is beside it"),
    {"test", "S", OPT_TESTS, FOR_CHECK, 0, NULL, 0, 0,
     "a test: its name in the file, or 'e ( ed | de )' (default: all tests)"},
    TEXT("spec", "FILE.c", FOR_CHECK, spec, NULL,
         "mine the specification from this sequential implementation"),
    FLAG("fences", FOR_CHECK, fences,
         "find the fences that these tests need, and those that they do not"),
    WORD("expose", "relaxer|orion|directed", FOR_TEST, expose, "directed",
         STRATEGY_RELAXER, "how cycles are created"),
    NUMBER("max-length", "N", FOR_TEST, max_length, "8", CYCLE_LENGTH_MIN,
           CYCLE_LENGTH_MAX, "accesses in a cycle, at most"),
    NUMBER("max-instances", "N", FOR_TEST, max_instances, "20", 1, 100000,
           "of each racing access in a thread, at most"),
    NUMBER("budget", "N", FOR_TEST, budget, "1000", 1, 1000000000ull,
           "executions to create one cycle, at most"),
    NUMBER("enumerate", "N", FOR_TEST, enumerate, "20000", 0, 500000,
           "try to have all executions, if there are no more"),
    WORD("reorder", "one|all", FOR_TEST, all_pairs, "one", 0,
         "pairs of a cycle that orion reorders"),
    WORD("order", "lazy|chordal|cubic", FOR_CHECK, order, "lazy", 0,
         "how cycles in the memory order are forbidden; to measure"),
    FLAG("no-ranges", FOR_CHECK, no_ranges,
         "do not compute which values there can be; to measure"),
    FLAG("in-formula", FOR_CHECK, in_formula,
         "mine nothing: let the solver look for serial executions; to measure"),
    NUMBER("bound", "K", FOR_VERIFY, bound, NULL, 0, 1000,
           "preemptions of an execution, at most, else any number"),
    NUMBER("unroll", "N", FOR_VERIFY, unroll, "100", 1, 1000000,
           "iterations of a loop that changes something"),
    NUMBER("unroll", "N", FOR_CHECK, unroll, NULL, 1, 1000000,
           "iterations of a loop, at most, else as many as executions have"),
    TEXT("monitor", "LIST", FOR_VERIFY, monitors, NULL,
         "who watches: tso, pso, pslo, sober, tso-clocks, burnim-tso, "
         "burnim-pso"),
    FLAG("no-dpor", FOR_VERIFY, no_dpor,
         "every interleaving, also those that differ in nothing but order"),
    FLAG("no-symmetry", FOR_VERIFY, no_symmetry,
         "every execution, also those that differ only in which of equal "
         "threads is which"),
    FLAG("races", FOR_VERIFY, races, "a data race is a finding"),
    FLAG("count-traces", FOR_VERIFY, count_traces,
         "count executions that differ, under `traces' in the JSON; for tests"),
    FLAG("all", FOR_TEST | FOR_VERIFY, all,
         "tell every finding, also those with one cure, and benign ones"),
    FLAG("strict", FOR_TEST | FOR_VERIFY, strict,
         "an execution that SC does not have is a finding even without harm"),
    WORD("strategy", "random|pct|pos|rr|every|descent|forward|depth|mixed",
         FOR_RUN, strategy, "random", 0,
         "how schedules are chosen, or executions drawn as graphs; on c11 "
         "mixed"),
    NUMBER("runs", "N", FOR_RUN, runs, "1000", 1, 1000000000000ull,
           "executions on each model; shared by the models without --model"),
    NUMBER("runs", "N", FOR_TEST, runs, "100", 1, 100000,
           "SC executions to predict from"),
    NUMBER("seed", "N", WORKS, seed, "1", 0, UINT64_MAX,
           "where the random numbers start"),
    NUMBER("depth", "N", FOR_RUN, depth, "3", 1, 1000,
           "bug depth that pct and depth aim at"),
    FLAG("keep-going", FOR_RUN, keep_going, "go on after the first failure"),
    TEXT("trace", "FILE", FOR_RUN | FOR_REPLAY, trace, NULL,
         "write the failing execution, or else the last, as a trace"),
    NUMBER("jobs", "N", FOR_RUN, jobs, "1", 1, 256,
           "processes at work side by side"),
    NUMBER("jobs", "N", FOR_TEST | FOR_VERIFY | FOR_LITMUS | FOR_SUITE, jobs,
           NULL, 1, 256,
           "processes at work side by side, else one for each processor"),
    NUMBER("jobs", "N", FOR_CHECK, jobs, NULL, 1, 256,
           "taken, and not needed: check is one process"),
    {"time", "SECONDS", OPT_SECONDS, FOR_TEST, AT(time_ms), "60", 1,
     100000000000ull, "stop after this time"},
    {"time", "SECONDS", OPT_SECONDS,
     FOR_RUN | FOR_VERIFY | FOR_CHECK | FOR_LITMUS, AT(time_ms), NULL, 1,
     100000000000ull, "stop after this time"},
    NUMBER("max-events", "N", RUNS, max_events, NULL, 1, UINT32_MAX,
           "cut an execution after so many events"),
    NUMBER("buffer", "N", RUNS, buffer, NULL, 1, 4095,
           "entries of a store buffer, else unlimited"),
    NUMBER("buffer", "N", FOR_CHECK, buffer, NULL, 1, UINT32_MAX,
           "not supported by check"),
    WORD("locks", "paper", RUNS, locks_paper, NULL, 1,
         "locks as in the Relaxer paper: fences and a buffered unlock"),
    WORD("locks", "paper", FOR_CHECK, locks_paper, NULL, 1,
         "not supported by check"),
    WORD("cas", "bufferable", RUNS, cas_bufferable, NULL, 1,
         "a compare-and-swap's store may wait in the buffer"),
    WORD("cas", "bufferable", FOR_CHECK, cas_bufferable, NULL, 1,
         "not supported by check"),
    FLAG("deps", RUNS, deps, "keep dependent loads in order (not Alpha)"),
    FLAG("deps", FOR_CHECK, deps,
         "on pslo, keep dependent loads in order (not Alpha)"),
    FLAG("no-spurious", RUNS, no_spurious,
         "no wait for a condition ends by itself"),
    FLAG("by-process", RUNS, by_process, "a fresh process for each execution"),
    TEXT("cflags", "STRING", WORKS, cflags, "",
         "compiler flags for sources compiled on the fly"),
    FLAG("as-optimised", RUNS, as_optimised,
         "test what -O2 made of the program"),
    FLAG("no-cache", RUNS, no_cache,
         "compile the sources even if nothing has changed"),
    TEXT("out", "DIR", WORKS | FOR_SUITE, out, ".fencer",
         "where findings are kept"),
    TEXT("json", "FILE", TELLS | FOR_LITMUS | FOR_SUITE | FOR_DOCTOR, json,
         NULL, "write the results as JSON; - is stdout, instead of the report"),
    TEXT("html", "FILE", TELLS, html, NULL,
         "write the results as one page for a browser, to step through; - is "
         "stdout, instead of the report"),
    TEXT("sarif", "FILE", TELLS | FOR_SUITE, sarif, NULL,
         "write the results as SARIF 2.1.0; - is stdout, instead of the "
         "report"),
    TEXT("junit", "FILE", TELLS | FOR_SUITE, junit, NULL,
         "write the results as JUnit's XML; - is stdout, instead of the "
         "report"),
    TEXT("litmus", "FILE", FOR_TEST | FOR_VERIFY | FOR_REPORT, litmus, NULL,
         "write the cycle of the first finding as a test for herd and fencer "
         "litmus; - is stdout, instead of the report"),
    FLAG("github", TELLS | FOR_SUITE, github,
         "print annotations for GitHub, and add to the summary of the step"),
    WORD("fail-on", "harmful|any|unknown|none", TELLS, fail_on, NULL,
         FAIL_ON_HARMFUL,
         "what makes the exit code another than 0 (see the manual)"),
    FLAG("full", TELLS, full, "show every step of an execution"),
    FLAG("browse", TELLS, browse,
         "on a terminal, step through the findings before they are printed"),
    FLAG("gdb", FOR_REPLAY, gdb,
         "replay inside gdb; `fencer threads' lists the threads"),
    FLAG("quiet", ALL, quiet, "print no report, only errors"),
    WORD("color", "auto|always|never", ALL, color, "auto", COLOR_AUTO,
         "colours; auto: on a terminal, unless NO_COLOR is set"),
    FLAG("no-color", ALL, no_color, "the same as --color never"),
    FLAG("no-pager", FOR_REPORT, no_pager,
         "do not page on a terminal (else PAGER does, or less)"),
    {"log", "AREA", OPT_LOG, ALL, 0, NULL, 0, 0,
     "tell on stderr what is done: " OPTION_LOG_AREAS},
    FLAG("help", ALL, help, "this list"),
    {.name = NULL},
};
