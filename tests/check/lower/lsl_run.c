/* SPDX-License-Identifier: MIT
 *
 * lsl_run FILE.c: what operation x of the file observes when it runs alone,
 * one value a line, as computed by src/check/serial from what src/check/lower
 * wrote.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "lower/lower.h"
#include "lsl/lsl_test.h"
#include "serial/serial.h"

static bool run(const char *source, struct arena *a, struct err *e)
{
    const struct serial_options options = {.max = 2};
    struct observation_set seen = {0};
    struct serial_failure failure = {0};
    struct lsl_program program;
    struct test test;

    if (lower_sources(&source, 1, "-w", a, &program, e) != LOWER_DONE ||
        !lsl_check(&program, e) || !lsl_parse_test(&program, "x", a, &test, e))
        return false;
    if (serial_mine(&program, &test, &options, a, &seen, &failure, e) !=
        SERIAL_DONE) {
        for (uint32_t i = 0; i < failure.so_far.width; i++)
            printf("%" PRId64 "\n", failure.so_far.values[i]);
        return false;
    }
    if (seen.count != 1)
        return err_set(e, "%zu observations", seen.count);
    for (uint32_t i = 0; i < seen.width; i++)
        printf("%" PRId64 "\n", seen.values[i]);
    return true;
}

int main(int argc, char **argv)
{
    struct arena a = ARENA_INIT;
    struct err e = {""};
    bool ok = argc == 2 && run(argv[1], &a, &e);

    if (!ok)
        printf("%s\n", e.text);
    arena_free(&a);
    return !ok;
}
