/* SPDX-License-Identifier: MIT
 *
 * Serial executions of small programs in the load-store language, put together
 * by hand: a counter, a queue, locks, loops without end, and mistakes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "serial/serial.h"

#define INSTS 32
#define BLOCKS 4
#define REGS 40
#define CONSTANTS 8 /* registers 0 to 7 hold these numbers */
#define X 1         /* objects, and the registers 8, 9, 10 that point to them */
#define Y 2
#define LOCK 3
#define AT(object) (CONSTANTS + (object) - 1)
#define OBJECTS 4

/* One procedure as it is written. */
struct writer {
    struct lsl_proc proc;
    struct lsl_inst insts[INSTS];
    struct lsl_block blocks[BLOCKS];
    struct lsl_edge edges[8];
    struct lsl_value constants[CONSTANTS + OBJECTS];
    uint32_t inst_count, next_reg, edge_count;
};

static void begin(struct writer *w, const char *name)
{
    memset(w, 0, sizeof(*w));
    for (uint32_t i = 0; i < CONSTANTS; i++)
        w->constants[i] = LSL_INT(i);
    for (uint32_t i = 1; i < OBJECTS; i++)
        w->constants[AT(i)] = (struct lsl_value){LSL_POINTER, i, 0};
    w->proc = (struct lsl_proc){
        .name = name,
        .reg_count = REGS,
        .constant_count = CONSTANTS + OBJECTS - 1,
        .constants = w->constants,
        .insts = w->insts,
        .blocks = w->blocks,
        .edges = w->edges,
        .defined = true,
    };
    w->next_reg = CONSTANTS + OBJECTS;
}

static uint32_t put(struct writer *w, struct lsl_inst i)
{
    i.dst = i.width ? w->next_reg++ : LSL_NONE;
    assert_true(w->inst_count < INSTS && w->next_reg <= REGS);
    w->insts[w->inst_count++] = i;
    w->blocks[w->proc.block_count].count++;
    return i.dst;
}

static uint32_t load(struct writer *w, uint32_t a)
{
    return put(
        w, (struct lsl_inst){.op = LSL_LOAD, .width = 64, .size = 8, .a = a});
}

static void store(struct writer *w, uint32_t a, uint32_t b)
{
    put(w, (struct lsl_inst){.op = LSL_STORE, .size = 8, .a = a, .b = b});
}

static uint32_t pure(struct writer *w, enum lsl_pure op, uint32_t a, uint32_t b)
{
    return put(w, (struct lsl_inst){.op = LSL_PURE,
                                    .pure = op,
                                    .width = op == PURE_EQ ? 1 : 64,
                                    .in_width = 64,
                                    .a = a,
                                    .b = b});
}

static void one(struct writer *w, enum lsl_op op, uint32_t a)
{
    put(w, (struct lsl_inst){.op = op,
                             .a = a,
                             .size = 8,
                             .text = op == LSL_OBSERVE ? w->proc.name
                                                       : "x is what it is"});
}

static uint32_t get(struct writer *w, enum lsl_op op, uint32_t a)
{
    return put(w, (struct lsl_inst){.op = op, .width = 64, .a = a});
}

/* Ends the block: goes to one of two, or returns with `then` LSL_NONE. */
static void end(struct writer *w, uint32_t cond, uint32_t then,
                uint32_t otherwise)
{
    struct lsl_block *b = &w->blocks[w->proc.block_count++];

    b->cond = cond;
    b->then = then;
    b->otherwise = otherwise;
    b->result = b->loop = LSL_NONE;
    if (w->proc.block_count < BLOCKS)
        b[1].first = w->inst_count;
}

static void finish(struct writer *w)
{
    end(w, LSL_NONE, LSL_NONE, LSL_NONE);
}

/* A program of two operations and perhaps an initialisation. */
struct world {
    struct writer init, e, d;
    struct lsl_proc procs[3];
    struct lsl_object objects[OBJECTS];
    struct lsl_operation operations[2];
    struct fencer_site nowhere;
    struct lsl_program program;
    bool x_is_local; /* each thread has its own */
    struct arena arena;
    struct err err;
    struct observation_set set;
    struct serial_failure failure;
};

static void prepare(struct world *w)
{
    memset(w, 0, sizeof(*w));
    begin(&w->init, "init");
    begin(&w->e, "e");
    begin(&w->d, "d");
}

static struct test test_of(struct world *w, const char *notation)
{
    struct test t;

    for (uint32_t i = 1; i < OBJECTS; i++)
        w->objects[i] =
            (struct lsl_object){.name = "x", .size = 64, .proc = LSL_NONE};
    w->objects[X].thread_local = w->x_is_local;
    w->nowhere = (struct fencer_site){.file = "", .dir = ""};
    w->procs[0] = w->init.proc;
    w->procs[1] = w->e.proc;
    w->procs[2] = w->d.proc;
    w->operations[0] = (struct lsl_operation){"e", 1};
    w->operations[1] = (struct lsl_operation){"d", 2};
    w->program = (struct lsl_program){
        .procs = w->procs,
        .proc_count = 3,
        .objects = w->objects,
        .object_count = OBJECTS,
        .operations = w->operations,
        .operation_count = 2,
        .sites = &w->nowhere,
        .site_count = 1,
        .init = w->init.proc.block_count ? 0 : LSL_NONE,
        .main = LSL_NONE,
        .source = "hand.c",
    };
    assert_true(lsl_parse_test(&w->program, notation, &w->arena, &t, &w->err));
    return t;
}

static enum serial_end mine(struct world *w, const char *notation)
{
    struct test t = test_of(w, notation);
    struct serial_options options = {.max = 100000};

    return serial_mine(&w->program, &t, &options, &w->arena, &w->set,
                       &w->failure, &w->err);
}

static bool explains(struct world *w, const char *notation,
                     const int64_t *values, uint32_t width)
{
    struct test t = test_of(w, notation);

    return serial_explains(&w->program, &t, values, width);
}

/* ---- A counter ---- */

/* e: observe(x++) */
static void write_counter(struct world *w)
{
    uint32_t r;

    prepare(w);
    r = load(&w->e, AT(X));
    store(&w->e, AT(X), pure(&w->e, PURE_ADD, r, 1));
    one(&w->e, LSL_OBSERVE, r);
    finish(&w->e);
    one(&w->d, LSL_OBSERVE, load(&w->d, AT(X)));
    finish(&w->d);
}

static void each_order_is_an_observation(void **unused)
{
    static const int64_t wanted[] = {0, 1, 1, 0}, torn[] = {0, 0};
    struct world w;

    (void)unused;
    write_counter(&w);
    assert_int_equal(mine(&w, "( e | e )"), SERIAL_DONE);
    assert_int_equal(w.set.count, 2);
    assert_int_equal(w.set.width, 2);
    assert_memory_equal(w.set.values, wanted, sizeof(wanted));
    assert_true(observations_contain(&w.set, wanted));
    assert_true(observations_contain(&w.set, wanted + 2));
    assert_false(observations_contain(&w.set, torn));
    assert_true(explains(&w, "( e | e )", wanted, 2));
    assert_false(explains(&w, "( e | e )", torn, 2));
    assert_false(explains(&w, "( e | e )", wanted, 1));
    arena_free(&w.arena);
}

static void initial_operations_come_first(void **unused)
{
    struct world w;

    (void)unused;
    write_counter(&w);
    assert_int_equal(mine(&w, "e ( d e | d )"), SERIAL_DONE);
    assert_int_equal(w.set.width, 4);
    assert_int_equal(w.set.threads[0], 0);
    assert_int_equal(w.set.threads[1], 1);
    assert_int_equal(w.set.threads[3], 2);
    assert_string_equal(w.set.labels[2], "e");
    assert_string_equal(w.set.labels[3], "d");
    /* 0, 1, 1 and then 1 or 2. */
    assert_int_equal(w.set.count, 2);
    assert_int_equal(w.set.values[3], 1);
    assert_int_equal(w.set.values[7], 2);
    arena_free(&w.arena);
}

static void a_thread_local_variable_is_of_its_thread(void **unused)
{
    static const int64_t wanted[] = {0, 0, 1, 0};
    struct world w;

    (void)unused;
    write_counter(&w);
    w.x_is_local = true;
    assert_int_equal(mine(&w, "e ( ee | d )"), SERIAL_DONE);
    assert_int_equal(w.set.count, 1);
    assert_memory_equal(w.set.values, wanted, sizeof(wanted));
    arena_free(&w.arena);
}

static void too_many_observations_are_not_mined(void **unused)
{
    struct world w;
    struct test t;
    struct serial_options options = {.max = 1};

    (void)unused;
    write_counter(&w);
    t = test_of(&w, "( e | e )");
    assert_int_equal(serial_mine(&w.program, &t, &options, &w.arena, &w.set,
                                 &w.failure, &w.err),
                     SERIAL_TOO_MANY);
    arena_free(&w.arena);
}

/* ---- A queue ---- */

#define NODE 16 /* the constant's place is taken by register 7 */

/* A new node with that value and no successor. */
static uint32_t new_node(struct writer *w, uint32_t value)
{
    uint32_t n;

    w->constants[7] = LSL_INT(NODE);
    w->constants[6] = LSL_INT(8);
    n = get(w, LSL_ALLOC, 7);
    store(w, n, value);
    store(w, pure(w, PURE_ADD, n, 6), 0);
    return n;
}

/* Nodes are { value, next }; X points to the first, a dummy, Y to the last.
 * d observes 2 if there is nothing. */
static void write_queue(struct world *w)
{
    uint32_t n, v, r;

    prepare(w);
    n = new_node(&w->init, 0);
    store(&w->init, AT(X), n);
    store(&w->init, AT(Y), n);
    finish(&w->init);

    v = get(&w->e, LSL_CHOOSE, 2);
    n = new_node(&w->e, v);
    store(&w->e, pure(&w->e, PURE_ADD, load(&w->e, AT(Y)), 6), n);
    store(&w->e, AT(Y), n);
    one(&w->e, LSL_OBSERVE, v);
    finish(&w->e);

    w->d.constants[6] = LSL_INT(8);
    n = load(&w->d, pure(&w->d, PURE_ADD, load(&w->d, AT(X)), 6));
    end(&w->d, pure(&w->d, PURE_EQ, n, 0), 2, 1);
    v = load(&w->d, n);
    store(&w->d, AT(X), n);
    end(&w->d, LSL_NONE, 2, LSL_NONE);
    w->d.edges[0] = (struct lsl_edge){0, 2};
    w->d.edges[1] = (struct lsl_edge){1, v};
    r = put(&w->d, (struct lsl_inst){.op = LSL_PHI, .width = 64, .count = 2});
    one(&w->d, LSL_OBSERVE, r);
    finish(&w->d);
}

static void a_queue_is_first_in_first_out(void **unused)
{
    static const int64_t right[] = {1, 0, 1, 2, 0, 2},
                         swapped[] = {1, 0, 0, 1, 2, 2};
    struct world w;

    (void)unused;
    write_queue(&w);
    assert_int_equal(mine(&w, "( e | d )"), SERIAL_DONE);
    assert_int_equal(w.set.count, 4);
    assert_true(explains(&w, "( ee | dddd )", right, 6));
    assert_false(explains(&w, "( ee | dddd )", swapped, 6));
    arena_free(&w.arena);
}

static void twelve_operations_are_mined_at_once(void **unused)
{
    struct world w;
    clock_t begun = clock();

    (void)unused;
    write_queue(&w);
    assert_int_equal(mine(&w, "( eeeeee | dddddd )"), SERIAL_DONE);
    assert_int_equal(w.set.count, 4096);
    /* A fiftieth of a second; a sanitizer may take some more. */
    assert_true(clock() - begun < CLOCKS_PER_SEC);
    arena_free(&w.arena);
}

static void forty_eight_operations_are_explained(void **unused)
{
    struct world w;
    int64_t values[48];
    char notation[2 * 48 + 8], *at = notation;

    (void)unused;
    write_queue(&w);
    at += sprintf(at, "( ");
    for (int i = 0; i < 48; i++) {
        at += sprintf(at, i == 24 ? "| d" : i < 24 ? "e" : "d");
        values[i] = (i % 24) % 3 == 1;
    }
    sprintf(at, " )");
    assert_true(explains(&w, notation, values, 48));
    values[47] = 1 - values[47];
    assert_false(explains(&w, notation, values, 48));
    arena_free(&w.arena);
}

/* ---- Waiting ---- */

/* e takes the lock and keeps it, d needs it. */
static void an_order_that_blocks_is_no_execution(void **unused)
{
    struct world w;

    (void)unused;
    prepare(&w);
    one(&w.e, LSL_LOCK, AT(LOCK));
    one(&w.e, LSL_OBSERVE, 1);
    finish(&w.e);
    one(&w.d, LSL_LOCK, AT(LOCK));
    one(&w.d, LSL_OBSERVE, load(&w.d, AT(LOCK)));
    one(&w.d, LSL_UNLOCK, AT(LOCK));
    finish(&w.d);
    assert_int_equal(mine(&w, "( e | d )"), SERIAL_DONE);
    assert_int_equal(w.set.count, 1);
    assert_int_equal(mine(&w, "( e | e )"), SERIAL_REFUSED);
    assert_non_null(strstr(w.err.text, "no order"));
    arena_free(&w.arena);
}

/* e waits for x, d sets it. */
static void write_spin(struct world *w, bool counts)
{
    uint32_t r;

    prepare(w);
    end(&w->e, LSL_NONE, 1, LSL_NONE);
    r = load(&w->e, AT(X));
    if (counts)
        store(&w->e, AT(Y), pure(&w->e, PURE_ADD, load(&w->e, AT(Y)), 1));
    end(&w->e, r, 2, 1);
    one(&w->e, LSL_OBSERVE, r);
    finish(&w->e);
    store(&w->d, AT(X), 1);
    finish(&w->d);
}

static void a_loop_that_waits_is_no_execution(void **unused)
{
    struct world w;

    (void)unused;
    write_spin(&w, false);
    assert_int_equal(mine(&w, "( e | d )"), SERIAL_DONE);
    assert_int_equal(w.set.count, 1);
    arena_free(&w.arena);
}

/* Its state never comes again, and that it does not end is not known. */
static void a_loop_that_counts_is_refused(void **unused)
{
    struct world w;

    (void)unused;
    write_spin(&w, true);
    assert_int_equal(mine(&w, "( e | d )"), SERIAL_REFUSED);
    assert_non_null(strstr(w.err.text, "does not come to its end"));
    arena_free(&w.arena);
}

static void an_assumption_leaves_executions_out(void **unused)
{
    struct world w;
    uint32_t v;

    (void)unused;
    prepare(&w);
    v = get(&w.e, LSL_CHOOSE, 5);
    one(&w.e, LSL_ASSUME, pure(&w.e, PURE_AND, v, 1));
    one(&w.e, LSL_OBSERVE, v);
    finish(&w.e);
    assert_int_equal(mine(&w, "( e | e )"), SERIAL_DONE);
    assert_int_equal(w.set.count, 4);
    arena_free(&w.arena);
}

/* ---- Mistakes ---- */

static void a_failure_has_its_observations(void **unused)
{
    struct world w;
    uint32_t r;

    (void)unused;
    write_counter(&w);
    begin(&w.d, "d");
    r = load(&w.d, AT(X));
    one(&w.d, LSL_OBSERVE, r);
    one(&w.d, LSL_ASSERT, pure(&w.d, PURE_EQ, r, 0));
    finish(&w.d);
    assert_int_equal(mine(&w, "( e | d )"), SERIAL_FAILED);
    assert_int_equal(w.failure.kind, FAIL_ASSERT);
    assert_string_equal(w.failure.text, "x is what it is");
    assert_int_equal(w.failure.so_far.width, 2);
    assert_int_equal(w.failure.so_far.values[0], 0);
    assert_int_equal(w.failure.so_far.values[1], 1);
    arena_free(&w.arena);
}

/* Runs e, which the caller has begun, alone. */
static enum serial_end alone(struct world *w)
{
    finish(&w->e);
    return mine(w, "e");
}

static void bad_accesses_fail(void **unused)
{
    struct world w;
    uint32_t n;

    (void)unused;
    prepare(&w);
    load(&w.e, 0);
    assert_int_equal(alone(&w), SERIAL_FAILED);
    assert_int_equal(w.failure.kind, FAIL_NULL_ACCESS);
    arena_free(&w.arena);

    prepare(&w);
    n = get(&w.e, LSL_ALLOC, 7);
    store(&w.e, n, 1);
    assert_int_equal(alone(&w), SERIAL_FAILED);
    assert_int_equal(w.failure.kind, FAIL_OUT_OF_BOUNDS);
    arena_free(&w.arena);

    prepare(&w);
    n = new_node(&w.e, 1);
    one(&w.e, LSL_FREE, n);
    load(&w.e, n);
    assert_int_equal(alone(&w), SERIAL_FAILED);
    assert_int_equal(w.failure.kind, FAIL_USE_AFTER_FREE);
    arena_free(&w.arena);

    prepare(&w);
    n = new_node(&w.e, 1);
    one(&w.e, LSL_FREE, n);
    one(&w.e, LSL_FREE, n);
    assert_int_equal(alone(&w), SERIAL_FAILED);
    assert_int_equal(w.failure.kind, FAIL_DOUBLE_FREE);
    arena_free(&w.arena);
}

static void undefined_values_may_move_but_not_matter(void **unused)
{
    struct world w;
    uint32_t n, v;

    (void)unused;
    prepare(&w);
    w.e.constants[7] = LSL_INT(NODE);
    n = get(&w.e, LSL_ALLOC, 7);
    v = load(&w.e, n);
    store(&w.e, AT(X), v);
    assert_int_equal(alone(&w), SERIAL_DONE);
    arena_free(&w.arena);

    prepare(&w);
    w.e.constants[7] = LSL_INT(NODE);
    n = get(&w.e, LSL_ALLOC, 7);
    one(&w.e, LSL_OBSERVE, load(&w.e, n));
    assert_int_equal(alone(&w), SERIAL_FAILED);
    assert_non_null(strstr(w.failure.text, "undefined"));
    arena_free(&w.arena);
}

/* Of a number there are pieces; the values and more of them are seen in
 * tests/check/lower/values/sizes.c. */
static void a_piece_of_a_pointer_is_refused(void **unused)
{
    struct world w;
    uint32_t n;

    (void)unused;
    prepare(&w);
    w.e.constants[7] = LSL_INT(NODE);
    n = get(&w.e, LSL_ALLOC, 7);
    store(&w.e, AT(X), n);
    load(&w.e, AT(X));
    w.e.insts[2].size = 4;
    assert_int_equal(alone(&w), SERIAL_REFUSED);
    assert_non_null(strstr(w.err.text, "a part of a pointer"));
    arena_free(&w.arena);
}

/* The object lives as long as its procedure. */
static void a_stack_object_does_not_outlive_its_operation(void **unused)
{
    struct world w;
    uint32_t n;

    (void)unused;
    prepare(&w);
    n = put(&w.e, (struct lsl_inst){.op = LSL_STACK, .width = 64, .bytes = 8});
    store(&w.e, n, 1);
    store(&w.e, AT(X), n);
    finish(&w.e);
    load(&w.d, load(&w.d, AT(X)));
    finish(&w.d);
    assert_int_equal(mine(&w, "e d"), SERIAL_FAILED);
    assert_int_equal(w.failure.kind, FAIL_USE_AFTER_FREE);
    arena_free(&w.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_order_is_an_observation),
        cmocka_unit_test(initial_operations_come_first),
        cmocka_unit_test(a_thread_local_variable_is_of_its_thread),
        cmocka_unit_test(too_many_observations_are_not_mined),
        cmocka_unit_test(a_queue_is_first_in_first_out),
        cmocka_unit_test(twelve_operations_are_mined_at_once),
        cmocka_unit_test(forty_eight_operations_are_explained),
        cmocka_unit_test(an_order_that_blocks_is_no_execution),
        cmocka_unit_test(a_loop_that_waits_is_no_execution),
        cmocka_unit_test(a_loop_that_counts_is_refused),
        cmocka_unit_test(an_assumption_leaves_executions_out),
        cmocka_unit_test(a_failure_has_its_observations),
        cmocka_unit_test(bad_accesses_fail),
        cmocka_unit_test(undefined_values_may_move_but_not_matter),
        cmocka_unit_test(a_piece_of_a_pointer_is_refused),
        cmocka_unit_test(a_stack_object_does_not_outlive_its_operation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
