/* SPDX-License-Identifier: MIT
 *
 * Machine and axioms, written apart, give the same outcomes: on the litmus
 * tests the axioms speak of, and on random programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "enumerate.h"
#include "generate.h"
#include "parse.h"
#include "print.h"

/* Number of models compared; fails on a difference. */
static unsigned compare(const struct program *p, unsigned max_events)
{
    static const struct options none;
    unsigned compared = 0;

    for (int m = 0; m < MODEL_COUNT; m++) {
        struct enumerated machine;
        struct outcomes axioms;

        if (!axioms_outcomes(&axioms, p, (enum model)m, max_events))
            continue;
        enumerate(&machine, p, (enum model)m, &none, 0);
        if (!outcomes_equal(&axioms, &machine.outcomes)) {
            print_litmus(stderr, p);
            fail_msg("%s: %s: axioms have %zu outcomes, the machine %zu",
                     p->name, model_names[m], axioms.count,
                     machine.outcomes.count);
        }
        outcomes_free(&axioms);
        outcomes_free(&machine.outcomes);
        compared++;
    }
    return compared;
}

static void random_programs(enum family family, uint64_t seed)
{
    const char *wish = getenv("FENCER_LONG");
    unsigned count = wish && !strcmp(wish, "1") ? 30000 : 2000, compared = 0;
    struct random r = {seed};

    for (unsigned i = 0; i < count; i++) {
        struct program p;

        generate(&p, family, 4 + i % 4, i, &r);
        compared += compare(&p, 8);
    }
    assert_int_equal(compared, MODEL_COUNT * count);
}

static void fences_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_FENCES, 1);
}

static void c11_orders_agree(void **state)
{
    (void)state;
    random_programs(FAMILY_C11, 2);
}

static void litmus_tests_agree(void **state)
{
    static const char *const names[] = {
        "sb",        "mp",       "iriw",    "isa2",
        "wrc",       "rwc",      "z6.4",    "4.sb",
        "3.2w",      "n6",       "corr2",   "sb+third-xchg",
        "sb+rmw-sl", "mp+xchg",  "inc+inc", "mp+failed-cas-rel",
        "cas+cas",   "corr+own", "sb+rfi",  "mp+ss+store+sl",
        "plain-incs"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct programs found;
        char path[512], error[256] = "";

        snprintf(path, sizeof path, "%s/%s.c", LITMUS_DIR, names[i]);
        if (!parse_file(path, &found, error, sizeof error))
            fail_msg("%s: %s", path, error);
        assert_int_equal(compare(&found.list[0], 9), MODEL_COUNT);
        programs_free(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fences_agree),
        cmocka_unit_test(c11_orders_agree),
        cmocka_unit_test(litmus_tests_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
