/* SPDX-License-Identifier: MIT
 *
 * Executions in which a thread waits for ever (docs/models.md, progress).
 * A thread waits at a lock or semaphore that does not let it pass, and in a
 * loop whose last round did nothing.  It does so for ever if nothing newer will
 * come: each of its loads there reads the last store of all, in memory order,
 * to its address.  All stores are executed and have their place in that order,
 * so buffers are empty, and no load has an older value to return.
 *
 *   waiting(l), reads(r, l), executed(s) at the same address  ->  s is r,
 *                                                                 or before r
 *
 * An RMW in an idle round that stores what it read (a test-and-set that fails)
 * changes nothing for anybody: that store does not count as newer.
 *
 * The clauses are made when the question is asked for the first time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_inside.h"

static bool writes(const struct flat_event *e)
{
    return e->kind == FLAT_STORE || e->kind == FLAT_FREE;
}

/* ---- Who waits, and where ---- */

static int lock_waits(struct encoding *x, const struct flat_assume *a)
{
    if (a->kind != ASSUME_LOCK)
        return LIT_FALSE;
    return solver_and(x->solver, value_guard(x, a->guard),
                      -value_guard(x, a->condition));
}

static int round_waits(struct encoding *x, const struct flat_cut *c)
{
    return c->kind == CUT_IDLE ? value_guard(x, c->guard) : LIT_FALSE;
}

/* ---- Nothing newer will come ---- */

/* Is it the store of a round that did nothing?  Then it wrote back. */
static int in_idle_round(struct encoding *x, uint32_t store)
{
    const struct flat *f = x->flat;
    int idle = LIT_FALSE;

    for (uint32_t i = 0; i < f->cut_count; i++) {
        const struct flat_cut *c = &f->cuts[i];

        if (store >= c->first && store - c->first < c->count)
            idle = solver_or(x->solver, idle, round_waits(x, c));
    }
    return idle;
}

/* Of two at the same address. */
static int before(struct encoding *x, uint32_t first, uint32_t second)
{
    if (x->flat->events[first].thread == x->flat->events[second].thread)
        return first < second ? LIT_TRUE : LIT_FALSE;
    return order_lit(x, first, second);
}

/* If `waits`, the load reads nothing that is older than the store. */
static void none_newer(struct encoding *x, int waits, uint32_t load,
                       uint32_t store)
{
    struct solver *s = x->solver;
    int counts;

    if (x->accesses[store].live == LIT_FALSE ||
        !ranges_may_alias(&x->ranges, x->flat, store, load))
        return;
    counts =
        solver_and(s, access_same(x, store, load), -in_idle_round(x, store));
    counts = solver_and(s, counts, waits);
    solver_clause(s, -x->stuck, -counts, -x->initial[load], 0);
    for (uint32_t i = 0; i < x->link_count[load]; i++) {
        const struct link *link = &x->links[load][i];

        if (link->store != store)
            solver_clause(s, -counts, -x->stuck, -link->reads,
                          before(x, store, link->store));
    }
}

static void reads_last(struct encoding *x, int waits, uint32_t load)
{
    waits = solver_and(x->solver, waits, x->accesses[load].live);
    if (waits == LIT_FALSE)
        return;
    for (uint32_t s = 0; s < x->flat->event_count; s++) {
        if (writes(&x->flat->events[s]))
            none_newer(x, waits, load, s);
    }
}

/* ---- The question ---- */

static int encode_locks(struct encoding *x)
{
    const struct flat *f = x->flat;
    int any = LIT_FALSE;

    for (uint32_t i = 0; i < f->assume_count; i++) {
        const struct flat_assume *a = &f->assumes[i];
        int waits = lock_waits(x, a);

        any = solver_or(x->solver, any, waits);
        if (waits != LIT_FALSE && a->event != LSL_NONE)
            reads_last(x, waits, a->event);
    }
    return any;
}

/* A thread that could choose otherwise in its next round is not stuck. */
static int encode_rounds(struct encoding *x)
{
    const struct flat *f = x->flat;
    int any = LIT_FALSE;

    for (uint32_t i = 0; i < f->cut_count; i++) {
        const struct flat_cut *c = &f->cuts[i];
        int waits = round_waits(x, c);

        if (waits == LIT_FALSE)
            continue;
        any = solver_or(x->solver, any, waits);
        solver_clause(x->solver, -x->stuck, -waits, -value_guard(x, c->chose),
                      0);
        for (uint32_t e = c->first; e < c->first + c->count; e++) {
            if (f->events[e].kind == FLAT_LOAD)
                reads_last(x, waits, e);
        }
    }
    return any;
}

void stuck_encode(struct encoding *x)
{
    int locks, rounds;

    if (x->stuck_encoded)
        return;
    x->stuck_encoded = true;
    locks = encode_locks(x);
    rounds = encode_rounds(x);
    solver_clause(x->solver, -x->stuck, locks, rounds, 0);
    solver_clause(x->solver, -x->stuck, -x->error, 0, 0);
    solver_clause(x->solver, -x->stuck, -x->bound, 0, 0);
}

/* ---- What was found ---- */

struct waiting {
    uint32_t thread, operation, site;
    uint8_t failure;
};

static bool is_waiting(const struct encoding *x, const struct flat_assume *a)
{
    return a->kind == ASSUME_LOCK && guard_found(x, a->guard) &&
           !guard_found(x, a->condition);
}

/* As the runtime does: spinning is a livelock, a semaphore that nobody will
 * post a lost wake-up, all else a deadlock. */
static uint32_t find_waiting(const struct encoding *x, struct waiting *list)
{
    const struct flat *f = x->flat;
    uint32_t n = 0;

    for (uint32_t i = 0; i < f->assume_count; i++) {
        const struct flat_assume *a = &f->assumes[i];
        bool posted =
            a->event != LSL_NONE && f->events[a->event].construct == C_WAIT;

        if (is_waiting(x, a))
            list[n++] =
                (struct waiting){a->thread, a->operation, a->site,
                                 posted ? FAIL_LOST_WAKEUP : FAIL_DEADLOCK};
    }
    for (uint32_t i = 0; i < f->cut_count; i++) {
        const struct flat_cut *c = &f->cuts[i];

        if (c->kind == CUT_IDLE && guard_found(x, c->guard))
            list[n++] = (struct waiting){c->thread, c->operation, c->site,
                                         FAIL_LIVELOCK};
    }
    return n;
}

static const char *words(const struct encoding *x, struct arena *a,
                         enum failure_kind kind, const struct waiting *list,
                         uint32_t count)
{
    struct buf text = {0}, place = {0};
    const char *copy;

    buf_puts(&text, failure_kind_words(kind));
    for (uint32_t i = 0; i < count; i++) {
        place.count = 0;
        lsl_put_site(x->flat->program, list[i].site, &place);
        buf_printf(&text, "%s thread %u %s for ever (%s)", i ? "," : ":",
                   list[i].thread,
                   list[i].failure == FAIL_LIVELOCK ? "spins" : "waits",
                   place.bytes);
    }
    copy = arena_copy(a, text.bytes);
    buf_free(&text);
    buf_free(&place);
    return copy;
}

void stuck_found(const struct encoding *x, struct arena *a,
                 struct encode_found *out)
{
    const struct flat *f = x->flat;
    struct waiting *list =
        arena_array(a, f->assume_count + f->cut_count + 1, sizeof *list);
    uint32_t count = find_waiting(x, list), worst = 0;

    CHECK(count);
    for (uint32_t i = 1; i < count; i++) {
        if (list[i].failure > list[worst].failure)
            worst = i;
    }
    out->failure = list[worst].failure;
    out->site = list[worst].site;
    out->thread = list[worst].thread;
    out->text = words(x, a, out->failure, list, count);
}

/* ---- The same again ---- */

/* A thread waits in that operation. */
static int waits_in(struct encoding *x, uint32_t operation)
{
    const struct flat *f = x->flat;
    int waits = LIT_FALSE;

    for (uint32_t i = 0; i < f->assume_count; i++) {
        if (f->assumes[i].operation == operation)
            waits = solver_or(x->solver, waits, lock_waits(x, &f->assumes[i]));
    }
    for (uint32_t i = 0; i < f->cut_count; i++) {
        if (f->cuts[i].operation == operation)
            waits = solver_or(x->solver, waits, round_waits(x, &f->cuts[i]));
    }
    return waits;
}

/* Literals of a clause. */
struct clause {
    int *lits;
    size_t count;
};

static void forbid_operation(struct encoding *x, struct clause *c,
                             uint32_t operation, bool waits)
{
    int lit = waits_in(x, operation);

    c->lits[c->count++] = waits ? -lit : lit;
}

static void forbid_observation(struct encoding *x, struct clause *c,
                               const struct flat_observe *o)
{
    int guard = value_guard(x, o->guard);

    if (guard_found(x, o->guard)) {
        c->lits[c->count++] = -guard;
        c->lits[c->count++] = -value_is(x, o->value, value_found(x, o->value));
    } else {
        c->lits[c->count++] = guard;
    }
}

void encode_allow_stuck(struct encoding *x)
{
    const struct flat *f = x->flat;
    struct arena scratch = ARENA_INIT;
    struct waiting *list =
        arena_array(&scratch, f->assume_count + f->cut_count + 1, sizeof *list);
    bool *waits = arena_array(&scratch, f->operation_count + 1, sizeof *waits);
    struct clause c = {
        arena_array(&scratch, f->operation_count + 2 * f->observe_count + 1,
                    sizeof *c.lits),
        0};

    for (uint32_t i = find_waiting(x, list); i-- > 0;) {
        if (list[i].operation < f->operation_count)
            waits[list[i].operation] = true;
    }
    for (uint32_t i = 0; i < f->operation_count; i++)
        forbid_operation(x, &c, i, waits[i]);
    for (uint32_t i = 0; i < f->observe_count; i++) {
        uint32_t operation = f->observes[i].operation;

        if (operation < f->operation_count && !waits[operation])
            forbid_observation(x, &c, &f->observes[i]);
    }
    for (size_t i = 0; i < c.count; i++)
        solver_add(x->solver, c.lits[i]);
    solver_add(x->solver, -x->stuck);
    solver_end(x->solver);
    arena_free(&scratch);
}
