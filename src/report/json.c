/* SPDX-License-Identifier: MIT
 *
 * Reports for scripts: the object of the contract.  Keys never change meaning,
 * and a count that a command does not have is absent, never 0.
 */
#include "report/report.h"

#include <jansson.h>
#include <stdlib.h>

/* Text of the program may be no UTF-8; JSON is. */
static json_t *text_json(const char *text)
{
    json_t *j = json_string(text);

    if (j)
        return j;

    struct buf clean = {0};

    for (; *text; text++)
        buf_putc(&clean, (unsigned char)*text < 0x80 ? *text : '?');
    j = json_stringn(clean.bytes, clean.count);
    buf_free(&clean);
    return j;
}

static json_t *outcomes_json(const struct report_model *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < m->outcome_count; i++)
        json_array_append_new(list,
                              json_pack("{s:o, s:I}", "outcome",
                                        text_json(m->outcomes[i].text), "count",
                                        (json_int_t)m->outcomes[i].count));
    return list;
}

/* Sampling shows that a property breaks, never that it holds; whether an
 * execution was sequentially consistent nobody asked. */
static json_t *model_json(const struct report_model *m)
{
    json_t *j =
        json_pack("{s:s, s:s, s:s, s:b, s:I, s:f, s:I}", "model",
                  m->model->name, "sc_violation", "unknown", "property_broken",
                  m->failed ? "yes" : "unknown", "complete", 0, "executions",
                  (json_int_t)m->executions, "seconds", m->seconds, "failed",
                  (json_int_t)m->failed);

    if (m->outcome_count)
        json_object_set_new(j, "outcomes", outcomes_json(m));
    return j;
}

static json_t *finding_json(const struct report_finding *f)
{
    const struct trace *t = f->trace;
    const struct fencer_site *site = &t->sites[t->failure.site];
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:o, s:[], s:[], s:b, s:[]}", "id", f->id, "model",
        f->model->name, "class", f->class, "error",
        text_json(*t->failure.message ? t->failure.message
                                      : failure_kind_words(t->failure.kind)),
        "cycle", "reordered", "alpha_only", report_alpha_only(t), "fences");

    if (site->line)
        json_object_set_new(
            j, "at",
            json_pack("{s:o, s:i, s:i, s:i}", "file", text_json(site->file),
                      "line", (int)site->line, "column", (int)site->column,
                      "thread", (int)t->failure.thread));
    json_object_set_new(j, "replay",
                        f->replay ? text_json(f->replay) : json_null());
    return j;
}

void report_json(const struct report *r, struct buf *out)
{
    json_t *models = json_array(), *findings = json_array();
    json_t *limits = json_array();

    for (size_t i = 0; i < r->model_count; i++)
        json_array_append_new(models, model_json(&r->models[i]));
    for (size_t i = 0; i < r->finding_count; i++)
        json_array_append_new(findings, finding_json(&r->findings[i]));
    for (size_t i = 0; i < r->limit_count; i++)
        json_array_append_new(limits, text_json(r->limits[i]));

    json_t *all =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "fencer", FENCER_VERSION,
                  "command", r->command, "program", text_json(r->program),
                  "models", models, "findings", findings, "limits", limits);

    CHECK(all != NULL);

    char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6));

    CHECK(text != NULL);
    buf_puts(out, text);
    buf_putc(out, '\n');
    free(text);
    json_decref(all);
}
