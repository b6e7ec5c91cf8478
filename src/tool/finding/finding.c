/* SPDX-License-Identifier: MIT
 *
 * The finding's file.  The same finding always gives the same bytes.
 *
 * Decisions are one string, a word each: the letter of its kind (run, commit,
 * stale, choose, wake, ticks) and its number, and *N after it when it comes N
 * times in a row: "r1 r2*3 c4096".
 */
#include "finding/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/json.h"

#define FORMAT 1
#define FILE_MAX (1u << 30)
#define DECISIONS_MAX (64u << 20)
#define LIST_MAX 4096

static const char letters[] = "rcsnwt"; /* enum decision_kind */

/* Names of failures in the file. */
static const char *const failure_names[] = {
#define FAILURE(kind, words) #kind,
    FAILURE_KINDS(FAILURE)
#undef FAILURE
};

static void put_decisions(const struct finding *f, struct buf *out)
{
    for (size_t i = 0; i < f->decision_count;) {
        uint32_t d = f->decisions[i];
        size_t n = 1;

        while (i + n < f->decision_count && f->decisions[i + n] == d)
            n++;
        buf_printf(out, "%s%c%u", i ? " " : "",
                   (d & 7) < sizeof(letters) - 1 ? letters[d & 7] : '?',
                   d >> 3);
        if (n > 1)
            buf_printf(out, "*%zu", n);
        i += n;
    }
}

static bool bad_decisions(struct err *e)
{
    return err_set(e, "its decisions are damaged");
}

/* One word of the string; *text moves after it and its space. */
static bool take_decision(const char **text, uint32_t *decision,
                          uint64_t *times, struct err *e)
{
    const char *letter = **text ? strchr(letters, **text) : NULL;
    char *end;

    if (!letter || (*text)[1] < '0' || (*text)[1] > '9')
        return bad_decisions(e);

    uint64_t number = strtoull(*text + 1, &end, 10);

    *times = 1;
    if (*end == '*' && end[1] >= '0' && end[1] <= '9')
        *times = strtoull(end + 1, &end, 10);
    if (number > UINT32_MAX >> 3 || *times == 0 || *times > DECISIONS_MAX ||
        (*end != ' ' && *end != '\0'))
        return bad_decisions(e);
    *decision = DECISION(letter - letters, number);
    *text = *end ? end + 1 : end;
    return true;
}

/* Twice over the text: to count, then to fill. */
static bool take_decisions(const char *text, struct arena *a, struct finding *f,
                           struct err *e)
{
    uint32_t decision;
    uint64_t times, count = 0;

    for (const char *at = text; *at;) {
        if (!take_decision(&at, &decision, &times, e))
            return false;
        count += times;
        if (count > DECISIONS_MAX)
            return bad_decisions(e);
    }
    f->decisions = arena_array(a, count ? count : 1, sizeof(uint32_t));
    while (*text && take_decision(&text, &decision, &times, e)) {
        while (times-- > 0)
            f->decisions[f->decision_count++] = decision;
    }
    return true;
}

/* Numbers of 64 bits do not fit into JSON's; as text they do. */
static json_t *number_json(uint64_t n)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, n);
    return json_string(text);
}

static json_t *failure_json(const struct channel_failure *f)
{
    return json_pack("{s:s, s:o, s:i, s:i, s:i, s:I}", "kind",
                     failure_names[f->kind], "message", json_text(f->message),
                     "thread", (int)f->thread, "site", (int)f->site, "signal",
                     (int)f->signal, "exit_code", (json_int_t)f->exit_code);
}

static json_t *cycle_json(const struct shown_cycle *c)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < c->length; i++)
        json_array_append_new(
            list, json_pack("[i, i]", (int)c->events[i], (int)c->pairs[i]));
    return list;
}

static json_t *fences_json(const struct channel_fence *fences, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("[i, i]", (int)fences[i].site,
                                              (int)fences[i].bits));
    return list;
}

/* What is known of it. */
static void put_known(const struct shown *s, json_t *j)
{
    if (s->class == CLASS_NONE)
        return;
    json_object_set_new(j, "class", json_string(class_word(s->class)));
    json_object_set_new(j, "error", json_text(s->error ? s->error : ""));
    json_object_set_new(j, "cycle", cycle_json(&s->cycle));
    json_object_set_new(j, "reordered", json_integer(s->cycle.reordered));
    if (s->class == CLASS_RACE)
        json_object_set_new(
            j, "race", json_pack("[[i, i]]", (int)s->race[0], (int)s->race[1]));
    if (s->missing)
        json_object_set_new(j, "missing", json_text(s->missing));
    json_object_set_new(j, "cycles", json_integer(s->cycles));
    json_object_set_new(j, "fences", fences_json(s->fences, s->fence_count));
    json_object_set_new(j, "cure", fences_json(s->cure, s->cure_count));
    json_object_set_new(j, "others", json_integer(s->others));
    json_object_set_new(j, "cured", json_boolean(s->cured));
    if (s->proved)
        json_object_set_new(j, "proved", json_true());
}

void shown_encode(const struct shown *s, struct buf *out)
{
    const struct finding *f = &s->finding;
    json_t *arguments = json_array();
    struct buf decisions = {0};

    CHECK(f->failure.kind < FAIL_KIND_COUNT);
    for (size_t i = 0; i < f->argument_count; i++)
        json_array_append_new(arguments, json_text(f->arguments[i]));
    buf_puts(&decisions, "");
    put_decisions(f, &decisions);

    json_t *j = json_pack(
        "{s:i, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:i, s:i, s:o, s:o, s:o, "
        "s:o, s:o, s:o, s:o, s:o, s:s}",
        "finding", FORMAT, "program", json_text(f->program), "binary",
        json_text(f->binary), "binary_size", number_json(f->binary_size),
        "binary_hash", number_json(f->binary_hash), "arguments", arguments,
        "model", f->model->name, "strategy", f->strategy, "flags",
        (int)f->flags, "depth", (int)f->depth, "seed", number_json(f->seed),
        "run", number_json(f->run), "buffer", number_json(f->buffer),
        "max_events", number_json(f->max_events), "failure",
        failure_json(&f->failure), "output", json_text(f->output),
        "output_lost", number_json(f->output_lost), "trace",
        json_text(f->trace), "decisions", decisions.bytes);

    CHECK(j != NULL);
    if (f->outcome)
        json_object_set_new(j, "outcome", number_json(f->outcome));
    put_known(s, j);

    json_put(j, JSON_INDENT(2), out);
    buf_putc(out, '\n');
    buf_free(&decisions);
}

static bool lacks(struct err *e, const char *key)
{
    return err_set(e, "is not a Fencer finding (%s)", key);
}

static bool take_text(const json_t *j, const char *key, struct arena *a,
                      const char **text, struct err *e)
{
    const char *t = json_string_value(json_object_get(j, key));

    if (!t)
        return lacks(e, key);
    *text = arena_copy(a, t);
    return true;
}

static bool take_number(const json_t *j, const char *key, uint64_t *n,
                        struct err *e)
{
    const char *t = json_string_value(json_object_get(j, key));
    char *end;

    if (!t || *t < '0' || *t > '9')
        return lacks(e, key);
    *n = strtoull(t, &end, 10);
    return *end == '\0' || lacks(e, key);
}

static bool take_int(const json_t *j, const char *key, uint32_t *n,
                     struct err *e)
{
    const json_t *v = json_object_get(j, key);

    if (!json_is_integer(v) || json_integer_value(v) < 0 ||
        json_integer_value(v) > UINT32_MAX)
        return lacks(e, key);
    *n = (uint32_t)json_integer_value(v);
    return true;
}

static bool take_failure(const json_t *j, struct channel_failure *f,
                         struct err *e)
{
    const char *kind = json_string_value(json_object_get(j, "kind"));
    const char *message = json_string_value(json_object_get(j, "message"));
    const json_t *code = json_object_get(j, "exit_code");

    if (!kind || !message || !json_is_integer(code) ||
        strlen(message) >= sizeof(f->message))
        return lacks(e, "failure");
    strcpy(f->message, message);
    clean_line(f->message, sizeof(f->message));
    f->exit_code = json_integer_value(code);
    for (f->kind = 0; f->kind < FAIL_KIND_COUNT; f->kind++) {
        if (strcmp(kind, failure_names[f->kind]) == 0)
            break;
    }
    if (f->kind == FAIL_KIND_COUNT)
        return lacks(e, "failure");
    return take_int(j, "thread", &f->thread, e) &&
           take_int(j, "site", &f->site, e) &&
           take_int(j, "signal", &f->signal, e);
}

static bool take_arguments(const json_t *j, struct arena *a, struct finding *f,
                           struct err *e)
{
    size_t n = json_array_size(j);

    if (!json_is_array(j) || n > LIST_MAX)
        return lacks(e, "arguments");
    f->arguments = arena_array(a, n + 1, sizeof(*f->arguments));
    for (size_t i = 0; i < n; i++) {
        const char *t = json_string_value(json_array_get(j, i));

        if (!t)
            return lacks(e, "arguments");
        f->arguments[f->argument_count++] = arena_copy(a, t);
    }
    return true;
}

/* A list of pairs of numbers: the first of each below 2^32, the second small.
 * False: it is something else. */
static bool take_pairs(const json_t *j, const char *key, uint32_t (*pairs)[2],
                       size_t max, size_t *count, struct err *e)
{
    const json_t *list = json_object_get(j, key);

    *count = json_array_size(list);
    if (!json_is_array(list) || *count > max)
        return lacks(e, key);
    for (size_t i = 0; i < *count; i++) {
        const json_t *pair = json_array_get(list, i);

        for (size_t k = 0; k < 2; k++) {
            const json_t *v = json_array_get(pair, k);
            json_int_t n = json_integer_value(v);

            if (!json_is_integer(v) || n < 0 || n > UINT32_MAX)
                return lacks(e, key);
            pairs[i][k] = (uint32_t)n;
        }
    }
    return true;
}

static bool take_cycle(const json_t *j, struct shown_cycle *c, struct err *e)
{
    uint32_t pairs[GOAL_NODES_MAX][2];
    size_t count;

    if (!take_pairs(j, "cycle", pairs, GOAL_NODES_MAX, &count, e) ||
        !take_int(j, "reordered", &c->reordered, e))
        return false;
    c->length = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        if (pairs[i][1] > GOAL_SECOND)
            return lacks(e, "cycle");
        c->events[i] = pairs[i][0];
        c->pairs[i] = (uint8_t)pairs[i][1];
    }
    return true;
}

static bool take_race(const json_t *j, struct shown *s, struct err *e)
{
    uint32_t pair[1][2];
    size_t count;

    if (s->class != CLASS_RACE)
        return true;
    if (!take_pairs(j, "race", pair, 1, &count, e) || count != 1)
        return lacks(e, "race");
    memcpy(s->race, pair[0], sizeof(s->race));
    return true;
}

static bool take_class(const json_t *j, enum finding_class *c, struct err *e)
{
    const char *word = json_string_value(json_object_get(j, "class"));

    *c = word ? class_find(word) : CLASS_COUNT;
    return *c != CLASS_COUNT || lacks(e, "class");
}

static bool take_fences(const json_t *j, const char *key,
                        struct channel_fence *fences, size_t *count,
                        struct err *e)
{
    uint32_t pairs[CHANNEL_FENCES_MAX][2];

    if (!take_pairs(j, key, pairs, CHANNEL_FENCES_MAX, count, e))
        return false;
    for (size_t i = 0; i < *count; i++)
        fences[i] = (struct channel_fence){pairs[i][0], pairs[i][1]};
    return true;
}

static bool take_known(const json_t *j, struct arena *a, struct shown *s,
                       struct err *e)
{
    if (!json_object_get(j, "class")) {
        s->class = class_of_failure(s->finding.model);
        return true;
    }
    if (!take_class(j, &s->class, e) || !take_race(j, s, e) ||
        !take_text(j, "error", a, &s->error, e) ||
        !take_cycle(j, &s->cycle, e) || !take_int(j, "cycles", &s->cycles, e) ||
        !take_fences(j, "fences", s->fences, &s->fence_count, e) ||
        (json_object_get(j, "cure") &&
         (!take_fences(j, "cure", s->cure, &s->cure_count, e) ||
          !take_int(j, "others", &s->others, e))) ||
        (json_object_get(j, "missing") &&
         !take_text(j, "missing", a, &s->missing, e)))
        return false;
    s->missing = s->missing ? clean_copy(a, s->missing) : NULL;
    s->error = *s->error ? clean_copy(a, s->error) : NULL;
    s->cured = json_is_true(json_object_get(j, "cured"));
    s->proved = json_is_true(json_object_get(j, "proved"));
    return true;
}

static bool take_model(const json_t *j, const struct model **m, struct err *e)
{
    const char *name = json_string_value(json_object_get(j, "model"));

    if (!name)
        return lacks(e, "model");
    *m = strcmp(name, model_relaxed.name) == 0 ? &model_relaxed
                                               : model_find(name);
    return *m || err_set(e, "unknown model '%s'", name);
}

static bool take_shown(const json_t *j, struct arena *a, struct shown *s,
                       struct err *e)
{
    struct finding *f = &s->finding;
    uint32_t format;
    const char *decisions = "";

    if (!take_int(j, "finding", &format, e))
        return false;
    if (format != FORMAT)
        return err_set(e, "is a finding of version %u, this fencer reads %d",
                       format, FORMAT);
    if (!take_text(j, "program", a, &f->program, e) ||
        !take_text(j, "binary", a, &f->binary, e) ||
        !take_model(j, &f->model, e) ||
        !take_text(j, "strategy", a, &f->strategy, e) ||
        !take_text(j, "output", a, &f->output, e) ||
        !take_text(j, "trace", a, &f->trace, e) ||
        !take_text(j, "decisions", a, &decisions, e) ||
        !take_number(j, "binary_size", &f->binary_size, e) ||
        !take_number(j, "binary_hash", &f->binary_hash, e) ||
        !take_number(j, "seed", &f->seed, e) ||
        !take_number(j, "run", &f->run, e) ||
        !take_number(j, "buffer", &f->buffer, e) ||
        !take_number(j, "max_events", &f->max_events, e) ||
        !take_number(j, "output_lost", &f->output_lost, e) ||
        !take_int(j, "flags", &f->flags, e) ||
        !take_int(j, "depth", &f->depth, e))
        return false;
    f->program = clean_copy(a, f->program);
    f->strategy = clean_copy(a, f->strategy);
    f->failure.run = f->run;
    if (json_object_get(j, "outcome") &&
        !take_number(j, "outcome", &f->outcome, e))
        return false;
    return take_failure(json_object_get(j, "failure"), &f->failure, e) &&
           take_arguments(json_object_get(j, "arguments"), a, f, e) &&
           take_known(j, a, s, e) && take_decisions(decisions, a, f, e);
}

bool shown_decode(const char *text, size_t n, struct arena *a, struct shown *s,
                  struct err *e)
{
    json_error_t why;
    json_t *j = json_loadb(text, n, 0, &why);

    memset(s, 0, sizeof(*s));
    if (!j)
        return err_set(e, "is not a Fencer finding (line %d: %s)", why.line,
                       why.text);

    bool ok = take_shown(j, a, s, e);

    json_decref(j);
    return ok;
}

bool shown_read(const char *path, struct arena *a, struct shown *s,
                struct err *e)
{
    struct buf file = {0};
    bool ok = buf_read_file(&file, path, FILE_MAX, e);

    if (ok)
        ok = shown_decode(file.bytes, file.count, a, s, e) ||
             err_in(e, "%s", path);
    buf_free(&file);
    return ok;
}

const char *finding_beside(const char *finding, const char *file,
                           struct arena *a)
{
    const char *slash = strrchr(finding, '/');

    if (*file == '/' || !slash)
        return file;
    return arena_printf(a, "%.*s%s", (int)(slash + 1 - finding), finding, file);
}
