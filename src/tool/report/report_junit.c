/* SPDX-License-Identifier: MIT
 *
 * Reports for build servers.  A test case is a model or, of check, a test on a
 * model; it fails where the exit code says so.
 */
#include <string.h>

#include "report/junit.h"
#include "report/report.h"

#define TEXT_WIDTH 100

struct cases {
    VEC(struct junit_case);
    struct arena arena;
    const struct report *report;
};

static const char *copy_of(struct cases *all, struct buf *text)
{
    const char *copy = arena_copy(&all->arena, text->count ? text->bytes : "");

    buf_free(text);
    return copy;
}

static const char *headline_of(struct cases *all, const struct shown *f)
{
    struct buf text = {0};

    report_headline(f, &text);
    return copy_of(all, &text);
}

static bool shows_test(const struct shown *f, const char *test)
{
    for (size_t i = 0; i < f->test_count; i++) {
        if (strcmp(f->tests[i], test) == 0)
            return true;
    }
    return f->test_count == 0;
}

/* The first finding of that model, and of that test unless NULL.  Any model: a
 * cause is told once, under the strongest model that shows it. */
static const struct shown *find_shown(const struct report *r,
                                      const struct model *m, const char *test)
{
    for (size_t i = 0; i < r->finding_count; i++) {
        const struct shown *f = r->findings[i];

        if ((!m || f->finding.model == m) && (!test || shows_test(f, test)) &&
            report_counts(r, f))
            return f;
    }
    return NULL;
}

/* Every finding of that model in full. */
static const char *text_of(struct cases *all, const struct model *m,
                           const char *test)
{
    struct report_style style = {.width = TEXT_WIDTH};
    const struct report *r = all->report;
    struct buf text = {0};

    for (size_t i = 0; i < r->finding_count; i++) {
        const struct shown *f = r->findings[i];

        if ((m && f->finding.model != m) || (test && !shows_test(f, test)))
            continue;
        report_finding(f, &style, &text);
        if (f->replay)
            buf_printf(&text, "\n%s\n", f->replay);
    }
    return text.count ? copy_of(all, &text) : NULL;
}

static void add_case(struct cases *all, const char *name, double seconds,
                     const struct model *m, const char *test,
                     const struct done *d)
{
    const struct report *r = all->report;
    const struct shown *f = find_shown(r, m, test);
    struct junit_case c = {
        .name = name, .seconds = seconds, .text = text_of(all, m, test)};

    if (!f && d->failed)
        f = find_shown(r, NULL, test);
    if (f) {
        c.end = JUNIT_FAILED;
        c.type = class_word(f->class);
        c.message = headline_of(all, f);
    } else if (answers_are_open(d) || report_is_open(r, d)) {
        c.end = report_is_open(r, d) ? JUNIT_ERROR : JUNIT_SKIPPED;
        c.type = "unknown";
        c.message = "not finished: what was not covered is in system-out";
    }
    VEC_PUSH_IN(&all->arena, all, c);
}

static void add_models(struct cases *all)
{
    const struct report *r = all->report;

    for (size_t i = 0; i < r->model_count; i++) {
        const struct report_model *m = &r->models[i];

        add_case(all, m->model->words, m->seconds, m->model, NULL, &m->done);
    }
}

static void add_tests(struct cases *all)
{
    const struct report *r = all->report;

    for (size_t i = 0; i < r->test_count; i++) {
        const struct tested *t = &r->tests[i];
        const char *name =
            arena_printf(&all->arena, "%s, on %s", t->test, t->model->words);

        add_case(all, name, t->effort.seconds, t->model, t->test, &t->done);
    }
}

/* replay, report: findings without a search for others. */
static void add_findings(struct cases *all)
{
    const struct report *r = all->report;
    struct report_style style = {.width = TEXT_WIDTH};

    for (size_t i = 0; i < r->finding_count; i++) {
        const struct shown *f = r->findings[i];
        struct buf text = {0};
        struct junit_case c = {.name = arena_printf(&all->arena, "f%zu", i + 1),
                               .end = report_counts(r, f) ? JUNIT_FAILED
                                                          : JUNIT_PASSED,
                               .type = class_word(f->class),
                               .message = headline_of(all, f)};

        report_finding(f, &style, &text);
        c.text = copy_of(all, &text);
        VEC_PUSH_IN(&all->arena, all, c);
    }
}

/* The exit code says that something was not done, and no case does. */
static void add_rest(struct cases *all)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i].end == JUNIT_ERROR)
            return;
    }
    if (report_exit_status(all->report) == EXIT_UNFINISHED)
        VEC_PUSH_IN(&all->arena, all,
                    {.name = "all that was asked for",
                     .end = JUNIT_ERROR,
                     .type = "unknown",
                     .message = "not finished"});
}

static const char *notes_of(struct cases *all)
{
    const struct report *r = all->report;
    struct buf text = {0};

    for (size_t i = 0; i < r->limit_count; i++)
        buf_printf(&text, "not covered: %s\n", r->limits[i]);
    return copy_of(all, &text);
}

void report_junit(const struct report *r, struct buf *out)
{
    struct cases all = {.report = r};
    const char *name;

    report_check(r);
    if (r->test_count)
        add_tests(&all);
    else if (r->model_count)
        add_models(&all);
    else
        add_findings(&all);
    add_rest(&all);
    name = arena_printf(&all.arena, "fencer %s", r->command);
    junit_put(name, *r->program ? r->program : name, all.list, all.count,
              notes_of(&all), out);
    arena_free(&all.arena);
}
