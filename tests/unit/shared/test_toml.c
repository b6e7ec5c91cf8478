/* SPDX-License-Identifier: MIT
 *
 * TOML: what is taken and what it means; what is refused, and in which line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/toml.h"

static struct arena arena;
static const struct toml *root;
static struct err e;

static bool parse(const char *text)
{
    return toml_parse(text, strlen(text), &arena, &root, &e);
}

static const struct toml *take(const char *text, const char *key)
{
    if (!parse(text))
        fail_msg("%s: %s", text, e.text);
    return toml_get(root, key);
}

static void expect_refused(const char *text, const char *why)
{
    if (parse(text))
        fail_msg("taken: %s", text);
    assert_string_equal(e.text, why);
}

static void values_have_their_types(void **unused)
{
    const char *text = "s = \"a\\tb\\\"\\u00e9\\U0001F600\" # said\r\n"
                       "l = 'C:\\n'\n"
                       "\"a b\" = -1_000\n"
                       "r = 1.5e-3\n"
                       "t = true\nf = false\n";

    (void)unused;
    assert_string_equal(take(text, "s")->text,
                        "a\tb\"\xc3\xa9\xf0\x9f\x98\x80");
    assert_string_equal(toml_get(root, "l")->text, "C:\\n");
    assert_int_equal(toml_get(root, "a b")->integer, -1000);
    assert_int_equal(toml_get(root, "a b")->line, 3);
    assert_int_equal(toml_get(root, "r")->type, TOML_REAL);
    assert_string_equal(toml_get(root, "r")->text, "1.5e-3");
    assert_true(toml_get(root, "t")->truth);
    assert_false(toml_get(root, "f")->truth);
    assert_null(toml_get(root, "g"));
}

static void arrays_go_over_lines_and_braces_do_not(void **unused)
{
    const struct toml *t =
        take("a = [ 1, # one\n\n  [2, 'x'],\n]\nb = {}", "a");

    (void)unused;
    assert_int_equal(t->type, TOML_ARRAY);
    assert_int_equal(t->first->integer, 1);
    assert_int_equal(t->first->next->first->integer, 2);
    assert_int_equal(t->first->next->line, 3);
    assert_int_equal(toml_get(root, "b")->line, 5);
    t = take("x = { a = 1, b.c = \"d\" }", "x");
    assert_string_equal(toml_get(toml_get(t, "b"), "c")->text, "d");
    expect_refused("x = { a = 1,\n b = 2 }", "line 1: a key is missing");
    expect_refused("x = { a = 1, }", "line 1: a key is missing");
}

static void tables_and_their_arrays(void **unused)
{
    const struct toml *t = take("[a.b]\nx = 1\n[a]\ny.z = 2\n"
                                "[[t]]\nn = 1\n[t.u]\nv = 1\n[[t]]\nn = 2\n",
                                "t");

    (void)unused;
    assert_int_equal(toml_get(t->first, "n")->integer, 1);
    assert_int_equal(toml_get(toml_get(t->first, "u"), "v")->integer, 1);
    assert_int_equal(toml_get(t->first->next, "n")->integer, 2);
    assert_null(t->first->next->next);
    t = toml_get(root, "a");
    assert_int_equal(toml_get(toml_get(t, "b"), "x")->integer, 1);
    assert_int_equal(toml_get(toml_get(t, "y"), "z")->integer, 2);
}

static void nothing_is_defined_twice(void **unused)
{
    (void)unused;
    expect_refused("a = 1\na = 2", "line 2: 'a' is there already");
    expect_refused("[a]\n[b]\n[a]", "line 3: 'a' is there already");
    expect_refused("a = {}\n[a.b]",
                   "line 2: 'a' is there already, and is no table that can be "
                   "added to");
    expect_refused("a = []\n[[a]]", "line 2: 'a' is there already");
    expect_refused("[a]\n[[a]]", "line 2: 'a' is there already");
    expect_refused("a.b = 1\na.b.c = 2",
                   "line 2: 'b' is there already, and nothing can be added to "
                   "it here");
    expect_refused("[a.b]\n[x]\n[a]\nb.c = 1",
                   "line 4: 'b' is there already, and nothing can be added to "
                   "it here");
    expect_refused("a.b = 1\n[a]", "line 2: 'a' is there already");
}

static void nonsense_is_refused_with_its_line(void **unused)
{
    (void)unused;
    expect_refused("\n= 1", "line 2: a key is missing");
    expect_refused("a", "line 1: 'a' is not followed by '='");
    expect_refused("a = \"x", "line 1: a string that does not end in its line");
    expect_refused("a = \"\"\"x\"\"\"",
                   "line 1: strings over several lines are not supported");
    expect_refused("a = \"\\q\"", "line 1: an escape that TOML does not have");
    expect_refused("a = \"\\ud800\"",
                   "line 1: a character that there is not, or NUL");
    expect_refused("a = 1 2", "line 1: something after the value, or a newline "
                              "is missing");
    expect_refused("a = 01", "line 1: a number does not begin with 0");
    expect_refused("a = 0x10", "line 1: not a decimal number; dates are not "
                               "supported");
    expect_refused("a = 1979-05-27", "line 1: not a decimal number; dates are "
                                     "not supported");
    expect_refused("a = 99999999999999999999",
                   "line 1: a number that is too large");
    expect_refused("a = 1.", "line 1: digits are missing after the point");
    expect_refused("a = [1 2]",
                   "line 1: an array goes on with ',' or ends with ']'");
    expect_refused("a = yes", "line 1: a value is missing: a string in quotes, "
                              "a number, true, false, [...] or {...}");
    expect_refused("[a", "line 1: ']' is missing");
    expect_refused("[[a]", "line 1: ']]' is missing");
    expect_refused("# \x01", "line 1: a control character in a comment");
    expect_refused("a = 1\nb = \"\xff\"", "line 2: not UTF-8");
    assert_false(toml_parse("a\0b", 3, &arena, &root, &e));
    assert_string_equal(e.text, "line 1: there is a NUL in it");
}

static void depth_is_limited(void **unused)
{
    char text[300];

    (void)unused;
    memset(text, '[', sizeof(text));
    memcpy(text, "a=", 2);
    text[sizeof(text) - 1] = '\0';
    expect_refused(text, "line 1: too many brackets inside one another");
    for (size_t i = 0; i + 1 < sizeof(text); i++)
        text[i] = i % 2 ? '.' : 'a';
    expect_refused(text, "line 1: too many dots in a key");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_their_types),
        cmocka_unit_test(arrays_go_over_lines_and_braces_do_not),
        cmocka_unit_test(tables_and_their_arrays),
        cmocka_unit_test(nothing_is_defined_twice),
        cmocka_unit_test(nonsense_is_refused_with_its_line),
        cmocka_unit_test(depth_is_limited),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    arena_free(&arena);
    return failed;
}
