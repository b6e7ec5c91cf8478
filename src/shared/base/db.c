/* SPDX-License-Identifier: MIT
 *
 * SQLite, as db.h says.
 */
#include "base/db.h"

#include <string.h>
#include <unistd.h>

#include "base/check.h"

bool db_failed(sqlite3 *db, struct err *e)
{
    return err_set(e, "the run cannot be kept: %s", sqlite3_errmsg(db));
}

bool db_execute(sqlite3 *db, const char *sql, struct err *e)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           db_failed(db, e);
}

bool db_execute_for(sqlite3 *db, const char *format, sqlite3_int64 id,
                    struct err *e)
{
    char *sql = sqlite3_mprintf(format, id);
    bool ok;

    CHECK(sql != NULL);
    ok = db_execute(db, sql, e);
    sqlite3_free(sql);
    return ok;
}

static bool open_file(const char *file, sqlite3 **db, struct err *e)
{
    if (sqlite3_open(file, db) != SQLITE_OK)
        return db_failed(*db, e);
    sqlite3_busy_timeout(*db, 5000);
    return db_execute(*db, "PRAGMA synchronous = OFF", e);
}

/* The first number of the first row; -1: there is none, or it is no database.
 */
static int number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q = NULL;
    int n = -1;

    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK &&
        sqlite3_step(q) == SQLITE_ROW)
        n = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    return n;
}

static bool is_of_another_version(sqlite3 *db, int version)
{
    return number(db, "SELECT count(*) FROM sqlite_master") > 0 &&
           number(db, "PRAGMA user_version") != version;
}

static bool make_tables(sqlite3 *db, const char *schema, int version,
                        struct err *e)
{
    return db_execute(db, schema, e) &&
           db_execute_for(db, "PRAGMA user_version = %lld", version, e);
}

bool db_open(const char *file, const char *schema, int version, sqlite3 **db,
             struct err *e)
{
    bool ok = open_file(file, db, e);

    if (ok && is_of_another_version(*db, version)) {
        sqlite3_close(*db);
        unlink(file);
        ok = open_file(file, db, e);
    }
    ok = ok && make_tables(*db, schema, version, e);
    if (!ok) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return ok;
}

bool db_commit(sqlite3 *db, bool ok, struct err *e)
{
    if (ok)
        return db_execute(db, "COMMIT", e);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

sqlite3_stmt *db_prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q = NULL;

    CHECK(sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK);
    return q;
}

bool db_insert(sqlite3 *db, sqlite3_stmt *q, struct err *e)
{
    bool ok = sqlite3_step(q) == SQLITE_DONE;

    sqlite3_finalize(q);
    return ok || db_failed(db, e);
}

void db_text(sqlite3_stmt *q, int at, const char *text)
{
    sqlite3_bind_text(q, at, text ? text : "", -1, SQLITE_TRANSIENT);
}

void db_bytes(sqlite3_stmt *q, int at, const void *bytes, size_t n)
{
    sqlite3_bind_blob64(q, at, bytes, n, SQLITE_TRANSIENT);
}

bool db_column_bytes(sqlite3_stmt *q, int at, void *to, size_t n)
{
    if ((size_t)sqlite3_column_bytes(q, at) != n)
        return false;
    memcpy(to, sqlite3_column_blob(q, at), n);
    return true;
}

const char *db_column_text(sqlite3_stmt *q, int at, struct arena *a)
{
    const unsigned char *text = sqlite3_column_text(q, at);

    return text && *text ? arena_copy(a, (const char *)text) : NULL;
}
