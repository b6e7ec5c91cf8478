/* SPDX-License-Identifier: MIT
 *
 * encode_serial [-DNAME] FILE.c TEST...: the observations of each test's serial
 * executions, once by the formula on the model "serial", once by running them
 * (src/check/serial): the same set?
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode/encode.h"
#include "lower/lower.h"
#include "serial/serial.h"

/* The unrolled test with bounds that no serial execution goes beyond. */
static struct encoding *encode(const struct lsl_program *p,
                               const struct test *t, struct arena *a,
                               struct err *e)
{
    struct encode_options options = {.serial = true};
    struct flat_bounds *bounds = flat_bounds_new();

    for (;;) {
        struct flat *f = arena_alloc(a, sizeof *f);
        struct encoding *x;
        uint64_t *keys;
        size_t n;

        if (!flat_unroll(p, t, LSL_NONE, bounds, a, f, e))
            return NULL;
        x = encode_new(f, &model_sc, &options, e);
        if (!x)
            return NULL;
        while (encode_ask(x, ASK_BOUND, NULL, NULL) == ANSWER_YES)
            ;
        n = encode_beyond(x, a, &keys);
        if (n == 0) {
            flat_bounds_free(bounds);
            return x;
        }
        for (size_t i = 0; i < n; i++)
            flat_bounds_grow(bounds, keys[i]);
        encode_free(x);
    }
}

/* How many solutions there are, or 0: one is not in the set. */
static size_t count(struct encoding *x, const struct observation_set *set,
                    struct arena *a)
{
    size_t n = 0;

    while (encode_ask(x, ASK_ANY, NULL, NULL) == ANSWER_YES) {
        struct encode_found found;
        int64_t values[64];

        encode_found(x, a, &found);
        for (uint32_t i = 0; i < set->width; i++)
            values[i] = (int64_t)found.observation[i].bits;
        if (!observations_contain(set, values))
            return 0;
        encode_allow(x, found.observation);
        n++;
    }
    return n;
}

static bool compare(const struct lsl_program *p, const char *name,
                    struct arena *a, struct err *e)
{
    struct serial_options options = {.max = 20000};
    struct serial_failure failure;
    struct observation_set set;
    struct encoding *x;
    struct test t;
    size_t n;

    if (!lsl_parse_test(p, name, a, &t, e))
        return false;
    if (serial_mine(p, &t, &options, a, &set, &failure, e) != SERIAL_DONE)
        return false;
    x = encode(p, &t, a, e);
    if (!x)
        return false;
    n = set.width <= 64 ? count(x, &set, a) : 0;
    encode_free(x);
    printf("%s: %zu observations mined, %zu by the formula\n", name, set.count,
           n);
    return n == set.count || err_set(e, "they differ");
}

int main(int argc, char **argv)
{
    const char *cflags = argc > 1 && argv[1][0] == '-' ? *++argv : NULL;
    const char *file = *++argv;
    struct arena a = ARENA_INIT;
    struct lsl_program p;
    struct err e;

    if (!file || lower_sources(&file, 1, cflags, &a, &p, &e) != LOWER_DONE) {
        fprintf(stderr, "encode_serial: %s\n", file ? e.text : "no file");
        return 2;
    }
    while (*++argv) {
        if (!compare(&p, *argv, &a, &e)) {
            fprintf(stderr, "%s %s: %s\n", file, *argv, e.text);
            return 1;
        }
    }
    arena_free(&a);
    return 0;
}
