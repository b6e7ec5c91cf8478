/* SPDX-License-Identifier: MIT
 *
 * The cycles that a trace contains: the classical ones by hand, and all of
 * them, on random executions, against plain enumeration.
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

static uint64_t state = 88172645463325252ull;

static int below(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)n);
}

/* ---- Against enumeration ---- */

/* The static cycles that enumeration finds.  An instance is found from all
 * places; the key that counts is the smallest, and the begin with that key is
 * how pairs are numbered. */
struct truth {
    char keys[4096][PLAY_KEY];
    unsigned reordered[4096];
    unsigned fewest[4096];
    int count;
};

static void note(const struct play *p, const struct play_cycle *c,
                 void *context)
{
    struct truth *t = context;
    char best[PLAY_KEY], own[PLAY_KEY], key[PLAY_KEY];
    unsigned mask = 0, pairs = 0;
    int i = 0;

    if (c->pair[c->length - 1])
        return; /* begins between the two of a pair */
    play_key(p, c, own);
    strcpy(best, own);
    for (int k = 1; k < c->length; k++) {
        struct play_cycle turned = *c;

        for (int j = 0; j < c->length; j++) {
            turned.events[j] = c->events[(j + k) % c->length];
            turned.pair[j] = c->pair[(j + k) % c->length];
        }
        play_key(p, &turned, key);
        if (!turned.pair[c->length - 1] && strcmp(key, best) < 0)
            strcpy(best, key);
    }
    if (strcmp(best, own) != 0)
        return;
    for (int k = 0; k < c->length; k++)
        if (c->pair[k] &&
            p->truth[c->events[k + 1]].effect < p->truth[c->events[k]].effect) {
            mask |= 1u << k;
            pairs++;
        }
    while (i < t->count && strcmp(t->keys[i], best) != 0)
        i++;
    if (i == t->count) {
        assert_true(t->count < 4096);
        strcpy(t->keys[t->count++], best);
        t->reordered[i] = 0;
        t->fewest[i] = 99;
    }
    t->reordered[i] |= mask;
    if (pairs < t->fewest[i])
        t->fewest[i] = pairs;
}

static struct truth truth;

/* A witness is an instance, and has no more reordered pairs than needed. */
static void expect_found(const struct play *p, const struct cycle *c,
                         unsigned fewest)
{
    struct cycle_witness w;
    struct play_cycle instance = {.length = (int)c->length};
    char key[PLAY_KEY], expected[PLAY_KEY];

    assert_true(predict_find(&p->trace, c, &w));
    for (uint32_t i = 0; i < c->length; i++) {
        instance.events[i] = (int)w.events[i];
        instance.pair[i] = c->nodes[i].pair == GOAL_FIRST;
        assert_true(p->truth[w.events[i]].is_one);
        if (instance.pair[i])
            assert_int_equal(w.reordered >> i & 1,
                             p->truth[w.events[i + 1]].effect <
                                 p->truth[w.events[i]].effect);
    }
    assert_true(play_is_critical(p, &instance, play_before));
    play_key(p, &instance, key);
    play_key_of(c, expected);
    assert_string_equal(key, expected);
    assert_int_equal(__builtin_popcount(w.reordered), fewest);
}

static void expect_roles(const struct cycle *c)
{
    int role = 0;

    for (uint32_t i = 0; i < c->length; i++) {
        role += i && c->nodes[i].pair != GOAL_SECOND;
        assert_int_equal(c->nodes[i].role, role);
    }
}

/* Returns how many there are. */
static size_t expect_all(struct play *p, int max_length)
{
    struct arena a = ARENA_INIT;
    unsigned model = model_number(model_find(p->trace.model));
    struct cycle *cycles;
    size_t count;

    truth.count = 0;
    play_enumerate(p, max_length, play_before, note, &truth);
    assert_true(predict_all(&p->trace, (unsigned)max_length, 4096, &a, &cycles,
                            &count));
    assert_int_equal(count, truth.count);
    for (size_t i = 0; i < count; i++) {
        char key[PLAY_KEY];
        int k = 0;

        play_key_of(&cycles[i], key);
        while (k < truth.count && strcmp(truth.keys[k], key) != 0)
            k++;
        assert_true(k < truth.count);
        assert_int_equal(cycles[i].reorderable[model], truth.reordered[k]);
        assert_true(truth.fewest[k] > 0);
        expect_roles(&cycles[i]);
        expect_found(p, &cycles[i], truth.fewest[k]);
        if (i)
            assert_true(cycle_compare(&cycles[i - 1], &cycles[i]) < 0);
    }
    arena_free(&a);
    return count;
}

/* Any store that may commit: the oldest of those that share a byte. */
static void commit_one(struct play *p, int thread)
{
    int i = below(p->buffered[thread]);
    const int *list = p->buffer[thread];

    for (int k = i; k-- > 0;)
        if (play_overlap(p, list[k], list[i]))
            i = k;
    play_commit(p, list[i]);
}

static void any_step(struct play *p, int threads, int sites, int words)
{
    static const int sizes[] = {1, 2, 4, 4, 4, 8};
    int thread = below(threads), site = 1 + below(sites);
    int size = sizes[below(6)];
    /* Few words, so that wide accesses conflict with several others. */
    int at = below(words) * 8 + below(8 / size) * size;

    if (p->buffered[thread] && below(4) == 0) {
        commit_one(p, thread);
        return;
    }
    switch (below(7)) {
    case 0:
    case 1:
        play_load(p, thread, site, at, size);
        break;
    case 2:
        play_stale(p, thread, site, at, size, below(3));
        break;
    case 3:
        play_rmw(p, thread, site, at, size);
        break;
    case 4:
        play_store(p, thread, site, at, size, false);
        break;
    default:
        play_store(p, thread, site, at, size, true);
    }
}

static void all_cycles_of_random_executions_are_found(void **unused)
{
    static struct play p;
    size_t sum = 0, longer = 0;

    (void)unused;
    for (int round = 0; round < 2000; round++) {
        int threads = 2 + below(4), steps = 10 + below(12);
        int words = 1 + below(4);

        play_begin(&p, round % 2 ? "pslo" : "pso");
        for (int i = 0; i < steps; i++)
            any_step(&p, threads, 4 + below(12), words);
        play_end(&p);
        sum += expect_all(&p, 8);
        for (int i = 0; i < truth.count; i++)
            longer += strlen(truth.keys[i]) > 4 * 4;
    }
    /* The generator is good for something. */
    assert_true(sum > 500);
    assert_true(longer > 50);
}

/* ---- By hand ---- */

/* SB: both loads miss the other's store. */
static void store_buffering_is_one_cycle(void **unused)
{
    static struct play p;
    struct arena a = ARENA_INIT;
    struct cycle *cycles;
    struct cycle_witness w;
    size_t count;
    int s, t;

    (void)unused;
    play_begin(&p, "tso");
    s = play_store(&p, 1, 1, X, 4, true);
    play_load(&p, 1, 2, Y, 4);
    t = play_store(&p, 2, 3, Y, 4, true);
    play_load(&p, 2, 4, X, 4);
    play_commit(&p, s);
    play_commit(&p, t);
    assert_true(predict_all(&p.trace, 8, 10, &a, &cycles, &count));
    assert_int_equal(count, 1);
    assert_int_equal(cycles->length, 4);
    assert_int_equal(cycles->nodes[0].site, 1);
    assert_int_equal(cycles->nodes[1].site, 2);
    assert_int_equal(cycles->nodes[2].site, 3);
    assert_int_equal(cycles->nodes[3].site, 4);
    assert_true(cycles->nodes[0].writes && !cycles->nodes[0].reads);
    assert_int_equal(cycles->reorderable[model_number(model_find("tso"))],
                     1 | 4);
    assert_true(predict_find(&p.trace, cycles, &w));
    assert_int_equal(w.events[0], 0);
    assert_int_equal(w.events[3], 3);
    assert_int_equal(w.reordered, 1 | 4);
    arena_free(&a);
}

/* The same, of a trace that ends at a failure, before the stores commit. */
static void stores_still_buffered_close_a_cycle(void **unused)
{
    static struct play p;

    (void)unused;
    play_begin(&p, "tso");
    play_store(&p, 1, 1, X, 4, true);
    play_load(&p, 1, 2, Y, 4);
    play_store(&p, 2, 3, Y, 4, true);
    play_load(&p, 2, 4, X, 4);
    play_end(&p);
    assert_int_equal(expect_all(&p, 8), 1);
}

static void sequentially_consistent_executions_have_none(void **unused)
{
    static struct play p;

    (void)unused;
    play_begin(&p, "sc");
    for (int i = 0; i < 12; i++) {
        play_store(&p, 1, 1, X, 4, false);
        play_load(&p, 1, 2, Y, 4);
        play_store(&p, 2, 3, Y, 4, false);
        play_load(&p, 2, 4, X, 4);
    }
    struct arena a = ARENA_INIT;
    struct cycle *cycles;
    size_t count;

    assert_true(predict_all(&p.trace, 8, 10, &a, &cycles, &count));
    assert_int_equal(count, 0);
    arena_free(&a);
}

/* MP on PSO: the flag commits before the data. */
static void message_passing_is_one_cycle(void **unused)
{
    static struct play p;
    int data, flag;

    (void)unused;
    play_begin(&p, "pso");
    data = play_store(&p, 1, 1, X, 4, true);
    flag = play_store(&p, 1, 2, Y, 4, true);
    play_commit(&p, flag);
    play_load(&p, 2, 3, Y, 4);
    play_load(&p, 2, 4, X, 4);
    play_commit(&p, data);
    assert_int_equal(expect_all(&p, 8), 1);
    assert_int_equal(truth.reordered[0], 1);
}

/* IRIW on PSLO: six accesses, the writers alone in their threads. */
static void iriw_has_two_threads_with_one_access(void **unused)
{
    static struct play p;

    (void)unused;
    play_begin(&p, "pslo");
    play_store(&p, 1, 1, X, 4, false);
    play_store(&p, 2, 2, Y, 4, false);
    play_load(&p, 3, 3, X, 4);
    play_stale(&p, 3, 4, Y, 4, 0);
    play_load(&p, 4, 5, Y, 4);
    play_stale(&p, 4, 6, X, 4, 0);
    assert_int_equal(expect_all(&p, 8), 1);
    assert_string_equal(truth.keys[0], "01a 03f 04s 02a 05f 06s ");
}

/* WRC on PSLO: five. */
static void wrc_has_five_accesses(void **unused)
{
    static struct play p;

    (void)unused;
    play_begin(&p, "pslo");
    play_store(&p, 1, 1, X, 4, false);
    play_load(&p, 2, 2, X, 4);
    play_store(&p, 2, 3, Y, 4, false);
    play_load(&p, 3, 4, Y, 4);
    play_stale(&p, 3, 5, X, 4, 0);
    assert_int_equal(expect_all(&p, 8), 1);
    assert_string_equal(truth.keys[0], "01a 02f 03s 04f 05s ");
    assert_int_equal(expect_all(&p, 4), 0);
}

static void ring_of(int threads)
{
    static struct play p;

    play_begin(&p, "tso");
    for (int t = 0; t < threads; t++) {
        play_store(&p, t, 1 + 2 * t, 8 * t, 4, true);
        play_load(&p, t, 2 + 2 * t, 8 * ((t + 1) % threads), 4);
    }
    play_end(&p);
    assert_int_equal(expect_all(&p, 8), 1);
    assert_int_equal(strlen(truth.keys[0]), 2 * threads * 4);
}

static void store_buffering_by_three_and_four_threads(void **unused)
{
    (void)unused;
    ring_of(2);
    ring_of(3);
    ring_of(4);
}

/* The third thread's store conflicts with both ends of a conflict edge: what
 * could be a cycle of five is one of four and a chord. */
static void cycles_with_a_chord_are_left_out(void **unused)
{
    static struct play p;
    int s;

    (void)unused;
    play_begin(&p, "tso");
    s = play_store(&p, 1, 1, X, 4, true);
    play_load(&p, 1, 2, Y, 4);
    play_store(&p, 3, 5, Y, 4, false);
    play_store(&p, 2, 3, Y, 4, false);
    play_load(&p, 2, 4, X, 4);
    play_commit(&p, s);
    assert_int_equal(expect_all(&p, 8), 1);
    assert_string_equal(truth.keys[0], "01f 02s 03f 04s ");
}

/* docs/cycles.md: the load of x was forwarded, so the foreign store of x is
 * not before it; the cycle runs through the forwarded store itself. */
static void forwarded_loads_have_not_looked_at_memory(void **unused)
{
    static struct play p;
    int s;

    (void)unused;
    play_begin(&p, "tso");
    s = play_store(&p, 1, 1, X, 4, true);
    play_load(&p, 1, 2, X, 4);
    play_load(&p, 1, 3, Y, 4);
    play_store(&p, 2, 4, Y, 4, false);
    play_store(&p, 2, 5, X, 4, false);
    play_commit(&p, s);
    assert_int_equal(expect_all(&p, 8), 1);
    assert_string_equal(truth.keys[0], "01f 03s 04f 05s ");
}

/* Two bytes of one word: the halves are different memory. */
static void mixed_sizes_conflict_by_bytes(void **unused)
{
    static struct play p;
    int s, t;

    (void)unused;
    play_begin(&p, "tso");
    s = play_store(&p, 1, 1, X, 2, true);
    play_load(&p, 1, 2, X + 2, 2);
    t = play_store(&p, 2, 3, X + 2, 1, true);
    play_load(&p, 2, 4, X, 1);
    play_commit(&p, s);
    play_commit(&p, t);
    assert_int_equal(expect_all(&p, 8), 1);
}

static void ghosts_do_not_count(void **unused)
{
    static struct play p;

    (void)unused;
    play_begin(&p, "tso");
    play_store(&p, 1, 1, X, 4, true);
    play_load(&p, 1, 2, Y, 4);
    play_store(&p, 2, 3, Y, 4, true);
    play_load(&p, 2, 4, X, 4);
    for (int i = 0; i < 4; i++)
        if (p.events[i].offset == Y) {
            p.events[i].flags |= EVF_GHOST;
            p.truth[i].is_one = false;
        }
    play_end(&p);
    assert_int_equal(expect_all(&p, 8), 0);
}

/* More than the caller wants: so many, and the word that there are more. */
static void too_many_cycles_are_admitted(void **unused)
{
    static struct play p;
    struct arena a = ARENA_INIT;
    struct cycle *cycles;
    size_t count;

    (void)unused;
    play_begin(&p, "tso");
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++)
            play_store(&p, t, 1 + 10 * t + i, t ? Y : X, 4, true);
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++)
            play_load(&p, t, 5 + 10 * t + i, t ? X : Y, 4);
    play_end(&p);
    assert_int_equal(expect_all(&p, 8), 81);
    assert_false(predict_all(&p.trace, 8, 80, &a, &cycles, &count));
    assert_int_equal(count, 80);
    assert_true(predict_all(&p.trace, 8, 81, &a, &cycles, &count));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(store_buffering_is_one_cycle),
        cmocka_unit_test(stores_still_buffered_close_a_cycle),
        cmocka_unit_test(sequentially_consistent_executions_have_none),
        cmocka_unit_test(message_passing_is_one_cycle),
        cmocka_unit_test(iriw_has_two_threads_with_one_access),
        cmocka_unit_test(wrc_has_five_accesses),
        cmocka_unit_test(store_buffering_by_three_and_four_threads),
        cmocka_unit_test(cycles_with_a_chord_are_left_out),
        cmocka_unit_test(forwarded_loads_have_not_looked_at_memory),
        cmocka_unit_test(mixed_sizes_conflict_by_bytes),
        cmocka_unit_test(ghosts_do_not_count),
        cmocka_unit_test(too_many_cycles_are_admitted),
        cmocka_unit_test(all_cycles_of_random_executions_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
