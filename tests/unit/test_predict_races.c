/* SPDX-License-Identifier: MIT
 *
 * Races and predicted cycles: what orders two accesses of different threads,
 * what orders a pair on each model, and the whole against plain enumeration
 * on random executions.
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

/* ---- Playing ---- */

static int access_as(struct play *p, enum event_kind kind, int thread, int site,
                     int at, uint32_t flags)
{
    int n = kind == EV_STORE ? play_store(p, thread, site, at, 4, false)
            : kind == EV_RMW ? play_rmw(p, thread, site, at, 4)
                             : play_load(p, thread, site, at, 4);

    p->events[n].kind = (uint8_t)kind;
    p->events[n].flags = flags;
    return n;
}

static void create(struct play *p, int parent, int child)
{
    p->threads[child].parent = (uint32_t)parent;
    play_other(p, EV_CREATE, parent, 0, (uint64_t)child, 0);
    play_other(p, EV_START, child, 0, (uint64_t)child, 0);
}

static void join(struct play *p, int thread, int child)
{
    play_other(p, EV_EXIT, child, 0, (uint64_t)child, 0);
    play_other(p, EV_JOIN, thread, 0, (uint64_t)child, 0);
}

static void fence(struct play *p, int thread, enum event_order order,
                  unsigned bits)
{
    play_other(p, EV_FENCE, thread, 0, 0,
               (uint32_t)order | bits << EVF_FENCE_SHIFT);
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
 * fences behind it. */
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

/* What an event is on a model, straight from DESIGN's table. */
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

/* x <M y, by the axioms in DESIGN section 2; TSO has its own. */
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
        access_as(p, kind, thread, 1 + below(sites), below(5) * 4,
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
        fence(p, thread, orders[below(4)], 0);
        break;
    case 4:
        fence(p, thread, ORDER_SEQ_CST, 1u << below(5));
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
        create(p, 0, i);
    for (int i = 0; i < steps; i++) {
        int thread = below(threads);

        if (below(10) < syncs)
            any_sync(p, thread, holder);
        else
            any_access(p, thread, sites);
    }
    if (below(2)) {
        join(p, 0, 1);
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
    create(&p, 0, 1);
    play_store(&p, 1, 2, X, 4, false);
    assert_false(races_in(&p));

    play_begin(&p, "sc");
    create(&p, 0, 1);
    play_store(&p, 1, 2, X, 4, false);
    join(&p, 0, 1);
    play_store(&p, 0, 1, X, 4, false);
    assert_false(races_in(&p));

    play_begin(&p, "sc");
    create(&p, 0, 1);
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
    access_as(&p, kind, 1, 3, first_data, ORDER_PLAIN);
    play_other(&p, EV_UNLOCK, 1, LOCK_A, 0, 0);
    play_other(&p, EV_LOCK, 2, LOCK_A, how, 0);
    access_as(&p, kind, 2, 4, second_data, ORDER_PLAIN);
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
        fence(&p, 1, before, 0);
    access_as(&p, EV_STORE, 1, 3, Y, store);
    access_as(&p, EV_LOAD, 2, 4, Y, load);
    if (after)
        fence(&p, 2, after, 0);
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
    access_as(&p, EV_STORE, 1, 1, X, ORDER_SEQ_CST);
    access_as(&p, EV_LOAD, 2, 2, X, ORDER_SEQ_CST);
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

static const char *reordered_on(const struct between *row)
{
    static struct play p;
    static char models[8];
    struct predict *predict = predict_new(8, 20);
    const struct cycle *cycles;
    size_t count;

    play_begin(&p, "sc");
    p.trace.flags = row->trace_flags;
    access_as(&p, row->a, 1, 1, X, row->order_a);
    if (row->kind && row->object == PLAY_DATA)
        access_as(&p, row->kind, 1, 9, Z, row->flags);
    else if (row->kind)
        play_other(&p, row->kind, 1, row->object, 7, row->flags);
    access_as(&p, row->b, 1, 2, Y, row->order_b);
    access_as(&p, EV_STORE, 2, 3, Y, ORDER_PLAIN);
    access_as(&p, EV_RMW, 2, 4, X, ORDER_RELAXED);
    predict_add(predict, &p.trace);
    predict_run(predict);
    cycles = predict_cycles(predict, &count);
    *models = '\0';
    for (size_t i = 0; i < count; i++)
        if (cycles[i].length == 4 && cycles[i].nodes[0].site == 1)
            for (int m = TSO; m <= PSLO; m++)
                if (cycles[i].reorderable[m] & 1)
                    strcat(models, (const char *[]){"", "t", "p", "l"}[m]);
    predict_free(predict);
    return models;
}

#define BITS(fences) (ORDER_SEQ_CST | (uint32_t)(fences) << EVF_FENCE_SHIFT)
#define PLAIN ORDER_PLAIN, ORDER_PLAIN

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
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (strcmp(reordered_on(&rows[i]), rows[i].models) != 0)
            fail_msg("row %zu: %s, not %s", i, reordered_on(&rows[i]),
                     rows[i].models);
}

/* ---- The whole ---- */

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
        cmocka_unit_test(a_ring_of_four_threads_is_predicted),
        cmocka_unit_test(cycles_keep_their_numbers),
        cmocka_unit_test(instances_left_out_are_counted),
        cmocka_unit_test(random_executions_predict_what_enumeration_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
