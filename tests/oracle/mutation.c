/* SPDX-License-Identifier: MIT
 *
 * Is the oracle awake?  A runtime built with -DFENCER_MUTANT breaks one rule
 * of one model at a time, by the number in the environment.  With number 0
 * every comparison must hold, with every other number some must fail.
 *
 * Broken rules allow too much or too little; all executions are run, so that
 * either shows.
 */
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parse.h"

enum { MAX_PATH = 512, WORKERS = 2 };

/* Litmus tests that together lean on every rule; those first that notice
 * most. */
static const char *const names[] = {
    "sb+sls",
    "sb+rfi",
    "mp+rel+acq",
    "sb+third-xchg-ar",
    "mp+fences",
    "mp+arfences",
    "sb+sc-stores",
    "sb+scfences",
    "create+order",
    "join+both",
    "sem+try-ss",
    "corr",
    "coww",
    "mp",
    "mp+ss+po",
    "sb+mfences",
    "sb+third-xchg",
    "sb+failed-cas-own",
    "sb+rmw-ll",
    "mp+xchg-rel",
    "sb+third-xchg-sc",
    "lock+unlock-orders",
    "lock+sb-behind",
    "lock+between-loads",
    "sem+mp",
    "atomic+own",
    "atomic+halves",
    "atomic+corr",
    "atomic+load-ss",
    "sem+sl-after-post",
    "lock+try-drains",
    "mp+read-xchg-acq",
    "mp+read-failed-cas-acq",
    "sb",
    "sb+sl-other",
    "sb+failed-cas",
    "sb+failed-cas-sc",
    "sb+rmw-sl",
    "mp+sc-flag",
    "mp+ss-early",
    "mp+one-ss",
    "mp+sl+load+ll",
    "mp+ss+store+sl",
    "n6",
    "2+2w+rels",
    "own-store+inc",
    "sizes+forward",
    "sizes+forward-newest",
    "sizes+overlap-chain",
    "sizes+rmw-waits",
    "sizes+iriw-wide",
    "lock+inc",
    "create+start",
    "join+fresh",
    "join+exit-drains",
};
enum { NAME_COUNT = sizeof names / sizeof *names };

struct mutation {
    struct tool tool;
    int mutant;
    struct program programs[NAME_COUNT];
    char binaries[NAME_COUNT][MAX_PATH];
};

static bool build(size_t i, void *context)
{
    struct mutation *m = context;
    struct tool tool = m->tool;
    char source[MAX_PATH];

    tool.tag = names[i];
    snprintf(source, sizeof source, "%s/%s.c", tool.include, names[i]);
    return tool_compile(&tool, source, m->binaries[i]);
}

static void prepare(struct mutation *m)
{
    for (size_t i = 0; i < NAME_COUNT; i++) {
        struct programs found;
        char source[MAX_PATH], error[256];

        snprintf(source, sizeof source, "%s/%s.c", m->tool.include, names[i]);
        REQUIRE(parse_file(source, &found, error, sizeof error), "%s: %s",
                source, error);
        m->programs[i] = found.list[0];
        programs_free(&found);
        snprintf(m->binaries[i], MAX_PATH, "%s/%s.mutant.exe", m->tool.scratch,
                 names[i]);
    }
    REQUIRE(!check_parallel(NAME_COUNT, WORKERS, build, m),
            "the mutants cannot be built");
}

/* The runtime says itself how many there are. */
static int count_mutants(const struct mutation *m)
{
    static const char text[] =
        "#include <fencer.h>\n"
        "#include <stdint.h>\n"
        "extern const uint32_t __fencer_mutant_count;\n"
        "int main(void)\n"
        "{\n"
        "    fencer_observe(\"mutants\", __fencer_mutant_count);\n"
        "    return 0;\n"
        "}\n";
    struct program p = {.name = "count", .observed_count = 1};
    struct engine_job job = {.model = "sc", .most = 1};
    struct engine_result result;
    struct engine *engine;
    struct outcomes seen;
    char source[MAX_PATH], binary[MAX_PATH], error[256];
    int count;
    FILE *f;

    strcpy(p.observed[0].label, "mutants");
    snprintf(source, sizeof source, "%s/count.c", m->tool.scratch);
    snprintf(binary, sizeof binary, "%s/count.exe", m->tool.scratch);
    f = fopen(source, "w");
    REQUIRE(f && fputs(text, f) >= 0 && !fclose(f), "%s: cannot be written",
            source);
    outcomes_init(&seen, 1);
    engine = engine_new(binary, NULL, -1);
    REQUIRE(
        tool_compile(&m->tool, source, binary) &&
            check_run(engine, &job, &p, &seen, &result, error, sizeof error) &&
            seen.count == 1,
        "this runtime has no mutants");
    engine_free(engine);
    count = (int)seen.values[0];
    outcomes_free(&seen);
    return count;
}

static bool holds(const struct mutation *m, size_t i, bool quiet)
{
    struct target target = {.program = &m->programs[i],
                            .binary = m->binaries[i],
                            .mutant = m->mutant,
                            .quiet = quiet};

    return check_program(&target);
}

/* True if no test notices the mutant. */
static bool survives(struct mutation *m, const char **killer)
{
    for (size_t i = 0; i < NAME_COUNT; i++)
        if (!holds(m, i, true)) {
            *killer = names[i];
            return false;
        }
    return true;
}

static bool try_mutant(size_t i, void *context)
{
    struct mutation *m = context;
    const char *killer = NULL;

    m->mutant = (int)i + 1;
    if (survives(m, &killer)) {
        fprintf(stderr, "mutant %d: nobody notices\n", m->mutant);
        return false;
    }
    printf("mutant %d: noticed by %s\n", m->mutant, killer);
    fflush(stdout);
    return true;
}

static bool holds_unbroken(size_t i, void *context)
{
    struct mutation *m = context;

    return holds(m, i, false);
}

unsigned compare_mutation(const struct tool *tool)
{
    struct mutation *m = calloc(1, sizeof *m);
    unsigned failed;
    int count;

    REQUIRE(m, "out of memory");
    m->tool = *tool;
    prepare(m);
    count = count_mutants(m);
    REQUIRE(count > 0, "this runtime has no mutants");
    failed = check_parallel(NAME_COUNT, WORKERS, holds_unbroken, m);
    printf("nothing broken: %u of %d tests fail\n", failed, NAME_COUNT);
    failed += check_parallel((size_t)count, WORKERS, try_mutant, m);
    printf("%d mutants, %u failures\n", count, failed);
    free(m);
    return failed;
}
