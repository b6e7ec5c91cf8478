/* SPDX-License-Identifier: MIT
 *
 * The table of options, and everything derived from it.
 */
#include "cmd/options.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/words.h"
#include "event/channel.h"
#include "predict/predict.h"

enum option_type {
    OPT_FLAG,    /* bool, takes no value */
    OPT_NUMBER,  /* uint64_t in [low, high] */
    OPT_SECONDS, /* uint64_t milliseconds, from "1.5" */
    OPT_TEXT,    /* const char * */
    OPT_WORD,    /* uint64_t: low + which of "a|b|c" in `value` */
    OPT_MODELS,
    OPT_TESTS, /* const char *, once more each time */
    OPT_LOG
};

struct option_row {
    const char *name;
    const char *value; /* its word in the help; OPT_WORD: the choices */
    enum option_type type;
    unsigned commands; /* enum option_command */
    size_t field;      /* in struct options */
    uint64_t low, high;
    const char *help;
};

#define RUNS (FOR_RUN | FOR_TEST | FOR_VERIFY)
#define WORKS (RUNS | FOR_CHECK)
#define ALL (WORKS | FOR_REPLAY | FOR_REPORT | FOR_TRACE)
#define AT(field) offsetof(struct options, field)

static const struct option_row rows[] = {
    {"model", "M[,M...]", OPT_MODELS, FOR_RUN, 0, 0, 0,
     "memory models: sc, tso, pso, pslo, or all (default tso)"},
    {"model", "M[,M...]", OPT_MODELS, FOR_TEST | FOR_VERIFY, 0, 0, 0,
     "memory models: sc, tso, pso, pslo, or all (default all)"},
    {"model", "M[,M...]", OPT_MODELS, FOR_CHECK, 0, 0, 0,
     "memory models: sc, tso, pso, pslo, relaxed, or all (default all)"},
    {"test", "S", OPT_TESTS, FOR_CHECK, 0, 0, 0,
     "a test: its name in the file, or 'e ( ed | de )' (default: all tests)"},
    {"spec", "FILE.c", OPT_TEXT, FOR_CHECK, AT(spec), 0, 0,
     "mine the specification from this sequential implementation"},
    {"fences", NULL, OPT_FLAG, FOR_CHECK, AT(fences), 0, 0,
     "find the fences that these tests need, and those that they do not"},
    {"expose", "relaxer|orion|directed", OPT_WORD, FOR_TEST, AT(expose),
     STRATEGY_RELAXER, 0, "how cycles are created (default directed)"},
    {"max-length", "N", OPT_NUMBER, FOR_TEST, AT(max_length), CYCLE_LENGTH_MIN,
     CYCLE_LENGTH_MAX, "accesses in a cycle, at most (default 8)"},
    {"max-instances", "N", OPT_NUMBER, FOR_TEST, AT(max_instances), 1, 100000,
     "of each racing access in a thread, at most (default 20)"},
    {"budget", "N", OPT_NUMBER, FOR_TEST, AT(budget), 1, 1000000000ull,
     "executions to create one cycle, at most (default 1000)"},
    {"enumerate", "N", OPT_NUMBER, FOR_TEST, AT(enumerate), 0, 500000,
     "try to have all executions, if there are no more (default 20000)"},
    {"reorder", "one|all", OPT_WORD, FOR_TEST, AT(all_pairs), 0, 0,
     "pairs of a cycle that orion reorders (default one)"},
    {"order", "lazy|chordal|cubic", OPT_WORD, FOR_CHECK, AT(order), 0, 0,
     "how cycles in the memory order are forbidden (default lazy); to measure"},
    {"no-ranges", NULL, OPT_FLAG, FOR_CHECK, AT(no_ranges), 0, 0,
     "do not compute which values there can be; to measure"},
    {"in-formula", NULL, OPT_FLAG, FOR_CHECK, AT(in_formula), 0, 0,
     "mine nothing: let the solver look for serial executions; to measure"},
    {"bound", "K", OPT_NUMBER, FOR_VERIFY, AT(bound), 0, 1000,
     "preemptions of an execution, at most (default: no bound)"},
    {"unroll", "N", OPT_NUMBER, FOR_VERIFY, AT(unroll), 1, 1000000,
     "iterations of a loop that changes something (default 100)"},
    {"unroll", "N", OPT_NUMBER, FOR_CHECK, AT(unroll), 1, 1000000,
     "iterations of a loop, at most (default: as many as executions have)"},
    {"monitor", "LIST", OPT_TEXT, FOR_VERIFY, AT(monitors), 0, 0,
     "who watches: tso, pso, pslo, sober, tso-clocks, burnim-tso, burnim-pso"},
    {"no-dpor", NULL, OPT_FLAG, FOR_VERIFY, AT(no_dpor), 0, 0,
     "every interleaving, also those that differ in nothing but order"},
    {"races", NULL, OPT_FLAG, FOR_VERIFY, AT(races), 0, 0,
     "a data race is a finding"},
    {"count-traces", NULL, OPT_FLAG, FOR_VERIFY, AT(count_traces), 0, 0,
     "count executions that differ, under `traces' in the JSON; for tests"},
    {"strict", NULL, OPT_FLAG, FOR_TEST | FOR_VERIFY, AT(strict), 0, 0,
     "an execution that SC does not have is a finding even without harm"},
    {"strategy", "random|pct|pos|rr|every", OPT_WORD, FOR_RUN, AT(strategy), 0,
     0, "how schedules are chosen (default random)"},
    {"runs", "N", OPT_NUMBER, FOR_RUN, AT(runs), 1, 1000000000000ull,
     "executions on each model (default 1000)"},
    {"runs", "N", OPT_NUMBER, FOR_TEST, AT(runs), 1, 100000,
     "SC executions to predict from (default 100)"},
    {"seed", "N", OPT_NUMBER, WORKS, AT(seed), 0, UINT64_MAX,
     "where the random numbers start (default 1)"},
    {"depth", "N", OPT_NUMBER, FOR_RUN, AT(depth), 1, 1000,
     "bug depth that pct aims at (default 3)"},
    {"keep-going", NULL, OPT_FLAG, FOR_RUN, AT(keep_going), 0, 0,
     "go on after the first failure"},
    {"trace", "FILE", OPT_TEXT, FOR_RUN | FOR_REPLAY, AT(trace), 0, 0,
     "write the failing execution, or else the last, as a trace"},
    {"jobs", "N", OPT_NUMBER, FOR_RUN, AT(jobs), 1, 256,
     "processes at work side by side (default 1)"},
    {"jobs", "N", OPT_NUMBER, FOR_TEST | FOR_VERIFY, AT(jobs), 1, 256,
     "processes at work side by side (default: all processors)"},
    {"jobs", "N", OPT_NUMBER, FOR_CHECK, AT(jobs), 1, 256,
     "taken, and not needed: check is one process"},
    {"time", "SECONDS", OPT_SECONDS, WORKS, AT(time_ms), 1, 100000000000ull,
     "stop after this time"},
    {"max-events", "N", OPT_NUMBER, RUNS, AT(max_events), 1, UINT32_MAX,
     "cut an execution after so many events"},
    {"buffer", "N", OPT_NUMBER, RUNS, AT(buffer), 1, 4095,
     "entries of a store buffer (default unlimited)"},
    {"buffer", "N", OPT_NUMBER, FOR_CHECK, AT(buffer), 1, 4095,
     "not supported by check"},
    {"locks", "paper", OPT_WORD, RUNS, AT(locks_paper), 1, 0,
     "locks as in the Relaxer paper: fences and a buffered unlock"},
    {"locks", "paper", OPT_WORD, FOR_CHECK, AT(locks_paper), 1, 0,
     "not supported by check"},
    {"cas", "bufferable", OPT_WORD, RUNS, AT(cas_bufferable), 1, 0,
     "a compare-and-swap's store may wait in the buffer"},
    {"cas", "bufferable", OPT_WORD, FOR_CHECK, AT(cas_bufferable), 1, 0,
     "not supported by check"},
    {"deps", NULL, OPT_FLAG, RUNS, AT(deps), 0, 0,
     "keep dependent loads in order (not Alpha)"},
    {"deps", NULL, OPT_FLAG, FOR_CHECK, AT(deps), 0, 0,
     "not supported by check"},
    {"by-process", NULL, OPT_FLAG, RUNS, AT(by_process), 0, 0,
     "a fresh process for each execution"},
    {"cflags", "STRING", OPT_TEXT, WORKS, AT(cflags), 0, 0,
     "compiler flags for sources compiled on the fly"},
    {"as-optimised", NULL, OPT_FLAG, RUNS, AT(as_optimised), 0, 0,
     "test what -O2 made of the program"},
    {"out", "DIR", OPT_TEXT, WORKS, AT(out), 0, 0,
     "where findings are kept (default .fencer)"},
    {"json", "FILE", OPT_TEXT, WORKS | FOR_REPLAY | FOR_REPORT, AT(json), 0, 0,
     "write the results as JSON; - is stdout, instead of the report"},
    {"full", NULL, OPT_FLAG, WORKS | FOR_REPLAY | FOR_REPORT, AT(full), 0, 0,
     "show every step of an execution"},
    {"gdb", NULL, OPT_FLAG, FOR_REPLAY, AT(gdb), 0, 0,
     "replay inside gdb; `fencer threads' lists the threads"},
    {"quiet", NULL, OPT_FLAG, ALL, AT(quiet), 0, 0,
     "print no report, only errors"},
    {"no-color", NULL, OPT_FLAG, ALL, AT(no_color), 0, 0,
     "no colours, also on a terminal"},
    {"log", "AREA", OPT_LOG, ALL, 0, 0, 0,
     "tell on stderr what is done: cc, instrument, worker, replay, trace, "
     "expose, verify, check, all"},
    {"help", NULL, OPT_FLAG, ALL, AT(help), 0, 0, "this list"},
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* The models of a command, strongest first: only check has one without a
 * machine. */
static size_t list_models(unsigned commands,
                          const struct model *list[OPTIONS_MODELS_MAX])
{
    size_t n = 0;

    for (; model_all[n]; n++) {
        CHECK(n + 1 < OPTIONS_MODELS_MAX);
        list[n] = model_all[n];
    }
    if (commands & FOR_CHECK)
        list[n++] = &model_relaxed;
    return n;
}

static bool unknown_model(const char *name, unsigned commands, struct err *e)
{
    const struct model *list[OPTIONS_MODELS_MAX];
    size_t n = list_models(commands, list);
    const char *names[OPTIONS_MODELS_MAX], *near;

    for (size_t i = 0; i < n; i++)
        names[i] = list[i]->name;
    near = words_nearest(name, names, n);
    if (strcmp(name, "relaxed") == 0)
        return err_set(e, "model 'relaxed' is for fencer check only");
    if (near)
        return err_set(e, "unknown model '%s', did you mean '%s'?", name, near);
    return err_set(e, "unknown model '%s': sc, tso, pso, pslo%s or all", name,
                   commands & FOR_CHECK ? ", relaxed" : "");
}

/* Marks the wanted ones, then takes them strongest first. */
static bool take_models(struct options *o, unsigned commands,
                        const char *wanted_list, struct err *e)
{
    const struct model *list[OPTIONS_MODELS_MAX];
    size_t count = list_models(commands, list);
    bool wanted[OPTIONS_MODELS_MAX] = {false};

    while (true) {
        char name[32];
        size_t n = strcspn(wanted_list, ",");
        bool found = false;

        if (n >= sizeof(name))
            return err_set(e, "unknown model '%.*s'", 40, wanted_list);
        memcpy(name, wanted_list, n);
        name[n] = '\0';
        for (size_t i = 0; i < count; i++) {
            if (strcmp(name, "all") == 0 || strcmp(name, list[i]->name) == 0)
                found = wanted[i] = true;
        }
        if (!found)
            return unknown_model(name, commands, e);
        if (wanted_list[n] == '\0')
            break;
        wanted_list += n + 1;
    }
    o->model_count = 0;
    o->models_given = true;
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

/* "90", "1.5", "0.25": at most three digits behind the point. */
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
        if (*value == '\0' && row->field != AT(cflags))
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
               err_set(e,
                       "--log: no area '%s'; there are cc, instrument, "
                       "worker, replay, trace, expose, verify, check, all",
                       value);
    }
    return false;
}

static const struct option_row *find(enum option_command command,
                                     const char *name, size_t n)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].commands & command && strlen(rows[i].name) == n &&
            memcmp(rows[i].name, name, n) == 0)
            return &rows[i];
    }
    return NULL;
}

static bool unknown_option(enum option_command command, const char *argument,
                           size_t n, struct err *e)
{
    const char *names[ROW_COUNT];
    char typed[64] = "";
    size_t count = 0;

    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].commands & command)
            names[count++] = rows[i].name;
    }
    if (argument[1] == '-' && n < sizeof(typed))
        memcpy(typed, argument + 2, n);

    const char *near = words_nearest(typed, names, count);

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
    const struct option_row *row = find(command, argument + 2, n);

    if (strcmp(argument, "-h") == 0)
        row = find(command, "help", 4);
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
    return take_value(o, row, value, e);
}

static void defaults(struct options *o, enum option_command command)
{
    memset(o, 0, sizeof(*o));
    o->seed = 1;
    o->jobs = 1;
    o->runs = 1000;
    o->out = ".fencer";
    o->cflags = "";
    o->expose = STRATEGY_DIRECTED;
    o->max_length = 8;
    o->max_instances = 20;
    o->budget = 1000;
    o->enumerate = 20000;
    o->bound = o->unroll = OPTIONS_UNSET;
    if (!(command & (FOR_TEST | FOR_VERIFY | FOR_CHECK))) {
        o->models[o->model_count++] = &model_tso;
        return;
    }
    o->runs = 100;
    o->jobs = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (o->jobs < 1 || o->jobs > 256)
        o->jobs = 1;
    o->model_count = list_models(command, o->models);
}

bool options_parse(struct options *o, enum option_command command, int argc,
                   char **argv, struct err *e)
{
    int at = 1;

    defaults(o, command);
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
    o->arguments = argv + at;
    o->argument_count = (size_t)(argc - at);
    return true;
}

static void help_row(const struct option_row *row, struct buf *out)
{
    struct buf left = {0};

    buf_printf(&left, "  --%s", row->name);
    if (row->type != OPT_FLAG)
        buf_printf(&left, " %s", row->value);
    buf_puts(out, left.bytes);
    if (left.count < 30) {
        buf_pad(out, ' ', 30 - left.count);
    } else {
        buf_putc(out, '\n');
        buf_pad(out, ' ', 30);
    }
    buf_printf(out, "%s\n", row->help);
    buf_free(&left);
}

void options_help(enum option_command command, struct buf *out)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].commands & command)
            help_row(&rows[i], out);
    }
}

const char *options_name(size_t i)
{
    return i < ROW_COUNT ? rows[i].name : NULL;
}
