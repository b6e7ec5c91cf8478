/* SPDX-License-Identifier: MIT */
#include "base/clean.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, enum clean_keep keep, const char *clean)
{
    struct buf out = {0};

    buf_puts(&out, "");
    clean_put(&out, text, strlen(text), keep);
    assert_string_equal(out.bytes, clean);
    buf_free(&out);
}

static void text_in_any_language_stays(void **unused)
{
    (void)unused;
    expect("assertion failed: größe ≥ 0, 数, 😀 \\x1b", CLEAN_LINE,
           "assertion failed: größe ≥ 0, 数, 😀 \\x1b");
}

static void nothing_drives_the_terminal(void **unused)
{
    (void)unused;
    expect("\033[2J\a\r\177", CLEAN_LINE, "\\x1b[2J\\x07\\x0d\\x7f");
    expect("\033[2J", CLEAN_REPORT, "\\x1b[2J");
    expect("\033]0;title\a", CLEAN_REPORT, "\\x1b]0;title\\x07");
    expect("\xc2\x9b"
           "2J",
           CLEAN_REPORT, "\\xc2\\x9b2J"); /* CSI in one character */
    expect("a\xe2\x80\xae"
           "b",
           CLEAN_LINE, "a\\xe2\\x80\\xaeb"); /* right to left from here */
}

static void only_reports_have_lines_and_colours(void **unused)
{
    (void)unused;
    expect("a\n\tb", CLEAN_LINE, "a\\x0a\\x09b");
    expect("a\n\tb", CLEAN_LINES, "a\n\tb");
    expect("\033[1ma\033[0m", CLEAN_LINES, "\\x1b[1ma\\x1b[0m");
    expect("\033[1ma\033[0m", CLEAN_REPORT, "\033[1ma\033[0m");
}

static void what_is_no_utf8_is_escaped(void **unused)
{
    (void)unused;
    expect("\xff", CLEAN_LINE, "\\xff");
    expect("\xe2\x82", CLEAN_LINE, "\\xe2\\x82");          /* cut off */
    expect("\xc0\xaf", CLEAN_LINE, "\\xc0\\xaf");          /* too long */
    expect("\xed\xa0\x80", CLEAN_LINE, "\\xed\\xa0\\x80"); /* half a pair */
    expect("\xf4\x90\x80\x80", CLEAN_LINE, "\\xf4\\x90\\x80\\x80");
}

static void what_is_cut_ends_with_a_character(void **unused)
{
    char text[8] = "aaaaa\xe2\x82", exact[4] = "\xe2\x82\xac";

    (void)unused;
    clean_line(text, sizeof(text)); /* "aaaaa\xe2\x82" needs 14 */
    assert_int_equal(strlen(text), 7);
    assert_true(clean_is_line(text));
    clean_line(exact, sizeof(exact));
    assert_string_equal(exact, "€");
    clean_line(exact, 3);
    assert_true(clean_is_line(exact));
}

/* Whatever the bytes: clean once is clean. */
static void any_bytes_become_clean(void **unused)
{
    uint32_t random = 1;

    (void)unused;
    for (int i = 0; i < 20000; i++) {
        char text[24];
        char copy[24];

        for (size_t k = 0; k + 1 < sizeof(text); k++) {
            random = random * 1664525 + 1013904223;
            text[k] = (char)(random >> 24);
        }
        text[sizeof(text) - 1] = '\0';
        clean_line(text, sizeof(text));
        assert_true(clean_is_line(text));
        memcpy(copy, text, sizeof(copy));
        clean_line(copy, sizeof(copy));
        assert_string_equal(copy, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_in_any_language_stays),
        cmocka_unit_test(nothing_drives_the_terminal),
        cmocka_unit_test(only_reports_have_lines_and_colours),
        cmocka_unit_test(what_is_no_utf8_is_escaped),
        cmocka_unit_test(what_is_cut_ends_with_a_character),
        cmocka_unit_test(any_bytes_become_clean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
