/* SPDX-License-Identifier: MIT
 *
 * As pool.h says.
 */
#include "worker/pool.h"

#include "base/check.h"

#define RUNNING_MAX 256 /* that worker_wait can wait for */

/* ---- The list of those that run ---- */

static void append(struct pool *p, struct task *t)
{
    struct task **at = &p->running;

    while (*at)
        at = &(*at)->next;
    *at = t;
    t->next = NULL;
    t->running = true;
}

static void unlink_task(struct pool *p, struct task *t)
{
    struct task **at = &p->running;

    while (*at != t) {
        CHECK(*at != NULL);
        at = &(*at)->next;
    }
    *at = t->next;
    t->running = false;
}

static struct task *first_ended(const struct pool *p)
{
    struct task *t = p->running;

    while (t && t->worker.end == WORKER_RUNS)
        t = t->next;
    return t;
}

/* ---- Tasks ---- */

bool pool_start(struct pool *p, struct task *t, const struct job *j,
                struct err *e)
{
    bool again = false;

    CHECK(!t->running);
    while (j->stay && !again && p->spare_count > 0) {
        t->worker = p->spares[--p->spare_count];
        again = worker_again(&t->worker, j);
        if (!again)
            worker_free(&t->worker);
    }
    if (!again && !worker_start(&t->worker, j, e))
        return false;
    append(p, t);
    return true;
}

void pool_release(struct pool *p, struct worker *w)
{
    CHECK(w->end != WORKER_RUNS);
    if (w->job.stay && w->end == WORKER_DONE &&
        p->spare_count < POOL_SPARES_MAX)
        p->spares[p->spare_count++] = *w;
    else
        worker_free(w);
}

static bool take_ended(struct pool *p, struct err *e)
{
    struct task *t;

    while ((t = first_ended(p))) {
        struct worker w;
        bool ok;

        unlink_task(p, t);
        if (!t->ended)
            continue;
        w = t->worker;
        ok = t->ended(t, e);
        pool_release(p, &w);
        if (!ok)
            return false;
    }
    return true;
}

bool pool_wait(struct pool *p, uint64_t until_ms, struct err *e)
{
    struct worker *list[RUNNING_MAX];
    size_t n = 0;

    for (struct task *t = p->running; t; t = t->next) {
        CHECK(n < RUNNING_MAX);
        list[n++] = &t->worker;
    }
    if (n)
        worker_wait(list, n, until_ms);
    return take_ended(p, e);
}

size_t pool_running(const struct pool *p)
{
    size_t n = 0;

    for (const struct task *t = p->running; t; t = t->next)
        n++;
    return n;
}

void pool_pause(struct pool *p)
{
    for (struct task *t = p->running; t; t = t->next)
        worker_pause(&t->worker);
}

void pool_stop(struct pool *p, struct task *t)
{
    if (!t->running)
        return;
    worker_stop(&t->worker);
    unlink_task(p, t);
}

void pool_dismiss(struct pool *p)
{
    while (p->running) {
        struct task *t = p->running;

        unlink_task(p, t);
        worker_free(&t->worker);
    }
    while (p->spare_count > 0)
        worker_free(&p->spares[--p->spare_count]);
}
