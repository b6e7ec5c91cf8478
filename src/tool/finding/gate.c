/* SPDX-License-Identifier: MIT
 *
 * The gate, as gate.h says.
 */
#include "finding/gate.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/hash.h"
#include "base/log.h"

#define PROGRAM_MAX (1u << 30)

/* ---- Is it the same execution? ---- */

/* The same steps, of the same threads, at the same places.  Values may differ:
 * a program that notes the time does not do other things because of it. */
static bool same_steps(const struct trace *a, const struct trace *b)
{
    if (a->event_count != b->event_count)
        return false;
    for (size_t i = 0; i < a->event_count; i++) {
        const struct event *x = &a->events[i], *y = &b->events[i];

        if (x->kind != y->kind || x->thread != y->thread || x->site != y->site)
            return false;
    }
    return true;
}

/* Did the fresh process do what the finding claims? */
static bool same_end(const struct finding *f, const struct replayed *r,
                     struct err *e)
{
    if (f->failure.kind == FAIL_NONE
            ? r->failed
            : r->failed && !finding_same_failure(&f->failure, &r->failure))
        return err_set(e, "it failed in another way: %s", r->failure.message);
    /* A replay may see that all threads wait before its last decision. */
    if (r->misfit && !r->failed)
        return err_set(e, "it did not come again: the program cannot follow "
                          "its decisions");
    if (!r->failed && f->failure.kind != FAIL_NONE)
        return err_set(e, "it did not come again");
    if (!r->failed && f->outcome && f->outcome != r->outcome)
        return err_set(e, "it observed or printed something else");
    return true;
}

static bool same_execution(const struct shown *s, const struct replayed *r,
                           struct err *e)
{
    if (!same_end(&s->finding, r, e))
        return false;
    if (r->traced && s->trace.event_count && !same_steps(&s->trace, &r->trace))
        return err_set(e, "it took other steps");
    return true;
}

/* ---- Through the gate ---- */

static bool execute(struct gate *g, const struct shown *s, bool by_decisions,
                    struct replayed *r, struct err *e)
{
    g->unsteady = false;
    g->ran = finding_execute(&s->finding, g->binary, by_decisions, g->until_ms,
                             g->tables, g->arena, r, e);
    g->source = g->ran ? r->source : NULL;
    return g->ran;
}

/* What the fresh process shows is what is told. */
static void take_execution(struct shown *s, const struct replayed *r)
{
    s->trace = r->trace;
    if (!r->failed)
        memset(&s->trace.failure, 0, sizeof(s->trace.failure));
    s->finding.output = r->output;
    s->finding.output_lost = r->output_lost;
    s->finding.outcome = r->outcome;
}

static bool find_cycle(struct shown *s, const struct replayed *r, struct err *e)
{
    if (!r->traced) {
        s->cycle.length = 0;
        return true;
    }
    if (s->sought.length) {
        if (!predict_find(&s->trace, &s->sought, &s->witness))
            return err_set(e, "its cycle did not come again");
        shown_set_cycle(s, &s->sought, &s->witness);
    }
    return shown_check(s, e);
}

/* From its decisions, and as it claims to be. */
static bool let_pass(struct gate *g, struct shown *s, struct err *e)
{
    struct replayed again;

    if (!execute(g, s, true, &again, e))
        return false;
    if (!same_execution(s, &again, e)) {
        g->unsteady = again.failed || !shown_failed(s);
        return false;
    }
    take_execution(s, &again);
    g->trace_error = again.trace_error;
    s->past_gate = find_cycle(s, &again, e);
    return s->past_gate;
}

/* What it claims to be is seen in a first fresh process. */
static bool see_claim(struct gate *g, struct shown *s, bool by_decisions,
                      struct err *e)
{
    struct replayed first;

    if (!execute(g, s, by_decisions, &first, e))
        return false;
    if (!same_end(&s->finding, &first, e)) {
        g->unsteady = first.failed || !shown_failed(s);
        return false;
    }
    take_execution(s, &first);
    if (!by_decisions) {
        s->finding.decisions = first.decisions;
        s->finding.decision_count = first.decision_count;
    }
    return true;
}

static bool is_claim_whole(const struct shown *s)
{
    return shown_failed(s) || s->finding.outcome;
}

bool gate_replay(struct gate *g, struct shown *s, struct err *e)
{
    return (is_claim_whole(s) || see_claim(g, s, true, e)) && let_pass(g, s, e);
}

bool gate_replay_seed(struct gate *g, struct shown *s, struct err *e)
{
    if (!see_claim(g, s, false, e))
        return g->ran && err_set(e, "it did not come again from the same seed");
    if (!let_pass(g, s, e))
        return g->ran && err_set(e, "it did not come again from its decisions");
    return true;
}

void gate_accept_solution(struct shown *s)
{
    CHECK(s->finding.decision_count == 0 && !*s->finding.binary);
    s->past_gate = true;
}

bool gate_read(const char *path, struct arena *a, struct shown *s,
               struct err *e)
{
    if (!shown_read(path, a, s, e) ||
        !trace_read(finding_beside(path, s->finding.trace, a), a, &s->trace, e))
        return false;
    clean_line(s->trace.failure.message, sizeof(s->trace.failure.message));
    s->past_gate = shown_check(s, e) || err_in(e, "%s", path);
    return s->past_gate;
}

/* ---- What can be replayed ---- */

static bool read_program(const struct finding *f, const char *binary,
                         struct arena *a, struct program *tables, struct err *e)
{
    struct buf file = {0};
    bool ok = buf_read_file(&file, binary, PROGRAM_MAX, e);

    if (ok && (file.count != f->binary_size ||
               hash_file(file.bytes, file.count) != f->binary_hash))
        ok = err_set(e, "its program %s has changed since the finding was made",
                     binary);
    if (ok && tables)
        ok = program_parse(file.bytes, file.count, a, tables, e) ||
             err_in(e, "%s", binary);
    buf_free(&file);
    return ok;
}

static bool has_program(const struct shown *s, struct err *e)
{
    const struct finding *f = &s->finding;

    if (!model_has_machine(f->model))
        return err_set(e,
                       "%s is no machine, it is %s: there is nothing to "
                       "replay; fencer report shows it",
                       f->model->words,
                       f->model->by_language ? "the language" : "a formula");
    if (!*f->binary)
        return err_set(e, "no machine did this: there is nothing to replay; "
                          "fencer report shows it");
    return true;
}

bool gate_open(const char *path, const struct shown *s, struct arena *a,
               const char **binary, struct program *tables, struct err *e)
{
    if (!has_program(s, e))
        return err_in(e, "%s", path);
    *binary = finding_beside(path, s->finding.binary, a);
    if (access(*binary, X_OK) != 0)
        return err_set(e, "%s: its program %s: %s", path, *binary,
                       strerror(errno));
    return read_program(&s->finding, *binary, a, tables, e) ||
           err_in(e, "%s", path);
}

static void put_quoted(const char *path, struct buf *out)
{
    buf_putc(out, '\'');
    for (; *path; path++) {
        if (*path == '\'')
            buf_puts(out, "'\\''");
        else
            buf_putc(out, *path);
    }
    buf_putc(out, '\'');
}

const char *gate_command(const char *path, const struct shown *s,
                         struct arena *a)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "0123456789-_./+=:,@%";
    struct buf text = {0};
    const char *binary, *command;
    struct err why;

    if (!gate_open(path, s, a, &binary, NULL, &why)) {
        LOG(REPLAY, "%s", why.text);
        return NULL;
    }
    buf_puts(&text, "fencer replay ");
    if (path[strspn(path, safe)] == '\0')
        buf_puts(&text, path);
    else
        put_quoted(path, &text);
    command = arena_copy(a, text.bytes);
    buf_free(&text);
    return command;
}
