/* SPDX-License-Identifier: MIT
 *
 * Races and predicted cycles on random executions, against plain enumeration:
 * what orders two accesses of different threads, and a pair on each model,
 * written down once more, without a line of src/test/predict.
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

static uint64_t state = 88172645463325252ull;

static int below(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)n);
}

/* ---- The truth: happens-before ---- */

/* Each event is two nodes: what it does, 2 n, and what it learns by that,
 * 2 n + 1.  An atomic access is not ordered by what itself learns. */
#define NODES (2 * PLAY_EVENTS)

struct relation {
    bool has[NODES][NODES];
};

static void close_relation(const struct play *p, struct relation *r)
{
    int n = 2 * (int)p->trace.event_count;

    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; r->has[i][k] && j < n; j++)
                r->has[i][j] |= r->has[k][j];
}

static bool releases(const struct event *e)
{
    unsigned order = e->flags & EVF_ORDER;

    return order == ORDER_RELEASE || order == ORDER_ACQ_REL ||
           order == ORDER_SEQ_CST;
}

static bool acquires(const struct event *e)
{
    unsigned order = e->flags & EVF_ORDER;

    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL ||
           order == ORDER_SEQ_CST;
}

static bool is_fence(const struct event *e)
{
    unsigned bits = e->flags >> EVF_FENCE_SHIFT;

    return e->kind == EV_FENCE && (!bits || bits & FENCE_FULL);
}

/* From whatever released what location f reads carries, to f or the acquire
 * fences after it. */
static void add_release(const struct play *p, struct relation *r, int from,
                        int f)
{
    const struct event *e = &p->events[f];

    if (acquires(e)) {
        r->has[from][2 * f + 1] = true;
        return;
    }
    for (int i = f + 1; i < (int)p->trace.event_count; i++)
        if (p->events[i].thread == e->thread && is_fence(&p->events[i]) &&
            acquires(&p->events[i]))
            r->has[from][2 * i + 1] = true;
}

static void add_c11(const struct play *p, struct relation *r, int f)
{
    if (!p->truth[f].reads || (p->events[f].flags & EVF_ORDER) < ORDER_RELAXED)
        return;
    for (int w = f - 1; w >= 0; w--) {
        if (!p->truth[w].writes || p->events[w].offset != p->events[f].offset)
            continue;
        if (releases(&p->events[w])) {
            add_release(p, r, 2 * w + 1, f);
        } else if ((p->events[w].flags & EVF_ORDER) >= ORDER_RELAXED) {
            for (int i = w - 1; i >= 0; i--)
                if (p->events[i].thread == p->events[w].thread &&
                    is_fence(&p->events[i]) && releases(&p->events[i])) {
                    add_release(p, r, 2 * i + 1, f);
                    break;
                }
        }
        if (p->events[w].kind == EV_STORE)
            return;
    }
}

static int unlock_of(const struct play *p, int lock)
{
    for (int i = lock + 1; i < (int)p->trace.event_count; i++)
        if (p->events[i].kind == EV_UNLOCK &&
            p->events[i].thread == p->events[lock].thread &&
            p->events[i].object == p->events[lock].object)
            return i;
    return (int)p->trace.event_count;
}

static bool sections_conflict(const struct play *p, int one, int other)
{
    for (int e = one; e < unlock_of(p, one); e++)
        for (int f = other; f < unlock_of(p, other); f++)
            if (p->truth[e].is_one && p->truth[f].is_one &&
                p->events[e].thread == p->events[one].thread &&
                p->events[f].thread == p->events[other].thread &&
                play_conflict(p, e, f))
                return true;
    return false;
}

/* Creation and join; with `all`, everything else too. */
static void find_order(const struct play *p, struct relation *r, bool all)
{
    int n = (int)p->trace.event_count;

    memset(r, 0, sizeof(*r));
    for (int e = 0; e < n; e++) {
        const struct event *x = &p->events[e];

        r->has[2 * e][2 * e + 1] = true;
        if (all)
            add_c11(p, r, e);
        for (int f = e + 1; f < n; f++) {
            const struct event *y = &p->events[f];
            bool after = x->thread == y->thread;

            after |= x->kind == EV_CREATE && x->value == y->thread;
            after |= y->kind == EV_JOIN && y->value == x->thread;
            after |= all && x->kind == EV_POST && y->kind == EV_WAIT &&
                     x->object == y->object;
            r->has[2 * e + 1][2 * f] |= after;
            if (all && x->kind == EV_LOCK && y->kind == EV_LOCK &&
                x->object == y->object && x->thread != y->thread &&
                (x->value || y->value) && unlock_of(p, e) < f &&
                sections_conflict(p, e, f))
                r->has[2 * unlock_of(p, e) + 1][2 * f] = true;
        }
    }
    close_relation(p, r);
}

static bool common_lock(const struct play *p, int e, int f)
{
    for (int i = 0; i < e; i++)
        for (int k = 0; k < f; k++)
            if (p->events[i].kind == EV_LOCK && p->events[k].kind == EV_LOCK &&
                p->events[i].thread == p->events[e].thread &&
                p->events[k].thread == p->events[f].thread &&
                p->events[i].object == p->events[k].object &&
                (p->events[i].value || p->events[k].value) &&
                unlock_of(p, i) > e && unlock_of(p, k) > f)
                return true;
    return false;
}

/* ---- The truth: what a model orders ---- */

/* What an event is on a model, straight from the table in docs/models.md. */
struct meaning {
    bool loads, writes;
    unsigned before, after;
};

static struct meaning meaning_of(const struct event *e, int model)
{
    bool release = releases(e), acquire = acquires(e);
    bool sc = (e->flags & EVF_ORDER) == ORDER_SEQ_CST;
    unsigned bits = e->flags >> EVF_FENCE_SHIFT;
    unsigned ss = model >= PSO ? FENCE_SS : 0;
    unsigned ll = model == PSLO ? FENCE_LL : 0;

    switch (e->kind) {
    case EV_LOAD:
        return (struct meaning){true, false, 0, acquire ? ll : 0};
    case EV_STORE:
        if (sc)
            return (struct meaning){false, true, model >= PSO ? FENCE_FULL : 0,
                                    FENCE_FULL};
        return (struct meaning){false, true, release ? ss : 0, 0};
    case EV_RMW:
        if (sc)
            return (struct meaning){true, true, FENCE_FULL, FENCE_FULL};
        return (struct meaning){true, true, release ? ss : 0, acquire ? ll : 0};
    case EV_LOCK:
    case EV_WAIT:
        if (model == TSO)
            return (struct meaning){true, true, FENCE_FULL, FENCE_FULL};
        return (struct meaning){true, true, 0, ll};
    case EV_UNLOCK:
        if (model == TSO)
            return (struct meaning){false, true, FENCE_FULL, FENCE_FULL};
        return (struct meaning){false, true, FENCE_SS, 0};
    case EV_POST:
        if (model == TSO)
            return (struct meaning){true, true, FENCE_FULL, FENCE_FULL};
        return (struct meaning){true, true, FENCE_SS, 0};
    case EV_FENCE:
        if (bits)
            return (struct meaning){.before = bits};
        if (sc)
            return (struct meaning){.before = FENCE_FULL};
        return (struct meaning){.before =
                                    (release ? ss : 0) | (acquire ? ll : 0)};
    case EV_CREATE:
    case EV_EXIT:
    case EV_CALL:
        return (struct meaning){.before = FENCE_FULL};
    case EV_JOIN:
        return (struct meaning){.before = FENCE_LL};
    default:
        return (struct meaning){.before = 0};
    }
}

static unsigned fences_between(const struct play *p, int e, int f, int model)
{
    unsigned fences = 0;

    for (int i = e; i <= f; i++) {
        struct meaning m = meaning_of(&p->events[i], model);

        if (p->events[i].thread != p->events[e].thread)
            continue;
        fences |= i > e ? m.before : 0;
        fences |= i < f ? m.after : 0;
    }
    return fences;
}

/* x <M y, by the axioms in docs/models.md; TSO has its own. */
static bool directly_ordered(const struct play *p, int e, int f, int model)
{
    struct meaning x = meaning_of(&p->events[e], model);
    struct meaning y = meaning_of(&p->events[f], model);
    unsigned between = fences_between(p, e, f, model);
    bool rmw = (x.loads && x.writes) || (y.loads && y.writes);
    /* Not: a wide access between that shares bytes with both.  We say that
     * such a pair may be reordered. */
    bool same = p->events[e].object == p->events[f].object &&
                play_overlap(p, e, f) &&
                (p->events[e].size == p->events[f].size || rmw);

    if (between & FENCE_FULL)
        return true;
    if (model == TSO)
        return x.loads || y.writes || between & FENCE_SL;
    if ((x.loads && y.writes) || (model == PSO && x.loads))
        return true;
    if (x.writes && y.writes && (same || between & FENCE_SS))
        return true;
    if (x.writes && y.loads && between & FENCE_SL)
        return true;
    return x.loads && y.loads && (same || between & FENCE_LL);
}

static bool ordered(const struct play *p, int e, int f, int model)
{
    if (model == SC || directly_ordered(p, e, f, model))
        return true;
    for (int i = e + 1; i < f; i++) {
        struct meaning m = meaning_of(&p->events[i], model);

        if (p->events[i].thread == p->events[e].thread &&
            (m.loads || m.writes) && directly_ordered(p, e, i, model) &&
            ordered(p, i, f, model))
            return true;
    }
    return false;
}

/* ---- Against enumeration ---- */

struct truth {
    struct relation created; /* of the execution at hand */
    bool raced[PLAY_SITES][PLAY_SITES];
    char keys[8192][PLAY_KEY];
    unsigned reorderable[8192][4];
    int count;
};

static struct truth truth;
static struct relation happens;

static bool may_race(const struct play *p, int e, int f,
                     const struct relation *order)
{
    int first = e < f ? e : f, second = e < f ? f : e;

    return play_conflict(p, e, f) && !common_lock(p, e, f) &&
           !order->has[2 * first][2 * second];
}

static void find_races(const struct play *p)
{
    find_order(p, &happens, true);
    for (int e = 0; e < (int)p->trace.event_count; e++)
        for (int f = 0; f < (int)p->trace.event_count; f++)
            if (p->truth[e].is_one && p->truth[f].is_one &&
                may_race(p, e, f, &happens))
                truth.raced[p->events[e].site][p->events[f].site] = true;
}

static bool race_edge(const struct play *p, int e, int f)
{
    return truth.raced[p->events[e].site][p->events[f].site] &&
           may_race(p, e, f, &truth.created);
}

static void note(const struct play *p, const struct play_cycle *c, void *unused)
{
    char best[PLAY_KEY], own[PLAY_KEY], key[PLAY_KEY];
    unsigned masks[4] = {0};
    int i = 0;

    (void)unused;
    if (c->pair[c->length - 1])
        return;
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
            return;
    }
    for (int m = TSO; m <= PSLO; m++)
        for (int k = 0; k < c->length; k++)
            if (c->pair[k] && !ordered(p, c->events[k], c->events[k + 1], m))
                masks[m] |= 1u << k;
    if (!masks[TSO] && !masks[PSO] && !masks[PSLO])
        return;
    while (i < truth.count && strcmp(truth.keys[i], own) != 0)
        i++;
    if (i == truth.count) {
        assert_true(truth.count < 8192);
        strcpy(truth.keys[truth.count++], own);
        memset(truth.reorderable[i], 0, sizeof(truth.reorderable[i]));
    }
    for (int m = 0; m < 4; m++)
        truth.reorderable[i][m] |= masks[m];
}

static void expect_races(const struct predict *p)
{
    size_t count, expected = 0;
    const struct race *races = predict_races(p, &count);

    for (int a = 0; a < PLAY_SITES; a++)
        for (int b = a; b < PLAY_SITES; b++)
            expected += truth.raced[a][b] || truth.raced[b][a];
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++) {
        assert_true(races[i].first <= races[i].second);
        assert_true(truth.raced[races[i].first][races[i].second] ||
                    truth.raced[races[i].second][races[i].first]);
    }
}

static void expect_cycles(const struct predict *p)
{
    size_t count;
    const struct cycle *cycles = predict_cycles(p, &count);

    assert_false(predict_cut(p).cycles);
    assert_int_equal(count, truth.count);
    for (size_t i = 0; i < count; i++) {
        char key[PLAY_KEY];
        int k = 0;

        play_key_of(&cycles[i], key);
        while (k < truth.count && strcmp(truth.keys[k], key) != 0)
            k++;
        assert_true(k < truth.count);
        for (int m = 0; m < 4; m++)
            assert_int_equal(cycles[i].reorderable[m], truth.reorderable[k][m]);
    }
}

/* What the executions say, and what is predicted from them.  Returns how many
 * cycles there are. */
static size_t expect_all(struct play *const *plays, int count, int max_length)
{
    struct predict *p = predict_new((unsigned)max_length, 100);

    truth.count = 0;
    memset(truth.raced, 0, sizeof(truth.raced));
    for (int i = 0; i < count; i++) {
        find_races(plays[i]);
        predict_add(p, &plays[i]->trace);
    }
    for (int i = 0; i < count; i++) {
        find_order(plays[i], &truth.created, false);
        play_enumerate(plays[i], max_length, race_edge, note, NULL);
    }
    expect_races(p);
    predict_run(p);
    expect_cycles(p);
    predict_free(p);
    return (size_t)truth.count;
}

static enum event_order any_order(enum event_kind kind)
{
    static const enum event_order orders[] = {
        ORDER_PLAIN,   ORDER_PLAIN,   ORDER_PLAIN,   ORDER_VOLATILE,
        ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_SEQ_CST};
    enum event_order order = orders[below(8)];

    if (kind == EV_RMW && order < ORDER_RELAXED)
        return ORDER_RELAXED;
    if (kind == EV_LOAD && order == ORDER_RELEASE)
        return ORDER_ACQUIRE;
    if (kind == EV_STORE && order == ORDER_ACQUIRE)
        return ORDER_RELEASE;
    return order;
}

static void any_access(struct play *p, int thread, int sites)
{
    static const enum event_kind kinds[] = {
        EV_LOAD, EV_LOAD, EV_LOAD, EV_STORE, EV_STORE, EV_STORE, EV_RMW};
    enum event_kind kind = kinds[below(7)];

    if (below(5))
        play_access_as(p, kind, thread, 1 + below(sites), below(5) * 4,
                       any_order(kind));
    else if (below(2))
        play_store(p, thread, 1 + below(sites), below(3) * 8, 8, false);
    else
        play_load(p, thread, 1 + below(sites), below(3) * 8, 8);
}

static void any_sync(struct play *p, int thread, int *holder)
{
    static const enum event_order orders[] = {ORDER_ACQUIRE, ORDER_RELEASE,
                                              ORDER_ACQ_REL, ORDER_SEQ_CST};
    int lock = below(2);

    switch (below(6)) {
    case 0:
    case 1:
        if (holder[lock] < 0)
            play_other(p, EV_LOCK, thread, LOCK_A + lock, 1, 0);
        else if (holder[lock] == thread)
            play_other(p, EV_UNLOCK, thread, LOCK_A + lock, 0, 0);
        else
            break;
        holder[lock] = holder[lock] < 0 ? thread : -1;
        break;
    case 2:
        play_other(p, below(2) ? EV_POST : EV_WAIT, thread, SEMAPHORE, 0, 0);
        break;
    case 3:
        play_fence(p, thread, orders[below(4)], 0);
        break;
    case 4:
        play_fence(p, thread, ORDER_SEQ_CST, 1u << below(5));
        break;
    default:
        play_other(p, EV_CALL, thread, 0, 0, 0);
    }
}

static void any_execution(struct play *p)
{
    int threads = 2 + below(3), steps = 10 + below(10);
    int sites = 6 + below(14), syncs = below(5);
    int holder[2] = {-1, -1};

    play_begin(p, "sc");
    if (below(2))
        any_access(p, 0, sites);
    for (int i = 1; i < threads; i++)
        play_create(p, 0, i);
    for (int i = 0; i < steps; i++) {
        int thread = below(threads);

        if (below(10) < syncs)
            any_sync(p, thread, holder);
        else
            any_access(p, thread, sites);
    }
    if (below(2)) {
        play_join(p, 0, 1);
        any_access(p, 0, sites);
    }
    play_end(p);
}

static void random_executions_predict_what_enumeration_does(void **unused)
{
    static struct play plays[2];
    struct play *both[2] = {&plays[0], &plays[1]};
    size_t sum = 0;

    (void)unused;
    for (int round = 0; round < 600; round++) {
        any_execution(&plays[0]);
        any_execution(&plays[1]);
        sum += expect_all(both, 1 + round % 2, 6);
    }
    assert_true(sum > 1000);
}

/* Four threads, each storing one variable and loading the next: one cycle of
 * eight, from an execution without any reordering. */
static void a_ring_of_four_threads_is_predicted(void **unused)
{
    static struct play p;
    struct play *one = &p;
    struct predict *predict = predict_new(7, 20);
    size_t count;

    (void)unused;
    play_begin(&p, "sc");
    for (int t = 0; t < 4; t++) {
        play_store(&p, t, 1 + 2 * t, 8 * t, 4, false);
        play_load(&p, t, 2 + 2 * t, 8 * ((t + 1) % 4), 4);
    }
    assert_int_equal(expect_all(&one, 1, 8), 1);
    assert_int_equal(strlen(truth.keys[0]), 8 * 4);
    predict_add(predict, &p.trace);
    predict_run(predict);
    predict_cycles(predict, &count);
    assert_int_equal(count, 0);
    predict_free(predict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_four_threads_is_predicted),
        cmocka_unit_test(random_executions_predict_what_enumeration_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
