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
#include "known.h"
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
    {"seqlocks", FAMILY_SEQLOCKS, 60, 9, false},
    {"seq_cst", FAMILY_SEQ_CST, 30, 6, false},
    {"guarded", FAMILY_GUARDED, 30, 5, false},
};

/* "Straight-line programs, two or three processors and addresses, up to eight
 * events, a tenth of them interlocked": what the monitors of the papers were
 * tested with. */
static void generate_paper(struct program *p, struct random *r)
{
    unsigned left = 4 + (unsigned)random_below(r, 5), threads, vars;
    char text[256] = "";

    threads = 2 + (unsigned)random_below(r, 2);
    vars = 2 + (unsigned)random_below(r, 2);
    for (unsigned t = 0; t < threads; t++) {
        unsigned others = threads - t - 1, own = left - others;

        if (others)
            own = 1 + (unsigned)random_below(r, own < 4 ? own : 4);
        left -= own;
        while (own--) {
            size_t used = strlen(text);
            const char *kinds = random_below(r, 10) ? "RW" : "II";

            snprintf(text + used, sizeof text - used, "%c%c ",
                     kinds[random_below(r, 2)],
                     (char)('x' + random_below(r, vars)));
        }
        if (others)
            strcat(text, "| ");
    }
    known_parse(text, p);
}

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

/* What each monitor promises. */
static bool is_as_promised(const struct tally *t)
{
    bool right = true;

    for (enum watch_kind k = 0; k < WATCH_COUNT; k++)
        if (SOUND >> k & 1)
            right &= tally_is_right(t, k);
        else
            right &= !t->by[k].false_alarms;
    return right && !t->by[WATCH_BURNIM_TSO].missed &&
           !t->by[WATCH_BURNIM_PSO].missed;
}

/* And what two of them cannot do. */
static bool run_paper(unsigned factor)
{
    struct judge j = {.kinds = ALL,
                      .max_interleavings = 600,
                      .max_states = 20000,
                      .verbose = SOUND};
    struct random r = {.state = SEED};
    struct tally t = {0};

    for (unsigned i = 0; i < 400 * factor; i++) {
        struct program p;

        generate_paper(&p, &r);
        judge_program(&j, &p, &t);
    }
    tally_print("as in the papers", &t, j.kinds);
    return is_as_promised(&t) && t.by[WATCH_SOBER].missed &&
           t.by[WATCH_BURNIM_PSO].depending;
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
    return is_as_promised(&t);
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
    return is_as_promised(&t);
}

int main(int argc, char **argv)
{
    unsigned factor = argc > 1                ? (unsigned)atoi(argv[1])
                      : getenv("FENCER_LONG") ? LONG
                                              : 1;
    bool right = true;

    REQUIRE(watch_open(), "no memory");
    right &= known_check();
    right &= run_litmus();
    right &= run_paper(factor);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++)
        if (argc < 3 || !strcmp(argv[2], batches[i].name))
            right &= run_batch(&batches[i], factor);
    return right ? 0 : 1;
}
