/* SPDX-License-Identifier: MIT
 *
 * Races and predicted cycles, by hand: what orders two accesses of different
 * threads, and what orders a pair on each model.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "predict_play.h"

#define X 0
#define Y 8
#define Z 16
#define LOCK_A 2
#define LOCK_B 3
#define SEMAPHORE 4

enum { SC, TSO, PSO, PSLO };

/* ---- Races, by hand ---- */

static bool raced(const struct predict *p, uint32_t a, uint32_t b)
{
    size_t count;
    const struct race *races = predict_races(p, &count);

    for (size_t i = 0; i < count; i++)
        if (races[i].first == a && races[i].second == b)
            return true;
    return false;
}

/* Do sites 1 and 2 race in that execution? */
static bool races_in(struct play *p)
{
    struct predict *predict = predict_new(8, 20);
    bool result;

    predict_add(predict, &p->trace);
    result = raced(predict, 1, 2);
    predict_free(predict);
    return result;
}

static void creation_and_join_order(void **unused)
{
    static struct play p;

    (void)unused;
    play_begin(&p, "sc");
    play_store(&p, 0, 1, X, 4, false);
    play_create(&p, 0, 1);
    play_store(&p, 1, 2, X, 4, false);
    assert_false(races_in(&p));

    play_begin(&p, "sc");
    play_create(&p, 0, 1);
    play_store(&p, 1, 2, X, 4, false);
    play_join(&p, 0, 1);
    play_store(&p, 0, 1, X, 4, false);
    assert_false(races_in(&p));

    play_begin(&p, "sc");
    play_create(&p, 0, 1);
    play_store(&p, 0, 1, X, 4, false);
    play_store(&p, 1, 2, X, 4, false);
    assert_true(races_in(&p));
}

/* What lies between store 1 of thread 1 and store 2 of thread 2: each thread
 * takes the lock, and does something else under it. */
static bool races_around_a_lock(enum event_kind kind, int first_data,
                                int second_data, uint64_t how)
{
    static struct play p;

    play_begin(&p, "sc");
    play_store(&p, 3, 5, first_data, 4, false);
    play_store(&p, 1, 1, X, 4, false);
    play_other(&p, EV_LOCK, 1, LOCK_A, how, 0);
    play_access_as(&p, kind, 1, 3, first_data, ORDER_PLAIN);
    play_other(&p, EV_UNLOCK, 1, LOCK_A, 0, 0);
    play_other(&p, EV_LOCK, 2, LOCK_A, how, 0);
    play_access_as(&p, kind, 2, 4, second_data, ORDER_PLAIN);
    play_other(&p, EV_UNLOCK, 2, LOCK_A, 0, 0);
    play_store(&p, 2, 2, X, 4, false);
    return races_in(&p);
}

static void locks_order_only_sections_that_conflict(void **unused)
{
    (void)unused;
    assert_false(races_around_a_lock(EV_STORE, Y, Y, 1));
    assert_true(races_around_a_lock(EV_STORE, Y, Z, 1));
    assert_true(races_around_a_lock(EV_STORE, Y, Y + 4, 1));
    assert_true(races_around_a_lock(EV_LOAD, Y, Y, 1));
    /* Two readers of a read-write lock may be in at once. */
    assert_true(races_around_a_lock(EV_STORE, Y, Y, 0));
}

static bool races_under(int first_lock, uint64_t first_how, int second_lock,
                        uint64_t second_how)
{
    static struct play p;

    play_begin(&p, "sc");
    play_other(&p, EV_LOCK, 1, first_lock, first_how, 0);
    play_store(&p, 1, 1, X, 4, false);
    play_other(&p, EV_UNLOCK, 1, first_lock, 0, 0);
    play_other(&p, EV_LOCK, 2, second_lock, second_how, 0);
    play_store(&p, 2, 2, X, 4, false);
    play_other(&p, EV_UNLOCK, 2, second_lock, 0, 0);
    return races_in(&p);
}

static void a_common_lock_excludes(void **unused)
{
    (void)unused;
    assert_false(races_under(LOCK_A, 1, LOCK_A, 1));
    assert_true(races_under(LOCK_A, 1, LOCK_B, 1));
    assert_true(races_under(LOCK_A, 0, LOCK_A, 0));
    assert_false(races_under(LOCK_A, 0, LOCK_A, 1));
}

static void semaphores_order(void **unused)
{
    static struct play p;

    (void)unused;
    for (int timed_out = 0; timed_out < 2; timed_out++) {
        play_begin(&p, "sc");
        play_store(&p, 1, 1, X, 4, false);
        play_other(&p, EV_POST, 1, SEMAPHORE, 1, 0);
        play_other(&p, EV_WAIT, 2, SEMAPHORE, 0, timed_out ? EVF_TIMED_OUT : 0);
        play_store(&p, 2, 2, X, 4, false);
        assert_int_equal(races_in(&p), timed_out);
    }
}

/* Data 1 and 2, a flag between them. */
static bool races_across(enum event_order store, enum event_order load,
                         enum event_order before, enum event_order after)
{
    static struct play p;

    play_begin(&p, "sc");
    play_store(&p, 1, 1, X, 4, false);
    if (before)
        play_fence(&p, 1, before, 0);
    play_access_as(&p, EV_STORE, 1, 3, Y, store);
    play_access_as(&p, EV_LOAD, 2, 4, Y, load);
    if (after)
        play_fence(&p, 2, after, 0);
    play_load(&p, 2, 2, X, 4);
    return races_in(&p);
}

static void c11_orders_by_release_and_acquire(void **unused)
{
    (void)unused;
    assert_false(races_across(ORDER_RELEASE, ORDER_ACQUIRE, 0, 0));
    assert_false(races_across(ORDER_SEQ_CST, ORDER_SEQ_CST, 0, 0));
    assert_true(races_across(ORDER_RELAXED, ORDER_ACQUIRE, 0, 0));
    assert_true(races_across(ORDER_RELEASE, ORDER_RELAXED, 0, 0));
    assert_true(races_across(ORDER_VOLATILE, ORDER_VOLATILE, 0, 0));
    assert_false(races_across(ORDER_RELAXED, ORDER_RELAXED, ORDER_RELEASE,
                              ORDER_ACQUIRE));
    assert_true(races_across(ORDER_RELAXED, ORDER_RELAXED, ORDER_ACQUIRE,
                             ORDER_ACQUIRE));
}

/* The accesses that synchronise race with each other all the same. */
static void atomics_race(void **unused)
{
    static struct play p;

    (void)unused;
    play_begin(&p, "sc");
    play_access_as(&p, EV_STORE, 1, 1, X, ORDER_SEQ_CST);
    play_access_as(&p, EV_LOAD, 2, 2, X, ORDER_SEQ_CST);
    assert_true(races_in(&p));
}

static void races_count_the_traces_and_name_the_memory(void **unused)
{
    static struct play p;
    struct predict *predict = predict_new(8, 20);
    const struct race *races;
    size_t count;

    (void)unused;
    play_begin(&p, "sc");
    for (int i = 0; i < 4; i++)
        play_store(&p, 1 + i % 2, 1 + i % 2, X, 4, false);
    for (int i = 0; i < 3; i++)
        predict_add(predict, &p.trace);
    races = predict_races(predict, &count);
    assert_int_equal(count, 1);
    assert_int_equal(races->count, 3);
    assert_non_null(strstr(races->object, "data"));
    predict_free(predict);
}

/* ---- What lies between a pair ---- */

/* Which models may reorder the pair of kinds a, b with an event between, as
 * letters.  Another thread does the reverse, with a pair of its own that PSO
 * and PSLO may reorder, so that there is a cycle whatever a and b are. */
struct between {
    enum event_kind a, b;
    uint32_t order_a, order_b; /* flags */
    enum event_kind kind;      /* EV_NONE: nothing between */
    int object;
    uint32_t flags;
    uint32_t trace_flags;
    const char *models;
};

struct letter {
    const struct model *model;
    char is;
};

static const struct letter machines[] = {
    {&model_tso, 't'}, {&model_pso, 'p'}, {&model_pslo, 'l'}, {NULL, 0}};
/* Without a machine; ARM twice, since C has two mappings to it. */
static const struct letter others[] = {{&model_arm, 'a'},
                                       {&model_arm_llsc, 0},
                                       {&model_riscv, 'r'},
                                       {&model_c11, 'c'},
                                       {NULL, 0}};

static void put_letters(const struct cycle *c, const struct letter *letters,
                        char *to)
{
    for (; letters->model; letters++)
        if (letters->is && c->reorderable[model_number(letters->model)] & 1)
            strncat(to, &letters->is, 1);
}

static const char *reordered_on(const struct between *row,
                                const struct letter *letters)
{
    static struct play p;
    static char models[16];
    struct predict *predict = predict_new(8, 20);
    const struct cycle *cycles;
    size_t count;

    for (size_t i = 0; letters == others && others[i].model; i++)
        predict_also(predict, others[i].model);
    play_begin(&p, "sc");
    p.trace.flags = row->trace_flags;
    play_access_as(&p, row->a, 1, 1, X, row->order_a);
    if (row->kind && row->object == PLAY_DATA)
        play_access_as(&p, row->kind, 1, 9, Z, row->flags);
    else if (row->kind)
        play_other(&p, row->kind, 1, row->object, 7, row->flags);
    play_access_as(&p, row->b, 1, 2, Y, row->order_b);
    play_access_as(&p, EV_STORE, 2, 3, Y, ORDER_PLAIN);
    play_access_as(&p, EV_RMW, 2, 4, X, ORDER_RELAXED);
    predict_add(predict, &p.trace);
    predict_run(predict);
    cycles = predict_cycles(predict, &count);
    *models = '\0';
    for (size_t i = 0; i < count; i++)
        if (cycles[i].length == 4 && cycles[i].nodes[0].site == 1)
            put_letters(&cycles[i], letters, models);
    predict_free(predict);
    return models;
}

#define BITS(fences) (ORDER_SEQ_CST | (uint32_t)(fences) << EVF_FENCE_SHIFT)
#define PLAIN ORDER_PLAIN, ORDER_PLAIN

static void check_rows(const struct between *rows, size_t count,
                       const struct letter *letters)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(reordered_on(&rows[i], letters), rows[i].models) != 0)
            fail_msg("row %zu: %s, not %s", i, reordered_on(&rows[i], letters),
                     rows[i].models);
}

static void models_order_pairs_as_the_table_says(void **unused)
{
    static const struct between rows[] = {
        {EV_STORE, EV_LOAD, PLAIN, EV_NONE, 0, 0, 0, "tpl"},
        {EV_STORE, EV_STORE, PLAIN, EV_NONE, 0, 0, 0, "pl"},
        {EV_LOAD, EV_LOAD, PLAIN, EV_NONE, 0, 0, 0, "l"},
        {EV_LOAD, EV_STORE, PLAIN, EV_NONE, 0, 0, 0, ""},
        {EV_STORE, EV_RMW, PLAIN, EV_NONE, 0, 0, 0, "pl"},
        {EV_RMW, EV_LOAD, ORDER_RELAXED, ORDER_PLAIN, EV_NONE, 0, 0, 0, "l"},
        {EV_RMW, EV_STORE, ORDER_RELAXED, ORDER_PLAIN, EV_NONE, 0, 0, 0, ""},
        {EV_STORE, EV_CAS_FAIL, PLAIN, EV_NONE, 0, 0, 0, "pl"},
        /* Own orders. */
        {EV_STORE, EV_LOAD, ORDER_SEQ_CST, ORDER_PLAIN, EV_NONE, 0, 0, 0, ""},
        {EV_STORE, EV_LOAD, ORDER_RELEASE, ORDER_SEQ_CST, EV_NONE, 0, 0, 0,
         "tpl"},
        {EV_STORE, EV_STORE, ORDER_PLAIN, ORDER_RELEASE, EV_NONE, 0, 0, 0, ""},
        {EV_LOAD, EV_LOAD, ORDER_ACQUIRE, ORDER_PLAIN, EV_NONE, 0, 0, 0, ""},
        {EV_CAS_FAIL, EV_LOAD, PLAIN, EV_NONE, 0, 0, 0, "l"},
        {EV_CAS_FAIL, EV_LOAD, ORDER_ACQUIRE, ORDER_PLAIN, EV_NONE, 0, 0, 0,
         ""},
        {EV_STORE, EV_CAS_FAIL, ORDER_PLAIN, ORDER_SEQ_CST, EV_NONE, 0, 0, 0,
         ""},
        /* Fences. */
        {EV_STORE, EV_LOAD, PLAIN, EV_FENCE, 0, ORDER_SEQ_CST, 0, ""},
        {EV_STORE, EV_LOAD, PLAIN, EV_FENCE, 0, ORDER_ACQ_REL, 0, "tpl"},
        {EV_STORE, EV_STORE, PLAIN, EV_FENCE, 0, ORDER_RELEASE, 0, ""},
        {EV_STORE, EV_STORE, PLAIN, EV_FENCE, 0, ORDER_ACQUIRE, 0, "pl"},
        {EV_LOAD, EV_LOAD, PLAIN, EV_FENCE, 0, ORDER_ACQUIRE, 0, ""},
        {EV_LOAD, EV_LOAD, PLAIN, EV_FENCE, 0, ORDER_RELEASE, 0, "l"},
        {EV_STORE, EV_LOAD, PLAIN, EV_FENCE, 0, BITS(FENCE_SL), 0, ""},
        {EV_STORE, EV_LOAD, PLAIN, EV_FENCE, 0, BITS(FENCE_SS), 0, "tpl"},
        {EV_STORE, EV_STORE, PLAIN, EV_FENCE, 0, BITS(FENCE_SS), 0, ""},
        {EV_STORE, EV_CAS_FAIL, PLAIN, EV_FENCE, 0, BITS(FENCE_SS), 0, "pl"},
        {EV_STORE, EV_CAS_FAIL, PLAIN, EV_FENCE, 0, BITS(FENCE_SL), 0, ""},
        {EV_STORE, EV_RMW, PLAIN, EV_FENCE, 0, BITS(FENCE_SS), 0, ""},
        {EV_LOAD, EV_LOAD, PLAIN, EV_FENCE, 0, BITS(FENCE_LL), 0, ""},
        /* An RMW between. */
        {EV_STORE, EV_LOAD, PLAIN, EV_RMW, PLAY_DATA, ORDER_RELAXED, 0, "pl"},
        {EV_STORE, EV_LOAD, PLAIN, EV_RMW, PLAY_DATA, ORDER_RELEASE, 0, "l"},
        {EV_STORE, EV_LOAD, PLAIN, EV_RMW, PLAY_DATA, ORDER_ACQ_REL, 0, ""},
        {EV_STORE, EV_LOAD, PLAIN, EV_CAS_FAIL, PLAY_DATA, ORDER_RELAXED, 0,
         "pl"},
        {EV_LOAD, EV_LOAD, PLAIN, EV_RMW, PLAY_DATA, ORDER_ACQUIRE, 0, ""},
        /* Library calls. */
        {EV_STORE, EV_LOAD, PLAIN, EV_CREATE, 0, 0, 0, ""},
        {EV_STORE, EV_LOAD, PLAIN, EV_CALL, 0, 0, 0, ""},
        {EV_STORE, EV_LOAD, PLAIN, EV_JOIN, 0, 0, 0, "tpl"},
        {EV_LOAD, EV_LOAD, PLAIN, EV_JOIN, 0, 0, 0, ""},
        {EV_STORE, EV_LOAD, PLAIN, EV_LOCK, LOCK_A, 0, 0, "pl"},
        {EV_STORE, EV_STORE, PLAIN, EV_LOCK, LOCK_A, 0, 0, "pl"},
        {EV_LOAD, EV_LOAD, PLAIN, EV_LOCK, LOCK_A, 0, 0, ""},
        {EV_STORE, EV_STORE, PLAIN, EV_UNLOCK, LOCK_A, 0, 0, ""},
        {EV_STORE, EV_LOAD, PLAIN, EV_UNLOCK, LOCK_A, 0, 0, "pl"},
        {EV_STORE, EV_LOAD, PLAIN, EV_UNLOCK, LOCK_A, 0, CHANNEL_LOCKS_PAPER,
         "tpl"},
        {EV_STORE, EV_STORE, PLAIN, EV_POST, SEMAPHORE, 0, 0, ""},
        {EV_STORE, EV_LOAD, PLAIN, EV_POST, SEMAPHORE, 0, 0, "l"},
        {EV_STORE, EV_LOAD, PLAIN, EV_LOCK_FAIL, LOCK_A, 0, 0, "pl"},
        /* In fencer_atomic: as by a relaxed RMW. */
        {EV_STORE, EV_LOAD, ORDER_PLAIN, EVF_ATOMIC, EV_NONE, 0, 0, 0, "pl"},
        {EV_STORE, EV_LOAD, EVF_ATOMIC, ORDER_PLAIN, EV_NONE, 0, 0, 0, "l"},
        {EV_STORE, EV_LOAD, EVF_ATOMIC, EVF_ATOMIC, EV_NONE, 0, 0, 0, ""},
    };

    (void)unused;
    check_rows(rows, sizeof(rows) / sizeof(*rows), machines);
}

/* By the processors' terms, without dependencies; on C11 only what is seq_cst
 * is kept apart. */
static void models_without_a_machine_order_pairs_by_their_terms(void **unused)
{
    static const struct between rows[] = {
        {EV_STORE, EV_LOAD, PLAIN, EV_NONE, 0, 0, 0, "arc"},
        {EV_STORE, EV_STORE, PLAIN, EV_NONE, 0, 0, 0, "arc"},
        {EV_LOAD, EV_LOAD, PLAIN, EV_NONE, 0, 0, 0, "arc"},
        {EV_LOAD, EV_STORE, PLAIN, EV_NONE, 0, 0, 0, "arc"},
        {EV_RMW, EV_STORE, ORDER_RELAXED, ORDER_PLAIN, EV_NONE, 0, 0, 0, "arc"},
        /* Own orders. */
        {EV_LOAD, EV_STORE, ORDER_ACQUIRE, ORDER_PLAIN, EV_NONE, 0, 0, 0, "c"},
        {EV_LOAD, EV_LOAD, ORDER_ACQUIRE, ORDER_PLAIN, EV_NONE, 0, 0, 0, "c"},
        {EV_LOAD, EV_STORE, ORDER_PLAIN, ORDER_RELEASE, EV_NONE, 0, 0, 0, "c"},
        {EV_STORE, EV_STORE, ORDER_PLAIN, ORDER_RELEASE, EV_NONE, 0, 0, 0, "c"},
        {EV_STORE, EV_LOAD, ORDER_RELEASE, ORDER_SEQ_CST, EV_NONE, 0, 0, 0,
         "c"},
        {EV_STORE, EV_LOAD, ORDER_SEQ_CST, ORDER_SEQ_CST, EV_NONE, 0, 0, 0, ""},
        {EV_STORE, EV_LOAD, ORDER_RELEASE, ORDER_PLAIN, EV_NONE, 0, 0, 0,
         "arc"},
        {EV_RMW, EV_LOAD, ORDER_RELEASE, ORDER_PLAIN, EV_NONE, 0, 0, 0, "arc"},
        /* It may be a CAS, whose store is one of its own. */
        {EV_RMW, EV_STORE, ORDER_ACQUIRE, ORDER_PLAIN, EV_NONE, 0, 0, 0, "arc"},
        /* Fences. */
        {EV_STORE, EV_LOAD, PLAIN, EV_FENCE, 0, ORDER_SEQ_CST, 0, ""},
        {EV_STORE, EV_STORE, PLAIN, EV_FENCE, 0, ORDER_RELEASE, 0, "c"},
        {EV_LOAD, EV_STORE, PLAIN, EV_FENCE, 0, ORDER_ACQUIRE, 0, "c"},
        {EV_STORE, EV_LOAD, PLAIN, EV_FENCE, 0, ORDER_ACQUIRE, 0, "arc"},
        {EV_STORE, EV_STORE, PLAIN, EV_FENCE, 0, BITS(FENCE_SS), 0, "c"},
        /* A release store keeps what is before it, and nothing after it. */
        {EV_STORE, EV_STORE, PLAIN, EV_STORE, PLAY_DATA, ORDER_RELEASE, 0,
         "ac"},
        {EV_LOAD, EV_LOAD, PLAIN, EV_LOCK, LOCK_A, 0, 0, "arc"},
        /* By way of what lies between: ARM keeps a release before an acquire.
         */
        {EV_LOAD, EV_LOAD, ORDER_PLAIN, ORDER_ACQUIRE, EV_STORE, PLAY_DATA,
         ORDER_RELEASE, 0, "rc"},
    };

    (void)unused;
    check_rows(rows, sizeof(rows) / sizeof(*rows), others);
}

/* ---- The whole ---- */

/* SB with sites from `site` on. */
static void play_sb(struct play *p, int site, int x, int y)
{
    play_begin(p, "sc");
    play_store(p, 1, site, x, 4, false);
    play_load(p, 1, site + 1, y, 4);
    play_store(p, 2, site + 2, y, 4, false);
    play_load(p, 2, site + 3, x, 4);
}

static void cycles_keep_their_numbers(void **unused)
{
    static struct play p;
    struct predict *predict = predict_new(8, 20);
    struct cycle first;
    const struct cycle *cycles;
    size_t count;

    (void)unused;
    play_sb(&p, 11, X, Y);
    predict_add(predict, &p.trace);
    predict_run(predict);
    cycles = predict_cycles(predict, &count);
    assert_int_equal(count, 1);
    first = cycles[0];
    play_sb(&p, 1, X, Y);
    predict_add(predict, &p.trace);
    predict_run(predict);
    cycles = predict_cycles(predict, &count);
    assert_int_equal(count, 2);
    assert_int_equal(cycle_compare(&cycles[0], &first), 0);
    assert_int_equal(cycles[1].nodes[0].site, 1);
    predict_run(predict);
    predict_cycles(predict, &count);
    assert_int_equal(count, 2);
    predict_free(predict);
}

/* Site 1 touches five places, and two are looked at. */
static void instances_left_out_are_counted(void **unused)
{
    static struct play p;
    struct predict *predict = predict_new(8, 2);
    struct predict_cut cut;

    (void)unused;
    play_begin(&p, "sc");
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 5; i++) {
            play_store(&p, 1, 1, 8 * i, 4, false);
            play_load(&p, 2, 2 + i, 8 * i, 4);
        }
    predict_add(predict, &p.trace);
    cut = predict_cut(predict);
    assert_int_equal(cut.instances, 6);
    assert_int_equal(cut.site, 1);
    assert_false(cut.cycles);
    predict_free(predict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation_and_join_order),
        cmocka_unit_test(locks_order_only_sections_that_conflict),
        cmocka_unit_test(a_common_lock_excludes),
        cmocka_unit_test(semaphores_order),
        cmocka_unit_test(c11_orders_by_release_and_acquire),
        cmocka_unit_test(atomics_race),
        cmocka_unit_test(races_count_the_traces_and_name_the_memory),
        cmocka_unit_test(models_order_pairs_as_the_table_says),
        cmocka_unit_test(models_without_a_machine_order_pairs_by_their_terms),
        cmocka_unit_test(cycles_keep_their_numbers),
        cmocka_unit_test(instances_left_out_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
