/* SPDX-License-Identifier: MIT
 *
 * Reports for scripts: the object of the contract.  Keys never change meaning,
 * and a count that a command does not have is absent, never 0.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report/report_object.h"

static json_t *outcomes_json(const struct report_model *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < m->outcomes.count; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:I}", "outcome",
                            json_text(m->outcomes.list[i].text), "count",
                            (json_int_t)m->outcomes.list[i].count));
    return list;
}

static void set_number(json_t *j, const char *key, uint64_t n)
{
    json_object_set_new(j, key, json_integer((json_int_t)n));
}

static void add_counts(json_t *j, const struct cycle_counts *c)
{
#define COUNT(name) set_number(j, #name, c->name);
    CYCLE_COUNTS(COUNT)
#undef COUNT
}

/* A monitor that reported nothing has no first time. */
static json_t *monitor_json(const struct report_monitor *m)
{
    json_t *j =
        json_pack("{s:s, s:s, s:I}", "monitor", m->name, "model",
                  m->model->name, "borderline", (json_int_t)m->borderline);

    if (m->borderline)
        json_object_set_new(j, "first_seconds", json_real(m->first_seconds));
    return j;
}

static json_t *monitors_json(const struct report *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->monitor_count; i++)
        json_array_append_new(list, monitor_json(&r->monitors[i]));
    return list;
}

static json_t *model_json(const struct report *r, const struct report_model *m)
{
    struct answers a = answers_of(&m->done);
    bool checked = strcmp(r->command, "check") == 0;
    json_t *j = json_pack("{s:s, s:s, s:s, s:b, s:b}", "model", m->model->name,
                          "sc_violation", report_answer(a.sc_violation),
                          "property_broken", report_answer(a.property_broken),
                          "complete", a.complete, "finished",
                          !answers_are_open(&m->done));

    if (!checked)
        set_number(j, "executions", m->executions);
    json_object_set_new(j, "seconds", json_real(m->seconds));
    if (m->counts)
        add_counts(j, m->counts);
    else if (strcmp(r->command, "run") == 0)
        set_number(j, "failed", m->failed);
    if (m->explored) {
        set_number(j, "blocked", m->blocked);
        set_number(j, "assumed", m->assumed);
        set_number(j, "redundant", m->redundant);
        set_number(j, "events", m->events);
    }
    if (m->symmetric)
        json_object_set_new(j, "symmetric", json_true());
    if (m->counted)
        set_number(j, "traces", m->traces);
    if (m->outcomes.count)
        json_object_set_new(j, "outcomes", outcomes_json(m));
    return j;
}

static json_t *place_json(const struct trace *t, const struct event *ev)
{
    const struct fencer_site *s = &t->sites[ev->site];
    struct buf object = {0};
    json_t *j;

    buf_puts(&object, "");
    trace_place(t, ev->object, ev->offset, &object);
    j = json_pack("{s:o, s:i, s:i, s:i, s:s, s:o}", "file", json_text(s->file),
                  "line", (int)s->line, "column", (int)s->column, "thread",
                  (int)ev->thread, "access", event_kind_words(ev->kind),
                  "object", json_text(object.bytes));
    buf_free(&object);
    return j;
}

static json_t *cycle_json(const struct shown *f)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < f->cycle.length && f->class != CLASS_RACE; i++)
        json_array_append_new(
            list, place_json(&f->trace, &f->trace.events[f->cycle.events[i]]));
    return list;
}

static json_t *reordered_json(const struct shown *f)
{
    const struct shown_cycle *c = &f->cycle;
    json_t *list = json_array();

    for (uint32_t i = 0; i < c->length; i++) {
        const struct event *a = &f->trace.events[c->events[i]];
        const struct event *b =
            &f->trace.events[c->events[(i + 1) % c->length]];

        if (c->reordered >> i & 1 && f->class != CLASS_RACE)
            json_array_append_new(list,
                                  json_pack("{s:o, s:o, s:s}", "first",
                                            place_json(&f->trace, a), "second",
                                            place_json(&f->trace, b), "kind",
                                            report_swapped(a, b)));
    }
    return list;
}

static json_t *fence_at(const char *file, unsigned line, const char *kind)
{
    return json_pack("{s:o, s:i, s:s}", "file", json_text(file), "line",
                     (int)line, "kind", kind);
}

static json_t *fence_after(const struct fencer_site *s, const char *kind)
{
    return fence_at(s->file, report_line_before_fence(s) + 1, kind);
}

static json_t *fences_json(const struct shown *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->fence_count; i++)
        json_array_append_new(
            list, fence_after(&f->trace.sites[f->fences[i].site],
                              report_fence_kind(f->fences[i].bits)));
    return list;
}

/* An order, or a fence that was not there. */
static json_t *change_json(const struct trace *t, const struct channel_fence *f)
{
    const struct fencer_site *s = &t->sites[f->site];
    json_t *j;

    if (!report_is_order(f)) {
        j = fence_after(s, report_fence_kind(f->bits));
        json_object_set_new(j, "from", json_null());
        json_object_set_new(j, "to", json_string("fence"));
        return j;
    }
    j = json_pack("{s:o, s:i, s:i, s:s, s:s}", "file", json_text(s->file),
                  "line", (int)s->line, "column", (int)s->column, "from",
                  order_words(report_order_from(f)), "to",
                  order_words(report_order_to(f)));
    if (f->bits & CHANNEL_FENCE_FAILURE)
        json_object_set_new(j, "of", json_string("failure"));
    return j;
}

static json_t *cure_json(const struct shown *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->cure_count; i++)
        json_array_append_new(list, change_json(&f->trace, &f->cure[i]));
    return list;
}

/* Which command has tried the cure, or the fences if there is no other. */
static json_t *cure_by_json(const struct shown *f)
{
    if (f->test_count && f->proved)
        return json_string("check");
    if (f->cure_count || f->proved)
        return json_string("verify");
    return f->cured ? json_string("test") : json_null();
}

static json_t *error_json(const struct shown *f)
{
    const struct channel_failure *failure = &f->trace.failure;

    if (f->error)
        return json_text(f->error);
    if (failure->kind == FAIL_NONE)
        return json_null();
    return json_text(*failure->message ? failure->message
                                       : failure_kind_words(failure->kind));
}

/* Of the tests that show it. */
static json_t *names_json(const struct shown *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->test_count; i++)
        json_array_append_new(list, json_text(f->tests[i]));
    return list;
}

/* The two accesses. */
static json_t *race_json(const struct shown *f)
{
    json_t *list = json_array();

    for (int i = 0; i < 2; i++)
        json_array_append_new(
            list, place_json(&f->trace, &f->trace.events[f->race[i]]));
    return list;
}

static json_t *finding_json(const struct shown *f, size_t number)
{
    const struct trace *t = &f->trace;
    const struct fencer_site *site = &t->sites[t->failure.site];
    char id[24];

    snprintf(id, sizeof(id), "f%zu", number);

    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "id", id, "model",
        f->finding.model->name, "class", class_word(f->class), "error",
        error_json(f), "cycle", cycle_json(f), "reordered", reordered_json(f),
        "alpha_only", shown_is_alpha_only(f), "fences", fences_json(f), "cure",
        cure_json(f), "cure_established_by", cure_by_json(f));

    if (site->line)
        json_object_set_new(
            j, "at",
            json_pack("{s:o, s:i, s:i, s:i}", "file", json_text(site->file),
                      "line", (int)site->line, "column", (int)site->column,
                      "thread", (int)t->failure.thread));
    if (f->class == CLASS_RACE)
        json_object_set_new(j, "race", race_json(f));
    if (f->test_count)
        json_object_set_new(j, "tests", names_json(f));
    if (f->cycles)
        set_number(j, "cycles", f->cycles);
    if (f->others)
        set_number(j, "others", f->others);
    json_object_set_new(j, "replay",
                        f->replay ? json_text(f->replay) : json_null());
    return j;
}

/* ---- fencer check ---- */

static const char *const specifications[] = {
#define SPECIFICATION(name, word) word,
    TEST_SPECIFICATIONS(SPECIFICATION)
#undef SPECIFICATION
};

/* What it took. */
static void add_effort(json_t *j, const struct effort *e)
{
#define COUNT(name) set_number(j, #name, e->name);
#define SIZE(name) json_object_set_new(j, #name, json_real(e->name));
    EFFORT_COUNTS(COUNT)
    EFFORT_SIZES(SIZE)
#undef SIZE
#undef COUNT
}

static json_t *test_json(const struct tested *t)
{
    json_t *j = json_pack("{s:o}", "test", json_text(t->test));
    struct answers a = answers_of(&t->done);

    if (t->notation)
        json_object_set_new(j, "notation", json_text(t->notation));
    json_object_set_new(j, "model", json_string(t->model->name));
    json_object_set_new(j, "property_broken",
                        json_string(report_answer(a.property_broken)));
    json_object_set_new(j, "complete", json_boolean(a.complete));
    if (specifications[t->specification])
        json_object_set_new(j, "specification",
                            json_string(specifications[t->specification]));
    if (tested_counts_observations(t))
        set_number(j, "observations", t->observations);
    add_effort(j, &t->effort);
    return j;
}

/* `there`: in the source already. */
static json_t *fence_json(const struct needed_fence *f, bool there)
{
    const char *kind = report_fence_kind(f->bits);
    json_t *j = there ? fence_at(f->site.file, f->site.line, kind)
                      : fence_after(&f->site, kind);

    if (f->test)
        json_object_set_new(j, "test", json_text(f->test));
    if (f->model)
        json_object_set_new(j, "model", json_string(f->model->name));
    return j;
}

static json_t *fence_list(const struct needed_fence *list, size_t count,
                          bool there)
{
    json_t *j = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(j, fence_json(&list[i], there));
    return j;
}

static void add_tests(json_t *all, const struct report *r)
{
    json_t *tests = json_array();

    for (size_t i = 0; i < r->test_count; i++)
        json_array_append_new(tests, test_json(&r->tests[i]));
    json_object_set_new(all, "tests", tests);
    if (!r->fences_sought)
        return;
    json_object_set_new(all, "fence_set",
                        fence_list(r->fence_set, r->fence_set_count, false));
    json_object_set_new(all, "fences_not_needed",
                        fence_list(r->not_needed, r->not_needed_count, true));
}

static json_t *awaits_json(const struct report *r)
{
    json_t *all = json_array();

    for (size_t i = 0; i < r->await_count; i++)
        json_array_append_new(
            all, json_pack("{s:o, s:I}", "file", json_text(r->awaits[i].file),
                           "line", (json_int_t)r->awaits[i].line));
    return all;
}

static json_t *notes_json(const struct report *r)
{
    json_t *all = json_array();

    for (size_t i = 0; i < r->note_count; i++)
        json_array_append_new(all, json_text(r->notes[i]));
    return all;
}

json_t *report_object(const struct report *r)
{
    json_t *models = json_array(), *findings = json_array();
    json_t *limits = json_array();

    report_check(r);
    for (size_t i = 0; i < r->model_count; i++)
        json_array_append_new(models, model_json(r, &r->models[i]));
    for (size_t i = 0; i < r->finding_count; i++)
        json_array_append_new(findings, finding_json(r->findings[i], i + 1));
    for (size_t i = 0; i < r->limit_count; i++)
        json_array_append_new(limits, json_text(r->limits[i]));

    json_t *all =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "fencer", FENCER_VERSION,
                  "command", r->command, "program", json_text(r->program),
                  "models", models, "findings", findings, "limits", limits);

    CHECK(all != NULL);
    if (r->note_count)
        json_object_set_new(all, "notes", notes_json(r));
    if (r->awaits)
        json_object_set_new(all, "awaits", awaits_json(r));
    if (r->monitor_count)
        json_object_set_new(all, "monitors", monitors_json(r));
    if (r->test_count)
        add_tests(all, r);
    return all;
}

void report_json(const struct report *r, struct buf *out)
{
    json_put(report_object(r), JSON_INDENT(2) | JSON_REAL_PRECISION(6), out);
    buf_putc(out, '\n');
}
