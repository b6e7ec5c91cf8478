/* SPDX-License-Identifier: MIT
 *
 * What the page of --html is made of: memory byte by byte, the same steps on
 * SC, and the cure as a diff.
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

#include "report/html/html_inside.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define STEP(k, t, o, ...)                                                     \
    {.kind = EV_##k, .thread = t, .object = o, __VA_ARGS__}

static struct fencer_site nowhere[] = {{"", "", "", "", 0, 0, EV_NONE, 0}};
static struct trace_object objects[] = {
    {OBJECT_NONE, 0, 0, 0, 0, 0, "", ""},
    {OBJECT_GLOBAL, 0, 0, 0, 0x1000, 8, "x", ""},
    {OBJECT_GLOBAL, 1, 0, 0, 0x1008, 8, "y", ""},
    {OBJECT_GLOBAL, 2, 0, 0, 0x1010, 8, "lock", ""},
};
static struct trace_thread threads[3];

/* The memory of an execution of these events. */
struct seen {
    struct trace trace;
    struct html_strings strings;
    struct html_memory memory;
};

static void look(struct seen *s, struct event *events, size_t count)
{
    *s = (struct seen){.trace = {.program = "p.c",
                                 .model = "tso",
                                 .strategy = "random",
                                 .sites = nowhere,
                                 .site_count = 1,
                                 .objects = objects,
                                 .object_count = COUNT(objects),
                                 .threads = threads,
                                 .thread_count = COUNT(threads),
                                 .events = events,
                                 .event_count = count}};
    html_strings_init(&s->strings);
    html_memory_init(&s->memory, &s->trace, &s->strings, true);
}

static void look_away(struct seen *s)
{
    html_memory_free(&s->memory);
    map_free(&s->strings.numbers);
    json_decref(s->strings.list);
}

static const char *text_of(const struct seen *s, uint32_t number)
{
    return json_string_value(json_array_get(s->strings.list, number));
}

/* What the cell of event i holds after that step; "": nobody knows. */
static const char *held(const struct seen *s, size_t i, uint32_t step, bool sc)
{
    const struct html_cell *c =
        &s->memory.cells.list[html_cell_of(&s->memory, &s->trace.events[i])];
    const struct html_change *list = sc ? c->held_sc.list : c->held.list;
    size_t n = sc ? c->held_sc.count : c->held.count;

    while (n > 0 && list[n - 1].step > step)
        n--;
    return n ? text_of(s, list[n - 1].text) : "?";
}

static void a_write_changes_every_cell_that_it_touches(void **unused)
{
    struct event events[] = {
        STEP(STORE, 0, 1, .size = 8, .value = 0x0000000700000005, .co = 1),
        STEP(LOAD, 0, 1, .size = 4, .offset = 4, .value = 7, .from = 1),
        STEP(STORE, 0, 1, .size = 1, .offset = 4, .value = 9, .co = 2),
        STEP(LOAD, 0, 1, .size = 4, .value = 5, .from = 1),
        STEP(LOAD, 0, 2, .size = 4, .value = 3),
    };
    struct seen s;

    (void)unused;
    look(&s, events, COUNT(events));
    assert_int_equal(s.memory.cells.count, 5);
    assert_string_equal(held(&s, 1, 1, false), "7");
    assert_string_equal(held(&s, 1, 3, false), "9");
    assert_string_equal(held(&s, 3, 3, false), "5");
    assert_string_equal(held(&s, 0, 0, false), "");
    /* A load has told what was there from the beginning. */
    assert_string_equal(held(&s, 4, 0, false), "3");
    assert_int_equal(s.memory.differs.count, 0);
    look_away(&s);
}

static void a_store_waits_until_its_commit(void **unused)
{
    struct event events[] = {
        STEP(STORE, 1, 1, .size = 4, .value = 1, .flags = EVF_BUFFERED),
        STEP(LOAD, 1, 1, .size = 4, .value = 1, .from = 1,
             .flags = EVF_FORWARDED),
        STEP(LOAD, 2, 1, .size = 4, .value = 0),
        STEP(COMMIT, 1, 1, .size = 4, .value = 1, .from = 1, .co = 1,
             .flags = EVF_BUFFERED),
        STEP(STORE, 1, 2, .size = 4, .value = 2, .flags = EVF_BUFFERED),
    };
    struct seen s;

    (void)unused;
    look(&s, events, COUNT(events));
    assert_string_equal(held(&s, 0, 3, false), "0");
    assert_string_equal(held(&s, 0, 4, false), "1");
    assert_string_equal(held(&s, 0, 1, true), "1");
    assert_int_equal(s.memory.until[0], 4);
    assert_int_equal(s.memory.until[4], UINT32_MAX);
    look_away(&s);
}

static void what_depends_on_another_value_is_open_on_sc(void **unused)
{
    struct event events[] = {
        STEP(STORE, 1, 1, .size = 4, .value = 1, .flags = EVF_BUFFERED),
        STEP(LOAD, 2, 1, .size = 4, .value = 0), /* SC: 1 */
        STEP(STORE, 2, 2, .size = 4, .value = 5, .co = 1),
        STEP(LOAD, 1, 2, .size = 4, .value = 5, .from = 3), /* SC: open */
        STEP(LOCK, 0, 3),
        STEP(COMMIT, 1, 1, .size = 4, .value = 1, .from = 1, .co = 1,
             .flags = EVF_BUFFERED),
        STEP(JOIN, 0, 0, .value = 2),
    };
    struct seen s;

    (void)unused;
    look(&s, events, COUNT(events));
    assert_int_equal(s.memory.differs.count, 2);
    assert_int_equal(s.memory.differs.list[0].step, 2);
    assert_string_equal(text_of(&s, s.memory.differs.list[0].text), "1");
    assert_int_equal(s.memory.differs.list[1].step, 4);
    assert_string_equal(text_of(&s, s.memory.differs.list[1].text), "");
    assert_string_equal(held(&s, 2, 3, true), "");
    assert_int_equal(s.memory.strays[2], 3);
    assert_int_equal(s.memory.strays[1], 5);
    assert_int_equal(s.memory.strays[0], 7); /* not the lock: the join */
    look_away(&s);
}

static void a_lock_leads_astray(void **unused)
{
    struct event events[] = {
        STEP(STORE, 1, 1, .size = 4, .value = 1, .flags = EVF_BUFFERED),
        STEP(LOAD, 2, 1, .size = 4, .value = 0),
        STEP(UNLOCK, 2, 3),
        STEP(LOCK, 1, 3),
        STEP(CREATE, 2, 0, .value = 0),
    };
    struct seen s;

    (void)unused;
    look(&s, events, COUNT(events));
    assert_int_equal(s.memory.strays[1], 4);
    assert_int_equal(s.memory.strays[0], 5);
    look_away(&s);
}

/* Code that Fencer does not see may write; that is no difference of SC's. */
static void what_nobody_is_seen_to_write_is_believed(void **unused)
{
    struct event events[] = {
        STEP(STORE, 0, 1, .size = 4, .value = 1, .co = 1),
        STEP(LOAD, 0, 1, .size = 4, .value = 8, .from = 1),
        STEP(LOAD, 1, 1, .size = 4, .value = 8, .from = 1),
    };
    struct seen s;

    (void)unused;
    look(&s, events, COUNT(events));
    assert_int_equal(s.memory.differs.count, 0);
    assert_string_equal(held(&s, 0, 2, false), "8");
    look_away(&s);
}

/* ---- Diffs ---- */

static char path[] = "/tmp/test_html_XXXXXX";

/* The diff for that change at that line of that text, without its first two
 * lines; "none" where there is none. */
static const char *diff_of(const char *text, unsigned line, uint32_t bits,
                           enum event_kind kind)
{
    static char result[2000];
    struct fencer_site sites[] = {{"", "", "", "", 0, 0, EV_NONE, 0},
                                  {path, "", "f", "x", line, 5, kind, 4}};
    struct shown f = {.trace = {.sites = sites, .site_count = 2},
                      .cure = {{.site = 1, .bits = bits}},
                      .cure_count = 1};
    struct sources *s = sources_new();
    struct buf out = {0};
    struct err e;

    assert_true(file_write(path, text, strlen(text), &e));
    snprintf(result, sizeof(result), "none");
    if (patches_diff(&f, s, &out)) {
        assert_int_equal(strncmp(out.bytes, "--- /tmp/", 9), 0);
        snprintf(result, sizeof(result), "%s", strstr(out.bytes, "@@"));
    }
    buf_free(&out);
    sources_free(s);
    return result;
}

#define ORDER(from, to)                                                        \
    (CHANNEL_FENCE_ORDER | ORDER_##from << CHANNEL_FENCE_FROM | ORDER_##to)

static void a_fence_follows_a_statement_of_its_own(void **unused)
{
    (void)unused;
    assert_string_equal(
        diff_of("{\n\tx = 1;\n\ty = 2;\n}\n", 2, FENCE_SL, EV_STORE),
        "@@ -1,4 +1,5 @@\n {\n \tx = 1;\n"
        "+\t__atomic_thread_fence(__ATOMIC_SEQ_CST);\n"
        " \ty = 2;\n }\n");
    assert_string_equal(
        diff_of("#include <stdatomic.h>\n{\n  x = f(1,\n        2);\n}", 3,
                FENCE_SS, EV_STORE),
        "@@ -1,5 +1,6 @@\n #include <stdatomic.h>\n {\n   x = f(1,\n"
        "         2);\n+  atomic_thread_fence(memory_order_release);\n }\n"
        "\\ No newline at end of file\n");
}

static void a_fence_is_not_put_where_it_would_mean_something_else(void **unused)
{
    static const struct {
        const char *text;
        unsigned line;
    } cases[] = {
        {"{\nif (c)\n x = 1;\ny = 2;\n}\n", 3}, /* of an if without braces */
        {"{\nfor (;;) x = 1;\ny = 2;\n}\n", 2}, /* after the loop */
        {"{\nreturn x;\n}\n", 2},               /* never reached */
        {"{\ny = 1; /* then */\nx = 1;\nelse\n}\n", 3},
        {"{\nwhile (x)\n;\n}\n", 2},
        {"{\n#define F x = 1;\n}\n", 2},
    };

    (void)unused;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(
            diff_of(cases[i].text, cases[i].line, FENCE_FULL, EV_STORE),
            "none");
}

static void an_order_is_changed_where_it_is_spelt(void **unused)
{
    (void)unused;
    assert_string_equal(diff_of("f(&x, memory_order_relaxed);\n", 1,
                                ORDER(RELAXED, RELEASE), EV_STORE),
                        "@@ -1,1 +1,1 @@\n-f(&x, memory_order_relaxed);\n"
                        "+f(&x, memory_order_release);\n");
    assert_string_equal(
        diff_of("__atomic_load_n(&x, __ATOMIC_RELAXED);\n", 1,
                ORDER(RELAXED, ACQUIRE), EV_LOAD),
        "@@ -1,1 +1,1 @@\n-__atomic_load_n(&x, __ATOMIC_RELAXED);\n"
        "+__atomic_load_n(&x, __ATOMIC_ACQUIRE);\n");
    assert_string_equal(
        diff_of(
            "c(&x, &e, 1,\n  memory_order_relaxed, memory_order_relaxed);\n", 1,
            ORDER(RELAXED, ACQUIRE) | CHANNEL_FENCE_FAILURE, EV_RMW),
        "@@ -1,2 +1,2 @@\n c(&x, &e, 1,\n"
        "-  memory_order_relaxed, memory_order_relaxed);\n"
        "+  memory_order_relaxed, memory_order_acquire);\n");
    assert_string_equal(
        diff_of("while (!atomic_load_explicit(f(&x, 1), SOME))\n", 1,
                ORDER(RELAXED, ACQUIRE), EV_LOAD),
        "@@ -1,1 +1,1 @@\n-while (!atomic_load_explicit(f(&x, 1), SOME))\n"
        "+while (!atomic_load_explicit(f(&x, 1), memory_order_acquire))\n");
}

static void an_order_that_is_not_plain_to_see_stays(void **unused)
{
    static const char *const lines[] = {
        "x = 1;\n",
        "load(&x);\n",
        "f(memory_order_relaxed, memory_order_relaxed);\n",
        "f(&x, memory_order_acquire);\n",
        "f(&x, memory_order_relaxed_really);\n",
        "atomic_load_explicit(&x);\n",
        "a_explicit(&x, b_explicit(&y, SOME), SOME);\n"};

    (void)unused;
    for (size_t i = 0; i < COUNT(lines); i++)
        assert_string_equal(
            diff_of(lines[i], 1, ORDER(RELAXED, RELEASE), EV_STORE), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_changes_every_cell_that_it_touches),
        cmocka_unit_test(a_store_waits_until_its_commit),
        cmocka_unit_test(what_depends_on_another_value_is_open_on_sc),
        cmocka_unit_test(a_lock_leads_astray),
        cmocka_unit_test(what_nobody_is_seen_to_write_is_believed),
        cmocka_unit_test(a_fence_follows_a_statement_of_its_own),
        cmocka_unit_test(a_fence_is_not_put_where_it_would_mean_something_else),
        cmocka_unit_test(an_order_is_changed_where_it_is_spelt),
        cmocka_unit_test(an_order_that_is_not_plain_to_see_stays),
    };
    int fd = mkstemp(path), failed;

    assert_true(fd >= 0);
    close(fd);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
