/* SPDX-License-Identifier: MIT
 *
 * SQLite in memory, one connection, two threads: each adds a row.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "sqlite3.h"

static sqlite3 *db;

static void run(const char *text)
{
    assert(sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK);
}

static void *adds(void *none)
{
    run("INSERT INTO t VALUES (1)");
    return none;
}

static int counts(void *to, int columns, char **values, char **names)
{
    (void)columns;
    (void)names;
    *(char *)to = values[0][0];
    return 0;
}

int main(void)
{
    pthread_t a, b;
    char count = 0;

    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    run("CREATE TABLE t (n)");
    pthread_create(&a, NULL, adds, NULL);
    pthread_create(&b, NULL, adds, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!sqlite3_exec(db, "SELECT count(*) FROM t", counts, &count, NULL));
    assert(count == '2');
    sqlite3_close(db);
    return 0;
}
