/* SPDX-License-Identifier: MIT
 *
 * What the monitors say of a program, beside what is true of it.
 */
#ifndef MONITOR_TEST_JUDGE_H
#define MONITOR_TEST_JUDGE_H

#include "program.h"
#include "watch.h"

struct tally {
    size_t programs, interleavings, traces;
    size_t too_big; /* programs that were not looked at */
    struct {
        size_t relaxed;     /* programs that can leave SC on its model */
        size_t missed;      /* of these, none of their executions reported */
        size_t adversarial; /* of these, each trace has an execution that is
                               not reported */
        size_t false_alarms;
        size_t doubted;   /* programs that it could not judge */
        size_t depending; /* traces whose executions it judges differently */
    } by[WATCH_COUNT];
};

struct judge {
    uint32_t kinds; /* monitors to ask */
    size_t max_interleavings, max_states;
    uint32_t verbose; /* kinds: print programs that they are wrong about */
};

/* Adds what came of that program. */
void judge_program(const struct judge *j, const struct program *p,
                   struct tally *t);

/* Which models p can leave SC on, as bits 1 << model; false: too big. */
bool judge_truth(const struct program *p, size_t max_states, uint32_t *relaxed,
                 size_t *sc_traces);

/* No miss, no false alarm, whichever interleaving stands for a trace. */
bool tally_is_right(const struct tally *t, enum watch_kind k);

void tally_print(const char *name, const struct tally *t, uint32_t kinds);

#endif
