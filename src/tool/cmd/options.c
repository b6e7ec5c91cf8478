/* SPDX-License-Identifier: MIT
 *
 * Arguments to options: a default is parsed as if the user had given it.
 */
#include "cmd/options.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/words.h"
#include "cmd/options_table.h"

/* Processors that somebody has added, if it is known what C becomes there. */
static size_t add_others(const struct model **list, size_t n)
{
    for (size_t i = 0; model_stated[i]; i++) {
        const struct model *m = model_stated[i];
        bool known = !m->by_axioms || !m->axioms->mappings[0];

        for (size_t j = 0; j < n; j++)
            known |= list[j] == m;
        if (known)
            continue;
        CHECK(n + 2 < OPTIONS_MODELS_MAX);
        list[n++] = m;
    }
    return n;
}

/* The models of a command, strongest first.  Of those without a machine run,
 * test and verify have processors and C11, check has all, and litmus has all
 * but Relaxed. */
size_t options_models(unsigned commands,
                      const struct model *list[OPTIONS_MODELS_MAX])
{
    size_t n = 0;

    if (commands & FOR_LITMUS) {
        for (size_t i = 0; model_stated[i]; i++)
            if (!model_stated[i]->loads_move_down)
                list[n++] = model_stated[i];
        return n;
    }
    for (; model_all[n]; n++) {
        CHECK(n + 1 < OPTIONS_MODELS_MAX);
        list[n] = model_all[n];
    }
    if (commands & (FOR_RUN | FOR_TEST | FOR_VERIFY | FOR_CHECK)) {
        list[n++] = &model_arm;
        list[n++] = &model_riscv;
        list[n++] = &model_power;
        n = add_others(list, n);
        list[n++] = &model_c11;
    }
    if (commands & FOR_CHECK)
        list[n++] = &model_relaxed;
    return n;
}

/* What people call the machine that a model stands for; NULL: nothing known. */
static const char *model_of_machine(const char *name)
{
    static const char *const names[][2] = {
        {"x86", "tso"},     {"x86_64", "tso"}, {"x86-64", "tso"},
        {"x64", "tso"},     {"amd64", "tso"},  {"i386", "tso"},
        {"arm64", "arm"},   {"armv8", "arm"},  {"aarch64", "arm"},
        {"rvwmo", "riscv"}, {"ppc", "power"},  {"rc11", "c11"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    }
    return NULL;
}

static bool unknown_model(const char *name, unsigned commands, struct err *e)
{
    const char *meant = model_of_machine(name);
    const struct model *list[OPTIONS_MODELS_MAX];
    size_t n = options_models(commands, list);
    const char *names[OPTIONS_MODELS_MAX];

    for (size_t i = 0; i < n; i++)
        names[i] = list[i]->name;
    for (size_t i = 0; meant && i < n; i++) {
        if (strcmp(meant, names[i]) == 0)
            return err_set(e, "unknown model '%s', did you mean '%s'?", name,
                           meant);
    }
    if (strcmp(name, model_relaxed.name) == 0)
        return err_set(e, "model 'relaxed' is for fencer check only");
    if (strcmp(name, model_c11.name) == 0)
        return err_set(e,
                       "model 'c11' is for fencer run, test, verify and check "
                       "only");
    return words_unknown(
        e, "model", name, names, n,
        commands & FOR_LITMUS ? "fencer models lists them"
        : commands & FOR_CHECK
            ? "sc, tso, pso, pslo, arm, riscv, power, c11, relaxed, papers, "
              "machines or all"
            : "sc, tso, pso, pslo, arm, riscv, power, c11, papers, machines or "
              "all");
}

/* Words for several models. */
static bool is_group(const char *word)
{
    return strcmp(word, "papers") == 0 || strcmp(word, "machines") == 0 ||
           strcmp(word, "all") == 0;
}

/* `machines' are what people own; PSO and PSLO are nobody's today. */
static bool is_in_group(const struct model *m, const char *word)
{
    if (strcmp(word, "papers") == 0)
        return model_has_machine(m);
    if (strcmp(word, "machines") == 0)
        return m->machine || m->by_axioms;
    return strcmp(word, "all") == 0;
}

/* Marks the wanted ones, then takes them strongest first. */
static bool take_models(struct options *o, unsigned commands,
                        const char *wanted_list, struct err *e)
{
    const struct model *list[OPTIONS_MODELS_MAX];
    size_t count = options_models(commands, list);
    bool wanted[OPTIONS_MODELS_MAX] = {false};
    char name[42];

    o->model_words = wanted_list;
    while (words_take(&wanted_list, name, sizeof(name))) {
        bool found = is_group(name);

        for (size_t i = 0; i < count; i++) {
            if (is_in_group(list[i], name) || strcmp(name, list[i]->name) == 0)
                found = wanted[i] = true;
        }
        if (!found)
            return unknown_model(name, commands, e);
    }
    o->model_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (wanted[i])
            o->models[o->model_count++] = list[i];
    }
    return true;
}

static bool take_test(struct options *o, const char *value, struct err *e)
{
    if (*value == '\0')
        return err_set(e, "--test: S is empty");
    if (o->test_count == OPTIONS_TESTS_MAX)
        return err_set(e, "--test: more than %d tests", OPTIONS_TESTS_MAX);
    o->tests[o->test_count++] = value;
    return true;
}

static bool take_word(const struct option_row *row, const char *value,
                      uint64_t *field, struct err *e)
{
    const char *choice = row->value;
    size_t n = strlen(value);

    for (uint64_t i = 0; choice; i++) {
        size_t m = strcspn(choice, "|");

        if (n == m && memcmp(choice, value, n) == 0) {
            *field = row->low + i;
            return true;
        }
        choice = choice[m] ? choice + m + 1 : NULL;
    }
    return err_set(e, "--%s: '%s' is not one of %s", row->name, value,
                   row->value);
}

/* "90", "1.5", "0.25": at most three digits after the point. */
static bool take_seconds(const struct option_row *row, const char *value,
                         uint64_t *field, struct err *e)
{
    const char *point = strchr(value, '.');
    char whole[24] = "", part[4] = "000";
    size_t n = point ? (size_t)(point - value) : strlen(value);
    uint64_t seconds, thousandths;

    if (n < sizeof(whole) && (!point || strlen(point + 1) <= 3)) {
        memcpy(whole, value, n);
        if (point)
            memcpy(part, point + 1, strlen(point + 1));
        if (words_number(whole, 0, row->high / 1000, &seconds) &&
            words_number(part, 0, 999, &thousandths) &&
            seconds * 1000 + thousandths >= row->low) {
            *field = seconds * 1000 + thousandths;
            return true;
        }
    }
    return err_set(e, "--%s: '%s' is not a number of seconds above 0",
                   row->name, value);
}

static bool take_value(struct options *o, const struct option_row *row,
                       const char *value, struct err *e)
{
    void *field = (char *)o + row->field;

    switch (row->type) {
    case OPT_FLAG:
        *(bool *)field = true;
        return true;
    case OPT_NUMBER:
        if (words_number(value, row->low, row->high, field))
            return true;
        return err_set(
            e, "--%s: '%s' is not a number from %" PRIu64 " to %" PRIu64,
            row->name, value, row->low, row->high);
    case OPT_SECONDS:
        return take_seconds(row, value, field, e);
    case OPT_TEXT:
        if (*value == '\0' && (!row->initial || *row->initial))
            return err_set(e, "--%s: %s is empty", row->name, row->value);
        *(const char **)field = value;
        return true;
    case OPT_WORD:
        return take_word(row, value, field, e);
    case OPT_MODELS:
        return take_models(o, row->commands, value, e);
    case OPT_TESTS:
        return take_test(o, value, e);
    case OPT_LOG:
        return log_enable(value) ||
               err_set(e, "--log: no area '%s'; there are " OPTION_LOG_AREAS,
                       value);
    }
    return false;
}

static const struct option_row *find_row(enum option_command command,
                                         const char *name, size_t n)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (row->commands & command && strlen(row->name) == n &&
            memcmp(row->name, name, n) == 0)
            return row;
    }
    return NULL;
}

static bool unknown_option(enum option_command command, const char *argument,
                           size_t n, struct err *e)
{
    const char *names[OPTIONS_ROWS_MAX], *near;
    char typed[64] = "";
    size_t count = 0;

    for (const struct option_row *row = option_rows; row->name; row++) {
        if (row->commands & command)
            names[count++] = row->name;
    }
    if (argument[1] == '-' && n < sizeof(typed))
        memcpy(typed, argument + 2, n);
    near = words_nearest(typed, names, count);
    if (near)
        return err_set(e, "unknown option '%s', did you mean '--%s'?", argument,
                       near);
    return err_set(e, "unknown option '%s'; --help lists them", argument);
}

/* One argument that begins with a dash; *at moves over its value. */
static bool take_option(struct options *o, enum option_command command,
                        int argc, char **argv, int *at, struct err *e)
{
    char *argument = argv[*at];
    size_t n = argument[1] == '-' ? strcspn(argument + 2, "=") : 0;
    const struct option_row *row = find_row(command, argument + 2, n);

    if (strcmp(argument, "-h") == 0)
        row = find_row(command, "help", 4);
    else if (argument[1] != '-' || !row)
        return unknown_option(command, argument, n, e);

    const char *value = NULL;

    if (argument[1] == '-' && argument[2 + n] == '=')
        value = argument + 2 + n + 1;
    if (row->type == OPT_FLAG && value)
        return err_set(e, "--%s takes no value", row->name);
    if (row->type != OPT_FLAG && !value) {
        if (*at + 1 >= argc)
            return err_set(e, "--%s needs a value: %s", row->name, row->value);
        value = argv[++*at];
    }
    o->given[row - option_rows] = true;
    return take_value(o, row, value, e);
}

static void take_defaults(struct options *o, enum option_command command)
{
    struct err e;

    memset(o, 0, sizeof(*o));
    for (const struct option_row *row = option_rows; row->name; row++) {
        CHECK(row - option_rows < OPTIONS_ROWS_MAX);
        if (row->commands & command && row->initial)
            CHECK(take_value(o, row, row->initial, &e));
    }
}

static uint64_t processor_count(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 || n > 256 ? 1 : (uint64_t)n;
}

bool options_parse(struct options *o, enum option_command command, int argc,
                   char **argv, struct err *e)
{
    int at = 1;

    take_defaults(o, command);
    o->operands = (const char *const *)argv;
    for (; at < argc; at++) {
        char *argument = argv[at];

        if (strcmp(argument, "--") == 0) {
            at++;
            break;
        }
        if (argument[0] == '-' && argument[1] != '\0') {
            if (!take_option(o, command, argc, argv, &at, e))
                return false;
        } else {
            argv[o->operand_count++] = argument;
        }
    }
    if (o->jobs == 0)
        o->jobs = processor_count();
    o->arguments = argv + at;
    o->argument_count = (size_t)(argc - at);
    return true;
}

bool options_given(const struct options *o, const char *name)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (o->given[row - option_rows] && strcmp(row->name, name) == 0)
            return true;
    }
    return false;
}

bool options_named(const struct options *o, const struct model *m)
{
    const char *list = o->model_words;
    char name[42];

    while (options_given(o, "model") && words_take(&list, name, sizeof(name))) {
        if (strcmp(name, m->name) == 0)
            return true;
    }
    return false;
}

const char *options_initial(const char *name)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (row->initial && strcmp(row->name, name) == 0)
            return row->initial;
    }
    return NULL;
}
