/* SPDX-License-Identifier: MIT
 *
 * The viewer without a terminal: what is on the screen, and where keys lead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/browse/browse.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define STEP(k, t, s, o, ...)                                                  \
    {.kind = EV_##k, .thread = t, .site = s, .object = o, __VA_ARGS__}

/* Store buffering: each thread misses the other's store. */
static struct fencer_site sites[] = {
    {"", "", "", "", 0, 0, EV_NONE, 0},
    {"sb.c", "/none", "left", "x", 3, 5, EV_STORE, 4},
    {"sb.c", "/none", "left", "y", 4, 10, EV_LOAD, 4},
    {"sb.c", "/none", "right", "y", 8, 5, EV_STORE, 4},
    {"sb.c", "/none", "right", "x", 9, 10, EV_LOAD, 4},
    {"sb.c", "/none", "main", "", 18, 5, EV_FAIL, 0},
};
static struct trace_object objects[] = {
    {OBJECT_NONE, 0, 0, 0, 0, 0, "", ""},
    {OBJECT_GLOBAL, 0, 0, 0, 0x1000, 4, "x", ""},
    {OBJECT_GLOBAL, 1, 0, 0, 0x1004, 4, "y", ""},
};
static struct trace_thread threads[] = {{0, 0, 1}, {0, 1, 3}, {0, 2, 3}};
static struct event events[] = {
    STEP(STORE, 1, 1, 1, .size = 4, .value = 1, .flags = EVF_BUFFERED,
         .depth = 1),
    STEP(LOAD, 1, 2, 2, .size = 4),
    STEP(STORE, 2, 3, 2, .size = 4, .value = 1, .co = 1),
    STEP(LOAD, 2, 4, 1, .size = 4),
    STEP(COMMIT, 1, 1, 1, .size = 4, .value = 1, .from = 1, .co = 1,
         .flags = EVF_BUFFERED),
    STEP(FAIL, 0, 5, 0),
};
static struct shown found[2];
static const struct shown *list[] = {&found[0], &found[1]};
static struct report report = {
    .command = "run", .program = "sb.c", .findings = list, .finding_count = 2};
static struct browse b;
static const struct browse_line *lines;

static int open_browser(void **unused)
{
    (void)unused;
    found[0] = (struct shown){
        .class = CLASS_HARMFUL,
        .past_gate = true,
        .finding.model = &model_tso,
        .cycle = {.length = 4, .events = {0, 1, 2, 3}, .reordered = 1},
        .trace = {.program = "sb.c",
                  .model = "tso",
                  .strategy = "random",
                  .failure = {.kind = FAIL_ASSERT,
                              .site = 5,
                              .message = "assertion failed: \033[31mr"},
                  .sites = sites,
                  .site_count = COUNT(sites),
                  .objects = objects,
                  .object_count = COUNT(objects),
                  .threads = threads,
                  .thread_count = COUNT(threads),
                  .events = events,
                  .event_count = COUNT(events)}};
    found[1] = found[0];
    found[1].cycle.length = 0;
    browse_init(&b, &report);
    return 0;
}

static int close_browser(void **unused)
{
    (void)unused;
    browse_free(&b);
    return 0;
}

static void look(unsigned width, unsigned height)
{
    lines = browse_screen(&b, width, height);
    for (unsigned i = 0; i < height; i++)
        assert_true(strlen(lines[i].text) <= width);
}

static bool shows(unsigned height, const char *text)
{
    for (unsigned i = 0; i < height; i++) {
        if (strstr(lines[i].text, text))
            return true;
    }
    return false;
}

static void press(enum browse_key key, const char *text)
{
    browse_do(&b, key, 24);
    look(100, 24);
    if (!shows(24, text))
        fail_msg("not on the screen: %s", text);
}

static void a_screen_has_the_step_its_buffers_and_memory(void **unused)
{
    (void)unused;
    look(100, 24);
    assert_int_equal(lines[0].look, LOOK_BAR);
    assert_true(shows(24, "f1 of 2  assertion failed: \\x1b[31mr, at sb.c:18"));
    assert_true(shows(24, "T1 left"));
    assert_int_equal(lines[2].look, LOOK_CURRENT);
    assert_true(shows(24, "step 1 of 6, T1, sb.c:3 in left"));
    assert_true(shows(24, "waiting: T1 x = 1 (step 1)"));
    assert_true(shows(24, "(1) of 4: "));
    press(BROWSE_DOWN, "step 2 of 6");
    assert_true(shows(24, "memory: x 0, y 0"));
    press(BROWSE_LAST, "step 6 of 6");
    assert_true(shows(24, "waiting: no store"));
    assert_true(shows(24, "memory: x 1, y 1"));
    press(BROWSE_DOWN, "step 6 of 6");
    press(BROWSE_FIRST, "step 1 of 6");
    press(BROWSE_UP, "step 1 of 6");
}

static void keys_go_along_the_cycle_and_to_matches(void **unused)
{
    (void)unused;
    press(BROWSE_NEXT_OF_CYCLE, "step 2 of 6");
    press(BROWSE_PREVIOUS_OF_CYCLE, "step 1 of 6");
    press(BROWSE_PREVIOUS_OF_CYCLE, "step 4 of 6");
    press(BROWSE_NEXT_MATCH, "nothing to look for");
    browse_search(&b, "FAILS");
    look(100, 24);
    assert_true(shows(24, "step 6 of 6"));
    browse_search(&b, "y is");
    look(100, 24);
    assert_true(shows(24, "step 2 of 6"));
    press(BROWSE_NEXT_MATCH, "step 2 of 6");
    browse_search(&b, "nowhere");
    look(100, 24);
    assert_true(shows(24, "not found"));
    press(BROWSE_NEXT_FINDING, "f2 of 2");
    press(BROWSE_NEXT_OF_CYCLE, "has no cycle");
    press(BROWSE_PREVIOUS_FINDING, "f1 of 2");
}

static void it_stays_where_it_is_when_all_steps_are_shown(void **unused)
{
    (void)unused;
    press(BROWSE_LAST, "step 6 of 6");
    press(BROWSE_ALL, "step 6 of 6");
    assert_int_equal(b.rows.count, 6);
    press(BROWSE_ALL, "step 6 of 6");
}

static void small_screens_are_survived(void **unused)
{
    (void)unused;
    for (unsigned width = 1; width < 60; width++) {
        for (unsigned height = 1; height < 20; height++)
            look(width, height);
    }
    look(45, 12); /* lanes would be too narrow */
    assert_true(shows(12, "T1 (1) x = 1"));
    look(20, 5);
    assert_true(shows(5, "too small"));
    browse_do(&b, BROWSE_LAST, 12);
    look(45, 12);
    assert_true(shows(12, "FAILS"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, open_browser, close_browser)
        TEST(a_screen_has_the_step_its_buffers_and_memory),
        TEST(keys_go_along_the_cycle_and_to_matches),
        TEST(it_stays_where_it_is_when_all_steps_are_shown),
        TEST(small_screens_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
