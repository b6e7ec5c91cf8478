/* SPDX-License-Identifier: MIT
 *
 * Every number in a trace that names something else must name something that
 * is there.  Run on each trace that comes from outside; after that it is
 * trusted.
 */
#include "trace/trace.h"

#include "base/clean.h"

static bool check_sites(const struct trace *t, struct err *e)
{
    for (size_t i = 0; i < t->site_count; i++) {
        if (t->sites[i].kind >= EV_KIND_COUNT)
            return err_set(e, "site %zu: unknown kind %u", i, t->sites[i].kind);
        if (!clean_is_line(t->sites[i].file) ||
            !clean_is_line(t->sites[i].function) ||
            !clean_is_line(t->sites[i].name))
            return err_set(e, "site %zu: its names are no text", i);
    }
    return true;
}

static bool check_objects(const struct trace *t, struct err *e)
{
    for (size_t i = 0; i < t->object_count; i++) {
        const struct trace_object *o = &t->objects[i];

        if (o->kind > OBJECT_OTHER)
            return err_set(e, "object %zu: unknown kind %u", i, o->kind);
        if (o->site >= t->site_count)
            return err_set(e, "object %zu: no site %u", i, o->site);
        if (!clean_is_line(o->name) || !clean_is_line(o->fields))
            return err_set(e, "object %zu: its names are no text", i);
    }
    return true;
}

static bool check_threads(const struct trace *t, struct err *e)
{
    for (size_t i = 0; i < t->thread_count; i++) {
        const struct trace_thread *th = &t->threads[i];

        if (th->parent >= t->thread_count)
            return err_set(e, "thread %zu: no parent %u", i, th->parent);
        if (th->create > t->event_count)
            return err_set(e, "thread %zu: no event %u", i, th->create);
    }
    return true;
}

static bool check_event(const struct trace *t, size_t i, struct err *e)
{
    const struct event *ev = &t->events[i];

    if (ev->kind >= EV_KIND_COUNT)
        return err_set(e, "unknown kind %u", ev->kind);
    if (ev->thread >= t->thread_count)
        return err_set(e, "no thread %u", ev->thread);
    if (ev->site >= t->site_count)
        return err_set(e, "no site %u", ev->site);
    if (ev->object >= t->object_count)
        return err_set(e, "no object %u", ev->object);
    /* Processors have loads that read what their thread did not wait for. */
    if (ev->from > (ev->kind == EV_COMMIT ? i : t->event_count) ||
        ev->from == i + 1)
        return err_set(e, "reads from event %u, which comes later", ev->from);
    return true;
}

bool trace_check(const struct trace *t, struct err *e)
{
    const struct channel_failure *f = &t->failure;

    if (t->site_count == 0 || t->object_count == 0 || t->thread_count == 0)
        return err_set(e, "a table is empty");
    if (t->thread_count > EVENT_THREADS_MAX)
        return err_set(e, "too many threads");
    if (t->event_count > UINT32_MAX - 1)
        return err_set(e, "too many events");
    if (f->kind >= FAIL_KIND_COUNT)
        return err_set(e, "unknown kind of failure %u", f->kind);
    if (f->site >= t->site_count)
        return err_set(e, "failure: no site %u", f->site);
    if (f->kind && f->thread > UINT16_MAX)
        return err_set(e, "failure: no thread %u", f->thread);
    if (!check_sites(t, e) || !check_objects(t, e) || !check_threads(t, e))
        return false;
    for (size_t i = 0; i < t->event_count; i++) {
        if (!check_event(t, i, e))
            return err_in(e, "event %zu", i + 1);
    }
    return true;
}
