/* SPDX-License-Identifier: MIT
 *
 * Writing down what happens: see runtime_record.c.
 */
#ifndef RUNTIME_RUNTIME_RECORD_H
#define RUNTIME_RUNTIME_RECORD_H

#include "runtime/rt.h"

/* Events of the running thread; defined here because every hook counts. */
extern uint32_t __fencer_count;

void record_map(void);
/* An execution begins; it has ended, with that number of outcome (event/
 * channel.h).  One that is begun and never ended leaves nothing behind. */
void record_begin(void);
void record_end(enum execution_end how, uint64_t outcome);
/* The running thread printed that. */
void record_output(const char *bytes, size_t count);

/* A decision was taken. */
void record_taken(enum decision_kind kind, uint32_t number);

static inline void record_decision(enum decision_kind kind, uint32_t number)
{
    if (rt.recording)
        record_taken(kind, number);
}

/* Append to the trace, if one is written; returns its number + 1, else 0.
 * Fills in thread, index, object and offset. */
uint32_t record_event(const struct thread *t, struct event *e,
                      uint64_t address);

/* A trace that nobody ran begins; its next event, of which only the object is
 * still to be found; its number + 1. */
void record_told_begin(void);
uint32_t record_told(struct event *e, uint64_t address);
/* The same as one of several: begins behind those before it, and counts when it
 * has ended. */
void record_told_next(void);
void record_told_end(enum execution_end how, uint64_t outcome);
/* There are none of them. */
void record_told_forget(void);

/* The number + 1 of the event written last. */
uint32_t record_last(void);
/* The failure that was written last is there. */
void record_place(uint32_t site);

/* In a trace: the last event that wrote that byte, number + 1, and a write's
 * place in the coherence order. */
uint32_t record_writer(uint64_t address);
/* The last one before the histories of history.c begin. */
uint32_t record_writer_before(uint64_t address);
uint32_t record_wrote(uint64_t address, unsigned size, uint32_t event);
void record_co(uint32_t event, uint32_t co);

/* The thread read that: a spin loop may have to wait for it to change. */
static inline void record_read(struct thread *t, uint64_t address,
                               unsigned size, uint64_t value)
{
    if (t->read_count == RT_READS_MAX) {
        t->read_count = 0;
        t->reads_from = __fencer_count;
    }
    t->reads[t->read_count++] =
        (struct rt_read){address, value, __fencer_count, (uint8_t)size};
}

/* The event just counted changed something. */
static inline void record_effect(struct thread *t)
{
    if (t->last_effect != __fencer_count)
        t->prior_effect = t->last_effect;
    t->last_effect = t->last_firm = __fencer_count;
}

#endif
