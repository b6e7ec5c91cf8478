/* SPDX-License-Identifier: MIT
 *
 * The command line: what is taken, what is refused and how, and that the man
 * page has exactly the options of the table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/options.h"
#include "cmd/options_table.h"
#include "event/channel.h"

static struct options o;
static struct err e;

/* Parses "run a b c": a copy, because operands are moved in argv. */
static bool parse(enum option_command command, const char *line)
{
    static char copy[500];
    static char *argv[50];
    int argc = 0;

    snprintf(copy, sizeof(copy), "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    return options_parse(&o, command, argc, argv, &e);
}

static void expect_refused(const char *line, const char *text)
{
    assert_false(parse(FOR_RUN, line));
    assert_string_equal(e.text, text);
}

static void nothing_given_means_the_defaults(void **unused)
{
    (void)unused;
    assert_true(parse(FOR_RUN, "run x.c"));
    assert_int_equal(o.model_count, 4);
    assert_string_equal(o.models[1]->name, "tso");
    assert_int_equal(o.runs, 1000);
    assert_int_equal(o.seed, 1);
    assert_int_equal(o.jobs, 1);
    assert_int_equal(o.strategy, STRATEGY_RANDOM);
    assert_string_equal(o.out, ".fencer");
    assert_int_equal(o.operand_count, 1);
    assert_string_equal(o.operands[0], "x.c");
    assert_int_equal(o.argument_count, 0);
}

static void verify_has_every_model_and_no_bound(void **unused)
{
    (void)unused;
    assert_true(parse(FOR_VERIFY, "verify x.c"));
    assert_int_equal(o.model_count, 4);
    assert_false(options_given(&o, "model"));
    assert_false(options_given(&o, "bound") || options_given(&o, "unroll"));
    assert_int_equal(o.unroll, 100);
    assert_null(o.monitors);
    assert_true(
        parse(FOR_VERIFY, "verify --bound 0 --model tso --no-dpor x.c"));
    assert_int_equal(o.bound, 0);
    assert_true(options_given(&o, "model") && options_given(&o, "bound"));
    assert_true(o.no_dpor);
    assert_false(parse(FOR_VERIFY, "verify --unroll 0 x.c"));
}

static void check_has_a_model_without_a_machine(void **unused)
{
    (void)unused;
    assert_true(parse(FOR_CHECK, "check x.c"));
    assert_int_equal(o.test_count, 0);
    assert_true(parse(FOR_CHECK, "check --model relaxed,sc --test T0 --test "
                                 "T1 --spec r.c --fences x.c"));
    assert_int_equal(o.model_count, 2);
    assert_string_equal(o.models[1]->name, "relaxed");
    assert_int_equal(o.test_count, 2);
    assert_string_equal(o.tests[1], "T1");
    assert_string_equal(o.spec, "r.c");
    assert_true(o.fences);
    assert_false(parse(FOR_CHECK, "check --model sparc x.c"));
    assert_string_equal(e.text, "unknown model 'sparc': sc, tso, pso, pslo, "
                                "arm, riscv, power, c11, relaxed, papers, "
                                "machines or all");
    assert_true(parse(FOR_CHECK, "check --model c11,riscv,arm x.c"));
    assert_int_equal(o.model_count, 3);
    assert_string_equal(o.models[0]->name, "arm");
    assert_string_equal(o.models[2]->name, "c11");
    assert_false(parse(FOR_VERIFY, "verify --model relaxed x.c"));
    assert_string_equal(e.text, "model 'relaxed' is for fencer check only");
    assert_false(parse(FOR_CHECK, "check --test= x.c"));
}

static void values_come_after_a_space_or_an_equals_sign(void **unused)
{
    (void)unused;
    assert_true(parse(FOR_RUN, "run --runs=7 --seed 9 a.c --strategy=rr b.c "
                               "--time 1.5 --locks paper --cas=bufferable"));
    assert_int_equal(o.runs, 7);
    assert_int_equal(o.seed, 9);
    assert_int_equal(o.strategy, STRATEGY_RR);
    assert_int_equal(o.time_ms, 1500);
    assert_int_equal(o.locks_paper, 1);
    assert_int_equal(o.cas_bufferable, 1);
    assert_int_equal(o.operand_count, 2);
    assert_string_equal(o.operands[1], "b.c");
}

static void what_follows_two_dashes_is_the_programs(void **unused)
{
    (void)unused;
    assert_true(parse(FOR_RUN, "run p -- --runs x --"));
    assert_int_equal(o.operand_count, 1);
    assert_int_equal(o.argument_count, 3);
    assert_string_equal(o.arguments[0], "--runs");
    assert_null(o.arguments[3]);
}

static void models_come_strongest_first_and_once(void **unused)
{
    (void)unused;
    assert_true(parse(FOR_RUN, "run --model pso,sc,pso x"));
    assert_int_equal(o.model_count, 2);
    assert_string_equal(o.models[0]->name, "sc");
    assert_string_equal(o.models[1]->name, "pso");
}

static void expect_models(enum option_command command, const char *line,
                          const char *names)
{
    char text[128] = "";

    assert_true(parse(command, line));
    for (size_t i = 0; i < o.model_count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, o.models[i]->name);
    }
    assert_string_equal(text, names);
}

static void a_word_may_stand_for_several_models(void **unused)
{
    (void)unused;
    expect_models(FOR_RUN, "run --model papers x", "sc tso pso pslo");
    expect_models(FOR_VERIFY, "verify --model machines x",
                  "tso arm riscv power");
    expect_models(FOR_CHECK, "check --model machines x", "tso arm riscv power");
    expect_models(FOR_VERIFY, "verify --model papers,arm x",
                  "sc tso pso pslo arm");
    expect_models(FOR_TEST, "test --model all x",
                  "sc tso pso pslo arm riscv power c11");
    expect_models(FOR_CHECK, "check --model all x",
                  "sc tso pso pslo arm riscv power c11 relaxed");
}

static void what_people_own_is_the_default(void **unused)
{
    (void)unused;
    expect_models(FOR_VERIFY, "verify x", "sc tso arm c11");
    expect_models(FOR_CHECK, "check x", "sc tso arm c11");
}

static void a_model_is_named_only_by_its_name(void **unused)
{
    (void)unused;
    assert_true(parse(FOR_VERIFY, "verify --model papers,arm x"));
    assert_true(options_named(&o, &model_arm));
    assert_false(options_named(&o, &model_tso));
    assert_true(parse(FOR_VERIFY, "verify x"));
    assert_false(options_named(&o, &model_arm));
}

static void nonsense_is_refused_in_one_clear_line(void **unused)
{
    (void)unused;
    expect_refused("run --runs 0 x",
                   "--runs: '0' is not a number from 1 to 1000000000000");
    expect_refused("run --runs many x",
                   "--runs: 'many' is not a number from 1 to 1000000000000");
    expect_refused("run --runs", "--runs needs a value: N");
    expect_refused("run --rusn 5", "unknown option '--rusn', did you mean "
                                   "'--runs'?");
    expect_refused("run --xyzzy",
                   "unknown option '--xyzzy'; --help lists them");
    expect_refused("run -q", "unknown option '-q'; --help lists them");
    expect_refused("run --model relaxed x",
                   "model 'relaxed' is for fencer check only");
    expect_refused("run --model tos x",
                   "unknown model 'tos', did you mean 'tso'?");
    expect_refused("verify --model x86 x",
                   "unknown model 'x86', did you mean 'tso'?");
    expect_refused("run --model sparc x",
                   "unknown model 'sparc': sc, tso, pso, pslo, arm, riscv, "
                   "power, c11, papers, machines or all");
    expect_refused("run --model=",
                   "unknown model '': sc, tso, pso, pslo, arm, riscv, power, "
                   "c11, papers, machines or all");
    expect_refused("run --strategy luck x",
                   "--strategy: 'luck' is not one of random|pct|pos|rr|every|"
                   "descent|forward|depth|mixed");
    expect_refused("run --quiet=1", "--quiet takes no value");
    expect_refused("run --time 0 x",
                   "--time: '0' is not a number of seconds above 0");
    expect_refused("run --time 1.2.3 x",
                   "--time: '1.2.3' is not a number of seconds above 0");
    expect_refused("run --out= x", "--out: DIR is empty");
    expect_refused("run --gdb x", "unknown option '--gdb'; --help lists them");
}

/* "\-\-max\-length": the page writes each dash of an option as \-. */
static void put_in_page(struct buf *out, const char *name)
{
    buf_puts(out, "\n.B \\-\\-");
    for (; *name; name++)
        buf_printf(out, "%s%c", *name == '-' ? "\\" : "", *name);
}

/* Does the paragraph at `text` name that default? */
static bool tells_default(const char *text, const char *initial)
{
    const char *end = strstr(text, "\n.TP");
    const char *at = strstr(text, "efault");

    if (!end)
        end = text + strlen(text);
    while (at && at < end) {
        const char *found = strstr(at, initial);

        if (found && found < end)
            return true;
        at = strstr(at + 1, "efault");
    }
    return false;
}

static void the_man_page_has_every_option_and_its_default(void **unused)
{
    struct buf page = {0}, name = {0};

    (void)unused;
    assert_true(
        buf_read_file(&page, TEST_SOURCE_DIR "/docs/fencer.1", 1 << 20, &e));
    for (const struct option_row *row = option_rows; row->name; row++) {
        const char *found;

        buf_clear(&name);
        put_in_page(&name, row->name);
        buf_puts(&name, row->type == OPT_FLAG ? "\n" : " ");
        found = strstr(page.bytes, name.bytes);
        if (!found)
            fail_msg("docs/fencer.1 lacks %s", name.bytes);
        else if (row->initial && *row->initial &&
                 !tells_default(found, row->initial))
            fail_msg("docs/fencer.1: --%s: default %s", row->name,
                     row->initial);
    }
    buf_free(&page);
    buf_free(&name);
}

static bool is_row(const char *name, size_t n)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (strlen(row->name) == n && memcmp(row->name, name, n) == 0)
            return true;
    }
    return false;
}

static void the_man_page_has_no_other_options(void **unused)
{
    struct buf page = {0};
    const char *at;

    (void)unused;
    assert_true(
        buf_read_file(&page, TEST_SOURCE_DIR "/docs/fencer.1", 1 << 20, &e));
    at = strstr(page.bytes, "\n.SH OPTIONS");
    while ((at = strstr(at, "\n.TP\n.B \\-\\-"))) {
        char name[64];
        size_t n = 0;

        for (at += 12; *at != ' ' && *at != '\n'; at++) {
            if (*at != '\\')
                name[n++] = *at;
        }
        if (!is_row(name, n))
            fail_msg("docs/fencer.1 has --%.*s", (int)n, name);
    }
    buf_free(&page);
}

/* A default outside its range would stop the tool. */
static void every_command_takes_its_own_defaults(void **unused)
{
    (void)unused;
    for (int command = FOR_RUN; command <= FOR_CHECK; command *= 2)
        assert_true(parse((enum option_command)command, "x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_means_the_defaults),
        cmocka_unit_test(verify_has_every_model_and_no_bound),
        cmocka_unit_test(check_has_a_model_without_a_machine),
        cmocka_unit_test(values_come_after_a_space_or_an_equals_sign),
        cmocka_unit_test(what_follows_two_dashes_is_the_programs),
        cmocka_unit_test(models_come_strongest_first_and_once),
        cmocka_unit_test(a_word_may_stand_for_several_models),
        cmocka_unit_test(what_people_own_is_the_default),
        cmocka_unit_test(a_model_is_named_only_by_its_name),
        cmocka_unit_test(nonsense_is_refused_in_one_clear_line),
        cmocka_unit_test(the_man_page_has_every_option_and_its_default),
        cmocka_unit_test(the_man_page_has_no_other_options),
        cmocka_unit_test(every_command_takes_its_own_defaults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
