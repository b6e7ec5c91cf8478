/* SPDX-License-Identifier: MIT
 *
 * Pairs of sites that raced in some trace.
 */
#ifndef PREDICT_PREDICT_RACES_H
#define PREDICT_PREDICT_RACES_H

#include "base/map.h"
#include "base/vec.h"
#include "predict/predict.h"

struct races {
    VEC(struct race);
    VEC(uint64_t) last_trace; /* that counted, per race */
    struct map numbers;       /* two sites to their race, + 1 */
    uint64_t trace;           /* which one this is, from 1 */
    struct arena *arena;
};

void races_init(struct races *r, struct arena *a);
void races_fini(struct races *r);

/* Another trace begins. */
void races_next_trace(struct races *r);

/* These two sites raced in this trace, at the memory of that event. */
void races_note(struct races *r, const struct trace *t, uint32_t a, uint32_t b,
                const struct event *at);

bool races_have(const struct races *r, uint32_t a, uint32_t b);
bool races_noted(const struct races *r, uint32_t a,
                 uint32_t b); /* this trace */
bool races_have_site(const struct races *r, uint32_t site);

#endif
