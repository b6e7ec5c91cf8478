/* SPDX-License-Identifier: MIT
 *
 * fencer report [DIR]: the findings kept in a folder, again, from their files.
 */
#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/tell.h"
#include "finding/gate.h"

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

static bool list(const char *dir, struct buf *numbers, struct err *e)
{
    DIR *d = opendir(dir);

    if (!d)
        return err_set(e, "%s: %s", dir, strerror(errno));
    for (const struct dirent *f = readdir(d); f; f = readdir(d)) {
        uint64_t n = number_of(f->d_name);

        if (n)
            buf_add(numbers, &n, sizeof(n));
    }
    closedir(d);
    if (numbers->count)
        qsort(numbers->bytes, numbers->count / sizeof(uint64_t),
              sizeof(uint64_t), by_number);
    return true;
}

static bool load_all(const char *dir, const uint64_t *numbers, size_t count,
                     struct arena *a, struct report *r, struct err *e)
{
    struct shown *all = arena_array(a, count, sizeof(*all));
    const struct shown **findings = arena_array(a, count, sizeof(*findings));

    for (size_t i = 0; i < count; i++) {
        const char *path = arena_printf(a, "%s/finding-%llu.json", dir,
                                        (unsigned long long)numbers[i]);

        if (!gate_read(path, a, &all[i], e))
            return false;
        all[i].replay = gate_command(path, &all[i], a);
        findings[i] = &all[i];
        r->program = all[i].finding.program;
    }
    r->findings = findings;
    r->finding_count = count;
    return true;
}

static int report_folder(const char *dir, const struct options *o,
                         struct err *e)
{
    struct arena a = ARENA_INIT;
    struct buf numbers = {0};
    struct report r = {.command = "report", .program = "", .strict = true};
    int code = EXIT_USAGE;

    if (list(dir, &numbers, e) &&
        load_all(dir, (const uint64_t *)(const void *)numbers.bytes,
                 numbers.count / sizeof(uint64_t), &a, &r, e)) {
        if (r.finding_count == 0 && !o->quiet)
            printf("no findings in %s\n", dir);
        if (tell_report(&r, o, e))
            code = report_exit_code(&r);
        else
            code = EXIT_UNFINISHED;
    }
    buf_free(&numbers);
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
