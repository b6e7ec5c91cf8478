/* SPDX-License-Identifier: MIT
 *
 * What a test that is handed out promises to whoever encodes or judges it
 * (flat.h).  A test that breaks one of these would be proved, but it would not
 * be the program's.
 */
#include "flat/flat_inside.h"

/* ---- Values ---- */

static bool is_guard_op(unsigned op)
{
    return op >= FLAT_TRUE_GUARD && op <= FLAT_SAME;
}

static void check_guard(const struct flat *f, uint32_t v)
{
    CHECK(v > 0 && v < f->value_count);
    CHECK(f->values[v].width == 0 && is_guard_op(f->values[v].op));
}

static void check_data(const struct flat *f, uint32_t v)
{
    CHECK(v > 0 && v < f->value_count);
    CHECK(f->values[v].width > 0 && !is_guard_op(f->values[v].op));
}

/* Each load is one value, and no other event is. */
static void check_loaded(const struct flat *f, uint32_t v)
{
    uint32_t event = f->values[v].a;

    CHECK(event < f->event_count);
    CHECK(f->events[event].kind == FLAT_LOAD);
    CHECK(f->events[event].value == v);
}

static void check_pure(const struct flat *f, const struct flat_value *x)
{
    check_data(f, x->a);
    CHECK(x->width <= 64 && x->in_width <= 64);
    if (lsl_pure_operands(x->pure) == 2)
        check_data(f, x->b);
}

static void check_operands(const struct flat *f, uint32_t v)
{
    const struct flat_value *x = &f->values[v];

    switch ((enum flat_op)x->op) {
    case FLAT_CONSTANT:
        CHECK(x->width == 64);
        CHECK(x->constant.kind != LSL_POINTER ||
              x->constant.base < f->object_count);
        return;
    case FLAT_CHOSEN:
        CHECK(x->constant.bits > 0);
        return;
    case FLAT_LOADED:
        check_loaded(f, v);
        return;
    case FLAT_TRUE_GUARD:
        CHECK(v == FLAT_TRUE);
        return;
    case FLAT_PURE:
        check_pure(f, x);
        break;
    case FLAT_ITE:
        check_guard(f, x->a);
        check_data(f, x->b);
        check_data(f, x->c);
        break;
    case FLAT_AND:
        check_guard(f, x->b);
        check_guard(f, x->a);
        break;
    case FLAT_NOT:
        check_guard(f, x->a);
        break;
    case FLAT_SAME:
        check_data(f, x->b);
        check_data(f, x->a);
        break;
    case FLAT_TRUTH:
    case FLAT_IS_UNDEFINED:
        check_data(f, x->a);
        break;
    }
    CHECK(x->a < v && x->b < v && x->c < v);
}

/* ---- Events ---- */

static void check_access(const struct flat *f, const struct flat_event *e)
{
    check_data(f, e->address);
    CHECK(e->construct < C_COUNT);
    CHECK(e->unit <= f->unit_count);
    if (e->kind == FLAT_FREE)
        return;
    check_data(f, e->value);
    if (e->parts) {
        CHECK(e->part < e->parts && e->parts <= 16);
        CHECK(e->size >= 1 && e->size <= 8);
    } else {
        CHECK(e->size == 1 || e->size == 2 || e->size == 4 || e->size == 8);
    }
}

static void check_event(const struct flat *f, const struct flat_event *e)
{
    check_guard(f, e->guard);
    CHECK(e->operation == LSL_NONE || e->operation < f->operation_count);
    switch ((enum flat_kind)e->kind) {
    case FLAT_LOAD:
    case FLAT_STORE:
    case FLAT_FREE:
        check_access(f, e);
        break;
    case FLAT_FENCE:
        CHECK(e->fences || e->construct < C_COUNT);
        break;
    case FLAT_CREATE:
    case FLAT_JOIN:
        CHECK(e->other > 0 && e->other < f->thread_count);
        break;
    case FLAT_START:
    case FLAT_EXIT:
        break;
    }
}

static void check_thread(const struct flat *f, uint32_t t)
{
    const struct flat_thread *x = &f->threads[t];
    const struct flat_event *first = &f->events[x->first];

    CHECK(x->count > 0 && x->first + x->count <= f->event_count);
    CHECK(first[x->count - 1].kind == FLAT_EXIT);
    CHECK((t == 0) == (x->create == LSL_NONE));
    if (t == 0)
        return;
    CHECK(first->kind == FLAT_START);
    CHECK(x->create < f->event_count && f->events[x->create].other == t);
    CHECK(f->events[x->create].kind == FLAT_CREATE);
}

/* Threads lie one after the other, and all events are theirs. */
static void check_events(const struct flat *f)
{
    uint32_t next = 0;

    for (uint32_t t = 0; t < f->thread_count; t++) {
        CHECK(f->threads[t].first == next);
        check_thread(f, t);
        for (uint32_t i = 0; i < f->threads[t].count; i++, next++) {
            CHECK(f->events[next].thread == t);
            check_event(f, &f->events[next]);
        }
    }
    CHECK(next == f->event_count);
}

/* ---- What is said about them ---- */

/* Events first .. first + count are the thread's. */
static void check_part(const struct flat *f, uint32_t thread, uint32_t first,
                       uint32_t count)
{
    CHECK(thread < f->thread_count);
    CHECK(first >= f->threads[thread].first);
    CHECK(first + count <= f->threads[thread].first + f->threads[thread].count);
}

static void check_cut(const struct flat *f, const struct flat_cut *c)
{
    check_guard(f, c->guard);
    check_part(f, c->thread, c->first, c->count);
    CHECK(c->kind != CUT_BOUND || c->key != 0);
}

static void check_assume(const struct flat *f, const struct flat_assume *a)
{
    check_guard(f, a->guard);
    check_guard(f, a->condition);
    CHECK(a->event == LSL_NONE || a->event < f->event_count);
    CHECK(a->event == LSL_NONE || f->events[a->event].kind == FLAT_LOAD);
}

void flat_check(const struct flat *f)
{
    check_guard(f, FLAT_TRUE);
    CHECK(f->values[FLAT_FALSE].op == FLAT_NOT);
    for (uint32_t v = 1; v < f->value_count; v++)
        check_operands(f, v);
    check_events(f);
    for (uint32_t i = 0; i < f->operation_count; i++)
        check_part(f, f->operations[i].thread, f->operations[i].first,
                   f->operations[i].count);
    for (uint32_t i = 0; i < f->cut_count; i++)
        check_cut(f, &f->cuts[i]);
    for (uint32_t i = 0; i < f->assume_count; i++)
        check_assume(f, &f->assumes[i]);
    for (uint32_t i = 0; i < f->error_count; i++)
        check_guard(f, f->errors[i].guard);
    for (uint32_t i = 0; i < f->observe_count; i++) {
        check_guard(f, f->observes[i].guard);
        check_data(f, f->observes[i].value);
        CHECK(!i || f->observes[i - 1].thread <= f->observes[i].thread);
    }
}
