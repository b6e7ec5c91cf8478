/* SPDX-License-Identifier: MIT
 *
 * Monitors against brute force: monitor_test [FACTOR [BATCH]].  Random programs
 * of every family of the enumerator's and all litmus tests; the monitors'
 * verdicts must be what its machines do, whichever interleaving stands for a
 * trace. FACTOR, or FENCER_LONG=1 in the environment, takes more programs, and
 * larger ones.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "judge.h"
#include "parse.h"

enum { SEED = 20080707, LONG = 20 };

#define ALL ((1u << WATCH_COUNT) - 1)
#define SOUND                                                                  \
    (1u << WATCH_TSO | 1u << WATCH_PSO | 1u << WATCH_PSLO |                    \
     1u << WATCH_TSO_CLOCKS)

struct batch {
    const char *name;
    enum family family;
    unsigned programs, accesses;
    bool blocking; /* without some of what others wait for */
};

static const struct batch batches[] = {
    {"fences", FAMILY_FENCES, 150, 6, false},
    {"c11", FAMILY_C11, 150, 6, false},
    {"branch", FAMILY_BRANCH, 150, 6, false},
    {"locks", FAMILY_LOCKS, 100, 5, false},
    {"blocked locks", FAMILY_LOCKS, 150, 5, true},
    {"semaphores", FAMILY_SEMAPHORES, 60, 4, false},
    {"blocked semaphores", FAMILY_SEMAPHORES, 60, 4, true},
    {"threads", FAMILY_THREADS, 150, 6, false},
    {"sizes", FAMILY_SIZES, 150, 5, false},
    {"blocks", FAMILY_BLOCKS, 100, 6, false},
    {"rings", FAMILY_RINGS, 100, 6, false},
    {"seq_cst", FAMILY_SEQ_CST, 30, 6, false},
    {"guarded", FAMILY_GUARDED, 30, 5, false},
};

/* Somebody will wait for ever. */
static void take_away(struct program *p, struct random *r)
{
    for (size_t t = 0; t < p->thread_count; t++)
        for (size_t i = 0; i < p->threads[t].op_count; i++) {
            struct op *op = &p->threads[t].ops[i];

            if ((op->kind == OP_UNLOCK || op->kind == OP_POST) &&
                random_below(r, 2))
                op->kind = OP_NOTHING;
        }
}

static bool is_right(const struct tally *t, enum watch_kind k)
{
    return !t->by[k].missed && !t->by[k].adversarial &&
           !t->by[k].false_alarms && !t->by[k].depending;
}

static bool views_are_right(const struct tally *t)
{
    return is_right(t, WATCH_TSO) && is_right(t, WATCH_PSO) &&
           is_right(t, WATCH_PSLO);
}

static bool run_batch(const struct batch *b, unsigned factor)
{
    struct judge j = {.kinds = ALL,
                      .max_interleavings = factor > 1 ? 3000 : 400,
                      .max_states = 20000,
                      .verbose = SOUND};
    struct random r = {.state = SEED + (uint64_t)(b - batches)};
    struct tally t = {0};

    for (unsigned i = 0; i < b->programs * factor; i++) {
        struct program p;
        unsigned more = factor > 1 ? (unsigned)random_below(&r, 3) : 0;

        generate(&p, b->family, b->accesses + more, i, &r);
        if (b->blocking)
            take_away(&p, &r);
        judge_program(&j, &p, &t);
    }
    tally_print(b->name, &t, j.kinds);
    return views_are_right(&t);
}

static bool run_litmus(void)
{
    struct judge j = {.kinds = ALL,
                      .max_interleavings = 2000,
                      .max_states = 50000,
                      .verbose = SOUND};
    struct tally t = {0};
    glob_t found;

    REQUIRE(!glob(LITMUS_DIR "/*.c", 0, NULL, &found), "no litmus tests");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct programs list;
        char error[256] = "";

        REQUIRE(parse_file(found.gl_pathv[i], &list, error, sizeof error),
                "%s: %s", found.gl_pathv[i], error);
        for (size_t k = 0; k < list.count; k++)
            judge_program(&j, &list.list[k], &t);
        programs_free(&list);
    }
    globfree(&found);
    tally_print("litmus", &t, j.kinds);
    return views_are_right(&t);
}

int main(int argc, char **argv)
{
    unsigned factor = argc > 1                ? (unsigned)atoi(argv[1])
                      : getenv("FENCER_LONG") ? LONG
                                              : 1;
    bool right = true;

    REQUIRE(watch_open(), "no memory");
    right &= run_litmus();
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++)
        if (argc < 3 || !strcmp(argv[2], batches[i].name))
            right &= run_batch(&batches[i], factor);
    return right ? 0 : 1;
}
