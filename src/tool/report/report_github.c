/* SPDX-License-Identifier: MIT
 *
 * A report for GitHub: annotations, which are the results of the SARIF log, and
 * a summary in Markdown.
 */
#include <inttypes.h>

#include "report/github.h"
#include "report/patch.h"
#include "report/report_sarif.h"

#define TEXT_WIDTH 100
/* GitHub refuses a summary of 1 MiB. */
#define SUMMARY_BYTES 800000

static void put_heading_line(const struct report *r, struct buf *out)
{
    struct buf text = {0};

    report_heading(r, &text);
    if (text.count)
        markdown_text(text.bytes, out);
    else
        buf_printf(out, "**%zu finding%s**", r->finding_count,
                   r->finding_count == 1 ? "" : "s");
    buf_puts(out, "\n\n");
    buf_free(&text);
}

void report_annotations(const struct report *r, struct buf *out)
{
    json_t *sarif = report_sarif_object(r);

    github_annotate(sarif, out);
    json_decref(sarif);
    if (report_exit_code(r) == EXIT_UNFINISHED) {
        struct buf text = {0};

        report_heading(r, &text);
        github_line("warning", "Fencer: not finished",
                    text.count ? text.bytes : "", out);
        buf_free(&text);
    }
}

static void put_models(const struct report *r, struct buf *out)
{
    if (!r->model_count)
        return;
    buf_puts(out, "| machine | leaves SC | property broken | complete |\n"
                  "|---|---|---|---|\n");
    for (size_t i = 0; i < r->model_count; i++) {
        struct answers a = answers_of(&r->models[i].done);

        buf_puts(out, "| ");
        markdown_text(r->models[i].model->words, out);
        buf_printf(out, " | %s | %s | %s |\n", report_answer(a.sc_violation),
                   report_answer(a.property_broken), a.complete ? "yes" : "no");
    }
    buf_putc(out, '\n');
}

static void put_diff(const struct shown *f, struct buf *out)
{
    struct sources *s = sources_new();
    struct buf text = {0};

    if (patches_diff(f, s, &text)) {
        buf_puts(out, "\nA cure:\n\n");
        markdown_block("diff", text.bytes, out);
    }
    buf_free(&text);
    sources_free(s);
}

static void put_finding(const struct shown *f, size_t number, struct buf *out)
{
    struct report_style style = {.width = TEXT_WIDTH};
    struct buf text = {0};

    report_headline(f, &text);
    buf_printf(out, "### f%zu: ", number);
    markdown_text(text.bytes, out);
    buf_puts(out, "\n\n");
    if (out->count < SUMMARY_BYTES) {
        buf_clear(&text);
        report_finding(f, &style, &text);
        buf_puts(out, "<details><summary>The execution</summary>\n\n");
        markdown_block("text", text.bytes, out);
        buf_puts(out, "\n</details>\n");
        put_diff(f, out);
        if (f->replay) {
            buf_puts(out, "\nThe same execution again:\n\n");
            markdown_block("sh", f->replay, out);
        }
        buf_putc(out, '\n');
    }
    buf_free(&text);
}

void report_markdown(const struct report *r, struct buf *out)
{
    report_check(r);
    buf_printf(out, "## fencer %s ", r->command);
    markdown_text(r->program, out);
    buf_puts(out, "\n\n");
    put_heading_line(r, out);
    put_models(r, out);
    for (size_t i = 0; i < r->finding_count; i++)
        put_finding(r->findings[i], i + 1, out);
    if (r->limit_count)
        buf_puts(out, "Not covered:\n\n");
    for (size_t i = 0; i < r->limit_count; i++) {
        buf_puts(out, "- ");
        markdown_text(r->limits[i], out);
        buf_putc(out, '\n');
    }
    buf_putc(out, '\n');
}
