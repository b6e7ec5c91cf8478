/* SPDX-License-Identifier: MIT
 *
 * fencer suite: the tests that a project's fencer.toml lists, a line each.
 */
#include "cmd/suite.h"

#include <string.h>

#include "cmd/cmd.h"
#include "cmd/tell.h"

struct telling {
    const struct options *options;
    size_t width, passed;
    bool failed; /* to write */
    struct err *e;
};

static void put_replay(const struct suite *s, const struct suite_test *t,
                       size_t column, struct buf *out)
{
    const json_t *finding =
        json_array_get(json_object_get(t->answer, "findings"), 0);
    const char *replay = json_string_value(json_object_get(finding, "replay"));

    if (!replay || t->verdict != SUITE_FAIL)
        return;
    buf_pad(out, ' ', column);
    if (*s->folder)
        buf_printf(out, "cd %s && ", s->folder);
    buf_printf(out, "%s\n", replay);
}

/* "ok    sb         fails, as expected" */
static void put_test(const struct suite *s, const struct suite_test *t,
                     size_t width, struct buf *out)
{
    const char *word = !t->why ? "ok    " : t->ran ? "FAIL  " : "      ";
    const char *why = t->why;

    buf_printf(out, "%s%-*s  ", word, (int)width, t->name);
    if (!why)
        why = t->verdict == SUITE_PASS   ? "passes"
              : t->verdict == SUITE_FAIL ? "fails, as expected"
                                         : "unknown, as expected";
    for (; *why; why++) {
        buf_putc(out, *why);
        if (*why == '\n')
            buf_pad(out, ' ', strlen(word) + width + 2);
    }
    buf_putc(out, '\n');
    if (t->why)
        put_replay(s, t, strlen(word) + width + 2, out);
}

static void tell_test(const struct suite *s, struct suite_test *t, void *arg)
{
    struct telling *tell = arg;
    struct buf text = {0};

    tell->passed += !t->why;
    if (tell->options->quiet || tell_is_elsewhere(tell->options))
        return;
    put_test(s, t, tell->width, &text);
    if (tell->options->github && t->why) /* what a program says */
        tell_enclose(&text);
    tell->failed = !tell_text(&text, tell->e) || tell->failed;
    buf_free(&text);
}

static size_t name_width(const struct suite *s)
{
    size_t width = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (strlen(s->list[i].name) > width)
            width = strlen(s->list[i].name);
    }
    return width;
}

static bool tell_sum(const struct suite *s, const struct telling *tell,
                     struct err *e)
{
    struct buf text = {0};
    bool ok;

    buf_printf(&text, "%zu passed, %zu failed\n", tell->passed,
               s->count - tell->passed);
    ok = tell->options->quiet || tell_is_elsewhere(tell->options) ||
         tell_text(&text, e);
    buf_free(&text);
    return ok;
}

static int run_suite(struct suite *s, const struct options *o, struct err *e)
{
    struct telling tell = {.options = o, .width = name_width(s), .e = e};

    if (!suite_run(s, o, tell_test, &tell, e) || !tell_sum(s, &tell, e) ||
        tell.failed || !suite_tell(s, o, e))
        return EXIT_UNFINISHED;
    return (int)suite_exit_code(s);
}

int cmd_suite(struct options *o, struct err *e)
{
    struct arena a = ARENA_INIT;
    struct suite s = {.arena = &a};
    int code = EXIT_USAGE;

    if (o->operand_count > 1)
        err_set(e, "suite takes one filter");
    else if (tell_can(o, &a, e) && suite_read(&s, o->file, e) &&
             (!o->operand_count || suite_filter(&s, o->operands[0], e)))
        code = run_suite(&s, o, e);
    for (size_t i = 0; i < s.count; i++) {
        json_decref(s.list[i].answer);
        json_decref(s.list[i].sarif);
    }
    arena_free(&a);
    return code;
}
