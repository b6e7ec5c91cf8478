/* SPDX-License-Identifier: MIT
 *
 * The command line.  One table (options_table.c) has every option with its
 * default, its range and its help.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/model.h"

#define OPTIONS_MODELS_MAX 16
#define OPTIONS_TESTS_MAX 64
#define OPTIONS_ROWS_MAX 150

/* Which commands an option belongs to. */
enum option_command {
    FOR_RUN = 1,
    FOR_REPLAY = 2,
    FOR_REPORT = 4,
    FOR_TRACE = 8,
    FOR_TEST = 16,
    FOR_VERIFY = 32,
    FOR_CHECK = 64,
    FOR_LITMUS = 128,
    FOR_MODELS = 256,
    FOR_SUITE = 512,
    FOR_DOCTOR = 1024
};

struct options {
    const struct model *models[OPTIONS_MODELS_MAX]; /* strongest first */
    size_t model_count;
    const char *model_words; /* that list, as given or by default */
    uint64_t seed, jobs, runs, buffer, max_events, depth;
    uint64_t time_ms;  /* 0: no limit */
    uint64_t strategy; /* enum channel_strategy */
    uint64_t expose;   /* the same: how cycles are created */
    uint64_t max_length, max_instances, budget, enumerate, all_pairs;
    const char *json, *html, *sarif, *junit, *litmus;
    bool github;
    uint64_t fail_on; /* enum fail_on */
    uint64_t color;   /* enum report_color */
    bool no_pager, browse;
    const char *file; /* of suite */
    const char *out, *cflags, *trace;
    bool quiet, no_color, deps, no_spurious, keep_going, by_process, no_cache,
        as_optimised;
    bool full, gdb, help, strict, all;
    uint64_t locks_paper, cas_bufferable; /* 0 or 1 */
    uint64_t bound, unroll;
    const char *monitors; /* names with commas; NULL: not given */
    bool no_dpor, no_symmetry, races, count_traces;
    const char *tests[OPTIONS_TESTS_MAX]; /* as given: names, notations */
    size_t test_count;
    const char *spec; /* a reference implementation, or NULL */
    bool fences;      /* find the fences that are needed */
    uint64_t order;   /* enum encode_order; with the next two: experiments */
    bool no_ranges, in_formula;
    uint64_t arm;    /* 0 lse, 1 llsc, 2 both */
    uint64_t engine; /* enum litmus_engine */
    bool rcpc, to_c;

    bool given[OPTIONS_ROWS_MAX]; /* by row: options_given */
    const char *const *operands;  /* PROG, FINDING, DIR, ... */
    size_t operand_count;
    char **arguments; /* of the program, after --; ends with NULL */
    size_t argument_count;
};

/* Fills `o` from the arguments of one command, with its defaults.  The
 * operands are moved to the front of argv. */
bool options_parse(struct options *o, enum option_command command, int argc,
                   char **argv, struct err *e);

/* What --help prints. */
void options_help(enum option_command command, struct buf *out);

/* Did the user give that option? */
bool options_given(const struct options *o, const char *name);

/* Did the user name that model?  Not if it comes by default, or by a word for
 * several: then it is left out where it cannot be had. */
bool options_named(const struct options *o, const struct model *m);

/* The default of an option, for a command that does not have it. */
const char *options_initial(const char *name);

/* The models that a command has, strongest first; returns how many. */
size_t options_models(unsigned commands,
                      const struct model *list[OPTIONS_MODELS_MAX]);

#endif
