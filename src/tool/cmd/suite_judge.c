/* SPDX-License-Identifier: MIT
 *
 * What came of a test, held against what is expected of it.
 */
#include <string.h>

#include "cmd/suite.h"

static const char *text_of(const json_t *j, const char *key)
{
    const char *text = json_string_value(json_object_get(j, key));

    return text ? text : "";
}

static enum suite_verdict verdict_of_code(int code)
{
    switch (code) {
    case EXIT_NOTHING_FOUND:
        return SUITE_PASS;
    case EXIT_FOUND:
        return SUITE_FAIL;
    case EXIT_UNFINISHED:
        return SUITE_UNKNOWN;
    default:
        return SUITE_NONE;
    }
}

/* Of one model, as its answer has it. */
static enum suite_verdict verdict_of_model(const json_t *answer,
                                           const struct model *m)
{
    const json_t *models = json_object_get(answer, "models");

    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *j = json_array_get(models, i);

        if (strcmp(text_of(j, "model"), m->name) != 0)
            continue;
        if (strcmp(text_of(j, "property_broken"), "yes") == 0)
            return SUITE_FAIL;
        return json_is_true(json_object_get(j, "finished")) ? SUITE_PASS
                                                            : SUITE_UNKNOWN;
    }
    return SUITE_UNKNOWN;
}

/* The first line of a result's message. */
const char *suite_headline(const struct suite_test *t, struct arena *a)
{
    const json_t *run = json_array_get(json_object_get(t->sarif, "runs"), 0);
    const json_t *results = json_object_get(run, "results");

    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *j = json_array_get(results, i);
        const char *text = text_of(json_object_get(j, "message"), "text");

        if (strcmp(text_of(j, "level"), "note") != 0)
            return arena_copy_n(a, text, strcspn(text, "\n"));
    }
    return NULL;
}

static bool has_error(const struct suite_test *t)
{
    const json_t *findings = json_object_get(t->answer, "findings");

    for (size_t i = 0; i < json_array_size(findings); i++) {
        if (strstr(text_of(json_array_get(findings, i), "error"), t->error))
            return true;
    }
    return false;
}

static const char *first_limit(const struct suite_test *t)
{
    const char *limit = json_string_value(
        json_array_get(json_object_get(t->answer, "limits"), 0));

    return limit ? limit : "not finished";
}

/* What it did instead. */
static const char *instead(const struct suite_test *t, enum suite_verdict was,
                           struct arena *a)
{
    const char *headline = suite_headline(t, a);

    switch (was) {
    case SUITE_PASS:
        return "it passes";
    case SUITE_FAIL:
        return headline ? headline : "it fails";
    case SUITE_UNKNOWN:
        return arena_printf(a, "unknown: %s", first_limit(t));
    case SUITE_NONE:
        break;
    }
    return "it could not be run";
}

static const char *why_models(const struct suite_test *t, struct arena *a)
{
    for (size_t i = 0; i < t->model_count; i++) {
        const struct suite_expected *x = &t->models[i];
        enum suite_verdict was = verdict_of_model(t->answer, x->model);

        if (was != x->verdict)
            return arena_printf(a, "expected %s on %s, but %s",
                                suite_word(x->verdict), x->model->words,
                                instead(t, was, a));
    }
    return NULL;
}

static const char *why_not(const struct suite_test *t, struct arena *a)
{
    const char *why = NULL;

    if (!t->ran)
        return "not run";
    if (t->verdict == SUITE_NONE || !t->answer)
        return *t->said ? t->said
                        : arena_printf(a, "it ended with code %d", t->code);
    if (t->model_count)
        why = why_models(t, a);
    else if (t->verdict != t->expected)
        why = arena_printf(a, "expected %s, but %s", suite_word(t->expected),
                           instead(t, t->verdict, a));
    if (!why && t->error && !has_error(t))
        why = arena_printf(a, "no finding says '%s'", t->error);
    return why;
}

void suite_judge(struct suite_test *t, struct arena *a)
{
    t->verdict = t->ran ? verdict_of_code(t->code) : SUITE_NONE;
    t->why = why_not(t, a);
}

/* A verdict that is another than expected; else a test that is none; else one
 * that nobody knows. */
enum exit_code suite_exit_code(const struct suite *s)
{
    bool usage = false, open = false;

    for (size_t i = 0; i < s->count; i++) {
        const struct suite_test *t = &s->list[i];

        if (!t->why)
            continue;
        if (t->verdict == SUITE_PASS || t->verdict == SUITE_FAIL)
            return EXIT_FOUND;
        usage = usage || (t->ran && t->code == EXIT_USAGE);
        open = true;
    }
    return usage ? EXIT_USAGE : open ? EXIT_UNFINISHED : EXIT_NOTHING_FOUND;
}
