/* SPDX-License-Identifier: MIT
 *
 * What the threads of a test may observe: all that its serial executions do
 * (CheckFence, section 2.2), had by exploring every one of them on SC.
 */
#include "finding/mine.h"

#include <string.h>

#include "base/log.h"
#include "finding/every.h"
#include "model/model.h"

#define EXECUTIONS_MOST 20000000u

/* Of a graph: the space after the last observation. */
static void cut_end(char *text)
{
    size_t n = strlen(text);

    while (n && text[n - 1] == ' ')
        text[--n] = '\0';
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
        cut_end(o.text);
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
    struct job serial = *base;
    struct every v;
    struct worker w;
    bool again = true;

    memset(out, 0, sizeof(*out));
    serial.flags |= CHANNEL_SERIAL;
    every_begin(&v, &serial, &model_sc, EVERY_COUNT, 0);
    while (again) {
        struct job j = every_job(&v, EXECUTIONS_MOST);

        if (!worker_run(&w, &j, until_ms, e))
            return false;
        again = every_take(&v, &w, a);
        if (again)
            worker_free(&w);
    }
    out->executions = v.count;
    out->why_not = v.why_not;
    if (!out->why_not && w.channel->outcomes_lost)
        out->why_not = "they are too many";
    if (!out->why_not)
        take_texts(&w, a, out);
    LOG(VERIFY, "serial: %zu observations of %llu executions%s%s", out->count,
        (unsigned long long)out->executions, out->why_not ? ": " : "",
        out->why_not ? out->why_not : "");
    worker_free(&w);
    return true;
}
