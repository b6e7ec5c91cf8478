/* SPDX-License-Identifier: MIT
 *
 * Machine and axioms, written apart, give the same outcomes: on the litmus
 * tests, and on random programs of every family the axioms speak of.  Relaxed
 * has no machine: it must allow all that PSLO does, and have the verdicts that
 * are known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "enumerate.h"
#include "generate.h"
#include "parse.h"
#include "print.h"

static _Noreturn void differ(const struct program *p, enum model m,
                             const char *what, size_t have, size_t want)
{
    print_litmus(stderr, p);
    fail_msg("%s: %s: %s: axioms have %zu outcomes, the machine %zu", p->name,
             model_names[m], what, have, want);
    abort();
}

/* Creating a thread is a full fence on Relaxed, and less on PSLO
 * (docs/models.md): no inclusion there. */
static bool starts_threads(const struct program *p)
{
    for (size_t t = 0; t < p->thread_count; t++)
        if (!p->threads[t].started)
            return true;
    return false;
}

/* Fails on a difference; false if the axioms do not speak of the program. */
static bool compare(const struct program *p)
{
    static const struct options none;
    struct enumerated machine;
    struct outcomes axioms;

    for (int m = 0; m < MODEL_COUNT; m++) {
        if (!axioms_outcomes(&axioms, p, (enum model)m))
            return false;
        enumerate(&machine, p, (enum model)m, &none, 0);
        if (!outcomes_equal(&axioms, &machine.outcomes))
            differ(p, (enum model)m, "not the same", axioms.count,
                   machine.outcomes.count);
        outcomes_free(&axioms);
        if (m < PSLO)
            outcomes_free(&machine.outcomes);
    }
    if (!axioms_outcomes(&axioms, p, CHECKFENCE))
        return false;
    if (!starts_threads(p) && !outcomes_within(&machine.outcomes, &axioms))
        differ(p, CHECKFENCE, "not within", axioms.count,
               machine.outcomes.count);
    outcomes_free(&axioms);
    outcomes_free(&machine.outcomes);
    return true;
}

/* Compares many programs; at least `part` percent of them must be ones that
 * the axioms speak of. */
static void random_programs(enum family family, unsigned count, unsigned part)
{
    const char *wish = getenv("FENCER_LONG");
    struct random r = {(uint64_t)family + 1};
    unsigned compared = 0;

    if (wish && !strcmp(wish, "1"))
        count *= 15;
    for (unsigned i = 0; i < count; i++) {
        struct program p;

        generate(&p, family, 4 + i % 4, i, &r);
        compared += compare(&p);
    }
    assert_true(100 * compared >= part * count);
}

static void fences_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_FENCES, 2000, 100);
}

static void c11_orders_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_C11, 2000, 98);
}

static void branches_and_choices_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_BRANCH, 500, 100);
    random_programs(FAMILY_CHOICES, 500, 100);
}

static void locks_and_semaphores_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_LOCKS, 500, 100);
    random_programs(FAMILY_SEMAPHORES, 100, 50);
}

static void threads_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_THREADS, 1000, 100);
}

static void blocks_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_BLOCKS, 1500, 10);
}

static void awaits_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_AWAITS, 500, 100);
}

static void dependent_values_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_DEPENDENT, 500, 95);
}

static void addresses_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_ADDRESSES, 500, 70);
}

static struct program litmus(const char *name)
{
    struct programs found;
    struct program p;
    char path[512], error[256] = "";

    snprintf(path, sizeof path, "%s/%s", LITMUS_DIR, name);
    if (!parse_file(path, &found, error, sizeof error))
        fail_msg("%s: %s", path, error);
    p = found.list[0];
    programs_free(&found);
    return p;
}

/* All but those with accesses that overlap without being equal. */
static void litmus_tests_agree(void **state)
{
    DIR *folder = opendir(LITMUS_DIR);
    struct dirent *e;
    unsigned compared = 0, left_out = 0;

    (void)state;
    assert_non_null(folder);
    while ((e = readdir(folder))) {
        size_t length = strlen(e->d_name);
        struct program p;

        if (length < 3 || strcmp(e->d_name + length - 2, ".c"))
            continue;
        p = litmus(e->d_name);
        if (compare(&p))
            compared++;
        else
            left_out++;
    }
    closedir(folder);
    printf("%u litmus tests compared, %u left out\n", compared, left_out);
    assert_true(compared >= 150);
    assert_true(left_out <= 30);
}

/* docs/models.md, "Classical verdicts", the last column. */
static void relaxed_has_the_classical_verdicts(void **state)
{
    static const struct {
        const char *name;
        bool allowed;
    } rows[] = {{"sb.c", true},
                {"r.c", true},
                {"rwc.c", true},
                {"mp.c", true},
                {"s.c", true},
                {"2+2w.c", true},
                {"isa2.c", true},
                {"wrc.c", true},
                {"iriw.c", true},
                {"lb.c", true},
                {"corr.c", true},
                {"2+2w+sss.c", false},
                {"cowr.c", false},
                {"corw2.c", false},
                {"corr+rlx.c", false},
                /* Fig. 2 of the paper. */
                {"iriw+lls.c", false},
                /* Dependencies order nothing ... */
                {"mp+ss+addr.c", true},
                {"s+ss+ctrl.c", true},
                /* ... but no value depends on itself. */
                {"lb+ctrl.c", false},
                {"lb+data.c", false},
                {"lb+ctrl-behind.c", true},
                {"atomic+sb-ll.c", true},
                /* C11's release and acquire. */
                {"mp+rel+acq.c", false},
                {"s+rel+acq.c", false},
                {"isa2+rel+acq.c", false},
                {"sb+rel+acq.c", true},
                {"sb+sc.c", false},
                {"iriw+sc.c", false},
                {"lb+rlx.c", true},
                {"lock+sb.c", false},
                {"sem+mp.c", false}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program p = litmus(rows[i].name);
        struct outcomes o;

        assert_true(axioms_outcomes(&o, &p, CHECKFENCE));
        if ((outcomes_verdict(&p, &o) != NEVER) != rows[i].allowed)
            fail_msg("%s", rows[i].name);
        outcomes_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relaxed_has_the_classical_verdicts),
        cmocka_unit_test(litmus_tests_agree),
        cmocka_unit_test(fences_agree),
        cmocka_unit_test(c11_orders_agree),
        cmocka_unit_test(branches_and_choices_agree),
        cmocka_unit_test(locks_and_semaphores_agree),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(blocks_agree),
        cmocka_unit_test(awaits_agree),
        cmocka_unit_test(dependent_values_agree),
        cmocka_unit_test(addresses_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
