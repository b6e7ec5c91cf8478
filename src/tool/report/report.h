/* SPDX-License-Identifier: MIT
 *
 * What a command found, and how it is told: text for people, JSON for scripts,
 * a page for a browser, SARIF and JUnit's XML for code hosts.
 * The door of this folder.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/tally.h"
#include "finding/shown.h"
#include "session/tested.h"

/* What happened on one model. */
struct report_model {
    const struct model *model;
    uint64_t executions;
    uint64_t failed, cut, assumed; /* of those */
    double seconds;
    const char *strategy;  /* run: how they were chosen */
    const char *stopped;   /* why it ended before its time, or NULL */
    struct tally outcomes; /* "r0=0 r1=1", sorted */
    struct done done;
    const struct cycle_counts *counts; /* NULL: cycles are not its business */
    const char *because; /* verify: how it came to its answers, in few words */
    bool counted;        /* executions that differ were, in `traces` */
    uint64_t traces;
    bool explored; /* verify: `assumed` and these count too */
    uint64_t blocked, redundant, events;
    bool every_machine; /* C11: what was found holds wherever it is compiled
                           to */
    bool symmetric;     /* of equal threads one order is among the executions */
};

/* Verify: how many of SC's executions a monitor reported. */
struct report_monitor {
    const char *name;
    const struct model *model;
    uint64_t borderline;
    double first_seconds; /* until the first of them */
};

/* A loop that waits (docs/models.md). */
struct report_await {
    const char *file;
    uint32_t line;
};

/* --fail-on: what makes the exit code another than 0.  Each of the first three
 * has what the one before it has. */
enum fail_on {
    FAIL_ON_DEFAULT, /* the contract's codes */
    FAIL_ON_HARMFUL, /* what breaks the program */
    FAIL_ON_ANY,     /* every finding */
    FAIL_ON_UNKNOWN, /* also an answer that nobody knows */
    FAIL_ON_NONE
};

/* Assertions, observations and exit codes of the program. */
enum report_checks { CHECKS_THERE, CHECKS_NONE, CHECKS_UNREACHED };

struct report {
    const char *command, *program;
    enum report_checks checks;
    uint64_t seed;
    const struct report_model *models;
    size_t model_count;
    const struct shown *const *findings; /* f1, f2, ...: all past the gate */
    size_t finding_count;
    const struct report_monitor *monitors;
    size_t monitor_count;
    const struct tested *tests; /* test after test, models inside */
    size_t test_count;
    bool fences_sought;
    const struct needed_fence *fence_set; /* that the tests need */
    size_t fence_set_count;
    const struct needed_fence *not_needed; /* of those in the source */
    size_t not_needed_count;
    const char *const *notes; /* under the verdict, a line each */
    size_t note_count;
    const char *const *limits;
    size_t limit_count;
    const struct report_await *awaits;
    size_t await_count;
    bool strict;     /* a benign finding counts */
    bool all;        /* every finding is told, also benign ones */
    bool unfinished; /* something asked for was not done */
    enum fail_on fail_on;
};

struct report_style {
    unsigned width; /* columns, 80 to 160 */
    bool color;
    bool full; /* every step */
};

enum report_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* For stdout as it is: its width; colours on a terminal, unless NO_COLOR or the
 * user says otherwise. */
struct report_style report_style(enum report_color color, bool full);
bool report_has_color(enum report_color color);

/* "assertion failed: a == b at sb.c:12 in main, on x86 (TSO)" */
void report_headline(const struct shown *f, struct buf *out);

/* Where it failed, or near which site. */
uint32_t report_failure_site(const struct trace *t, bool *near);

/* One finding: headline, interleaving, output. */
void report_finding(const struct shown *f, const struct report_style *style,
                    struct buf *out);

/* An execution as a table: time downwards, a column per thread. */
void interleaving_put(const struct trace *t, const struct shown_cycle *cycle,
                      const struct report_style *style, struct buf *out);

/* Which accesses were swapped; the cycle, and what prevents it. */
void report_reordered(const struct shown *f, struct buf *out);
void report_cycle(const struct shown *f, struct buf *out);
/* "program order, swapped": how access i of the cycle is before the next. */
const char *report_edge_words(const struct shown *f, uint32_t i);
/* What to change in the source; the orders of such a change. */
void report_cure(const struct shown *f, struct buf *out);
bool report_is_order(const struct channel_fence *f);
enum event_order report_order_from(const struct channel_fence *f);
enum event_order report_order_to(const struct channel_fence *f);
/* "store-load": what was swapped, by the kinds of the two accesses. */
const char *report_swapped(const struct event *first,
                           const struct event *second);
/* The line after which a fence goes that follows the access at that site: where
 * the statement with it ends.  Text says "after line N", JSON has N + 1. */
unsigned report_line_before_fence(const struct fencer_site *site);
/* "seq_cst": the order of a fence of C11 that is as strong. */
const char *report_fence_order(uint32_t bits);
/* "ss", "full", ...: the strongest of those bits. */
const char *report_fence_kind(uint32_t bits);

/* Check: "test T0 ( e | d ); also T1", tests against models, and fences. */
void report_test_names(const struct shown *f, struct buf *out);
void report_tests(const struct report *r, struct buf *out);
void report_fence_set(const struct report *r, struct buf *out);

/* Only what passed the gate is told (finding/gate.h): else a mistake of ours.
 */
void report_check(const struct report *r);

/* The exit code and, where no finding counts, the first line: both come from
 * the same answers. */
enum exit_code report_exit_code(const struct report *r);
void report_heading(const struct report *r, struct buf *out);
/* Verify, if something fails: "fails on ARM; right on x86".  False: nothing
 * does. */
bool report_fails_where(const struct report *r, struct buf *out);

/* The exit code that --fail-on asks for; does that finding, or that model's
 * answer, make it another than 0? */
enum exit_code report_exit_status(const struct report *r);
bool report_counts(const struct report *r, const struct shown *f);
bool report_is_open(const struct report *r, const struct done *d);

/* "yes", "no", "unknown" */
const char *report_answer(enum answer a);

/* Everything; at the end what was not covered, and how to see it again. */
void report_text(const struct report *r, const struct report_style *style,
                 struct buf *out);

/* The contract's object, with a newline after it. */
void report_json(const struct report *r, struct buf *out);

/* One page that needs nothing else, not even a network. */
void report_html(const struct report *r, struct buf *out);

/* To step through, on a terminal.  False: there is none, or no finding. */
bool report_browse(const struct report *r);

/* SARIF 2.1.0, with a newline after it. */
void report_sarif(const struct report *r, struct buf *out);

/* The cycle of the first finding that has one as a test in herd's format. */
void report_litmus(const struct report *r, struct buf *out);

/* JUnit's XML: a test case for each model or, of check, test and model. */
void report_junit(const struct report *r, struct buf *out);

/* GitHub: annotations, a line each; and Markdown for the summary of a step. */
void report_annotations(const struct report *r, struct buf *out);
void report_markdown(const struct report *r, struct buf *out);

#endif
