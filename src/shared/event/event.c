/* SPDX-License-Identifier: MIT
 *
 * Words and properties of event kinds, read off the tables in event.h.
 */
#include "event/event.h"

static const struct {
    const char *words;
    char letter;
    bool reads, writes;
} kinds[] = {
#define EVENT(kind, letter, reads, writes, words)                              \
    {words, letter, reads, writes},
    EVENT_KINDS(EVENT)
#undef EVENT
};

static const char *const failures[] = {
#define FAILURE(kind, words) words,
    FAILURE_KINDS(FAILURE)
#undef FAILURE
};

const char *event_kind_words(enum event_kind kind)
{
    return kind < EV_KIND_COUNT ? kinds[kind].words : "unknown";
}

char event_kind_letter(enum event_kind kind)
{
    return kind < EV_KIND_COUNT ? kinds[kind].letter : '?';
}

const char *failure_kind_words(enum failure_kind kind)
{
    return kind < FAIL_KIND_COUNT ? failures[kind] : "unknown";
}

const char *order_words(enum event_order order)
{
    switch (order) {
    case ORDER_PLAIN:
        return "plain";
    case ORDER_VOLATILE:
        return "volatile";
    case ORDER_RELAXED:
        return "relaxed";
    case ORDER_ACQUIRE:
        return "acquire";
    case ORDER_RELEASE:
        return "release";
    case ORDER_ACQ_REL:
        return "acq_rel";
    case ORDER_SEQ_CST:
        return "seq_cst";
    }
    return "unknown";
}

bool event_reads(const struct event *e)
{
    return e->kind < EV_KIND_COUNT && kinds[e->kind].reads;
}

bool event_writes(const struct event *e)
{
    if (e->flags & EVF_BUFFERED && e->kind != EV_COMMIT)
        return false;
    return e->kind < EV_KIND_COUNT && kinds[e->kind].writes;
}
