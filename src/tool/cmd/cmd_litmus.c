/* SPDX-License-Identifier: MIT
 *
 * fencer litmus FILE|DIR|@LIST...: tests in herd's format, judged by the axioms
 * of a model, and told as herd tells them.
 *
 * Exit codes: 1 where some statement does not hold as it is quantified, else 2
 * where some file is no litmus test, else 3 where some test was not judged.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/seconds.h"
#include "cmd/cmd.h"
#include "cmd/keep.h"
#include "cmd/litmus_files.h"
#include "cmd/litmus_work.h"
#include "cmd/tell.h"
#include "litmus/litmus.h"
#include "session/progress.h"
#include "worker/worker.h"

#define FILE_SIZE_MAX (1u << 20)

enum judged { DOES_HOLD, DOES_NOT, NOT_JUDGED, NO_TEST };

struct litmus_call {
    const struct options *options;
    struct arena arena;
    struct litmus_files files;
    size_t models; /* of each file */
    double until;
    struct work_result *results;
    size_t counts[NO_TEST + 1];
};

/* ---- one test on one model ---- */

static struct litmus_options options_of(const struct litmus_call *call,
                                        const struct model *m)
{
    struct litmus_options o = {
        .engine = (enum litmus_engine)call->options->engine,
        .model = m,
        .until = call->until,
    };
    size_t n = 0;

    if (m != &model_arm)
        return o;
    if (call->options->arm != 1)
        o.mappings[n++] = call->options->rcpc ? "rcpc" : "lse";
    if (call->options->arm != 0)
        o.mappings[n++] = "llsc";
    return o;
}

/* What of herd's words stands for the quantifier. */
static const char *kind_of(const struct litmus_answer *a)
{
    return strcmp(a->quantifier, "exists") == 0    ? "Allowed"
           : strcmp(a->quantifier, "~exists") == 0 ? "Forbidden"
                                                   : "Required";
}

static void tell_answer(const struct litmus *t, const struct model *m,
                        const struct litmus_answer *a, bool several,
                        struct buf *out)
{
    const char *name = litmus_name(t);

    buf_printf(out, "Test %s %s\n", name, kind_of(a));
    if (several)
        buf_printf(out, "Model %s\n", m->name);
    if (!a->judged) {
        buf_printf(out, "Not judged: %s\n\n", a->why);
        return;
    }
    buf_printf(out, "States %zu\n", a->states.count);
    for (size_t i = 0; i < a->states.count; i++)
        buf_printf(out, "%s\n", a->states.list[i].text);
    buf_printf(out,
               "%s\nWitnesses\nPositive: %" PRIu64 " Negative: %" PRIu64 "\n",
               a->holds ? "Ok" : "No", a->positive, a->negative);
    if (a->race)
        buf_puts(out, "Flag race\n");
    buf_printf(out, "Condition %s %s\n", a->quantifier, a->condition);
    buf_printf(out, "Observation %s %s %" PRIu64 " %" PRIu64 "\n\n", name,
               litmus_observation(a), a->positive, a->negative);
}

static json_t *json_states(const struct litmus_answer *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->states.count; i++)
        json_array_append_new(list, json_text(a->states.list[i].text));
    return list;
}

/* Who judged, if not the axioms. */
static void json_engine(json_t *j, enum litmus_engine by)
{
    static const char *const names[] = {
#define ENGINE(name, text, words) text,
        LITMUS_ENGINES(ENGINE)
#undef ENGINE
    };

    if (by != LITMUS_AXIOMS)
        json_object_set_new(j, "engine", json_string(names[by]));
}

static void json_answer(const char *file, const struct litmus *t,
                        const struct litmus_options *o,
                        const struct litmus_answer *a, struct buf *out)
{
    json_t *j = json_pack("{s:o, s:o, s:s}", "file", json_text(file), "name",
                          json_text(litmus_name(t)), "model", o->model->name);

    json_engine(j, o->engine);
    if (!a->judged) {
        json_object_set_new(j, "holds", json_null());
        json_object_set_new(j, "why", json_text(a->why));
        json_put(j, JSON_COMPACT, out);
        return;
    }
    json_object_set_new(j, "holds", json_boolean(a->holds));
    json_object_set_new(j, "observation", json_string(litmus_observation(a)));
    json_object_set_new(j, "states", json_states(a));
    json_object_set_new(j, "positive", json_integer((json_int_t)a->positive));
    json_object_set_new(j, "negative", json_integer((json_int_t)a->negative));
    if (a->race)
        json_object_set_new(j, "race", json_true());
    json_put(j, JSON_COMPACT, out);
}

static uint8_t tell_unreadable(const char *file, const char *why,
                               struct buf *text, struct buf *json)
{
    buf_puts(text, why);
    json_put(json_pack("{s:o, s:n, s:n, s:n, s:o}", "file", json_text(file),
                       "name", "model", "holds", "why", json_text(why)),
             JSON_COMPACT, json);
    return NO_TEST;
}

static bool read_test(const char *file, struct litmus **t, struct err *e)
{
    struct buf text = {0};
    bool ok = buf_read_file(&text, file, FILE_SIZE_MAX, e) &&
              (litmus_read(text.count ? text.bytes : "", text.count, t, e) ||
               err_in(e, "%s", file));

    buf_free(&text);
    return ok;
}

/* Piece of work: a file and a model.  The text of a file that is no test goes
 * to stderr. */
static uint8_t judge_one(void *arg, size_t i, struct buf *text,
                         struct buf *json)
{
    const struct litmus_call *call = arg;
    const char *file = call->files.list[i / call->models];
    struct litmus_answer a;
    struct litmus *t = NULL;
    struct err e = {""};
    uint8_t code;

    if (!read_test(file, &t, &e))
        return tell_unreadable(file, e.text, text, json);

    const struct model *m = call->options->model_count
                                ? call->options->models[i % call->models]
                                : litmus_model(t);
    struct litmus_options o = options_of(call, m);

    litmus_judge(t, &o, &a);
    tell_answer(t, m, &a, call->models > 1, text);
    json_answer(file, t, &o, &a, json);
    code = !a.judged ? NOT_JUDGED : a.holds ? DOES_HOLD : DOES_NOT;
    litmus_answer_free(&a);
    litmus_free(t);
    return code;
}

/* ---- all of them ---- */

/* The process that was at it ended, or nobody came to it: it is named, with its
 * file. */
static void mend_lost(struct litmus_call *call, size_t i)
{
    struct work_result *r = &call->results[i];
    const char *file = call->files.list[i / call->models];
    const char *why =
        worker_interrupted() ? "interrupted" : "its process ended";
    struct buf text = {0}, json = {0};

    tell_unreadable(file, why, &text, &json);
    r->code = NOT_JUDGED;
    r->text = arena_printf(&call->arena, "%s\nNot judged: %s\n\n", file, why);
    r->json = arena_copy(&call->arena, json.bytes);
    buf_free(&text);
    buf_free(&json);
}

static void tell_counts(const struct litmus_call *call, struct buf *out)
{
    buf_printf(out, "%zu hold, %zu do not", call->counts[DOES_HOLD],
               call->counts[DOES_NOT]);
    if (call->counts[NOT_JUDGED])
        buf_printf(out, ", %zu not judged", call->counts[NOT_JUDGED]);
    if (call->counts[NO_TEST])
        buf_printf(out, ", %zu not read", call->counts[NO_TEST]);
    buf_putc(out, '\n');
}

static void join_results(struct litmus_call *call, size_t count,
                         struct buf *text, struct buf *json)
{
    buf_printf(json, "{\"fencer\":\"%s\",\"command\":\"litmus\",\"tests\":[",
               FENCER_VERSION);
    for (size_t i = 0; i < count; i++) {
        if (!call->results[i].done)
            mend_lost(call, i);
        call->counts[call->results[i].code]++;
        if (call->results[i].code == NO_TEST)
            fprintf(stderr, "fencer: %s\n", call->results[i].text);
        else
            buf_puts(text, call->results[i].text);
        buf_printf(json, "%s\n%s", i ? "," : "", call->results[i].json);
    }
    buf_puts(json, "\n]}\n");
    if (count > 1)
        tell_counts(call, text);
}

static bool tell_results(struct litmus_call *call, size_t count, struct err *e)
{
    const struct options *o = call->options;
    bool to_pipe = o->json && strcmp(o->json, "-") == 0;
    struct buf text = {0}, json = {0};
    bool ok = true;

    join_results(call, count, &text, &json);
    if (o->json)
        ok = tell_json(o->json, &json, e);
    if (ok && !o->quiet && !to_pipe)
        ok = tell_text(&text, e);
    buf_free(&text);
    buf_free(&json);
    return ok;
}

static int code_of(const struct litmus_call *call)
{
    return call->counts[DOES_NOT]     ? EXIT_FOUND
           : call->counts[NO_TEST]    ? EXIT_USAGE
           : call->counts[NOT_JUDGED] ? EXIT_UNFINISHED
                                      : EXIT_NOTHING_FOUND;
}

static bool find_files(struct litmus_call *call, struct err *e)
{
    const struct options *o = call->options;

    if (o->operand_count == 0)
        return err_set(e, "no test given; usage: fencer litmus [options] "
                          "FILE|DIR|@LIST...");
    for (size_t i = 0; i < o->operand_count; i++)
        if (!litmus_files_add(&call->files, o->operands[i], &call->arena, e))
            return false;
    return call->files.count > 0 ||
           err_set(e, "%s: no file *.litmus there", o->operands[0]);
}

static int judge_all(struct litmus_call *call, struct err *e)
{
    const struct options *o = call->options;
    size_t count;

    if (!keep_can_write(o->json, &call->arena, e) || !find_files(call, e))
        return EXIT_USAGE;
    call->models = o->model_count ? o->model_count : 1;
    if (o->time_ms)
        call->until = seconds_passed() + (double)o->time_ms / 1000;
    count = call->files.count * call->models;
    call->results = arena_array(&call->arena, count, sizeof(*call->results));
    worker_catch_interrupts();
    progress_init(o->quiet);
    if (!litmus_work(count, o->jobs, judge_one, call, call->results,
                     &call->arena, e) ||
        !tell_results(call, count, e))
        return EXIT_UNFINISHED;
    return code_of(call);
}

/* --to-c: one test as a C program. */
static int write_c(const struct options *o, struct err *e)
{
    struct buf text = {0};
    struct litmus *t = NULL;
    int code = EXIT_USAGE;

    if (o->operand_count != 1)
        err_set(e, "--to-c takes one FILE");
    else if (read_test(o->operands[0], &t, e)) {
        code = EXIT_UNFINISHED;
        if (!litmus_to_c(t, &text, e))
            err_in(e, "%s", o->operands[0]);
        else if (tell_text(&text, e))
            code = EXIT_NOTHING_FOUND;
    }
    litmus_free(t);
    buf_free(&text);
    return code;
}

int cmd_litmus(struct options *o, struct err *e)
{
    struct litmus_call call = {.options = o};
    int code = o->to_c ? write_c(o, e) : judge_all(&call, e);

    arena_free(&call.arena);
    return code;
}
