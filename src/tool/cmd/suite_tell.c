/* SPDX-License-Identifier: MIT
 *
 * A suite for machines: its tests as JSON, as JUnit's test cases, their logs as
 * one SARIF log, annotations and a summary for GitHub.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cmd/keep.h"
#include "cmd/suite.h"
#include "cmd/tell.h"
#include "report/github.h"
#include "report/junit.h"

/* ---- JSON ---- */

static json_t *expected_json(const struct suite_test *t)
{
    json_t *j;

    if (!t->model_count)
        return json_string(suite_word(t->expected));
    j = json_object();
    for (size_t i = 0; i < t->model_count; i++)
        json_object_set_new(j, t->models[i].model->name,
                            json_string(suite_word(t->models[i].verdict)));
    return j;
}

static json_t *test_json(const struct suite_test *t)
{
    json_t *j = json_pack("{s:s, s:s, s:I, s:o, s:b}", "name", t->name,
                          "command", t->command, "line", (json_int_t)t->line,
                          "expected", expected_json(t), "passed", !t->why);

    json_object_set_new(j, "verdict",
                        t->verdict == SUITE_NONE
                            ? json_null()
                            : json_string(suite_word(t->verdict)));
    json_object_set_new(j, "why", t->why ? json_text(t->why) : json_null());
    if (t->ran) {
        json_object_set_new(j, "exit_code", json_integer(t->code));
        json_object_set_new(j, "seconds", json_real(t->seconds));
    }
    json_object_set_new(j, "answer",
                        t->answer ? json_incref(t->answer) : json_null());
    return j;
}

static size_t count_passed(const struct suite *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->count; i++)
        n += !s->list[i].why;
    return n;
}

static json_t *suite_json(const struct suite *s)
{
    json_t *tests = json_array();
    size_t passed = count_passed(s);

    for (size_t i = 0; i < s->count; i++)
        json_array_append_new(tests, test_json(&s->list[i]));
    return json_pack("{s:s, s:s, s:o, s:I, s:I, s:o}", "fencer", FENCER_VERSION,
                     "command", "suite", "file", json_text(s->file), "passed",
                     (json_int_t)passed, "failed",
                     (json_int_t)(s->count - passed), "tests", tests);
}

/* ---- SARIF ---- */

/* Every relative URI below: from the current folder, not from that of the
 * file. */
static void move_uris(json_t *j, const char *folder, struct arena *a)
{
    const char *key;
    json_t *value;
    size_t i;

    if (json_is_array(j)) {
        json_array_foreach(j, i, value) move_uris(value, folder, a);
        return;
    }
    json_object_foreach(j, key, value)
    {
        const char *text = json_string_value(value);

        if (strcmp(key, "uri") == 0 && text && !strstr(text, "://"))
            json_object_set_new(
                j, key,
                json_text(arena_printf(a, "%s%s%s",
                                       *folder == '/' ? "file://" : "", folder,
                                       text)));
        else
            move_uris(value, folder, a);
    }
}

/* What is expected is no news: it is suppressed. */
static void suppress(json_t *run)
{
    json_t *results = json_object_get(run, "results"), *result;
    size_t i;

    json_array_foreach(results, i, result) json_object_set_new(
        result, "suppressions",
        json_pack("[{s:s, s:s, s:s}]", "kind", "external", "status", "accepted",
                  "justification", "the test is expected to fail"));
}

static json_t *sarif_json(const struct suite *s)
{
    json_t *runs = json_array(), *all = NULL;

    for (size_t i = 0; i < s->count; i++) {
        const struct suite_test *t = &s->list[i];
        json_t *run = json_deep_copy(
            json_array_get(json_object_get(t->sarif, "runs"), 0));

        if (!run)
            continue;
        if (*s->folder)
            move_uris(run, s->folder, s->arena);
        if (!t->why)
            suppress(run);
        json_object_set_new(
            run, "automationDetails",
            json_pack("{s:o}", "id",
                      json_string(
                          arena_printf(s->arena, "fencer/suite/%s", t->name))));
        json_array_append_new(runs, run);
        if (!all) {
            all = json_copy(t->sarif);
            json_object_set(all, "runs", runs);
        }
    }
    if (!all)
        all = json_pack("{s:s, s:O}", "version", "2.1.0", "runs", runs);
    json_decref(runs);
    return all;
}

/* ---- JUnit ---- */

static void put_junit(const struct suite *s, struct buf *out)
{
    struct junit_case *cases = arena_array(s->arena, s->count, sizeof(*cases));

    for (size_t i = 0; i < s->count; i++) {
        const struct suite_test *t = &s->list[i];
        bool known = t->verdict == SUITE_PASS || t->verdict == SUITE_FAIL;

        cases[i] = (struct junit_case){
            .name = t->name,
            .seconds = t->seconds,
            .end = !t->why   ? JUNIT_PASSED
                   : !t->ran ? JUNIT_SKIPPED
                   : known   ? JUNIT_FAILED
                             : JUNIT_ERROR,
            .type = suite_word(t->verdict),
            .message = t->why,
        };
    }
    junit_put("fencer suite", s->file, cases, s->count, NULL, out);
}

/* ---- GitHub ---- */

/* Findings at their lines; what has none at the line of the test. */
static void put_annotations(const struct suite *s, const json_t *sarif,
                            struct buf *out)
{
    github_annotate(sarif, out);
    for (size_t i = 0; i < s->count; i++) {
        const struct suite_test *t = &s->list[i];

        if (t->why && t->verdict != SUITE_FAIL)
            github_at("error", s->file, t->line,
                      arena_printf(s->arena, "Fencer: test %s", t->name),
                      t->why, out);
    }
}

static void put_summary(const struct suite *s, struct buf *out)
{
    size_t passed = count_passed(s);

    buf_puts(out, "## fencer suite ");
    markdown_text(s->file, out);
    buf_printf(out,
               "\n\n%zu passed, %zu failed\n\n| test | | |\n|---|---|---|\n",
               passed, s->count - passed);
    for (size_t i = 0; i < s->count; i++) {
        const struct suite_test *t = &s->list[i];

        buf_puts(out, "| ");
        markdown_text(t->name, out);
        buf_printf(out, " | %s | ", t->why ? "**failed**" : "passed");
        markdown_text(t->why ? t->why : "", out);
        buf_puts(out, " |\n");
    }
    buf_putc(out, '\n');
}

static bool tell_github(const struct suite *s, const json_t *sarif,
                        struct err *e)
{
    struct buf text = {0};
    bool ok;

    put_annotations(s, sarif, &text);
    ok = text.count == 0 || tell_text(&text, e);
    buf_clear(&text);
    put_summary(s, &text);
    ok = tell_summary(&text, e) && ok;
    buf_free(&text);
    return ok;
}

/* ---- All ---- */

static bool write_json(const char *path, json_t *j, struct err *e)
{
    struct buf bytes = {0};
    bool ok;

    json_put(json_incref(j), JSON_INDENT(2) | JSON_REAL_PRECISION(6), &bytes);
    buf_putc(&bytes, '\n');
    ok = tell_json(path, &bytes, e);
    buf_free(&bytes);
    return ok;
}

bool suite_tell(const struct suite *s, const struct options *o, struct err *e)
{
    json_t *sarif = sarif_json(s), *answer = suite_json(s);
    struct buf text = {0};
    bool ok = (!o->json || write_json(o->json, answer, e)) &&
              (!o->sarif || write_json(o->sarif, sarif, e));

    if (ok && o->junit) {
        put_junit(s, &text);
        ok = tell_bytes(o->junit, &text, e);
    }
    if (ok && o->github)
        ok = tell_github(s, sarif, e);
    buf_free(&text);
    json_decref(sarif);
    json_decref(answer);
    return ok;
}
