/* SPDX-License-Identifier: MIT
 *
 * fencer report [DIR]: the findings kept in a folder, again, from their files.
 */
#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/vec.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/tell.h"
#include "finding/gate.h"

struct numbers {
    VEC(uint64_t);
};

/* The N of "finding-N.json", or 0. */
static uint64_t number_of(const char *name)
{
    char digits[24];
    uint64_t n;
    size_t length = strlen(name);

    if (strncmp(name, "finding-", 8) != 0 || length <= 13 ||
        strcmp(name + length - 5, ".json") != 0 ||
        length - 13 >= sizeof(digits))
        return 0;
    memcpy(digits, name + 8, length - 13);
    digits[length - 13] = '\0';
    return words_number(digits, 1, UINT32_MAX, &n) ? n : 0;
}

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return (a > b) - (a < b);
}

static bool list(const char *dir, struct numbers *numbers, struct err *e)
{
    DIR *d = opendir(dir);

    if (!d)
        return err_set(e, "%s: %s", dir, strerror(errno));
    for (const struct dirent *f = readdir(d); f; f = readdir(d)) {
        uint64_t n = number_of(f->d_name);

        if (n)
            VEC_PUSH(numbers, n);
    }
    closedir(d);
    if (numbers->count)
        qsort(numbers->list, numbers->count, sizeof(uint64_t), by_number);
    return true;
}

/* All that can be read; each of the others is one limit. */
static void load_all(const char *dir, const struct numbers *numbers,
                     struct arena *a, struct report *r, struct lines *limits)
{
    const struct shown **findings =
        arena_array(a, numbers->count, sizeof(*findings));

    r->findings = findings;
    for (size_t i = 0; i < numbers->count; i++) {
        struct shown *s = arena_alloc(a, sizeof(*s));
        const char *path = arena_printf(a, "%s/finding-%" PRIu64 ".json", dir,
                                        numbers->list[i]);
        struct err e;

        if (!gate_read(path, a, s, &e)) {
            lines_add(limits, "a finding that cannot be read: %s", e.text);
            continue;
        }
        s->replay = gate_command(path, s, a);
        findings[r->finding_count++] = s;
        r->program = s->finding.program;
    }
    r->limits = limits->list;
    r->limit_count = limits->count;
}

static bool tell_none(const char *dir, const struct options *o, struct err *e)
{
    struct buf text = {0};
    bool ok;

    buf_printf(&text, "no findings in %s\n", dir);
    ok = o->quiet || tell_is_elsewhere(o) || tell_text(&text, e);
    buf_free(&text);
    return ok;
}

static int report_folder(const char *dir, const struct options *o,
                         struct err *e)
{
    struct arena a = ARENA_INIT;
    struct lines limits = {.arena = &a};
    struct numbers numbers = {0};
    struct report r = {.command = "report",
                       .program = "",
                       .strict = true,
                       .fail_on = (enum fail_on)o->fail_on};
    int code = EXIT_USAGE;

    if (tell_can(o, &a, e) && list(dir, &numbers, e)) {
        load_all(dir, &numbers, &a, &r, &limits);
        r.unfinished = limits.count > 0;
        code = report_exit_status(&r);
        if ((!r.finding_count && !tell_none(dir, o, e)) ||
            !tell_report(&r, o, e))
            code = EXIT_UNFINISHED;
    }
    VEC_FREE(&numbers);
    arena_free(&a);
    return code;
}

int cmd_report(struct options *o, struct err *e)
{
    if (o->operand_count > 1) {
        err_set(e, "report takes one folder");
        return EXIT_USAGE;
    }
    return report_folder(
        o->operand_count ? o->operands[0] : options_initial("out"), o, e);
}
