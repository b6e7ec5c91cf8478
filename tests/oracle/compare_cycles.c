/* SPDX-License-Identifier: MIT
 *
 * The cycles that `fencer test` confirms on each model are those of all the
 * traces of the enumerator: none missing, none too many, none called
 * infeasible that is not, none left open.
 *
 * A program whose traces are too many for the enumerator is left out, and
 * counted.
 */
#include "compare.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "files.h"
#include "generate.h"
#include "parse.h"
#include "verdicts.h"

enum { WORKERS = 3, BATCH_SIZE = 40, MAX_STATES = 300000 };

static const struct traces_wish wish = {.max_states = MAX_STATES};

/* Of all workers together: programs, and cycles on a model. */
struct tally {
    atomic_uint programs, left_out, feasible;
    atomic_uint missing, extra, wrongly_infeasible, undecided;
};

static struct tally *tally;

/* ---- one program ---- */

static void print_cycle(const struct subject *one, enum model m,
                        const struct cycle *c, const char *what)
{
    char text[256];

    cycle_text(c, text, sizeof text);
    fprintf(stderr, "%s: %s: %s: %s, at lines", one->program->name,
            model_names[m], text, what);
    for (size_t i = 0; i < c->length; i++)
        fprintf(stderr, " %u",
                one->program->threads[cycle_thread(c->nodes[i])]
                    .ops[cycle_op(c->nodes[i])]
                    .line);
    fputc('\n', stderr);
}

/* Tells of each cycle that is in a, and in b or not as `in` says; how many. */
static unsigned differ(const struct subject *one, enum model m,
                       const struct cycles *a, const struct cycles *b, bool in,
                       const char *what)
{
    unsigned count = 0;

    for (size_t i = 0; i < a->count; i++) {
        if (cycles_have(b, &a->list[i]) != in)
            continue;
        print_cycle(one, m, &a->list[i], what);
        count++;
    }
    return count;
}

static bool compare_model(const struct subject *one, enum model m,
                          const struct cycles *known,
                          const struct verdicts *said)
{
    const struct cycles *by_class = said->cycles[m];
    unsigned infeasible =
        differ(one, m, &by_class[INFEASIBLE], known, true, "called infeasible");
    unsigned extra = differ(one, m, &by_class[CONFIRMED], known, false,
                            "confirmed, and no execution has it");
    unsigned open = differ(one, m, &by_class[UNDECIDED], known, true,
                           "undecided, and feasible") +
                    differ(one, m, &by_class[UNDECIDED], known, false,
                           "undecided, and infeasible");
    unsigned missing = 0;

    for (size_t i = 0; i < known->count; i++) {
        bool told = false;

        for (int k = 0; k < CLASS_COUNT; k++)
            told |= cycles_have(&by_class[k], &known->list[i]);
        if (!told)
            print_cycle(one, m, &known->list[i], "not predicted");
        missing += !told;
    }
    tally->feasible += (unsigned)known->count;
    tally->missing += missing;
    tally->extra += extra;
    tally->wrongly_infeasible += infeasible;
    tally->undecided += open;
    return !(infeasible || extra || open || missing);
}

bool compare_cycles_of(const struct tool *t, const struct subject *one)
{
    struct cycles known[MODEL_COUNT] = {0};
    struct verdicts said = {0};
    char out[MAX_PATH], error[512] = "";
    bool whole = true, ok;

    for (int m = 0; m < MODEL_COUNT; m++)
        whole = whole && cycles_of_program(one->program, (enum model)m, &wish,
                                           &known[m]);
    tally->programs++;
    tally->left_out += !whole;
    snprintf(out, sizeof out, "%s/%s.out", t->scratch, t->tag);
    ok = !whole || tool_test(t, one->binary, one->argument, out);
    if (ok && whole) {
        ok = verdicts_read(&said, out, one->program, one->source, error,
                           sizeof error);
        if (!ok)
            fprintf(stderr, "%s: %s\n", one->program->name, error);
        for (int m = 0; !error[0] && m < MODEL_COUNT; m++)
            ok &= compare_model(one, (enum model)m, &known[m], &said);
    }
    for (int m = 0; m < MODEL_COUNT; m++)
        cycles_free(&known[m]);
    verdicts_free(&said);
    return ok;
}

/* ---- random programs ---- */

/* BATCH_SIZE programs in one file, since compiling costs more than the rest. */
struct random_batches {
    const struct tool *tool;
    uint64_t seed;
    size_t count;
    enum family only; /* ALL_FAMILIES: all of `families` */
};

static bool has_cycle(const struct program *p)
{
    struct cycles all = {0};
    bool has = cycles_of_program(p, PSLO, &wish, &all) && all.count;

    cycles_free(&all);
    return has;
}

static bool deadlocks(const struct program *p)
{
    struct options none = {0};
    struct enumerated e;
    bool stuck;

    enumerate(&e, p, PSLO, &none, 0);
    stuck = e.stuck;
    outcomes_free(&e.outcomes);
    return stuck;
}

/* Rings often, since only they have cycles of more than five accesses. */
static const enum family families[] = {
    FAMILY_RINGS,   FAMILY_FENCES,  FAMILY_C11,        FAMILY_SIZES,
    FAMILY_RINGS,   FAMILY_BRANCH,  FAMILY_LOCKS,      FAMILY_THREADS,
    FAMILY_RINGS,   FAMILY_BLOCKS,  FAMILY_SEMAPHORES, FAMILY_SEQ_CST,
    FAMILY_GUARDED, FAMILY_SEQLOCKS};

enum { TURN = sizeof families / sizeof *families, SLOW = 10 };

/* Batches of semaphores take as long as ten others: those first, or one of them
 * is the last and runs alone. */
static size_t number_of_batch(size_t i, size_t count)
{
    size_t slow = (count + TURN - 1 - SLOW) / TURN, rest = i - slow;

    if (i < slow)
        return i * TURN + SLOW;
    return rest / (TURN - 1) * TURN + rest % (TURN - 1) +
           (rest % (TURN - 1) >= SLOW);
}

/* Two in three have a cycle on some model, where the family can. */
static void fill(struct program *list, enum family family, uint64_t seed)
{
    unsigned least = family == FAMILY_SEQLOCKS ? 9
                     : family == FAMILY_RINGS  ? 6
                                               : 5;
    bool only_sc = family == FAMILY_SEQ_CST || family == FAMILY_GUARDED;
    struct random r = {seed};

    for (unsigned i = 0; i < BATCH_SIZE;) {
        generate(&list[i], family, least + i % 3, i, &r);
        if (!deadlocks(&list[i]) &&
            (i % 3 == 0 || only_sc || has_cycle(&list[i])))
            i++;
    }
}

static bool random_batch(size_t at, void *context)
{
    struct random_batches *all = context;
    size_t i = number_of_batch(at, all->count);
    enum family family =
        all->only < ALL_FAMILIES ? all->only : families[i % TURN];
    struct program *list = calloc(BATCH_SIZE, sizeof *list);
    struct tool tool = *all->tool;
    char name[MAX_NAME], source[MAX_PATH], binary[MAX_PATH], error[256] = "";
    struct programs read;
    bool compiled, ok;

    REQUIRE(list, "out of memory");
    fill(list, family, all->seed + i);
    snprintf(name, sizeof name, "%s-%zu", family_names[family], i);
    compiled =
        files_compile_batch(&tool, name, list, BATCH_SIZE, source, binary);
    ok = compiled;
    REQUIRE(parse_file(source, &read, error, sizeof error), "%s: %s", source,
            error);
    tool.tag = name;
    for (unsigned k = 0; compiled && k < BATCH_SIZE; k++) {
        struct program *p = &read.list[k];
        char argument[16];
        struct subject one = {p, source, binary, argument};

        snprintf(argument, sizeof argument, "%u", k);
        snprintf(p->name, sizeof p->name, "%.20s:%u", name, k);
        ok &= compare_cycles_of(&tool, &one);
    }
    programs_free(&read);
    free(list);
    unlink(binary);
    return ok;
}

/* ---- all ---- */

void compare_cycles_begin(void)
{
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(tally != MAP_FAILED, "cannot map memory");
}

unsigned compare_cycles_end(void)
{
    bool too_many = 20 * tally->left_out > tally->programs;

    printf("%u programs, %u left out; %u cycles on a model: %u missing, "
           "%u called infeasible, %u undecided; %u confirmed that are none\n",
           tally->programs, tally->left_out, tally->feasible, tally->missing,
           tally->wrongly_infeasible, tally->undecided, tally->extra);
    munmap(tally, sizeof *tally);
    return too_many;
}

unsigned compare_cycles(const struct tool *tool, size_t count, uint64_t seed,
                        const char *family)
{
    struct random_batches r = {
        tool, seed, (count + BATCH_SIZE - 1) / BATCH_SIZE, family_find(family)};
    unsigned failed;

    compare_cycles_begin();
    failed = check_parallel(r.count, WORKERS, random_batch, &r);
    return failed + compare_cycles_end();
}
