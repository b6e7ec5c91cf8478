/* SPDX-License-Identifier: MIT
 *
 * Programs whose numbers of executions are published; and how fast they go.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "watch.h"

/* ---- Published counts ---- */

static void put(struct mini *p, unsigned t, struct mini_code c)
{
    p->code[t][p->length[t]++] = c;
    if (c.kind <= MINI_CAS && c.location >= p->locations)
        p->locations = c.location + 1;
    if (t >= p->threads)
        p->threads = p->started = t + 1;
}

static struct mini_value number(uint64_t n)
{
    return (struct mini_value){-1, n};
}

static struct mini_code load(unsigned to, unsigned location,
                             enum event_order order)
{
    return (struct mini_code){
        .kind = MINI_LOAD, .to = to, .location = location, .order = order};
}

static struct mini_code store(unsigned location, struct mini_value v,
                              enum event_order order)
{
    return (struct mini_code){.kind = MINI_STORE,
                              .to = MINI_REGISTERS - 1,
                              .location = location,
                              .first = v,
                              .order = order};
}

static void make_sb(struct mini *p, unsigned n)
{
    (void)n;
    for (unsigned t = 0; t < 2; t++) {
        put(p, t, store(t, number(1), ORDER_RELAXED));
        put(p, t, load(0, 1 - t, ORDER_RELAXED));
    }
}

static void make_2_2w(struct mini *p, unsigned n)
{
    (void)n;
    for (unsigned t = 0; t < 2; t++) {
        put(p, t, store(t, number(1), ORDER_RELAXED));
        put(p, t, store(1 - t, number(2), ORDER_RELAXED));
    }
}

static void make_iriw(struct mini *p, unsigned n)
{
    (void)n;
    put(p, 0, store(0, number(1), ORDER_SEQ_CST));
    for (unsigned t = 1; t < 3; t++) {
        put(p, t, load(0, t - 1, ORDER_ACQUIRE));
        put(p, t, load(1, 2 - t, ORDER_SEQ_CST));
    }
    put(p, 3, store(1, number(1), ORDER_SEQ_CST));
}

/* SC's order goes from a store to a fence by who has acquired it. */
static void make_rwc(struct mini *p, unsigned n)
{
    (void)n;
    put(p, 0, store(0, number(1), ORDER_SEQ_CST));
    put(p, 1, load(0, 0, ORDER_ACQUIRE));
    put(p, 1, (struct mini_code){.kind = MINI_FENCE, .order = ORDER_SEQ_CST});
    put(p, 1, load(1, 1, ORDER_RELAXED));
    put(p, 2, store(1, number(1), ORDER_SEQ_CST));
    put(p, 2, load(0, 0, ORDER_SEQ_CST));
}

/* And from one operation to another by po;hb;po. */
static void make_handed(struct mini *p, unsigned n)
{
    (void)n;
    put(p, 0, store(0, number(1), ORDER_SEQ_CST));
    put(p, 0, store(1, number(1), ORDER_RELEASE));
    put(p, 1, load(0, 1, ORDER_ACQUIRE));
    put(p, 1, load(1, 2, ORDER_SEQ_CST));
    put(p, 2, store(2, number(1), ORDER_SEQ_CST));
    put(p, 2, load(0, 0, ORDER_SEQ_CST));
}

static void make_ainc(struct mini *p, unsigned n)
{
    for (unsigned t = 0; t < n; t++)
        put(p, t,
            (struct mini_code){
                .kind = MINI_ADD, .first = number(1), .order = ORDER_RELAXED});
}

static void make_casrot(struct mini *p, unsigned n)
{
    for (unsigned t = 0; t < n; t++)
        put(p, t,
            (struct mini_code){.kind = MINI_CAS,
                               .first = number(t + 1),
                               .second = number(t),
                               .order = ORDER_RELAXED,
                               .failure_order = ORDER_RELAXED});
}

static void make_readers(struct mini *p, unsigned n)
{
    put(p, 0, store(0, number(42), ORDER_RELEASE));
    for (unsigned t = 1; t <= n; t++)
        put(p, t, load(0, 0, ORDER_ACQUIRE));
}

static void make_lastzero(struct mini *p, unsigned n)
{
    for (unsigned i = n + 1; i-- > 0;) {
        put(p, 0, load(0, i, ORDER_ACQUIRE));
        put(p, 0,
            (struct mini_code){.kind = MINI_SKIP,
                               .first = {0, 0},
                               .second = number(0),
                               .count = 2 * i});
    }
    for (unsigned t = 1; t <= n; t++) {
        put(p, t, load(0, t - 1, ORDER_ACQUIRE));
        put(p, t, store(t, (struct mini_value){0, 1}, ORDER_RELEASE));
    }
}

static void make_fib(struct mini *p, unsigned n)
{
    p->initial[0] = p->initial[1] = 1;
    for (unsigned t = 0; t < 2; t++) {
        for (unsigned i = 0; i < n; i++) {
            put(p, t, load(0, 0, ORDER_ACQUIRE));
            put(p, t, load(1, 1, ORDER_ACQUIRE));
            put(p, t,
                (struct mini_code){.kind = MINI_SUM,
                                   .to = 2,
                                   .first = {0, 0},
                                   .second = {1, 0}});
            put(p, t, store(t, (struct mini_value){2, 0}, ORDER_RELEASE));
        }
    }
    put(p, 2, load(0, 0, ORDER_ACQUIRE));
    put(p, 2, load(1, 1, ORDER_ACQUIRE));
}

/* A load, and a store of one more. */
static void make_incr(struct mini *p, unsigned n)
{
    for (unsigned t = 0; t < n; t++) {
        put(p, t, load(0, 0, ORDER_RELAXED));
        put(p, t, store(0, (struct mini_value){0, 1}, ORDER_RELAXED));
    }
}

void known_give_parent(struct mini *p, unsigned looks)
{
    unsigned n = p->threads;

    memmove(p->code + 1, p->code, n * sizeof *p->code);
    memmove(p->length + 1, p->length, n * sizeof *p->length);
    p->threads = n + 1;
    p->started = 1;
    p->length[0] = 0;
    for (int k = MINI_CREATE; k <= MINI_JOIN; k++) {
        for (unsigned t = 1; t <= n; t++)
            put(p, 0, (struct mini_code){.kind = k, .thread = t});
    }
    for (; looks; looks--)
        put(p, 0, load(0, 0, ORDER_RELAXED));
}

/* Z6.U of RC11: po between the halves of an RMW leads nowhere.  GenMC finds 22
 * on C11, as the search does if that po counts; brute force finds 24. */
static void make_z6u(struct mini *p, unsigned n)
{
    (void)n;
    put(p, 0, store(0, number(1), ORDER_SEQ_CST));
    put(p, 0, store(1, number(1), ORDER_RELEASE));
    put(p, 1,
        (struct mini_code){.kind = MINI_ADD,
                           .location = 1,
                           .first = number(1),
                           .order = ORDER_SEQ_CST});
    put(p, 1, load(1, 1, ORDER_RELAXED));
    put(p, 2, store(1, number(3), ORDER_SEQ_CST));
    put(p, 2, load(0, 0, ORDER_SEQ_CST));
}

struct published {
    const char *name;
    void (*make)(struct mini *p, unsigned n);
    unsigned n;
    uint64_t sc, c11;
};

/* GenMC 0.11, and its documentation. */
static const struct published published[] = {
    {"SB", make_sb, 0, 3, 4},
    {"2+2W", make_2_2w, 0, 3, 4},
    {"IRIW-acq-sc", make_iriw, 0, 15, 16},
    {"RWC-fence", make_rwc, 0, 7, 7},
    {"handed on", make_handed, 0, 7, 7},
    {"Z6.U", make_z6u, 0, 18, 24},
    {"ainc", make_ainc, 5, 120, 120},
    {"ainc", make_ainc, 7, 5040, 5040},
    {"casrot", make_casrot, 4, 14, 14},
    {"casrot", make_casrot, 9, 8597, 8597},
    {"readers", make_readers, 8, 256, 256},
    {"readers", make_readers, 7, 128, 128},
    {"lastzero", make_lastzero, 5, 64, 64},
    {"fib", make_fib, 5, 218243, 525630},
    {"incr", make_incr, 4, 576, 576},
};

bool known_program(size_t number, struct known *to)
{
    const struct published *x = &published[number];

    if (number >= sizeof published / sizeof *published)
        return false;
    *to =
        (struct known){.name = x->name, .n = x->n, .sc = x->sc, .c11 = x->c11};
    x->make(&to->p, x->n);
    return true;
}

void known_make(const char *name, unsigned n, struct mini *p)
{
    size_t i = 0;

    *p = (struct mini){0};
    while (strcmp(published[i].name, name) != 0)
        i++;
    published[i].make(p, n);
}

/* A block writes y if it comes before x is written, after which y is freed.
 * That it comes before is known only by what it reads of x, which it does not
 * write: all of the block comes before, its writes, too. */
static void make_freed(struct mini *p)
{
    *p = (struct mini){.locations = 2, .blocks = true};
    put(p, 0, (struct mini_code){.kind = MINI_BLOCK, .count = 3});
    put(p, 0, load(0, 0, ORDER_RELAXED));
    put(p, 0,
        (struct mini_code){.kind = MINI_SKIP,
                           .first = {0, 0},
                           .second = number(1),
                           .count = 1});
    put(p, 0, store(1, number(1), ORDER_RELAXED));
    put(p, 1, store(0, number(1), ORDER_SEQ_CST));
    put(p, 1, (struct mini_code){.kind = MINI_FREE, .location = 1});
}

static bool is_freed_in_time(void)
{
    bool right = true;

    for (int how = 0; how < SCHEDULE_COUNT; how++) {
        struct watched w = {0};
        struct graph_counts c;
        struct mini p;
        struct mini_run *open;

        make_freed(&p);
        open = mini_open(&p);
        c = watch_run(&p, mini_behaviour(open), BRUTE_SC, how, &w);
        mini_close(open);
        if (c.ends[GRAPH_COMPLETE] == 2 && !c.ends[GRAPH_FAILED])
            continue;
        printf("a block before a free, schedule %d: %" PRIu64
               " executions, %" PRIu64 " failed; right 2, 0\n",
               how, c.ends[GRAPH_COMPLETE], c.ends[GRAPH_FAILED]);
        right = false;
    }
    return right;
}

int test_counts(void)
{
    int wrong = !is_freed_in_time();

    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct published *x = &published[i];

        for (int m = BRUTE_SC; m <= BRUTE_C11; m += BRUTE_C11 - BRUTE_SC) {
            struct watched w = {0};
            struct mini p = {0};
            struct mini_run *open;
            uint64_t right = m == BRUTE_SC ? x->sc : x->c11, got;

            x->make(&p, x->n);
            open = mini_open(&p);
            got = watch_run(&p, mini_behaviour(open), m, SCHEDULE_FIRST, &w)
                      .ends[GRAPH_COMPLETE];
            mini_close(open);
            if (got != right) {
                printf("%s %u on %s: %" PRIu64 " executions; right %" PRIu64
                       "\n",
                       x->name, x->n, watch_models[m].name, got, right);
                wrong++;
            }
        }
    }
    printf("%zu programs on sc and c11: %d wrong\n",
           sizeof published / sizeof *published, wrong);
    return wrong > 0;
}

/* ---- Speed ---- */

double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Searches as `fencer verify` does them. */
static void measure_on(struct mini *p, enum brute_model m)
{
    struct watched w = {.reduces = true, .lone = true};
    struct mini_run *open = mini_open(p);
    struct graph_counts c;
    uint64_t total = 0;
    double begun = cpu_seconds(), used;

    do {
        c = watch_run(p, mini_behaviour(open), m, SCHEDULE_FIRST, &w);
        total += c.ends[GRAPH_COMPLETE];
        used = cpu_seconds() - begun;
    } while (used < 0.3);
    mini_close(open);
    printf(" %s %" PRIu64 ": %.2f;", watch_models[m].name,
           c.ends[GRAPH_COMPLETE], (double)total / used / 1e6);
}

struct measured {
    const char *name;
    void (*make)(struct mini *p, unsigned n);
    unsigned n, looks;
};

static const struct measured measured[] = {
    {"SB", make_sb, 0, 2},
    {"casrot", make_casrot, 10, 2},
    {"ainc", make_ainc, 7, 1},
    {"readers", make_readers, 13, 0},
    {"readers", make_readers, 18, 0},
    {"incr", make_incr, 6, 2},
    {"lastzero", make_lastzero, 11, 0},
    {"fib", make_fib, 4, 2},
};

int test_speed(const char *only)
{
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        const struct measured *x = &measured[i];
        struct mini p = {0};

        if (only && strcmp(only, x->name) != 0)
            continue;
        x->make(&p, x->n);
        known_give_parent(&p, x->looks);
        printf("%-9s%2u ", x->name, x->n);
        for (int m = 0; m < BRUTE_MODELS; m++)
            measure_on(&p, m);
        printf(" M/s\n");
    }
    return 0;
}
