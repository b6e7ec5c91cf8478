/* SPDX-License-Identifier: MIT
 *
 * SQLite in the few words that we need: what survives a killed run.
 *
 * `synchronous` is off, because a killed process is what we fear, not a power
 * cut; SQLite's own transactions make each change whole or not there.
 */
#ifndef BASE_DB_H
#define BASE_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Opens FILE, with the tables of the schema.  A file of ours of another version
 * of the schema is begun anew; any other file is left alone.  False: e says
 * which file and what to do, and nothing is left open. */
bool db_open(const char *file, const char *schema, int version, sqlite3 **db,
             struct err *e);

bool db_failed(sqlite3 *db, struct err *e); /* sets e, and is false */
bool db_execute(sqlite3 *db, const char *sql, struct err *e);

/* "DELETE ... WHERE run = %lld" and the like. */
bool db_execute_for(sqlite3 *db, const char *format, sqlite3_int64 id,
                    struct err *e);

/* Ends a transaction, which counts only if all went well. */
bool db_commit(sqlite3 *db, bool ok, struct err *e);

/* The statement.  NULL: the file was changed under us; a step of NULL fails,
 * and db_failed says why. */
sqlite3_stmt *db_prepare(sqlite3 *db, const char *sql);

/* One row in; the statement is used up. */
bool db_insert(sqlite3 *db, sqlite3_stmt *q, struct err *e);

void db_text(sqlite3_stmt *q, int at, const char *text);
void db_bytes(sqlite3_stmt *q, int at, const void *bytes, size_t n);

#endif
