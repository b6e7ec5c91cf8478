/* SPDX-License-Identifier: MIT
 *
 * The base folder: error texts, arenas, buffers, files, words, lists and what
 * is kept in SQLite.
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

#include "base/arena.h"
#include "base/buf.h"
#include "base/db.h"
#include "base/err.h"
#include "base/lines.h"
#include "base/log.h"
#include "base/tally.h"
#include "base/words.h"

static void a_place_goes_before_the_fact(void **unused)
{
    struct err e;

    (void)unused;
    assert_false(err_set(&e, "unknown event kind '%c'", 'Q'));
    assert_false(err_in(&e, "line %d", 2));
    assert_false(err_in(&e, "sb.trace"));
    assert_string_equal(e.text, "sb.trace: line 2: unknown event kind 'Q'");
}

static void an_error_may_quote_itself(void **unused)
{
    struct err e;

    (void)unused;
    err_set(&e, "inner");
    err_set(&e, "<%s>", e.text);
    assert_string_equal(e.text, "<inner>");
}

static void a_long_error_keeps_its_place(void **unused)
{
    struct err e;
    char text[3000];

    (void)unused;
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    err_set(&e, "%s", text);
    err_in(&e, "place");
    assert_memory_equal(e.text, "place: xxx", 10);
    assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
    err_in(&e, "%s", text);
    assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
}

static void an_arena_hands_out_zeroed_aligned_memory(void **unused)
{
    struct arena a = ARENA_INIT;

    (void)unused;
    for (size_t n = 0; n < 3000; n += 7) {
        char *p = arena_alloc(&a, n * 50);

        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n * 50; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, n * 50);
    }
    assert_string_equal(arena_printf(&a, "%d %s", 7, "seven"), "7 seven");
    assert_string_equal(arena_copy_n(&a, "abcdef", 3), "abc");
    arena_free(&a);
    assert_null(a.chunks);
}

static void a_buffer_always_ends_with_nul(void **unused)
{
    struct buf b = {0};

    (void)unused;
    buf_clear(&b);
    assert_string_equal(b.bytes, "");
    buf_printf(&b, "%s", "one");
    buf_putc(&b, ' ');
    buf_pad(&b, '.', 3);
    buf_puts(&b, " two");
    assert_string_equal(b.bytes, "one ... two");
    assert_int_equal(b.count, 11);
    buf_free(&b);
}

static void a_file_is_written_whole_and_read_back(void **unused)
{
    char folder[] = "/tmp/fencer-test-XXXXXX";
    char path[200], deep[100];
    struct buf b = {0};
    struct err e;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(deep, sizeof(deep), "%s/a/b", folder);
    assert_true(folder_make(deep, &e));
    assert_true(folder_make(deep, &e));
    snprintf(path, sizeof(path), "%s/file", deep);
    assert_true(file_write(path, "old", 3, &e));
    assert_true(file_write(path, "newer", 5, &e));
    assert_true(buf_read_file(&b, path, 100, &e));
    assert_string_equal(b.bytes, "newer");
    assert_false(buf_read_file(&b, path, 4, &e));
    assert_false(folder_make(path, &e));
    assert_false(file_write("/no/such/folder/x", "", 0, &e));
    assert_string_equal(e.text, "/no/such/folder/x: No such file or directory");
    buf_free(&b);
    unlink(path);
    rmdir(deep);
    snprintf(deep, sizeof(deep), "%s/a", folder);
    rmdir(deep);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left behind */
}

static void a_slip_of_the_finger_is_understood(void **unused)
{
    const char *const words[] = {"run", "replay", "report", "trace"};

    (void)unused;
    assert_string_equal(words_nearest("rnu", words, 4), "run");
    assert_string_equal(words_nearest("reply", words, 4), "replay");
    assert_string_equal(words_nearest("tracee", words, 4), "trace");
    assert_null(words_nearest("zebra", words, 4));
    assert_null(words_nearest("", words, 4));
}

static void only_whole_numbers_in_range_are_numbers(void **unused)
{
    uint64_t n;

    (void)unused;
    assert_true(words_number("18446744073709551615", 0, UINT64_MAX, &n));
    assert_true(n == UINT64_MAX);
    assert_false(words_number("18446744073709551616", 0, UINT64_MAX, &n));
    assert_false(words_number("", 0, 9, &n));
    assert_false(words_number("-1", 0, 9, &n));
    assert_false(words_number("1x", 0, 9, &n));
    assert_false(words_number("10", 0, 9, &n));
    assert_false(words_number("0", 1, 9, &n));
}

static void only_known_log_areas_can_be_turned_on(void **unused)
{
    (void)unused;
    assert_false(log_enable("nonsense"));
    assert_true(log_enable("worker"));
    assert_true(log_is_on[LOG_WORKER]);
    log_is_on[LOG_WORKER] = false;
}

static void a_line_is_listed_once(void **unused)
{
    struct arena a = ARENA_INIT;
    struct lines l = {.arena = &a};

    (void)unused;
    for (int i = 0; i < 100; i++)
        lines_add(&l, "line %d", i % 40);
    assert_int_equal(l.count, 40);
    assert_string_equal(l.list[39], "line 39");
    arena_free(&a);
}

static void a_tally_counts_equal_texts_together(void **unused)
{
    struct arena a = ARENA_INIT;
    struct tally t = {0}, copy = {0};
    char text[20];

    (void)unused;
    assert_false(tally_has(&t, "x=1"));
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof(text), "x=%d", i % 100);
        tally_add(&t, text, 2, &a);
        if (i % 300 == 0)
            tally_sort(&t);
    }
    tally_sort(&t);
    assert_int_equal(t.count, 100);
    assert_string_equal(t.list[1].text, "x=1");
    assert_int_equal(t.list[1].count, 20);
    assert_true(tally_has(&t, "x=99") && !tally_has(&t, "x=100"));
    tally_copy(&copy, &t, &a);
    tally_add(&t, "x=1", 1, &a);
    assert_int_equal(t.list[1].count, 21);
    assert_int_equal(copy.list[1].count, 20);
    arena_free(&a);
}

static int rows(const char *file, const char *schema, int version)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    struct err e = {""};
    int n;

    assert_true(db_open(file, schema, version, &db, &e));
    q = db_prepare(db, "INSERT INTO t VALUES(1)");
    assert_true(db_insert(db, q, &e));
    q = db_prepare(db, "SELECT count(*) FROM t");
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    n = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return n;
}

static void a_database_of_another_version_is_begun_anew(void **unused)
{
    const char *first = "CREATE TABLE IF NOT EXISTS t(a)";
    char file[] = "/tmp/fencer-test-XXXXXX";

    (void)unused;
    close(mkstemp(file));
    assert_int_equal(rows(file, first, 0), 1);
    assert_int_equal(rows(file, first, 0), 2);
    assert_int_equal(rows(file, "CREATE TABLE IF NOT EXISTS t(b)", 7), 1);
    assert_int_equal(rows(file, "CREATE TABLE IF NOT EXISTS t(b)", 7), 2);
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_goes_before_the_fact),
        cmocka_unit_test(an_error_may_quote_itself),
        cmocka_unit_test(a_long_error_keeps_its_place),
        cmocka_unit_test(an_arena_hands_out_zeroed_aligned_memory),
        cmocka_unit_test(a_buffer_always_ends_with_nul),
        cmocka_unit_test(a_file_is_written_whole_and_read_back),
        cmocka_unit_test(a_slip_of_the_finger_is_understood),
        cmocka_unit_test(only_whole_numbers_in_range_are_numbers),
        cmocka_unit_test(only_known_log_areas_can_be_turned_on),
        cmocka_unit_test(a_line_is_listed_once),
        cmocka_unit_test(a_tally_counts_equal_texts_together),
        cmocka_unit_test(a_database_of_another_version_is_begun_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
