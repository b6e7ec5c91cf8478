/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a test in the paper's notation.  What is accepted has as many
 * calls as it names.
 */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "lsl/lsl_test.h"

static struct lsl_operation operations[] = {{"e", 0},  {"d", 1}, {"al", 2},
                                            {"ar", 3}, {"a", 4}, {"(", 5}};
static struct lsl_test tests[] = {{"T0", "( e | d )", 1}};

static void use(const struct lsl_program *p, const struct test_thread *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        CHECK(t->calls[i].operation < p->operation_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const struct lsl_program p = {.operations = operations,
                                  .operation_count = 6,
                                  .tests = tests,
                                  .test_count = 1};
    struct arena a = ARENA_INIT;
    struct test t;
    struct err e;
    const char *text = arena_copy_n(&a, (const char *)bytes, n);

    if (lsl_parse_test(&p, text, &a, &t, &e)) {
        CHECK(t.thread_count > 0);
        use(&p, &t.init);
        for (uint32_t i = 0; i < t.thread_count; i++) {
            CHECK(t.threads[i].count > 0);
            use(&p, &t.threads[i]);
        }
    }
    arena_free(&a);
    return 0;
}
