/* SPDX-License-Identifier: MIT
 *
 * Strategies on a made-up program: each decision is one that can be carried
 * out, a seed means one list of decisions, everybody gets a turn, and replay
 * repeats a list to the letter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>

#include "schedule/schedule.h"

#define THREADS 4
#define STEPS 400

static struct sched_thread threads[THREADS];
static struct sched_view view;

static uint32_t two_positions(uint32_t thread, uint16_t *positions,
                              uint32_t max)
{
    (void)thread;
    positions[0] = 0;
    if (max > 1)
        positions[1] = 3;
    return max > 1 ? 2 : 1;
}

/* Everybody ready, two buffers in use, one timed wait. */
static void set_stage(const struct strategy *s, uint64_t seed)
{
    memset(&view, 0, sizeof view);
    memset(threads, 0, sizeof threads);
    view.threads = threads;
    view.thread_count = THREADS;
    view.committable = two_positions;
    s->begin(seed, 7, 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        threads[i].timed_at = threads[i].buffer_at = UINT32_MAX;
        threads[i].ready_at = i;
        view.ready[i] = (uint16_t)i;
        if (s->made)
            s->made(&view, i);
    }
    view.ready_count = THREADS;
    view.buffering[0] = 1;
    view.buffering[1] = 2;
    view.buffering_count = 2;
    threads[1].buffer_at = 0;
    threads[2].buffer_at = 1;
}

static uint32_t one_step(const struct strategy *s)
{
    uint32_t d = s->next(&view);

    view.steps++;
    if ((d & 7) == DECIDE_RUN) {
        view.current = d >> 3;
        threads[view.current].spun = false;
        if (s->did)
            s->did(&view, view.current);
    }
    return d;
}

static void check_decision(uint32_t d)
{
    if ((d & 7) == DECIDE_RUN) {
        assert_in_range(d >> 3, 0, THREADS - 1);
        return;
    }
    assert_int_equal(d & 7, DECIDE_COMMIT);
    assert_in_range(d >> 15, 1, 2);
    assert_true((d >> 3 & 0xfff) == 0 || (d >> 3 & 0xfff) == 3);
}

static void check_strategy(const struct strategy *s)
{
    uint32_t first[STEPS];
    unsigned turns[THREADS] = {0};

    for (uint64_t seed = 1; seed < 20; seed++) {
        set_stage(s, seed);
        for (int i = 0; i < STEPS; i++) {
            first[i] = one_step(s);
            check_decision(first[i]);
            if ((first[i] & 7) == DECIDE_RUN)
                turns[first[i] >> 3]++;
        }
        set_stage(s, seed);
        for (int i = 0; i < STEPS; i++)
            assert_int_equal(one_step(s), first[i]);
    }
    for (int i = 0; i < THREADS; i++)
        assert_true(turns[i] > 0);
}

static void random_decides_what_can_be_done(void **state)
{
    (void)state;
    check_strategy(&strategy_random);
}

static void pct_decides_what_can_be_done(void **state)
{
    (void)state;
    check_strategy(&strategy_pct);
}

static void pos_decides_what_can_be_done(void **state)
{
    (void)state;
    check_strategy(&strategy_pos);
}

static void rr_decides_what_can_be_done(void **state)
{
    (void)state;
    check_strategy(&strategy_rr);
}

static void a_thread_that_gave_way_is_not_next(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 200; seed++) {
        uint32_t d;

        set_stage(&strategy_random, seed);
        view.buffering_count = 0;
        threads[1].buffer_at = threads[2].buffer_at = UINT32_MAX;
        view.current = 2;
        threads[2].spun = true;
        d = strategy_random.next(&view);
        assert_int_equal(d & 7, DECIDE_RUN);
        assert_int_not_equal(d >> 3, 2);
    }
}

static void nobody_ready_means_commit_or_time_passes(void **state)
{
    static const struct strategy *const all[] = {
        &strategy_random, &strategy_pct, &strategy_pos, &strategy_rr};

    (void)state;
    for (int i = 0; i < 4; i++) {
        set_stage(all[i], 3);
        view.ready_count = 0;
        for (int t = 0; t < THREADS; t++)
            threads[t].ready_at = UINT32_MAX;
        assert_int_equal(all[i]->next(&view) & 7, DECIDE_COMMIT);
        view.buffering_count = 0;
        threads[1].buffer_at = threads[2].buffer_at = UINT32_MAX;
        view.timed[0] = 3;
        view.timed_count = 1;
        threads[3].timed_at = 0;
        assert_int_equal(all[i]->next(&view), DECISION(DECIDE_WAKE, 3));
    }
}

static struct channel job;

/* The channel's regions lie far behind its header. */
static void open_replay(const uint32_t *list, uint64_t count)
{
    struct channel *c =
        mmap(NULL, CHANNEL_SIZE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    assert_true(c != MAP_FAILED);
    c->schedule_count = count;
    memcpy((char *)c + CHANNEL_SCHEDULE_AT, list, count * sizeof *list);
    assert_true(strategy_replay.open(c, &model_sc));
}

static void replay_repeats_the_list(void **state)
{
    static const uint32_t list[] = {
        DECISION(DECIDE_RUN, 1), DECISION(DECIDE_STALE, 2),
        DECISION(DECIDE_COMMIT, 1 << 12), DECISION(DECIDE_TICKS, 90)};

    (void)state;
    set_stage(&strategy_replay, 0);
    open_replay(list, 4);
    strategy_replay.begin(0, 0, 0);
    assert_int_equal(strategy_replay.next(&view), list[0]);
    assert_int_equal(strategy_replay.choose(DECIDE_STALE, 5), 2);
    assert_int_equal(strategy_replay.next(&view), list[2]);
    assert_int_equal(strategy_replay.ticks(true), 90);
    assert_true(strategy_replay.is_done());
    strategy_replay.next(&view);
    assert_false(strategy_replay.is_done());
}

static void replay_notices_another_program(void **state)
{
    static const uint32_t list[] = {DECISION(DECIDE_CHOOSE, 9)};

    (void)state;
    open_replay(list, 1);
    strategy_replay.begin(0, 0, 0);
    assert_int_equal(strategy_replay.choose(DECIDE_CHOOSE, 4), 0);
    strategy_replay.begin(0, 0, 0);
    assert_int_equal(strategy_replay.choose(DECIDE_STALE, 4), 0);
    assert_false(strategy_replay.is_done());
}

static bool fits(uint32_t d)
{
    return d >> 3 < view.thread_count && threads[d >> 3].ready_at != UINT32_MAX;
}

/* ---- every, on a program of two threads ---- */

/* What a thread does, step by step: a letter is the variable; capitals write.
 * '?' draws a number below 3. */
static const char *script[2];
static size_t pc[2];

static void touch(uint32_t thread)
{
    char c = script[thread][pc[thread]];
    bool is_write = c >= 'A' && c <= 'Z';
    struct footprint *f = view.footprint;

    f->touch[f->count++] = (struct touch){(uint64_t)(c | 32), 1,
                                          is_write ? TOUCH_WRITE : TOUCH_READ};
}

/* One execution; false: it was cut short. */
static bool execute_scripts(void)
{
    strategy_every.begin(1, 0, 0);
    view.how = END_COMPLETE;
    pc[0] = pc[1] = 0;
    for (;;) {
        uint32_t d, t;

        view.ready_count = 0;
        for (uint32_t i = 0; i < 2; i++) {
            threads[i].ready_at = UINT32_MAX;
            if (!script[i][pc[i]])
                continue;
            threads[i].ready_at = view.ready_count;
            view.ready[view.ready_count++] = (uint16_t)i;
        }
        if (!view.ready_count)
            break;
        d = strategy_every.next(&view);
        if ((d & 7) == DECIDE_END) {
            view.how = d >> 3 == SCHED_END_CUT ? END_CUT : END_REDUNDANT;
            break;
        }
        t = d >> 3;
        assert_int_equal(d & 7, DECIDE_RUN);
        assert_true(threads[t].ready_at != UINT32_MAX);
        if (script[t][pc[t]] == '?')
            assert_true(strategy_every.choose(DECIDE_CHOOSE, 3) < 3);
        else
            touch(t);
        pc[t]++;
    }
    strategy_every.end(&view);
    return view.how == END_COMPLETE;
}

static unsigned count_executions(const char *first, const char *second)
{
    static uint64_t region[1 << 16];
    static struct footprint footprint;
    unsigned complete = 0;

    memset(&view, 0, sizeof view);
    memset(threads, 0, sizeof threads);
    view.threads = threads;
    view.thread_count = 2;
    view.footprint = &footprint;
    view.fits = fits;
    for (int i = 0; i < 2; i++)
        threads[i].buffer_at = threads[i].timed_at = UINT32_MAX;
    script[0] = first;
    script[1] = second;
    strategy_every_region(region, sizeof region);
    strategy_every.forget();
    while (!strategy_every.is_over(&job)) {
        complete += execute_scripts();
        assert_true(complete < 10000);
    }
    assert_true(strategy_every.is_exhausted());
    assert_int_equal(strategy_every.run(), complete);
    return complete;
}

static void every_has_each_order_of_conflicts_once(void **state)
{
    (void)state;
    assert_int_equal(count_executions("a", "b"), 1);
    assert_int_equal(count_executions("aaa", "aaa"), 1);
    assert_int_equal(count_executions("ABC", "DEF"), 1);
    assert_int_equal(count_executions("A", "A"), 2);
    assert_int_equal(count_executions("Ab", "Ba"), 3);
    assert_int_equal(count_executions("AB", "AB"), 4);
    assert_int_equal(count_executions("AA", "aa"), 6);
    assert_int_equal(count_executions("AcB", "bda"), 3);
}

static void every_draws_each_number(void **state)
{
    (void)state;
    assert_int_equal(count_executions("?", ""), 3);
    assert_int_equal(count_executions("??", "?"), 27);
    assert_int_equal(count_executions("A?", "a"), 6);
}

static void every_says_when_it_has_no_room(void **state)
{
    static uint64_t region[128];
    unsigned executions = 0;

    (void)state;
    count_executions("A", "A");
    script[0] = script[1] = "AAAAAAAA";
    strategy_every_region(region, sizeof region);
    strategy_every.forget();
    while (!strategy_every.is_over(&job) && executions++ < 10000)
        execute_scripts();
    assert_true(strategy_every.is_over(&job));
    assert_false(strategy_every.is_exhausted());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_has_each_order_of_conflicts_once),
        cmocka_unit_test(every_draws_each_number),
        cmocka_unit_test(every_says_when_it_has_no_room),
        cmocka_unit_test(random_decides_what_can_be_done),
        cmocka_unit_test(pct_decides_what_can_be_done),
        cmocka_unit_test(pos_decides_what_can_be_done),
        cmocka_unit_test(rr_decides_what_can_be_done),
        cmocka_unit_test(a_thread_that_gave_way_is_not_next),
        cmocka_unit_test(nobody_ready_means_commit_or_time_passes),
        cmocka_unit_test(replay_repeats_the_list),
        cmocka_unit_test(replay_notices_another_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
