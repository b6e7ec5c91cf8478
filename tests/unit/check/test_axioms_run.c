/* SPDX-License-Identifier: MIT
 *
 * Executions put together by hand: good ones hold before the axioms, and each
 * of them broken in one way does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms/axioms.h"

enum { MAX = 32, X = 1, Y = 2, HEAP = 3, ZEROED = 4, OBJECTS = 5 };

/* A flat that grows event by event, thread after thread, and a run of it. */
struct world {
    struct flat flat;
    struct flat_run run;
    struct lsl_program program;
    struct lsl_object globals[3];
    struct fencer_site sites[1];
    struct flat_value values[MAX];
    struct flat_event events[MAX];
    struct flat_thread threads[4];
    struct flat_object objects[OBJECTS];
    struct lsl_value run_values[MAX], address[MAX], value[MAX];
    bool executed[MAX];
    uint32_t rf[MAX], order[MAX];
    struct err e;
};

static uint32_t add_value(struct world *w, struct flat_value v)
{
    w->values[w->flat.value_count] = v;
    return w->flat.value_count++;
}

static uint32_t constant(struct world *w, uint64_t n)
{
    return add_value(w, (struct flat_value){.op = FLAT_CONSTANT,
                                            .width = 64,
                                            .constant = LSL_INT(n)});
}

static uint32_t pointer(struct world *w, uint32_t object, uint64_t offset)
{
    return add_value(
        w, (struct flat_value){.op = FLAT_CONSTANT,
                               .width = 64,
                               .constant = {LSL_POINTER, object, offset}});
}

static void begin(struct world *w)
{
    memset(w, 0, sizeof *w);
    for (uint32_t i = X; i <= Y; i++) {
        w->globals[i] =
            (struct lsl_object){.name = "x", .size = 8, .proc = LSL_NONE};
        w->objects[i] = (struct flat_object){.global = i, .size = 8};
    }
    w->objects[HEAP] = (struct flat_object){.heap = true, .size = 8};
    w->objects[ZEROED] =
        (struct flat_object){.heap = true, .zeroed = true, .size = 8};
    w->program.objects = w->globals;
    w->program.object_count = 3;
    w->sites[0] = (struct fencer_site){.file = "", .dir = "", .name = ""};
    w->program.sites = w->sites;
    w->program.site_count = 1;
    w->flat = (struct flat){.program = &w->program,
                            .values = w->values,
                            .events = w->events,
                            .threads = w->threads,
                            .objects = w->objects,
                            .object_count = OBJECTS};
    w->run = (struct flat_run){.values = w->run_values,
                               .executed = w->executed,
                               .address = w->address,
                               .value = w->value,
                               .rf = w->rf,
                               .order = w->order};
    w->flat.value_count = 1;
    add_value(w, (struct flat_value){.op = FLAT_TRUE_GUARD});
    add_value(w, (struct flat_value){.op = FLAT_NOT, .a = FLAT_TRUE});
}

static void thread(struct world *w, uint32_t create)
{
    w->threads[w->flat.thread_count++] =
        (struct flat_thread){.first = w->flat.event_count, .create = create};
}

static uint32_t add_event(struct world *w, struct flat_event e)
{
    e.thread = w->flat.thread_count - 1;
    e.guard = e.guard ? e.guard : FLAT_TRUE;
    w->events[w->flat.event_count] = e;
    w->threads[e.thread].count++;
    return w->flat.event_count++;
}

static uint32_t node(struct world *w, enum flat_kind kind, uint32_t other)
{
    return add_event(w, (struct flat_event){.kind = kind, .other = other});
}

static uint32_t store(struct world *w, uint32_t object, uint64_t n)
{
    return add_event(w, (struct flat_event){.kind = FLAT_STORE,
                                            .size = 4,
                                            .construct = C_STORE,
                                            .address = pointer(w, object, 0),
                                            .value = constant(w, n)});
}

/* A load that is said to return n from that store. */
static uint32_t load(struct world *w, uint32_t object, uint64_t n, uint32_t rf)
{
    uint32_t event = w->flat.event_count;
    uint32_t value = add_value(
        w, (struct flat_value){.op = FLAT_LOADED, .width = 32, .a = event});

    w->value[event] = LSL_INT(n);
    w->rf[event] = rf;
    return add_event(w, (struct flat_event){.kind = FLAT_LOAD,
                                            .size = 4,
                                            .construct = C_LOAD,
                                            .address = pointer(w, object, 0),
                                            .value = value});
}

static void fence(struct world *w, uint8_t bits)
{
    add_event(w, (struct flat_event){.kind = FLAT_FENCE, .fences = bits});
}

/* Does the run hold with that order, the accesses by number? */
static bool holds(struct world *w, const struct model *m, const char *order)
{
    w->run.order_count = 0;
    for (const char *c = order; *c; c += strcspn(c, " ")) {
        c += strspn(c, " ");
        w->order[w->run.order_count++] = (uint32_t)strtoul(c, NULL, 10);
    }
    flat_evaluate(&w->flat, &w->run);
    return axioms_hold(&w->flat, &w->run, m, &w->e);
}

static void expect_broken(struct world *w, const struct model *m,
                          const char *order, const char *words)
{
    assert_false(holds(w, m, order));
    if (!strstr(w->e.text, words))
        fail_msg("'%s' does not say '%s'", w->e.text, words);
}

#define KEPT "keeps them in program order"

/* ---- What models keep ---- */

/* Two threads: events 0, 1 (or 0, 2 with a fence between) and the next two. */
static void sb(struct world *w, uint8_t bits)
{
    begin(w);
    thread(w, LSL_NONE);
    store(w, X, 1);
    fence(w, bits);
    load(w, Y, 0, FLAT_INITIAL);
    thread(w, LSL_NONE);
    store(w, Y, 1);
    fence(w, bits);
    load(w, X, 0, FLAT_INITIAL);
}

static void stores_wait_on_tso(void **state)
{
    struct world w;

    (void)state;
    sb(&w, FENCE_LL | FENCE_SS | FENCE_LS);
    expect_broken(&w, &model_sc, "2 5 0 3", KEPT);
    assert_true(holds(&w, &model_tso, "2 5 0 3"));
    assert_true(holds(&w, &model_pso, "2 5 0 3"));
    assert_true(holds(&w, &model_relaxed, "2 5 0 3"));
    sb(&w, FENCE_SL);
    expect_broken(&w, &model_tso, "2 5 0 3", KEPT);
    expect_broken(&w, &model_relaxed, "2 5 0 3", KEPT);
    sb(&w, FENCE_FULL);
    expect_broken(&w, &model_pslo, "2 5 0 3", KEPT);
}

static void stores_are_reordered_on_pso(void **state)
{
    struct world w;

    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        begin(&w);
        thread(&w, LSL_NONE);
        store(&w, X, 1);
        fence(&w, fenced ? FENCE_SS : FENCE_SL);
        store(&w, Y, 1);
        thread(&w, LSL_NONE);
        load(&w, Y, 1, 2);
        load(&w, X, 0, FLAT_INITIAL);
        expect_broken(&w, &model_tso, "2 3 4 0", KEPT);
        assert_int_equal(holds(&w, &model_pso, "2 3 4 0"), !fenced);
        assert_int_equal(holds(&w, &model_relaxed, "2 3 4 0"), !fenced);
    }
}

static void loads_are_reordered_on_pslo(void **state)
{
    struct world w;

    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        begin(&w);
        thread(&w, LSL_NONE);
        store(&w, X, 1);
        store(&w, Y, 1);
        thread(&w, LSL_NONE);
        load(&w, Y, 1, 1);
        fence(&w, fenced ? FENCE_LL : FENCE_LS);
        load(&w, X, 0, FLAT_INITIAL);
        expect_broken(&w, &model_pso, "4 0 1 2", KEPT);
        assert_int_equal(holds(&w, &model_pslo, "4 0 1 2"), !fenced);
        assert_int_equal(holds(&w, &model_relaxed, "4 0 1 2"), !fenced);
    }
}

/* The same, ordered by what the accesses are. */
static void recipes_are_fences(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    store(&w, Y, 1);
    thread(&w, LSL_NONE);
    load(&w, Y, 1, 1);
    load(&w, X, 0, FLAT_INITIAL);
    assert_true(holds(&w, &model_pslo, "3 0 1 2"));
    assert_true(holds(&w, &model_pslo, "1 2 3 0"));
    w.events[2].construct = C_LOAD_ACQUIRE;
    w.events[1].construct = C_STORE_RELEASE;
    expect_broken(&w, &model_pslo, "3 0 1 2", KEPT);
    expect_broken(&w, &model_relaxed, "3 0 1 2", KEPT);
    expect_broken(&w, &model_pso, "1 2 3 0", KEPT);
    expect_broken(&w, &model_relaxed, "1 2 3 0", KEPT);
}

static void loads_move_down_on_relaxed(void **state)
{
    struct world w;

    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        begin(&w);
        thread(&w, LSL_NONE);
        load(&w, X, 1, 5);
        fence(&w, fenced ? FENCE_LS : FENCE_SS);
        store(&w, Y, 1);
        thread(&w, LSL_NONE);
        load(&w, Y, 1, 2);
        fence(&w, fenced ? FENCE_LS : FENCE_SS);
        store(&w, X, 1);
        expect_broken(&w, &model_pslo, "2 3 5 0", KEPT);
        assert_true(holds(&w, &model_relaxed, "2 3 5 0") == !fenced);
    }
}

static void atomic_loads_of_one_address_stay(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    thread(&w, LSL_NONE);
    load(&w, X, 1, 0);
    load(&w, X, 0, FLAT_INITIAL);
    expect_broken(&w, &model_pslo, "2 0 1", KEPT);
    assert_true(holds(&w, &model_relaxed, "2 0 1"));
    w.events[1].flags = FLAT_ATOMIC;
    assert_true(holds(&w, &model_relaxed, "2 0 1"));
    w.events[2].flags = FLAT_ATOMIC;
    expect_broken(&w, &model_relaxed, "2 0 1", KEPT);
}

static void stores_of_one_address_stay(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    store(&w, X, 2);
    assert_true(holds(&w, &model_relaxed, "0 1"));
    expect_broken(&w, &model_relaxed, "1 0", KEPT);
}

/* A relaxed exchange of X between a store and a load of others. */
static void exchange(struct world *w)
{
    begin(w);
    thread(w, LSL_NONE);
    store(w, Y, 1);
    load(w, X, 0, FLAT_INITIAL);
    store(w, X, 1);
    w->events[1].unit = w->events[2].unit = w->flat.unit_count = 1;
    w->events[1].flags = w->events[2].flags = FLAT_RMW | FLAT_ATOMIC;
    w->events[1].construct = w->events[2].construct = C_RMW_RELAXED;
    load(w, ZEROED, 0, FLAT_INITIAL);
}

static void an_rmw_is_one_step(void **state)
{
    struct world w;

    (void)state;
    exchange(&w);
    assert_true(holds(&w, &model_tso, "0 1 2 3"));
    expect_broken(&w, &model_tso, "1 2 0 3", KEPT);
    assert_true(holds(&w, &model_pso, "1 2 0 3"));
    expect_broken(&w, &model_pso, "1 0 2 3", "not one step");
    expect_broken(&w, &model_relaxed, "2 1 0 3", "not one step");
    expect_broken(&w, &model_pso, "3 1 2 0", KEPT);
    assert_true(holds(&w, &model_pslo, "3 1 2 0"));
    w.events[2].construct = C_RMW_ACQ_REL;
    expect_broken(&w, &model_pso, "1 2 0 3", KEPT);
    expect_broken(&w, &model_pslo, "0 3 1 2", KEPT);
}

/* Without its store it is a load, with what it is if it fails. */
static void a_cas_that_fails_is_a_load(void **state)
{
    struct world w;

    (void)state;
    exchange(&w);
    w.events[1].construct = C_CAS_FAIL_RELAXED;
    w.events[2].construct = C_RMW_ACQ_REL;
    w.events[2].guard = FLAT_FALSE;
    assert_true(holds(&w, &model_pso, "1 0 3"));
    expect_broken(&w, &model_tso, "1 0 3", KEPT);
    assert_true(holds(&w, &model_pslo, "3 1 0"));
    w.events[1].construct = C_CAS_FAIL_ACQUIRE;
    expect_broken(&w, &model_pslo, "3 1 0", KEPT);
}

/* A block of one store: each access in it is an RMW where there are machines.
 */
static void a_block_is_like_rmws(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    w.events[0].unit = w.flat.unit_count = 1;
    w.events[0].flags = FLAT_RMW;
    w.events[0].construct = C_RMW_RELAXED;
    fence(&w, FENCE_LL);
    load(&w, Y, 0, FLAT_INITIAL);
    expect_broken(&w, &model_pslo, "2 0", KEPT);
    assert_true(holds(&w, &model_relaxed, "2 0"));
}

static void ghosts_stay_behind_loads(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    load(&w, Y, 0, FLAT_INITIAL);
    fence(&w, FENCE_SL);
    store(&w, ZEROED, 1);
    w.events[3].flags = FLAT_GHOST;
    assert_true(holds(&w, &model_tso, "1 3 0"));
    assert_true(holds(&w, &model_relaxed, "1 3 0"));
    expect_broken(&w, &model_relaxed, "3 1 0", KEPT);
    w.events[2].fences = FENCE_FULL;
    expect_broken(&w, &model_relaxed, "1 3 0", KEPT);
}

/* ---- Threads ---- */

/* Thread 0: store X, create, load Y, join, load X; thread 1: store Y. */
static void parent_and_child(struct world *w, uint64_t y)
{
    begin(w);
    thread(w, LSL_NONE);
    store(w, X, 1);
    node(w, FLAT_CREATE, 1);
    load(w, Y, y, y ? 7 : FLAT_INITIAL);
    node(w, FLAT_JOIN, 1);
    load(w, X, 1, 0);
    node(w, FLAT_EXIT, 0);
    thread(w, 1);
    node(w, FLAT_START, 0);
    store(w, Y, 1);
    node(w, FLAT_EXIT, 0);
}

static void threads_start_and_end(void **state)
{
    static const struct model *const models[] = {
        &model_sc, &model_tso, &model_pso, &model_pslo, &model_relaxed};
    struct world w;

    (void)state;
    for (int i = 0; i < 5; i++) {
        const struct model *m = models[i];

        parent_and_child(&w, 1);
        assert_true(holds(&w, m, "0 7 2 4"));
        expect_broken(&w, m, "7 0 2 4", "created or waited");
        expect_broken(&w, m, "0 4 7 2", "created or waited");
        parent_and_child(&w, 0);
        assert_true(holds(&w, m, "0 2 7 4"));
        /* The load overtakes the creation. */
        assert_int_equal(holds(&w, m, "2 0 7 4"), m == &model_pslo);
    }
}

static void a_join_does_not_wait_for_stores(void **state)
{
    struct world w;

    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct model *m = i ? &model_relaxed : &model_tso;

        begin(&w);
        thread(&w, LSL_NONE);
        node(&w, FLAT_CREATE, 1);
        store(&w, X, 1);
        node(&w, FLAT_JOIN, 1);
        load(&w, ZEROED, 0, FLAT_INITIAL);
        node(&w, FLAT_EXIT, 0);
        thread(&w, 0);
        node(&w, FLAT_START, 0);
        load(&w, Y, 0, FLAT_INITIAL);
        node(&w, FLAT_EXIT, 0);
        assert_true(holds(&w, m, "6 1 3"));
        assert_int_equal(holds(&w, m, "6 3 1"), m == &model_tso);
    }
}

/* Through a thread that accesses nothing. */
static void creations_chain(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    node(&w, FLAT_CREATE, 1);
    node(&w, FLAT_EXIT, 0);
    thread(&w, 1);
    node(&w, FLAT_START, 0);
    node(&w, FLAT_CREATE, 2);
    node(&w, FLAT_EXIT, 0);
    thread(&w, 4);
    node(&w, FLAT_START, 0);
    load(&w, X, 1, 0);
    node(&w, FLAT_EXIT, 0);
    assert_true(holds(&w, &model_relaxed, "0 7"));
    w.value[7] = LSL_INT(0);
    w.rf[7] = FLAT_INITIAL;
    expect_broken(&w, &model_relaxed, "7 0", "created or waited");
}

/* ---- Values ---- */

static void a_load_returns_the_last_store_it_sees(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    load(&w, X, 1, 0);
    thread(&w, LSL_NONE);
    store(&w, X, 2);
    assert_true(holds(&w, &model_tso, "2 0 1"));
    /* Forwarded: its own store comes later in <M. */
    assert_true(holds(&w, &model_tso, "2 1 0"));
    expect_broken(&w, &model_tso, "0 2 1", "reads another store");
    w.rf[1] = 2;
    expect_broken(&w, &model_tso, "0 2 1", "returns another value");
    w.value[1] = LSL_INT(2);
    assert_true(holds(&w, &model_tso, "0 2 1"));
    w.rf[1] = FLAT_INITIAL;
    w.value[1] = LSL_INT(0);
    expect_broken(&w, &model_relaxed, "1 2 0", "reads another store");
}

static void memory_begins_as_it_should(void **state)
{
    static const struct lsl_value undefined = {.kind = LSL_UNDEFINED};
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    load(&w, X, 0, FLAT_INITIAL);
    load(&w, HEAP, 0, FLAT_INITIAL);
    expect_broken(&w, &model_sc, "0 1", "returns another value");
    w.value[1] = undefined;
    assert_true(holds(&w, &model_sc, "0 1"));
    w.value[0] = LSL_INT(7);
    expect_broken(&w, &model_sc, "0 1", "returns another value");
    w.globals[X].cells = &(struct lsl_cell){0, 4, LSL_INT(7)};
    w.globals[X].cell_count = 1;
    assert_true(holds(&w, &model_sc, "0 1"));
}

static void sizes_do_not_mix(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    load(&w, X, 1, 0);
    w.events[0].size = 8;
    expect_broken(&w, &model_sc, "0 1", "sizes are mixed");
}

static void an_access_needs_memory(void **state)
{
    static const struct lsl_value undefined = {.kind = LSL_UNDEFINED};
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    load(&w, X, 0, FLAT_INITIAL);
    w.values[w.events[0].address].constant = LSL_INT(0); /* NULL */
    expect_broken(&w, &model_sc, "0", "from nowhere");
    w.value[0] = undefined;
    expect_broken(&w, &model_sc, "0", "it is not executed");
    flat_evaluate(&w.flat, &w.run);
    w.executed[0] = false;
    w.run.order_count = 0;
    assert_true(axioms_hold(&w.flat, &w.run, &model_sc, &w.e));
    assert_true(axioms_fail(&w.flat, &w.run, FAIL_NULL_ACCESS, 0, 0, &w.e));
    assert_false(axioms_fail(&w.flat, &w.run, FAIL_SEGV, 0, 0, &w.e));
    w.values[w.events[0].address].constant = LSL_INT(8); /* NULL->next */
    assert_true(axioms_fail(&w.flat, &w.run, FAIL_NULL_ACCESS, 0, 0, &w.e));
    w.values[w.events[0].address].constant =
        (struct lsl_value){LSL_POINTER, HEAP, 8}; /* after its end */
    assert_true(axioms_fail(&w.flat, &w.run, FAIL_OUT_OF_BOUNDS, 0, 0, &w.e));
}

/* T0: y = x; T1: x = y; both find 1. */
static void no_value_depends_on_itself(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    load(&w, X, 1, 3);
    store(&w, Y, 1);
    w.events[1].value = w.events[0].value;
    thread(&w, LSL_NONE);
    load(&w, Y, 1, 1);
    store(&w, X, 1);
    assert_true(holds(&w, &model_relaxed, "3 0 1 2"));
    w.events[3].value = w.events[2].value;
    expect_broken(&w, &model_relaxed, "1 2 3 0", "depends on itself");
    /* By being there at all. */
    w.events[3].value = w.events[3].guard = add_value(
        &w, (struct flat_value){.op = FLAT_TRUTH, .a = w.events[2].value});
    w.events[3].value = constant(&w, 1);
    expect_broken(&w, &model_relaxed, "1 2 3 0", "depends on itself");
}

/* ---- The frame ---- */

static void the_order_has_every_access_once(void **state)
{
    struct world w;

    (void)state;
    sb(&w, FENCE_SL);
    assert_true(holds(&w, &model_tso, "0 2 3 5") == false);
    w.value[5] = LSL_INT(1);
    w.rf[5] = 0;
    assert_true(holds(&w, &model_tso, "0 2 3 5"));
    expect_broken(&w, &model_tso, "0 2 3", "3 accesses of 4");
    expect_broken(&w, &model_tso, "0 2 3 3", "there before");
    expect_broken(&w, &model_tso, "0 1 2 3 5", "no access");
    expect_broken(&w, &model_tso, "0 2 3 5 31", "no access");
}

static void claims_are_computed_anew(void **state)
{
    struct world w;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, X, 1);
    assert_true(holds(&w, &model_sc, "0"));
    w.value[0] = LSL_INT(2);
    assert_false(axioms_hold(&w.flat, &w.run, &model_sc, &w.e));
    assert_non_null(strstr(w.e.text, "its value is another"));
    assert_true(holds(&w, &model_sc, "0"));
    w.address[0].bits = 4;
    assert_false(axioms_hold(&w.flat, &w.run, &model_sc, &w.e));
    assert_non_null(strstr(w.e.text, "its address is another"));
    assert_true(holds(&w, &model_sc, "0"));
    w.executed[0] = false;
    assert_false(axioms_hold(&w.flat, &w.run, &model_sc, &w.e));
    assert_non_null(strstr(w.e.text, "it is executed"));
}

static void a_choice_is_within_its_bound(void **state)
{
    struct world w;
    uint32_t chosen;

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    chosen = add_value(&w, (struct flat_value){.op = FLAT_CHOSEN,
                                               .width = 32,
                                               .constant = LSL_INT(2)});
    store(&w, X, 1);
    w.events[0].value = chosen;
    w.run_values[chosen] = LSL_INT(1);
    assert_true(holds(&w, &model_sc, "0"));
    w.run_values[chosen] = LSL_INT(2);
    expect_broken(&w, &model_sc, "0", "cannot be chosen");
}

/* ---- What is said of it ---- */

static void failures_are_seen(void **state)
{
    struct world w;
    struct flat_error error = {
        .guard = FLAT_TRUE, .failure = FAIL_ASSERT, .site = 0, .thread = 0};

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    store(&w, HEAP, 1);
    thread(&w, LSL_NONE);
    add_event(&w, (struct flat_event){.kind = FLAT_FREE,
                                      .address = pointer(&w, HEAP, 0)});
    w.flat.errors = &error;
    w.flat.error_count = 1;
    assert_true(holds(&w, &model_sc, "1 0"));
    assert_true(axioms_fail(&w.flat, &w.run, FAIL_ASSERT, 0, 0, &w.e));
    assert_true(axioms_fail(&w.flat, &w.run, FAIL_USE_AFTER_FREE, 0, 0, &w.e));
    assert_false(axioms_fail(&w.flat, &w.run, FAIL_ASSERT, 0, 1, &w.e));
    assert_false(axioms_fail(&w.flat, &w.run, FAIL_DOUBLE_FREE, 0, 1, &w.e));
    assert_false(axioms_fail(&w.flat, &w.run, FAIL_NULL_ACCESS, 0, 0, &w.e));
    error.guard = FLAT_FALSE;
    assert_true(holds(&w, &model_sc, "0 1"));
    assert_false(axioms_fail(&w.flat, &w.run, FAIL_ASSERT, 0, 0, &w.e));
    assert_false(axioms_fail(&w.flat, &w.run, FAIL_USE_AFTER_FREE, 0, 0, &w.e));
}

static void observations_are_seen(void **state)
{
    struct world w;
    struct flat_observe places[] = {{.guard = FLAT_FALSE},
                                    {.guard = FLAT_TRUE},
                                    {.guard = FLAT_TRUE, .thread = 1}};
    struct lsl_value seen[] = {LSL_INT(5), {.kind = LSL_UNDEFINED}};

    (void)state;
    begin(&w);
    thread(&w, LSL_NONE);
    places[0].value = constant(&w, 4);
    places[1].value = constant(&w, 5);
    places[2].value = constant(&w, 6);
    w.flat.observes = places;
    w.flat.observe_count = 3;
    assert_true(holds(&w, &model_sc, ""));
    assert_true(axioms_observe(&w.flat, &w.run, 0, seen, 2, &w.e));
    assert_true(axioms_observe(&w.flat, &w.run, 0, seen, 1, &w.e));
    assert_false(axioms_observe(&w.flat, &w.run, 0, seen, 0, &w.e));
    assert_false(axioms_observe(&w.flat, &w.run, 1, seen, 2, &w.e));
    seen[1] = LSL_INT(5);
    assert_false(axioms_observe(&w.flat, &w.run, 0, seen, 2, &w.e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_wait_on_tso),
        cmocka_unit_test(stores_are_reordered_on_pso),
        cmocka_unit_test(loads_are_reordered_on_pslo),
        cmocka_unit_test(recipes_are_fences),
        cmocka_unit_test(loads_move_down_on_relaxed),
        cmocka_unit_test(atomic_loads_of_one_address_stay),
        cmocka_unit_test(stores_of_one_address_stay),
        cmocka_unit_test(an_rmw_is_one_step),
        cmocka_unit_test(a_cas_that_fails_is_a_load),
        cmocka_unit_test(a_block_is_like_rmws),
        cmocka_unit_test(ghosts_stay_behind_loads),
        cmocka_unit_test(threads_start_and_end),
        cmocka_unit_test(a_join_does_not_wait_for_stores),
        cmocka_unit_test(creations_chain),
        cmocka_unit_test(a_load_returns_the_last_store_it_sees),
        cmocka_unit_test(memory_begins_as_it_should),
        cmocka_unit_test(sizes_do_not_mix),
        cmocka_unit_test(an_access_needs_memory),
        cmocka_unit_test(no_value_depends_on_itself),
        cmocka_unit_test(the_order_has_every_access_once),
        cmocka_unit_test(claims_are_computed_anew),
        cmocka_unit_test(a_choice_is_within_its_bound),
        cmocka_unit_test(failures_are_seen),
        cmocka_unit_test(observations_are_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
