/* SPDX-License-Identifier: MIT
 *
 * flat_dump [--quiet] [--grow N] [--cflags FLAGS] FILE.c [TEST]: a test, or
 * main, unrolled, as text.  --grow unrolls anew, N times, with each loop that
 * was cut at its bound allowed one round more.  --quiet prints numbers only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "flat_text.h"
#include "lower/lower.h"

struct options {
    bool quiet;
    int grow;
    const char *cflags, *file, *test;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void put_numbers(const struct flat *f, double seconds)
{
    unsigned accesses = 0, bound = 0;

    for (uint32_t i = 0; i < f->event_count; i++)
        accesses += f->events[i].kind <= FLAT_STORE;
    for (uint32_t i = 0; i < f->cut_count; i++)
        bound += f->cuts[i].kind == CUT_BOUND;
    printf("%u instructions, %u accesses, %u values, %u errors, %u cuts "
           "(%u at a bound), %.2f ms\n",
           f->instruction_count, accesses, f->value_count, f->error_count,
           f->cut_count, bound, seconds * 1e3);
}

static bool unroll(const struct lsl_program *p, const struct test *test,
                   struct options o, struct arena *a, struct flat *f,
                   struct err *e)
{
    struct flat_bounds *bounds = flat_bounds_new();
    bool good = true;

    for (int i = 0; good && i <= o.grow; i++) {
        double start = now();

        good = flat_unroll(p, test, p->main, bounds, a, f, e);
        if (good && o.quiet)
            put_numbers(f, now() - start);
        for (uint32_t k = 0; good && k < f->cut_count; k++)
            if (f->cuts[k].kind == CUT_BOUND)
                flat_bounds_grow(bounds, f->cuts[k].key);
    }
    flat_bounds_free(bounds);
    return good;
}

static bool dump(struct options o, struct arena *a, struct err *e)
{
    struct lsl_program p;
    struct test test;
    struct flat f;
    struct buf out = {0};

    if (lower_sources(&o.file, 1, o.cflags, a, &p, e) != LOWER_DONE)
        return false;
    if (o.test && !lsl_parse_test(&p, o.test, a, &test, e))
        return false;
    if (!o.test && p.main == LSL_NONE)
        return err_set(e, "neither a test nor main");
    if (!unroll(&p, o.test ? &test : NULL, o, a, &f, e))
        return false;
    if (!o.quiet) {
        flat_put(&f, &out);
        fwrite(out.bytes, 1, out.count, stdout);
        buf_free(&out);
    }
    return true;
}

int main(int argc, char **argv)
{
    struct options o = {0};
    struct arena a = ARENA_INIT;
    struct err e;
    int at = 1;
    bool good;

    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "--quiet") == 0)
            o.quiet = true;
        else if (strcmp(argv[at], "--grow") == 0 && at + 1 < argc)
            o.grow = atoi(argv[++at]);
        else if (strcmp(argv[at], "--cflags") == 0 && at + 1 < argc)
            o.cflags = argv[++at];
    }
    o.file = at < argc ? argv[at] : "";
    o.test = at + 1 < argc ? argv[at + 1] : NULL;
    good = dump(o, &a, &e);
    if (!good)
        printf("%s\n", e.text);
    arena_free(&a);
    return good ? 0 : 3;
}
