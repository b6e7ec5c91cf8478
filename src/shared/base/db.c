/* SPDX-License-Identifier: MIT
 *
 * SQLite, as db.h says.
 */
#include "base/db.h"

#include <string.h>
#include <unistd.h>

#include "base/check.h"

/* In each of our files: "FNCR". */
#define OURS 0x464e4352

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
    /* Fails on a foreign file, of which check_file tells. */
    sqlite3_exec(*db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    return true;
}

/* The first number of the first row; -1: there is none, or it is no database.
 */
static sqlite3_int64 number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q = db_prepare(db, sql);
    sqlite3_int64 n =
        sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : -1;

    sqlite3_finalize(q);
    return n;
}

static bool make_tables(sqlite3 *db, const char *schema, int version,
                        struct err *e)
{
    return db_execute(db, "BEGIN IMMEDIATE", e) &&
           db_commit(
               db,
               db_execute_for(db, "PRAGMA application_id = %lld", OURS, e) &&
                   db_execute(db, schema, e) &&
                   db_execute_for(db, "PRAGMA user_version = %lld", version, e),
               e);
}

static sqlite3_stmt *select_tables(sqlite3 *db)
{
    return db_prepare(db, "SELECT sql FROM sqlite_master ORDER BY name");
}

/* Does it have the tables of the other, and no more? */
static bool has_tables_of(sqlite3 *db, sqlite3 *other)
{
    sqlite3_stmt *q = select_tables(db), *p = select_tables(other);
    bool same = true, more = true;

    while (same && more) {
        const char *a, *b;

        more = sqlite3_step(q) == SQLITE_ROW;
        same = (sqlite3_step(p) == SQLITE_ROW) == more;
        a = more && same ? (const char *)sqlite3_column_text(q, 0) : NULL;
        b = more && same ? (const char *)sqlite3_column_text(p, 0) : NULL;
        same = same && (!a ? !b : b && strcmp(a, b) == 0);
    }
    sqlite3_finalize(q);
    sqlite3_finalize(p);
    return same;
}

static bool has_schema(sqlite3 *db, const char *schema)
{
    struct err ignored;
    sqlite3 *right;
    bool same = open_file(":memory:", &right, &ignored) &&
                db_execute(right, schema, &ignored) && has_tables_of(db, right);

    sqlite3_close(right);
    return same;
}

/* Ours, from before our files said so. */
static bool is_early(sqlite3 *db)
{
    return number(db, "PRAGMA application_id") == 0 &&
           number(db, "SELECT count(*) FROM sqlite_master WHERE sql LIKE "
                      "'CREATE TABLE run(id INTEGER PRIMARY KEY, key TEXT%' OR "
                      "sql LIKE 'CREATE TABLE spec(program INTEGER,%'") > 0;
}

/* *anew: it is ours, of another version. */
static bool check_file(sqlite3 *db, const char *schema, int version, bool *anew,
                       struct err *e)
{
    sqlite3_int64 tables = number(db, "SELECT count(*) FROM sqlite_master");

    *anew = false;
    if (tables == 0)
        return make_tables(db, schema, version, e);
    *anew = tables > 0 && is_early(db);
    if (*anew)
        return true;
    if (tables < 0 || number(db, "PRAGMA application_id") != OURS)
        return err_set(e, "this is no file of fencer's: remove it, or choose "
                          "another folder (--out)");
    *anew = number(db, "PRAGMA user_version") != version;
    return *anew || has_schema(db, schema) ||
           err_set(e, "somebody has changed its tables: remove it");
}

bool db_open(const char *file, const char *schema, int version, sqlite3 **db,
             struct err *e)
{
    bool anew, ok;

    ok = open_file(file, db, e) && check_file(*db, schema, version, &anew, e);
    if (ok && anew) {
        sqlite3_close(*db);
        unlink(file);
        ok = open_file(file, db, e) && make_tables(*db, schema, version, e);
    }
    if (ok)
        return true;
    sqlite3_close(*db);
    *db = NULL;
    return err_in(e, "%s", file);
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

    sqlite3_prepare_v2(db, sql, -1, &q, NULL);
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
