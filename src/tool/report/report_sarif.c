/* SPDX-License-Identifier: MIT
 *
 * Reports for code hosts and editors: SARIF 2.1.0 (OASIS).  A finding is a
 * result, its execution a code flow with one thread flow for each thread, its
 * cure a fix.  All words are those of the text report.
 */
#include "report/report_sarif.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/words.h"
#include "report/patch.h"
#include "report/report_object.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* RULE(CLASS, its name, level of a result, what it says) */
#define RULES(RULE)                                                            \
    RULE(SC, "ProgramError", "error",                                          \
         "The program fails, and no reordering is needed for that.")           \
    RULE(HARMFUL, "HarmfulReordering", "error",                                \
         "A reordering that the machine may make breaks the program.")         \
    RULE(RACE, "DataRace", "error",                                            \
         "A data race: the program's behaviour is undefined in C11.")          \
    RULE(BENIGN, "BenignReordering", "note",                                   \
         "An execution that is not sequentially consistent, without harm.")    \
    RULE(UNDECIDED, "UndecidedReordering", "warning",                          \
         "A reordering of which it is not known whether it does harm.")

static const struct rule {
    enum finding_class class;
    const char *name, *level, *words;
} rules[] = {
#define RULE(class, name, level, words) {CLASS_##class, name, level, words},
    RULES(RULE)
#undef RULE
};
#define RULE_COUNT (sizeof(rules) / sizeof(rules[0]))

static size_t rule_of(enum finding_class class)
{
    size_t i = 0;

    while (i + 1 < RULE_COUNT && rules[i].class != class)
        i++;
    return i;
}

static json_t *rules_json(void)
{
    json_t *list = json_array();

    for (size_t i = 0; i < RULE_COUNT; i++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:[s], s:s, s:s}}", "id",
                      class_word(rules[i].class), "name", rules[i].name,
                      "shortDescription", "text", rules[i].words,
                      "defaultConfiguration", "level", rules[i].level,
                      "properties", "tags", "concurrency", "precision",
                      "very-high", "problem.severity",
                      strcmp(rules[i].level, "note") == 0 ? "recommendation"
                                                          : rules[i].level));
    return list;
}

/* ---- Places ---- */

static json_t *message_json(const char *text)
{
    return json_pack("{s:o}", "text", json_text(text));
}

/* The file of a site, from the current folder: compilers name it from the one
 * that they ran in. */
static void put_file(const struct fencer_site *s, struct buf *out)
{
    char here[PATH_MAX];
    size_t n = getcwd(here, sizeof(here)) ? strlen(here) : 0;
    const char *file = s->file;

    while (strncmp(file, "./", 2) == 0) /* hosts compare names */
        file += 2;
    if (*file != '/' && *s->dir && strcmp(s->dir, here) != 0) {
        bool below = n && strncmp(s->dir, here, n) == 0 && s->dir[n] == '/';

        buf_printf(out, "%s/", below ? s->dir + n + 1 : s->dir);
    }
    buf_puts(out, file);
}

/* A path becomes a URI: what has a meaning there is written by its number. */
static json_t *artifact_json(const struct fencer_site *s)
{
    struct buf path = {0}, uri = {0};
    json_t *j;

    put_file(s, &path);
    buf_puts(&uri, *path.bytes == '/' ? "file://" : "");
    for (size_t i = 0; i < path.count; i++) {
        unsigned char c = (unsigned char)path.bytes[i];

        if (c < 128 && (isalnum(c) || strchr("-._~/", c)))
            buf_putc(&uri, path.bytes[i]);
        else
            buf_printf(&uri, "%%%02X", c);
    }
    j = json_pack("{s:s}", "uri", uri.bytes);
    buf_free(&path);
    buf_free(&uri);
    return j;
}

/* clang counts bytes, the log characters.  Where the source is gone, or has
 * changed, it stays as it is. */
static size_t column_of(struct sources *from, const struct fencer_site *s)
{
    const char *at = sources_text(from, s);
    size_t n = 1;

    for (unsigned line = 1; at && line < s->line; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at || strcspn(at, "\n") < s->column)
        return s->column;
    for (unsigned i = 1; i < s->column; i++)
        n += ((unsigned char)at[i] & 0xc0) != 0x80;
    return n;
}

static json_t *physical_json(struct sources *from, const struct fencer_site *s)
{
    json_t *region = json_pack("{s:i}", "startLine", (int)s->line);

    if (s->column)
        json_object_set_new(region, "startColumn",
                            json_integer((json_int_t)column_of(from, s)));
    return json_pack("{s:o, s:o}", "artifactLocation", artifact_json(s),
                     "region", region);
}

/* What has no place in the source has words only. */
static json_t *location_json(struct sources *from, const struct fencer_site *s,
                             const char *text)
{
    json_t *j = json_object();

    if (s->line)
        json_object_set_new(j, "physicalLocation", physical_json(from, s));
    if (*s->function)
        json_object_set_new(j, "logicalLocations",
                            json_pack("[{s:o, s:s}]", "name",
                                      json_text(s->function), "kind",
                                      "function"));
    if (text)
        json_object_set_new(j, "message", message_json(text));
    return j;
}

/* ---- The execution ---- */

static struct shown_cycle cycle_of(const struct shown *f)
{
    if (f->class != CLASS_RACE)
        return f->cycle;
    return (struct shown_cycle){.length = 2,
                                .events = {f->race[0], f->race[1]}};
}

static bool is_in_cycle(const struct shown_cycle *c, size_t event)
{
    for (uint32_t i = 0; i < c->length; i++) {
        if (c->events[i] == event)
            return true;
    }
    return false;
}

static json_t *step_json(struct sources *from, const struct shown *f,
                         const struct shown_cycle *c, size_t i)
{
    const struct event *ev = &f->trace.events[i];
    struct buf text = {0};
    json_t *j;

    buf_printf(&text, "step %zu: ", i + 1);
    steps_effect(&f->trace, i, &text);
    j = json_pack("{s:o, s:I, s:s}", "location",
                  location_json(from, &f->trace.sites[ev->site], text.bytes),
                  "executionOrder", (json_int_t)i + 1, "importance",
                  is_in_cycle(c, i) ? "essential" : "important");
    buf_free(&text);
    return j;
}

/* Of one thread; NULL: none of its steps is shown. */
static json_t *thread_json(struct sources *from, const struct shown *f,
                           const struct shown_cycle *c, const bool *keep,
                           unsigned thread)
{
    json_t *steps = json_array();
    char id[16];

    for (size_t i = 0; i < f->trace.event_count; i++) {
        if (keep[i] && f->trace.events[i].thread == thread)
            json_array_append_new(steps, step_json(from, f, c, i));
    }
    if (json_array_size(steps) == 0) {
        json_decref(steps);
        return NULL;
    }
    snprintf(id, sizeof(id), "T%u", thread);
    return json_pack("{s:s, s:o, s:o}", "id", id, "message",
                     message_json(steps_thread(&f->trace, thread)), "locations",
                     steps);
}

/* The steps that the text report shows, thread by thread. */
static json_t *flows_json(struct sources *from, const struct shown *f)
{
    struct shown_cycle c = cycle_of(f);
    struct arena arena = ARENA_INIT;
    bool *keep = arena_array(&arena, f->trace.event_count + 1, sizeof(bool));
    json_t *flows = json_array();

    steps_choose(&f->trace, &c, keep);
    for (unsigned i = 0; i < f->trace.thread_count; i++) {
        json_t *flow = thread_json(from, f, &c, keep, i);

        if (flow)
            json_array_append_new(flows, flow);
    }
    arena_free(&arena);
    if (json_array_size(flows) == 0) {
        json_decref(flows);
        return NULL;
    }
    return json_pack("[{s:o}]", "threadFlows", flows);
}

/* The accesses of the cycle, or of the race. */
static json_t *related_json(struct sources *from, const struct shown *f)
{
    struct shown_cycle c = cycle_of(f);
    json_t *list = json_array();

    for (uint32_t i = 0; i < c.length; i++) {
        const struct event *ev = &f->trace.events[c.events[i]];
        struct buf text = {0};

        buf_printf(&text, "(%u) T%u: ", i + 1, (unsigned)ev->thread);
        steps_effect(&f->trace, c.events[i], &text);
        buf_printf(&text, "; %s (%u)",
                   f->class == CLASS_RACE ? "races with"
                                          : report_edge_words(f, i),
                   (i + 1) % c.length + 1);

        json_t *j = location_json(from, &f->trace.sites[ev->site], text.bytes);

        json_object_set_new(j, "id", json_integer((json_int_t)i + 1));
        json_array_append_new(list, j);
        buf_free(&text);
    }
    return list;
}

/* ---- The cure ---- */

/* That text instead of a whole line, which ends before column `end`.  NULL: it
 * is no UTF-8, and JSON cannot say it. */
static json_t *replacement_json(size_t line, size_t end, const char *text)
{
    return json_pack("{s:{s:I, s:I, s:I, s:I}, s:{s:o}}", "deletedRegion",
                     "startLine", (json_int_t)line, "startColumn",
                     (json_int_t)1, "endLine", (json_int_t)line, "endColumn",
                     (json_int_t)end, "insertedContent", "text",
                     json_string(text));
}

static size_t count_points(const char *line)
{
    size_t n = 0;

    for (; *line; line++)
        n += ((unsigned char)*line & 0xc0) != 0x80;
    return n;
}

static bool add_line(json_t *list, const struct patch *p, size_t i)
{
    size_t end = count_points(p->lines[i]) + 1;
    const char *line = p->instead[i] ? p->instead[i] : p->lines[i];

    if (p->after[i])
        line = arena_printf(p->arena, "%s\n%s", line, p->after[i]);
    return line == p->lines[i] ||
           json_array_append_new(list, replacement_json(i + 1, end, line)) == 0;
}

static bool add_changes(json_t *changes, const struct patch *p)
{
    json_t *list = json_array();
    bool ok = true;

    for (size_t i = 0; i < p->count && ok; i++)
        ok = add_line(list, p, i);
    json_array_append_new(changes, json_pack("{s:o, s:o}", "artifactLocation",
                                             artifact_json(p->site),
                                             "replacements", list));
    return ok;
}

static json_t *words_json(const struct shown *f,
                          void (*put)(const struct shown *, struct buf *))
{
    struct buf text = {0};
    json_t *j;

    buf_puts(&text, "");
    put(f, &text);
    while (text.count && text.bytes[text.count - 1] == '\n')
        text.bytes[--text.count] = '\0';
    j = message_json(text.bytes + strspn(text.bytes, "\n"));
    buf_free(&text);
    return j;
}

/* NULL: the cure has no form that a tool could apply. */
static json_t *fixes_json(struct sources *from, const struct shown *f)
{
    struct patches all;
    json_t *changes = json_array();
    bool ok = patches_of(f, from, &all);

    for (size_t i = 0; i < all.count && ok; i++)
        ok = add_changes(changes, &all.list[i]);
    patches_free(&all);
    if (ok)
        return json_pack("[{s:o, s:o}]", "description",
                         words_json(f, report_cure), "artifactChanges",
                         changes);
    json_decref(changes);
    return NULL;
}

/* ---- Results ---- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

/* The same finding in a source in which lines have moved has the same number:
 * what failed, and between which names. */
static void put_fingerprint(const struct shown *f, struct buf *out)
{
    struct shown_cycle c = cycle_of(f);
    uint64_t hash = hash_text(HASH_START, class_word(f->class));

    hash = hash_text(hash, f->trace.failure.message);
    for (uint32_t i = 0; i < c.length; i++) {
        const struct event *ev = &f->trace.events[c.events[i]];
        const struct fencer_site *s = &f->trace.sites[ev->site];

        hash = hash_text(hash, words_file_name(s->file));
        hash = hash_text(hash, s->function);
        hash = hash_text(hash, s->name);
        hash = hash_text(hash, event_kind_words(ev->kind));
    }
    buf_printf(out, "%016" PRIx64, hash);
}

static void put_message(const struct shown *f, struct buf *out)
{
    report_headline(f, out);
    buf_putc(out, '\n');
    if (f->class != CLASS_RACE)
        report_reordered(f, out);
    report_cure(f, out);
}

/* Where it failed, else where its cycle or race begins. */
static const struct fencer_site *place_of(const struct shown *f)
{
    const struct trace *t = &f->trace;
    struct shown_cycle c = cycle_of(f);
    bool near;

    if (shown_failed(f) && !f->error)
        return &t->sites[report_failure_site(t, &near)];
    return &t->sites[c.length ? t->events[c.events[0]].site : 0];
}

static void set_unless_null(json_t *j, const char *key, json_t *value)
{
    if (value)
        json_object_set_new(j, key, value);
}

static json_t *properties_json(const struct shown *f, size_t number)
{
    json_t *j = json_pack("{s:s, s:o}", "model", f->finding.model->name,
                          "machine", json_text(f->finding.model->words));
    char id[24];

    snprintf(id, sizeof(id), "f%zu", number);
    json_object_set_new(j, "id", json_string(id));
    if (f->replay)
        json_object_set_new(j, "replay", json_text(f->replay));
    return j;
}

static json_t *result_json(struct sources *from, const struct shown *f,
                           size_t number)
{
    size_t rule = rule_of(f->class);
    struct buf print = {0};
    json_t *j;

    put_fingerprint(f, &print);
    j = json_pack(
        "{s:s, s:I, s:s, s:o, s:[o], s:{s:s}, s:o}", "ruleId",
        class_word(rules[rule].class), "ruleIndex", (json_int_t)rule, "level",
        rules[rule].level, "message", words_json(f, put_message), "locations",
        location_json(from, place_of(f), NULL), "partialFingerprints",
        "fencer/v1", print.bytes, "properties", properties_json(f, number));
    buf_free(&print);
    json_object_set_new(j, "relatedLocations", related_json(from, f));
    set_unless_null(j, "codeFlows", flows_json(from, f));
    set_unless_null(j, "fixes", fixes_json(from, f));
    return j;
}

/* ---- The run ---- */

/* What was not covered is said here too. */
static json_t *invocation_json(const struct report *r)
{
    bool finished = report_exit_code(r) != EXIT_UNFINISHED;
    json_t *limits = json_array();

    for (size_t i = 0; i < r->limit_count; i++)
        json_array_append_new(limits,
                              json_pack("{s:s, s:o}", "level",
                                        finished ? "note" : "warning",
                                        "message", message_json(r->limits[i])));
    return json_pack("{s:b, s:i, s:o}", "executionSuccessful", finished,
                     "exitCode", (int)report_exit_status(r),
                     "toolExecutionNotifications", limits);
}

static json_t *automation_json(const struct report *r)
{
    struct buf id = {0};
    json_t *j;

    buf_printf(&id, "fencer/%s/%s", r->command, r->program);
    j = json_pack("{s:o}", "id", json_text(id.bytes));
    buf_free(&id);
    return j;
}

json_t *report_sarif_object(const struct report *r)
{
    json_t *results = json_array(), *all = report_object(r);
    json_t *answers = json_incref(json_object_get(all, "models"));
    struct sources *from = sources_new();

    json_decref(all);
    for (size_t i = 0; i < r->finding_count; i++)
        json_array_append_new(results,
                              result_json(from, r->findings[i], i + 1));
    sources_free(from);
    all = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o, s:[o], s:s, "
                    "s:o, s:{s:o}}]}",
                    "$schema", SCHEMA, "version", "2.1.0", "runs", "tool",
                    "driver", "name", "Fencer", "semanticVersion",
                    FENCER_VERSION, "rules", rules_json(), "automationDetails",
                    automation_json(r), "invocations", invocation_json(r),
                    "columnKind", "unicodeCodePoints", "results", results,
                    "properties", "models", answers);
    CHECK(all != NULL);
    return all;
}

void report_sarif(const struct report *r, struct buf *out)
{
    json_put(report_sarif_object(r), JSON_INDENT(1) | JSON_REAL_PRECISION(6),
             out);
    buf_putc(out, '\n');
}
