/* SPDX-License-Identifier: MIT
 *
 * The strategies that create a cycle, on a made-up machine: two threads, each
 * with a store and a load (SB), and a first-in-first-out buffer.  Every
 * decision can be carried out, a seed means one list of decisions, the cycle is
 * created, and a buffer that drains at once never gives a hit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "schedule/goal.h"

#define THREADS 2
#define OPS 3
#define DECISIONS 64

#define OP(k, where, at)                                                       \
    {.address = (where), .site = (at), .kind = (k), .size = (where) ? 4 : 0}

static const struct sched_op programs[THREADS][OPS] = {
    {OP(EV_STORE, 100, 1), OP(EV_LOAD, 200, 2), OP(EV_EXIT, 0, 0)},
    {OP(EV_STORE, 200, 3), OP(EV_LOAD, 100, 4), OP(EV_EXIT, 0, 0)},
};

static struct sched_thread threads[THREADS];
static struct sched_view view;
static uint32_t at[THREADS];
static bool buffers[THREADS]; /* holds the thread's only store */
static bool drains;           /* stores do not wait */

static struct channel job;
static const struct channel_goal cycle = {.node_count = 4,
                                          .reorder = 1 | 4,
                                          .nodes = {{1, 0, GOAL_FIRST, 0, 1},
                                                    {2, 0, GOAL_SECOND, 1, 0},
                                                    {3, 1, GOAL_FIRST, 0, 1},
                                                    {4, 1, GOAL_SECOND, 1, 0}}};

static uint32_t committable(uint32_t t, uint16_t *positions, uint32_t max)
{
    (void)max;
    positions[0] = 0;
    return buffers[t];
}

static struct sched_op buffered(uint32_t t, uint32_t position)
{
    (void)position;
    return programs[t][0];
}

static uint32_t buffered_count(uint32_t t)
{
    return buffers[t];
}

static void set_buffer(uint32_t t, bool full)
{
    buffers[t] = full;
    view.buffering_count = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        threads[i].buffer_at = UINT32_MAX;
        if (buffers[i]) {
            threads[i].buffer_at = view.buffering_count;
            view.buffering[view.buffering_count++] = (uint16_t)i;
        }
    }
}

static void set_ready(void)
{
    view.ready_count = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        threads[i].ready_at = UINT32_MAX;
        if (at[i] == OPS)
            continue;
        threads[i].op = programs[i][at[i]];
        threads[i].ready_at = view.ready_count;
        view.ready[view.ready_count++] = (uint16_t)i;
    }
}

static void set_stage(const struct strategy *s, uint64_t seed, uint64_t run)
{
    memset(&view, 0, sizeof view);
    view.model = &model_tso;
    view.threads = threads;
    view.thread_count = THREADS;
    view.committable = committable;
    view.buffered = buffered;
    view.buffered_count = buffered_count;
    if (!job.goal.node_count)
        job.goal = cycle;
    s->open(&job, &model_tso);
    s->begin(seed, run, 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        threads[i] = (struct sched_thread){.timed_at = UINT32_MAX};
        at[i] = 0;
        set_buffer(i, false);
        s->made(&view, i);
    }
    set_ready();
}

static void perform(uint32_t t)
{
    assert_in_range(t, 0, THREADS - 1);
    assert_true(at[t] < OPS);
    if (programs[t][at[t]].kind == EV_STORE)
        set_buffer(t, !drains);
    else if (programs[t][at[t]].kind == EV_EXIT)
        set_buffer(t, false);
    at[t]++;
    view.current = t;
    view.steps++;
    set_ready();
}

/* One execution; its decisions, and whether it is a hit. */
static bool execute(const struct strategy *s, uint64_t seed, uint64_t run,
                    uint32_t *decisions)
{
    uint64_t before = job.goal.hits;
    uint32_t n = 0;

    memset(decisions, 0, DECISIONS * sizeof *decisions);
    set_stage(s, seed, run);
    while (view.ready_count || view.buffering_count) {
        uint32_t d = s->next(&view);

        assert_true(n < DECISIONS);
        decisions[n++] = d;
        if ((d & 7) == DECIDE_RUN) {
            perform(d >> 3);
        } else {
            assert_int_equal(d & 7, DECIDE_COMMIT);
            assert_int_equal(d >> 3 & 0xfff, 0);
            assert_true(buffers[d >> 15]);
            set_buffer(d >> 15, false);
        }
    }
    s->end(&view);
    return job.goal.hits > before;
}

static const struct strategy *const all[] = {
    &strategy_directed, &strategy_relaxer, &strategy_orion};

static void the_cycle_is_created(void **unused)
{
    uint32_t decisions[DECISIONS];

    (void)unused;
    drains = false;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t run = 0;

        while (!execute(all[i], 5, run, decisions))
            assert_true(++run < 50);
        assert_int_equal(job.goal.hit_run, run);
    }
}

static void directed_needs_one_execution(void **unused)
{
    uint32_t decisions[DECISIONS];

    (void)unused;
    drains = false;
    for (uint64_t seed = 1; seed < 20; seed++)
        assert_true(execute(&strategy_directed, seed, 0, decisions));
}

#define RUN(t) DECISION(DECIDE_RUN, t)
#define COMMIT(t) DECISION(DECIDE_COMMIT, (t) << 12)

/* Is that list of decisions a hit for the watcher? */
static bool watch(const uint32_t *list, unsigned count)
{
    uint64_t before = job.goal.hits;

    drains = false;
    set_stage(&strategy_directed, 1, 0);
    for (unsigned i = 0; i < count; i++) {
        goal_look(&view);
        goal_decide(&view, list[i]);
        if ((list[i] & 7) == DECIDE_RUN)
            perform(list[i] >> 3);
        else
            set_buffer(list[i] >> 15, false);
    }
    goal_end(&view);
    return job.goal.hits > before;
}

static void the_order_of_effects_decides(void **unused)
{
    static const uint32_t late[] = {RUN(0), RUN(0),    RUN(1),
                                    RUN(1), COMMIT(0), COMMIT(1)};
    static const uint32_t in_time[] = {RUN(0), RUN(0),    COMMIT(0),
                                       RUN(1), COMMIT(1), RUN(1)};
    static const uint32_t saw[] = {RUN(0), RUN(1), COMMIT(1),
                                   RUN(0), RUN(1), COMMIT(0)};
    static const uint32_t drained[] = {RUN(0),    RUN(0), RUN(1),
                                       COMMIT(1), RUN(1), RUN(0)};

    (void)unused;
    assert_true(watch(late, 6));
    assert_false(watch(in_time, 6));
    assert_false(watch(saw, 6));    /* the other's store */
    assert_true(watch(drained, 6)); /* by the exit */
    assert_true(watch(drained, 5)); /* never: it would be the last */
}

static void without_buffers_there_is_no_hit(void **unused)
{
    uint32_t decisions[DECISIONS];

    (void)unused;
    drains = true;
    for (unsigned i = 0; i < 3; i++)
        for (uint64_t run = 0; run < 300; run++)
            assert_false(execute(all[i], 5, run, decisions));
}

static void a_seed_means_one_list_of_decisions(void **unused)
{
    static uint32_t first[100][DECISIONS], again[DECISIONS];

    (void)unused;
    drains = false;
    for (unsigned i = 0; i < 3; i++) {
        for (uint64_t run = 0; run < 100; run++)
            execute(all[i], 9, run, first[run]);
        for (uint64_t run = 0; run < 100; run++) {
            execute(all[i], 9, run, again);
            assert_memory_equal(first[run], again, sizeof again);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cycle_is_created),
        cmocka_unit_test(directed_needs_one_execution),
        cmocka_unit_test(the_order_of_effects_decides),
        cmocka_unit_test(without_buffers_there_is_no_hit),
        cmocka_unit_test(a_seed_means_one_list_of_decisions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
