/* SPDX-License-Identifier: MIT
 *
 * Reports of hand-made executions: what is shown, in which words, and what is
 * left out; and findings, written and read back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "finding/finding.h"
#include "report/report.h"
#include "report/steps.h"

/* Store buffering: each thread misses the other's store. */
enum { NOWHERE, X1, RY, Y1, RX, SPAWN, CLAIM, PRIVATE };

static struct fencer_site sites[] = {
    {"", "", "", "", 0, 0, EV_NONE, 0},
    {"sb.c", "/none", "left", "x", 3, 5, EV_STORE, 4},
    {"sb.c", "/none", "left", "y", 4, 10, EV_LOAD, 4},
    {"sb.c", "/none", "right", "y", 8, 5, EV_STORE, 4},
    {"sb.c", "/none", "right", "x", 9, 10, EV_LOAD, 4},
    {"sb.c", "/none", "main", "", 14, 5, EV_CREATE, 0},
    {"sb.c", "/none", "main", "", 18, 5, EV_FAIL, 0},
    {"sb.c", "/none", "main", "p->n", 13, 5, EV_STORE, 4},
};

static struct trace_object objects[] = {
    {OBJECT_NONE, 0, 0, 0, 0, 0, "", ""},
    {OBJECT_GLOBAL, 0, 0, 0, 0x1000, 4, "x", ""},
    {OBJECT_GLOBAL, 1, 0, 0, 0x1004, 4, "y", ""},
    {OBJECT_HEAP, 1, 0, 0, 0x2000, 16, "heap#1", ""},
};

static struct trace_thread threads[] = {{0, 0, 4}, {0, 2, 3}, {0, 3, 3}};

#define STEP(k, t, s, o, ...)                                                  \
    {.kind = EV_##k, .thread = t, .site = s, .object = o, __VA_ARGS__}

static struct event events[] = {
    STEP(STORE, 0, PRIVATE, 3, .size = 4, .value = 7, .co = 1, .offset = 8),
    STEP(CREATE, 0, SPAWN, 0, .value = 1),
    STEP(CREATE, 0, SPAWN, 0, .value = 2),
    STEP(STORE, 1, X1, 1, .size = 4, .value = 1, .flags = EVF_BUFFERED,
         .depth = 1),
    STEP(LOAD, 1, RY, 2, .size = 4),
    STEP(STORE, 2, Y1, 2, .size = 4, .value = 1, .flags = EVF_BUFFERED,
         .depth = 1),
    STEP(LOAD, 2, RX, 1, .size = 4),
    STEP(COMMIT, 1, X1, 1, .size = 4, .value = 1, .from = 4, .co = 1),
    STEP(COMMIT, 2, Y1, 2, .size = 4, .value = 1, .from = 6, .co = 1),
    STEP(FAIL, 0, CLAIM, 0),
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct trace sb = {.program = "sb.c",
                          .model = "tso",
                          .strategy = "random",
                          .seed = 1,
                          .run = 17,
                          .failure = {.kind = FAIL_ASSERT,
                                      .site = CLAIM,
                                      .message = "assertion failed: r0 || r1"},
                          .sites = sites,
                          .site_count = COUNT(sites),
                          .objects = objects,
                          .object_count = COUNT(objects),
                          .threads = threads,
                          .thread_count = COUNT(threads),
                          .events = events,
                          .event_count = COUNT(events)};

/* Of sb; main gives it its trace. */
static struct shown finding = {
    .class = CLASS_HARMFUL,
    .past_gate = true,
    .finding = {.model = &model_tso, .output = "one\ntwo\n"},
    .replay = "fencer replay f.json"};

static const struct report_style style = {.width = 100};

static void expect_effect(size_t i, const char *words)
{
    struct buf out = {0};

    steps_effect(&sb, i, &out);
    assert_string_equal(out.bytes, words);
    buf_free(&out);
}

static void a_finding_reads_as_people_think(void **unused)
{
    struct buf out = {0};

    (void)unused;
    report_finding(&finding, &style, &out);
    assert_string_equal(
        out.bytes,
        "assertion failed: r0 || r1, at sb.c:18 in main, on x86 (TSO)\n"
        "execution 17 (random, seed 1)\n"
        "\n"
        " step  T0 main                        T1 left                        "
        "T2 right\n"
        "    2  14: main\n"
        "       creates T1\n"
        "    3  creates T2\n"
        "    4                                 3: left\n"
        "                                      x = 1, buffered (1 waiting)\n"
        "    5                                 4: left\n"
        "                                      y is 0, initial value\n"
        "    6                                                                "
        "8: right\n"
        "                                                                     "
        "y = 1, buffered (1 waiting)\n"
        "    7                                                                "
        "9: right\n"
        "                                                                     "
        "x is 0, initial value\n"
        "    8                                 x = 1 reaches memory (issued\n"
        "                                      at step 4)\n"
        "    9                                                                "
        "y = 1 reaches memory (issued\n"
        "                                                                     "
        "at step 6)\n"
        "   10  18: main\n"
        "       FAILS: assertion failed: r0\n"
        "       || r1\n"
        "\n"
        "9 of 10 steps are shown; --full shows all.\n"
        "\n"
        "The program printed:\n"
        "    one\n"
        "    two\n");
    buf_free(&out);
}

static void no_line_is_wider_than_the_page(void **unused)
{
    (void)unused;
    for (unsigned width = 80; width <= 120; width += 20) {
        struct report_style s = {.width = width, .full = true};
        struct buf out = {0};

        report_finding(&finding, &s, &out);
        for (char *line = strtok(out.bytes, "\n"); line;
             line = strtok(NULL, "\n"))
            assert_true(strlen(line) <= width);
        buf_free(&out);
    }
}

static void colours_come_only_when_asked_for(void **unused)
{
    struct report_style colored = {.width = 100, .color = true};
    struct buf out = {0};

    (void)unused;
    report_finding(&finding, &style, &out);
    assert_null(strchr(out.bytes, '\033'));
    buf_clear(&out);
    report_finding(&finding, &colored, &out);
    assert_non_null(strchr(out.bytes, '\033'));
    buf_free(&out);
}

static void a_step_says_where_its_value_came_from(void **unused)
{
    struct event load = events[6], rmw = events[6];

    (void)unused;
    expect_effect(0, "p->n (heap#1+8) = 7");
    events[6].from = 4;
    events[6].value = 1;
    expect_effect(6, "x is 1, from T1's store at line 3");
    events[6].thread = 1;
    events[6].flags = EVF_FORWARDED;
    expect_effect(6, "x is 1, from own buffer, store at line 3");
    events[6] = load;

    rmw.kind = EV_RMW;
    rmw.wrote = 5;
    events[6] = rmw;
    expect_effect(6, "x: 0 -> 5, initial value");
    events[6] = load;

    struct event last = events[9];

    events[9] = load;
    events[9].flags = EVF_STALE;
    expect_effect(9, "x is 0, initial value; older value: memory already "
                     "holds 1");
    events[9] = last;
}

static void of_many_steps_the_last_are_shown(void **unused)
{
    enum { MANY = 1000 };
    struct event *list = calloc(MANY, sizeof(*list));
    struct trace t = sb;
    bool *keep = calloc(MANY, sizeof(*keep));

    (void)unused;
    for (size_t i = 0; i < MANY; i++) {
        list[i] = events[3];
        list[i].thread = (uint16_t)(1 + i % 2);
        list[i].flags = 0;
    }
    list[MANY - 1].kind = EV_LOAD;
    list[MANY - 1].from = 5;
    t.events = list;
    t.event_count = MANY;
    assert_int_equal(steps_choose(&t, &(struct shown_cycle){0}, keep),
                     STEPS_SHOWN_MAX - 10 + 1);
    assert_true(keep[MANY - 1]);
    assert_true(keep[4]); /* the last step reads from it */
    assert_false(keep[5]);
    free(list);
    free(keep);
}

/* A million private stores, then the failure. */
static void a_late_step_has_its_number(void **unused)
{
    struct shown late = finding;
    size_t count = 1000007;
    struct event *many = calloc(count, sizeof(*many));
    struct buf out = {0};

    (void)unused;
    assert_non_null(many);
    for (size_t i = 0; i + 1 < count; i++)
        many[i] = events[0];
    many[count - 1] = events[COUNT(events) - 1];
    late.trace.events = many;
    late.trace.event_count = count;
    report_finding(&late, &style, &out);
    assert_non_null(strstr(out.bytes, "\n1000007  18: main\n"));
    assert_non_null(strstr(
        out.bytes, "\n1 of 1000007 steps are shown; --full shows all.\n"));
    free(many);
    buf_free(&out);
}

/* What the execution has, and what one can ask for. */
static void steps_that_were_not_recorded_count(void **unused)
{
    struct shown cut = finding;
    struct report_style full = {.width = 100, .full = true};
    struct buf out = {0};

    (void)unused;
    cut.trace.events_lost = 1000;
    report_finding(&cut, &style, &out);
    assert_non_null(strstr(out.bytes,
                           "\n9 of 1010 steps are shown; --full shows the "
                           "first 10, the others were not recorded.\n"));
    buf_clear(&out);
    report_finding(&cut, &full, &out);
    assert_non_null(strstr(
        out.bytes,
        "\n10 of 1010 steps are shown, the others were not recorded.\n"));
    buf_free(&out);
}

static void a_waiting_loop_is_shown_once(void **unused)
{
    struct event list[] = {
        STEP(STORE, 2, X1, 1, .size = 4, .value = 1),
        STEP(LOAD, 1, RY, 2, .size = 4),
        STEP(LOAD, 1, RY, 2, .size = 4),
        STEP(LOAD, 1, RY, 2, .size = 4),
        STEP(STORE, 2, Y1, 2, .size = 4, .value = 1),
    };
    struct trace t = sb;
    bool keep[5];

    (void)unused;
    t.events = list;
    t.event_count = 5;
    assert_int_equal(steps_choose(&t, &(struct shown_cycle){0}, keep), 2);
    assert_true(keep[3]);
}

static void many_threads_share_one_column(void **unused)
{
    struct event list[12];
    struct trace_thread many[12] = {{0, 0, 0}};
    struct trace t = sb;
    struct shown f = finding;
    struct buf out = {0};

    (void)unused;
    for (int i = 0; i < 12; i++) {
        list[i] = events[3];
        list[i].thread = (uint16_t)i;
    }
    t.events = list;
    t.event_count = 12;
    t.threads = many;
    t.thread_count = 12;
    f.trace = t;
    report_finding(&f, &style, &out);
    assert_non_null(strstr(out.bytes, "   12  T11 3: left\n"));
    buf_free(&out);
}

static void the_report_of_nothing_found_says_so(void **unused)
{
    struct tally_entry outcomes[] = {{"r0=0 r1=1", 400}, {"r0=1 r1=1", 600}};
    struct report_model m = {.model = &model_tso,
                             .executions = 1000,
                             .strategy = "random",
                             .done = {.started = true, .ended = true},
                             .outcomes = {{outcomes, 2, 2}, 2}};
    const char *limits[] = {"schedules other than the 1000 tried"};
    struct report r = {.command = "run",
                       .program = "sb.c",
                       .seed = 1,
                       .models = &m,
                       .model_count = 1,
                       .limits = limits,
                       .limit_count = 1};
    struct buf out = {0};

    (void)unused;
    report_text(&r, &style, &out);
    assert_string_equal(
        out.bytes,
        "no failure in 1000 executions on x86 (TSO) (random, seed 1)\n"
        "\n"
        "  outcome    executions\n"
        "  r0=0 r1=1         400\n"
        "  r0=1 r1=1         600\n"
        "\n"
        "Not covered:\n"
        "  schedules other than the 1000 tried\n");
    buf_free(&out);
}

static void json_has_the_keys_of_the_contract(void **unused)
{
    struct report_model m = {
        .model = &model_tso,
        .executions = 18,
        .failed = 1,
        .seconds = 0.5,
        .done = {.started = true, .ended = true, .failed = true}};
    const struct shown *findings[] = {&finding};
    struct report r = {.command = "run",
                       .program = "sb.c",
                       .models = &m,
                       .model_count = 1,
                       .findings = findings,
                       .finding_count = 1};
    struct buf out = {0};

    (void)unused;
    report_json(&r, &out);

    json_t *j = json_loads(out.bytes, 0, NULL);
    const json_t *first = json_array_get(json_object_get(j, "findings"), 0);
    const json_t *model = json_array_get(json_object_get(j, "models"), 0);

    assert_non_null(j);
    assert_string_equal(json_string_value(json_object_get(j, "command")),
                        "run");
    assert_string_equal(
        json_string_value(json_object_get(model, "property_broken")), "yes");
    assert_null(json_object_get(model, "predicted"));
    assert_string_equal(json_string_value(json_object_get(first, "error")),
                        "assertion failed: r0 || r1");
    assert_true(json_is_array(json_object_get(first, "cycle")));
    assert_true(json_is_array(json_object_get(first, "fences")));
    assert_true(json_is_false(json_object_get(first, "alpha_only")));
    json_decref(j);
    buf_free(&out);
}

static void a_finding_survives_writing_and_reading(void **unused)
{
    char *arguments[] = {(char[]){"-n"}, (char[]){"4 \"x\""}, NULL};
    uint32_t decisions[] = {DECISION(DECIDE_RUN, 1), DECISION(DECIDE_RUN, 1),
                            DECISION(DECIDE_COMMIT, 1 << 12 | 3),
                            DECISION(DECIDE_TICKS, 100)};
    struct shown f = {.class = CLASS_HARMFUL,
                      .error = "it is wrong",
                      .cycle = {2, {4, 6}, {GOAL_FIRST, GOAL_SECOND}, 1},
                      .finding = {.program = "sb.c",
                                  .binary = "sb",
                                  .binary_size = 5,
                                  .binary_hash = UINT64_MAX,
                                  .arguments = arguments,
                                  .argument_count = 2,
                                  .model = &model_tso,
                                  .strategy = "pct",
                                  .flags = CHANNEL_DEPS,
                                  .depth = 3,
                                  .seed = UINT64_MAX,
                                  .run = 17,
                                  .failure = sb.failure,
                                  .decisions = decisions,
                                  .decision_count = 4,
                                  .output = "no \xff utf-8",
                                  .trace = "finding-1.trace"}};
    struct shown g;
    struct arena a = ARENA_INIT;
    struct buf once = {0}, twice = {0};
    struct err e;

    (void)unused;
    shown_encode(&f, &once);
    assert_non_null(strstr(once.bytes, "\"r1*2 c4099 t100\""));
    if (!shown_decode(once.bytes, once.count, &a, &g, &e))
        fail_msg("%s", e.text);
    shown_encode(&g, &twice);
    assert_string_equal(once.bytes, twice.bytes);
    assert_int_equal(g.finding.decision_count, 4);
    assert_memory_equal(g.finding.decisions, decisions, sizeof(decisions));
    assert_true(finding_same_failure(&f.finding.failure, &g.finding.failure));
    assert_int_equal(g.class, CLASS_HARMFUL);
    assert_ptr_equal(g.finding.model, &model_tso);
    buf_free(&once);
    buf_free(&twice);
    arena_free(&a);
}

static void a_broken_finding_is_refused(void **unused)
{
    static const char *const bad[] = {
        "", "[]", "{}", "{\"finding\": 2}", "{\"finding\": 1}", "\xff",
    };
    struct arena a = ARENA_INIT;
    struct shown f;
    struct err e;

    (void)unused;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(shown_decode(bad[i], strlen(bad[i]), &a, &f, &e));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_reads_as_people_think),
        cmocka_unit_test(no_line_is_wider_than_the_page),
        cmocka_unit_test(colours_come_only_when_asked_for),
        cmocka_unit_test(a_step_says_where_its_value_came_from),
        cmocka_unit_test(of_many_steps_the_last_are_shown),
        cmocka_unit_test(a_late_step_has_its_number),
        cmocka_unit_test(steps_that_were_not_recorded_count),
        cmocka_unit_test(a_waiting_loop_is_shown_once),
        cmocka_unit_test(many_threads_share_one_column),
        cmocka_unit_test(the_report_of_nothing_found_says_so),
        cmocka_unit_test(json_has_the_keys_of_the_contract),
        cmocka_unit_test(a_finding_survives_writing_and_reading),
        cmocka_unit_test(a_broken_finding_is_refused),
    };

    finding.trace = sb;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
