/* SPDX-License-Identifier: MIT
 *
 * What survives a killed run, and what becomes of a file that is not as we left
 * it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/db.h"
#include "session/store.h"

#define LAYOUT 1234

static char file[64];
static struct err e;

static struct store *open_store(const char *key)
{
    struct store *s;

    if (!store_open(file, key, LAYOUT, &s, &e))
        fail_msg("%s", e.text);
    return s;
}

static void put(struct store *s, const char *name, uint64_t first,
                const char *text)
{
    struct record r = {.name = name,
                       .first = first,
                       .words = "in words",
                       .bytes = text,
                       .count = strlen(text)};

    assert_true(store_begin(s, &e));
    assert_true(store_commit(s, store_put(s, r, &e), &e));
}

static bool add_text(void *arg, const struct record *r)
{
    struct buf *all = arg;

    buf_printf(all, "%d=%.*s ", (int)r->first, (int)r->count,
               (const char *)r->bytes);
    return true;
}

static void expect_texts(struct store *s, const char *name, const char *right)
{
    struct buf all = {0};

    buf_puts(&all, "");
    assert_true(store_each(s, name, add_text, &all, &e));
    assert_string_equal(all.bytes, right);
    buf_free(&all);
}

static void begin_run(void)
{
    struct store *s = open_store("key");

    assert_false(store_resumes(s));
    put(s, "a", 2, "two");
    put(s, "a", 1, "one");
    put(s, "b", 1, "other");
    put(s, "a", 2, "zwei");
    store_close(s);
}

/* Somebody else has the file. */
static void execute(const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* One line that names the file and says what to do. */
static void expect_refused(void)
{
    struct store *s;

    e.text[0] = '\0';
    assert_false(store_open(file, "key", LAYOUT, &s, &e));
    assert_null(s);
    assert_non_null(strstr(e.text, file));
    assert_non_null(strstr(e.text, "remove it"));
    assert_null(strchr(e.text, '\n'));
}

static int fresh_file(void **unused)
{
    (void)unused;
    snprintf(file, sizeof(file), "test_store.%d.db", (int)getpid());
    unlink(file);
    return 0;
}

static int remove_file(void **unused)
{
    (void)unused;
    unlink(file);
    return 0;
}

/* ---- The tests ---- */

static void a_run_that_is_not_finished_continues(void **unused)
{
    struct store *s;

    (void)unused;
    begin_run();
    s = open_store("other key");
    assert_false(store_resumes(s));
    expect_texts(s, "a", "");
    store_close(s);
    s = open_store("key");
    assert_true(store_resumes(s));
    expect_texts(s, "a", "1=one 2=zwei ");
    assert_true(store_begin(s, &e));
    assert_true(store_commit(s, store_forget(s, "a", &e), &e));
    store_close(s);
    s = open_store("key");
    expect_texts(s, "a", "");
    expect_texts(s, "b", "1=other ");
    assert_true(store_finish(s, &e));
    store_close(s);
    s = open_store("key");
    assert_false(store_resumes(s));
    expect_texts(s, "b", "");
    store_close(s);
}

static void a_change_that_fails_is_none(void **unused)
{
    struct store *s = open_store("key");
    struct record r = {.name = "a", .bytes = "x", .count = 1};

    (void)unused;
    put(s, "a", 0, "before");
    assert_true(store_begin(s, &e));
    assert_true(store_put(s, r, &e));
    assert_false(store_commit(s, false, &e));
    expect_texts(s, "a", "0=before ");
    put(s, "b", 0, "after");
    store_close(s);
    s = open_store("key");
    expect_texts(s, "a", "0=before ");
    store_close(s);
}

static void what_somebody_changed_is_not_believed(void **unused)
{
    static const char *const changes[] = {
        "DELETE FROM record WHERE name = 'b'",
        "UPDATE record SET bytes = 'three' WHERE first = 2",
        "UPDATE record SET words = 'harmless' WHERE first = 2",
        "UPDATE record SET first = 7 WHERE first = 2",
        "UPDATE run SET sum = 0",
        ("INSERT INTO record(run, name, first, second, hash)"
         " VALUES(1, 'c', 1, 1, 1)"),
        "ALTER TABLE record ADD COLUMN more",
        "DROP TABLE record",
        "DROP INDEX record_at",
        "PRAGMA application_id = 7"};

    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        fresh_file(unused);
        begin_run();
        execute(changes[i]);
        expect_refused();
    }
}

static void a_foreign_file_is_left_alone(void **unused)
{
    FILE *f;

    execute("CREATE TABLE run(mine); INSERT INTO run VALUES(1)");
    expect_refused();
    execute("INSERT INTO run VALUES(2)");
    fresh_file(unused);
    f = fopen(file, "w");
    assert_non_null(f);
    fputs("a text that somebody needs", f);
    fclose(f);
    expect_refused();
    assert_int_equal(access(file, F_OK), 0);
}

static void another_layout_is_begun_anew(void **unused)
{
    struct store *s;

    (void)unused;
    begin_run();
    assert_true(store_open(file, "key", LAYOUT + 1, &s, &e));
    assert_false(store_resumes(s));
    store_close(s);
    unlink(file);
    /* As it was before our files said that they are ours. */
    execute("CREATE TABLE run(id INTEGER PRIMARY KEY, key TEXT UNIQUE, more)");
    store_close(open_store("key"));
}

/* A process that has the file until it is killed. */
static pid_t start_holder(void)
{
    int there[2];
    char c;
    pid_t pid;

    assert_int_equal(pipe(there), 0);
    pid = fork();
    if (pid == 0) {
        open_store("key");
        (void)!write(there[1], "x", 1);
        for (;;)
            pause();
    }
    assert_int_equal(read(there[0], &c, 1), 1);
    close(there[0]);
    close(there[1]);
    return pid;
}

static void one_process_has_it_and_is_named(void **unused)
{
    pid_t holder = start_holder();
    struct store *s;
    char name[32];

    (void)unused;
    snprintf(name, sizeof(name), "process %d ", (int)holder);
    assert_false(store_open(file, "key", LAYOUT, &s, &e));
    assert_non_null(strstr(e.text, name));
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    store_close(open_store("key"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh_file, remove_file)
    const struct CMUnitTest tests[] = {
        TEST(a_run_that_is_not_finished_continues),
        TEST(a_change_that_fails_is_none),
        TEST(what_somebody_changed_is_not_believed),
        TEST(a_foreign_file_is_left_alone),
        TEST(another_layout_is_begun_anew),
        TEST(one_process_has_it_and_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
