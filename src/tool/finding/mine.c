/* SPDX-License-Identifier: MIT
 *
 * What the threads of a test may observe: all that its serial executions do
 * (CheckFence, section 2.2), had by running every one of them on SC.
 */
#include "finding/mine.h"

#include <string.h>

#include "base/log.h"
#include "model/model.h"

#define EXECUTIONS_MOST 20000000u

static const char *why_not_all(const struct worker *w, struct arena *a)
{
    const struct channel *c = w->channel;
    struct channel_failure f;

    if (w->end == WORKER_STOPPED)
        return "there was no time for it";
    if (worker_failure(w, &f) && f.kind == FAIL_UNSUPPORTED)
        return arena_copy(a, f.message);
    if (c->outcomes_lost || c->outcome_count > CHANNEL_OUTCOMES_MAX)
        return "they are too many";
    if (w->end != WORKER_DONE)
        return "the program did not come to its end";
    if (c->cut)
        return "some do not come to an end";
    return c->exhausted ? NULL : "their executions are too many";
}

static void take_texts(const struct worker *w, struct arena *a,
                       struct mined *out)
{
    const char *from = (const char *)w->channel + CHANNEL_OUTCOMES_AT;
    struct tally sorted = {0};

    for (uint64_t i = 0; i < w->channel->outcome_count; i++) {
        struct outcome o;

        memcpy(&o, from + i * sizeof(o), sizeof(o));
        o.text[sizeof(o.text) - 1] = '\0';
        tally_add(&sorted, o.text, o.count, a);
    }
    tally_sort(&sorted);
    out->texts = arena_array(a, sorted.count + 1, sizeof(*out->texts));
    out->count = sorted.count;
    for (size_t i = 0; i < sorted.count; i++)
        strncpy(out->texts[i].text, sorted.list[i].text,
                sizeof(out->texts[i].text) - 1);
}

bool mine_serial(const struct job *base, uint64_t until_ms, struct arena *a,
                 struct mined *out, struct err *e)
{
    struct job j = *base;
    struct worker w;

    memset(out, 0, sizeof(*out));
    j.model = model_sc.name;
    j.strategy = STRATEGY_EVERY;
    j.flags |= CHANNEL_SERIAL | CHANNEL_KEEP_GOING;
    j.first = 0;
    j.count = EXECUTIONS_MOST;
    if (!worker_run(&w, &j, until_ms, e))
        return false;
    out->executions = w.channel->done;
    out->why_not = why_not_all(&w, a);
    if (!out->why_not)
        take_texts(&w, a, out);
    LOG(VERIFY, "serial: %zu observations of %llu executions%s%s", out->count,
        (unsigned long long)out->executions, out->why_not ? ": " : "",
        out->why_not ? out->why_not : "");
    worker_free(&w);
    return true;
}
