/* SPDX-License-Identifier: MIT
 *
 * Shares of the time.  One long execution, or one that never ends, must not eat
 * what others need: each piece of work has a share, and is stopped where that
 * ends, while the rest goes on.  Without a time limit there are none.
 *
 * A share is measured by what the program works, not by the clock, so that a
 * busy machine does not change the answer.  The clock has its say only after
 * several times that: a program may sleep.
 */
#include "expose/expose_inside.h"

#define CLOCK_TIMES 4
#define LOOK_MS 50

void share_begin(struct expose *x, uint64_t ms)
{
    uint64_t end = x->o->until_ms;

    x->share = (struct share){0};
    if (!end)
        return;
    x->share = (struct share){.on = true,
                              .work_ms = ms,
                              .until_ms = worker_now_ms() + CLOCK_TIMES * ms};
    if (x->share.until_ms > end)
        x->share.until_ms = end;
}

void share_end(struct expose *x)
{
    x->share = (struct share){0};
}

uint64_t share_left_ms(uint64_t until_ms)
{
    uint64_t now = worker_now_ms();

    return until_ms > now ? until_ms - now : 0;
}

void share_of_model(struct expose *x, size_t models)
{
    uint64_t left = share_left_ms(x->o->until_ms);

    x->model_until_ms = 0;
    x->model_cut = false;
    if (x->o->until_ms && models)
        x->model_until_ms = worker_now_ms() + left / (models + 1);
}

bool share_of_model_is_over(struct expose *x)
{
    x->model_cut = x->model_cut || worker_time_is_up(x->model_until_ms);
    return x->model_cut;
}

static bool is_one_done(const struct worker *w)
{
    return ((volatile const struct channel *)w->channel)->done > 0;
}

bool share_is_over(struct expose *x, const struct worker *w)
{
    struct share *s = &x->share;

    uint64_t times = 1;

    if (!s->on || s->over)
        return s->on;
    if (s->needs_one && !is_one_done(w))
        times = CLOCK_TIMES;
    s->over = s->worked_ms + worker_worked_ms(w) >= times * s->work_ms ||
              share_left_ms(s->until_ms) == 0;
    return s->over;
}

uint64_t share_look_ms(const struct expose *x)
{
    uint64_t end = x->r->stop.until_ms, next = worker_now_ms() + LOOK_MS;

    return x->share.on && next < end ? next : end;
}

void share_take(struct expose *x, const struct worker *w)
{
    x->share.worked_ms += worker_worked_ms(w);
}

bool batch_was_stopped(struct expose *x)
{
    return x->share.stopped || stop_now(&x->r->stop);
}
