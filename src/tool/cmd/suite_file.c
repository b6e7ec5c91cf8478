/* SPDX-License-Identifier: MIT
 *
 * fencer.toml: a test is a table whose keys are the options of its command,
 * and a few of its own.  So every option can be used, is checked as on the
 * command line, and nothing is listed twice.
 */
#include "cmd/suite.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/toml.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/options_table.h"

#define FILE_BYTES (256 * 1024)
#define NAMES_MAX (OPTIONS_ROWS_MAX + 8)

static const char *const own_keys[] = {"name",      "command", "sources",
                                       "arguments", "expect",  "error"};
#define OWN_KEY_COUNT (sizeof(own_keys) / sizeof(own_keys[0]))

static const char *const test_commands[] = {"run", "test", "verify", "check"};
#define COMMAND_COUNT (sizeof(test_commands) / sizeof(test_commands[0]))

/* One test while it is read. */
struct reader {
    struct suite *suite;
    const struct toml *table, *defaults; /* the latter may be NULL */
    const struct command *command;
    struct suite_test *test;
    VEC(const char *) arguments;
    struct err *e;
};

const char *suite_word(enum suite_verdict v)
{
    static const char *const words[] = {
#define VERDICT(name, word) word,
        SUITE_VERDICTS(VERDICT)
#undef VERDICT
    };

    return v == SUITE_NONE ? "none" : words[v];
}

static bool in_line(struct err *e, const struct toml *t)
{
    return err_in(e, "line %zu", t->line);
}

static bool wrong_type(const struct toml *t, const char *wanted, struct err *e)
{
    const char *words = toml_words(t->type);

    err_set(e, "'%s' is %s %s, not %s", t->key ? t->key : "an element",
            strchr("aeiou", *words) ? "an" : "a", words, wanted);
    return in_line(e, t);
}

/* ---- Keys ---- */

/* What the suite itself has to say of every test. */
static bool is_of_suite(const char *name)
{
    static const char *const names[] = {
        "json", "html",  "sarif", "junit",    "github", "fail-on",
        "out",  "quiet", "trace", "no-color", "color",  "browse",
        "log",  "help",  "jobs",  "full",     "litmus"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static const struct option_row *find_option(unsigned set, const char *name)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (row->commands & set && strcmp(row->name, name) == 0 &&
            !is_of_suite(name))
            return row;
    }
    return NULL;
}

static bool is_own_key(const char *key)
{
    for (size_t i = 0; i < OWN_KEY_COUNT; i++) {
        if (strcmp(own_keys[i], key) == 0)
            return true;
    }
    return false;
}

static bool unknown_key(const struct toml *t, unsigned set, struct err *e)
{
    const char *names[NAMES_MAX];
    size_t n = 0;

    for (; n < OWN_KEY_COUNT; n++)
        names[n] = own_keys[n];
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (row->commands & set && !is_of_suite(row->name))
            names[n++] = row->name;
    }
    if (is_of_suite(t->key))
        err_set(e, "'%s' is not for a test; fencer suite decides it", t->key);
    else
        words_unknown(e, "key", t->key, names, n,
                      "keys are the options of the command, and name, command, "
                      "sources, arguments, expect, error");
    return in_line(e, t);
}

/* ---- Values ---- */

static bool take_text(const struct toml *t, const char **text, struct err *e)
{
    if (t->type != TOML_STRING)
        return wrong_type(t, "a string", e);
    if (strchr(t->text, '\n')) {
        err_set(e, "'%s' has a newline in it", t->key ? t->key : "an element");
        return in_line(e, t);
    }
    *text = t->text;
    return true;
}

/* A string, or an array of strings; calls `each` for every one. */
static bool each_text(struct reader *r, const struct toml *t,
                      bool (*each)(struct reader *, const struct toml *,
                                   const char *))
{
    const char *text;

    if (t->type != TOML_ARRAY)
        return take_text(t, &text, r->e) && each(r, t, text);
    for (const struct toml *c = t->first; c; c = c->next) {
        if (!take_text(c, &text, r->e) || !each(r, c, text))
            return false;
    }
    return true;
}

static bool add_argument(struct reader *r, const struct toml *t,
                         const char *text)
{
    (void)t;
    VEC_PUSH_IN(r->suite->arena, &r->arguments, text);
    return true;
}

static bool add_test_of_type(struct reader *r, const struct toml *t,
                             const char *text)
{
    return add_argument(r, t, arena_printf(r->suite->arena, "--test=%s", text));
}

/* An array is one value, its elements side by side. */
static bool join_texts(struct reader *r, const struct toml *t, char between,
                       const char **joined)
{
    struct buf all = {0};
    bool ok = true;
    const char *text = "";

    if (t->type != TOML_ARRAY)
        return take_text(t, joined, r->e);
    buf_puts(&all, "");
    for (const struct toml *c = t->first; c && ok; c = c->next) {
        ok = take_text(c, &text, r->e);
        if (c != t->first)
            buf_putc(&all, between);
        buf_puts(&all, text);
    }
    *joined = arena_copy(r->suite->arena, all.bytes);
    buf_free(&all);
    return ok;
}

static bool add_option(struct reader *r, const struct option_row *row,
                       const struct toml *t)
{
    const char *text = t->text;

    switch (row->type) {
    case OPT_FLAG:
        if (t->type != TOML_BOOLEAN)
            return wrong_type(t, "true or false", r->e);
        return !t->truth ||
               add_argument(r, t,
                            arena_printf(r->suite->arena, "--%s", row->name));
    case OPT_NUMBER:
        if (t->type != TOML_INTEGER)
            return wrong_type(t, "an integer", r->e);
        break;
    case OPT_SECONDS:
        if (t->type != TOML_INTEGER && t->type != TOML_REAL)
            return wrong_type(t, "a number", r->e);
        break;
    case OPT_TESTS:
        return each_text(r, t, add_test_of_type);
    case OPT_TEXT:
    case OPT_WORD:
    case OPT_MODELS:
    case OPT_LOG:
        if (!join_texts(r, t, strcmp(row->name, "cflags") == 0 ? ' ' : ',',
                        &text))
            return false;
    }
    return add_argument(
        r, t, arena_printf(r->suite->arena, "--%s=%s", row->name, text));
}

/* ---- A test ---- */

/* Its own value, else that of [defaults]. */
static const struct toml *get(const struct reader *r, const char *key)
{
    const struct toml *t = toml_get(r->table, key);

    return t || !r->defaults ? t : toml_get(r->defaults, key);
}

static bool take_name(struct reader *r)
{
    const struct toml *t = toml_get(r->table, "name");
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789._+-";

    if (!t) {
        err_set(r->e, "a test without a name");
        return in_line(r->e, r->table);
    }
    if (!take_text(t, &r->test->name, r->e))
        return false;
    if (!*t->text || *t->text == '.' || t->text[strspn(t->text, signs)]) {
        err_set(r->e,
                "'%s' is no name: letters, digits, '.', '_', '+' and '-', and "
                "no '.' at the beginning",
                t->text);
        return in_line(r->e, t);
    }
    for (size_t i = 0; i < r->suite->count; i++) {
        if (strcmp(r->suite->list[i].name, t->text) == 0) {
            err_set(r->e, "there is a test '%s' already, in line %zu", t->text,
                    r->suite->list[i].line);
            return in_line(r->e, t);
        }
    }
    return true;
}

static const struct command *find_command(const char *name)
{
    const struct command *c = commands;

    while (c->name && strcmp(c->name, name) != 0)
        c++;
    return c;
}

static bool take_command(struct reader *r)
{
    const struct toml *t = get(r, "command");
    const char *name = "verify";
    size_t i = 0;

    if (t && !take_text(t, &name, r->e))
        return false;
    while (i < COMMAND_COUNT && strcmp(test_commands[i], name) != 0)
        i++;
    if (i == COMMAND_COUNT) {
        words_unknown(r->e, "command", name, test_commands, COMMAND_COUNT,
                      "run, test, verify or check");
        return in_line(r->e, t);
    }
    r->command = find_command(name);
    r->test->command = r->command->name;
    return add_argument(r, t, r->test->command);
}

/* Those of [defaults] that another command has are not meant. */
static bool take_options(struct reader *r, const struct toml *table, bool own)
{
    for (const struct toml *t = table->first; t; t = t->next) {
        const struct option_row *row = find_option(r->command->options, t->key);

        if (is_own_key(t->key) || (!own && toml_get(r->table, t->key)))
            continue;
        if (!row && own)
            return unknown_key(t, r->command->options, r->e);
        if (row && !add_option(r, row, t))
            return false;
    }
    return true;
}

static bool add_source(struct reader *r, const struct toml *t, const char *text)
{
    const char *path = arena_printf(r->suite->arena, "%s%s",
                                    *text == '/' ? "" : r->suite->folder, text);

    if (access(path, R_OK) != 0) {
        err_set(r->e, "%s: %s", path, strerror(errno));
        return in_line(r->e, t);
    }
    /* What begins with a dash would be an option. */
    return add_argument(
        r, t,
        *text == '-' ? arena_printf(r->suite->arena, "./%s", text) : text);
}

static bool take_operands(struct reader *r)
{
    const struct toml *sources = get(r, "sources");
    const struct toml *arguments = get(r, "arguments");

    r->test->operands = r->arguments.count;
    if (!sources) {
        err_set(r->e, "test '%s' has no sources", r->test->name);
        return in_line(r->e, r->table);
    }
    if (!each_text(r, sources, add_source))
        return false;
    if (r->arguments.count == r->test->operands) {
        err_set(r->e, "'sources' is empty");
        return in_line(r->e, sources);
    }
    if (!arguments)
        return true;
    if (strcmp(r->test->command, "check") == 0) {
        err_set(r->e, "check takes no arguments");
        return in_line(r->e, arguments);
    }
    return add_argument(r, arguments, "--") &&
           each_text(r, arguments, add_argument);
}

/* ---- What is expected ---- */

static bool take_verdict(const struct toml *t, enum suite_verdict *v,
                         struct err *e)
{
    const char *names[SUITE_NONE];

    for (unsigned i = 0; i < SUITE_NONE; i++)
        names[i] = suite_word(i);
    if (t->type != TOML_STRING)
        return wrong_type(t, "a string", e);
    for (unsigned i = 0; i < SUITE_NONE; i++) {
        if (strcmp(names[i], t->text) == 0) {
            *v = i;
            return true;
        }
    }
    words_unknown(e, "verdict", t->text, names, SUITE_NONE,
                  "pass, fail or unknown");
    return in_line(e, t);
}

/* Models that are not named are expected to pass. */
static bool take_by_model(struct reader *r, const struct toml *table,
                          const struct options *o)
{
    struct suite_test *test = r->test;

    for (size_t i = 0; i < o->model_count; i++)
        test->models[test->model_count++] =
            (struct suite_expected){o->models[i], SUITE_PASS};
    for (const struct toml *t = table->first; t; t = t->next) {
        size_t i = 0;

        while (i < test->model_count &&
               strcmp(test->models[i].model->name, t->key) != 0)
            i++;
        if (i == test->model_count) {
            err_set(r->e, "'%s' is no model of this test", t->key);
            return in_line(r->e, t);
        }
        if (!take_verdict(t, &test->models[i].verdict, r->e))
            return false;
    }
    return true;
}

static bool take_expected(struct reader *r, const struct options *o)
{
    const struct toml *t = get(r, "expect"), *error = get(r, "error");

    r->test->expected = SUITE_PASS;
    if (error && !take_text(error, &r->test->error, r->e))
        return false;
    if (t && t->type == TOML_TABLE)
        return take_by_model(r, t, o);
    return !t || take_verdict(t, &r->test->expected, r->e);
}

/* As the command itself would: a copy, since operands are moved. */
static bool parse_options(struct reader *r, struct options *o)
{
    size_t n = r->arguments.count;
    char **copy = arena_array(r->suite->arena, n + 1, sizeof(*copy));

    for (size_t i = 0; i < n; i++)
        copy[i] = (char *)r->arguments.list[i];
    return options_parse(o, r->command->options, (int)n, copy, r->e) ||
           in_line(r->e, r->table);
}

static bool take_test(struct suite *s, const struct toml *table,
                      const struct toml *defaults, struct err *e)
{
    struct suite_test test = {.line = table->line};
    struct options *o = arena_alloc(s->arena, sizeof(*o));
    struct reader r = {.suite = s,
                       .table = table,
                       .defaults = defaults,
                       .test = &test,
                       .e = e};

    if (!take_name(&r) || !take_command(&r) ||
        (defaults && !take_options(&r, defaults, false)) ||
        !take_options(&r, table, true) || !take_operands(&r) ||
        !parse_options(&r, o) || !take_expected(&r, o))
        return false;
    test.arguments = r.arguments.list;
    test.argument_count = r.arguments.count;
    VEC_PUSH_IN(s->arena, s, test);
    return true;
}

/* ---- The file ---- */

static bool check_defaults(const struct toml *table, struct err *e)
{
    unsigned all = 0;

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        all |= find_command(test_commands[i])->options;
    if (table->type != TOML_TABLE)
        return wrong_type(table, "a table", e);
    for (const struct toml *t = table->first; t; t = t->next) {
        if (strcmp(t->key, "name") == 0) {
            err_set(e, "'name' is not for [defaults]");
            return in_line(e, t);
        }
        if (!is_own_key(t->key) && !find_option(all, t->key))
            return unknown_key(t, all, e);
    }
    return true;
}

static bool take_root(struct suite *s, const struct toml *root, struct err *e)
{
    static const char *const keys[] = {"defaults", "test"};
    const struct toml *defaults = toml_get(root, "defaults");
    const struct toml *tests = toml_get(root, "test");

    for (const struct toml *t = root->first; t; t = t->next) {
        if (t != defaults && t != tests) {
            words_unknown(e, "key", t->key, keys, 2,
                          "there are [defaults] and [[test]]");
            return in_line(e, t);
        }
    }
    if (defaults && !check_defaults(defaults, e))
        return false;
    if (!tests || tests->type != TOML_ARRAY || !tests->first) {
        err_set(e, "there is no [[test]]");
        return in_line(e, tests ? tests : root);
    }
    for (const struct toml *t = tests->first; t; t = t->next) {
        if (t->type != TOML_TABLE)
            return wrong_type(t, "a table", e);
        if (!take_test(s, t, defaults, e))
            return false;
    }
    return true;
}

bool suite_read(struct suite *s, const char *file, struct err *e)
{
    const char *slash = strrchr(file, '/');
    const struct toml *root;
    struct buf text = {0};
    bool ok;

    s->file = file;
    s->folder =
        slash ? arena_copy_n(s->arena, file, (size_t)(slash - file) + 1) : "";
    if (!buf_read_file(&text, file, FILE_BYTES, e)) {
        buf_free(&text);
        return false;
    }
    ok = toml_parse(text.count ? text.bytes : "", text.count, s->arena, &root,
                    e) &&
         take_root(s, root, e);
    buf_free(&text);
    return ok || err_in(e, "%s", file);
}

bool suite_filter(struct suite *s, const char *filter, struct err *e)
{
    bool pattern = strpbrk(filter, "*?[") != NULL;
    const char *names[NAMES_MAX];
    size_t n = 0, count = s->count;

    for (size_t i = 0; i < s->count && i < NAMES_MAX; i++)
        names[i] = s->list[i].name;
    for (size_t i = 0; i < count; i++) {
        const char *name = s->list[i].name;

        if (pattern ? fnmatch(filter, name, 0) == 0
                    : strstr(name, filter) != NULL)
            s->list[n++] = s->list[i];
    }
    s->count = n;
    if (n)
        return true;
    words_unknown(e, "test", filter, names,
                  count < NAMES_MAX ? count : NAMES_MAX,
                  "no name has that in it");
    return err_in(e, "%s", s->file);
}
