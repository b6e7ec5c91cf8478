/* SPDX-License-Identifier: MIT
 *
 * What survives: one SQLite file with every run's explorations and the
 * executions it shows.  A run that was killed goes on from the last copy of the
 * search tree: counts and tree are of one moment, at which no worker ran.
 */
#include <stdlib.h>
#include <string.h>

#include "base/db.h"
#include "base/log.h"
#include "verify/crew.h"

/* Another one when the tables or what they hold change. */
#define SCHEMA_VERSION (1 << 16 | (int)sizeof(struct counts))

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, key TEXT UNIQUE,"
    " finished INTEGER);"
    "CREATE TABLE IF NOT EXISTS search(run INTEGER, model TEXT, counts BLOB,"
    " tree BLOB, outcomes TEXT, PRIMARY KEY(run, model));"
    "CREATE TABLE IF NOT EXISTS shown(run INTEGER, number INTEGER, model TEXT,"
    " finding TEXT, trace BLOB, PRIMARY KEY(run, number));";

struct verify_store {
    sqlite3 *db;
    sqlite3_int64 run;
    bool resumes;
};

/* ---- Runs ---- */

static bool forget(struct verify_store *s, struct err *e)
{
    return db_execute_for(s->db, "DELETE FROM search WHERE run = %lld", s->run,
                          e) &&
           db_execute_for(s->db, "DELETE FROM shown WHERE run = %lld", s->run,
                          e) &&
           db_execute_for(s->db, "DELETE FROM run WHERE id = %lld", s->run, e);
}

/* The run of that key: to be gone on with, or a new one. */
static bool find_run(struct verify_store *s, const char *key, struct err *e)
{
    sqlite3_stmt *q =
        db_prepare(s->db, "SELECT id, finished FROM run WHERE key = ?");

    db_text(q, 1, key);
    if (sqlite3_step(q) == SQLITE_ROW) {
        s->run = sqlite3_column_int64(q, 0);
        s->resumes = !sqlite3_column_int(q, 1);
    }
    sqlite3_finalize(q);
    if (s->resumes)
        return true;
    if (s->run && !forget(s, e))
        return false;
    q = db_prepare(s->db, "INSERT INTO run(key, finished) VALUES(?, 0)");
    db_text(q, 1, key);
    if (!db_insert(s->db, q, e))
        return false;
    s->run = sqlite3_last_insert_rowid(s->db);
    return true;
}

bool verify_store_open(const char *file, const char *key,
                       struct verify_store **store, struct err *e)
{
    struct verify_store *s = calloc(1, sizeof(*s));
    bool ok;

    CHECK(s != NULL);
    *store = s;
    ok = db_open(file, schema, SCHEMA_VERSION, &s->db, e) &&
         db_execute(s->db, "BEGIN IMMEDIATE", e) &&
         db_commit(s->db, find_run(s, key, e), e);
    if (!ok) {
        err_in(e, "%s", file);
        verify_store_close(s);
        *store = NULL;
    }
    return ok;
}

bool verify_store_finish(struct verify_store *s, struct err *e)
{
    return db_execute_for(s->db, "UPDATE run SET finished = 1 WHERE id = %lld",
                          s->run, e) &&
           db_execute_for(s->db, "DELETE FROM search WHERE run = %lld", s->run,
                          e);
}

void verify_store_close(struct verify_store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s);
}

/* ---- Explorations ---- */

/* "12 r0=0 r1=1", a line for each. */
static void put_outcomes(const struct tally *outcomes, struct buf *out)
{
    for (size_t i = 0; i < outcomes->count; i++)
        buf_printf(out, "%llu %s\n",
                   (unsigned long long)outcomes->list[i].count,
                   outcomes->list[i].text);
    buf_puts(out, "");
}

static void take_outcomes(const char *text, struct tally *outcomes,
                          struct arena *a)
{
    while (text && *text) {
        size_t n = strcspn(text, "\n");
        char *line = arena_copy_n(a, text, n), *rest;
        uint64_t count = strtoull(line, &rest, 10);

        if (*rest == ' ')
            tally_add(outcomes, rest + 1, count, a);
        text += n + (text[n] == '\n');
    }
    tally_sort(outcomes);
}

bool store_save_search(struct verify *v, const struct model *m,
                       const struct counts *counts,
                       const struct tally *outcomes, int tree, struct err *e)
{
    struct verify_store *s = v->o->store;
    struct buf bytes = {0}, seen = {0};
    sqlite3_stmt *q;
    bool ok = true;

    if (s && (copy_read_tree(tree, &bytes) || counts->exhausted)) {
        q = db_prepare(s->db,
                       "INSERT OR REPLACE INTO search VALUES(?, ?, ?, ?, ?)");
        sqlite3_bind_int64(q, 1, s->run);
        db_text(q, 2, m->name);
        db_bytes(q, 3, counts, sizeof(*counts));
        db_bytes(q, 4, bytes.bytes, bytes.count);
        put_outcomes(outcomes, &seen);
        db_text(q, 5, seen.bytes);
        ok = db_insert(s->db, q, e);
        LOG(VERIFY, "%s: kept after %llu executions, tree of %zu bytes",
            m->name, (unsigned long long)counts->executions, bytes.count);
    }
    buf_free(&seen);
    buf_free(&bytes);
    return ok;
}

static bool take_search(sqlite3_stmt *q, struct counts *counts, int tree)
{
    size_t n = (size_t)sqlite3_column_bytes(q, 1);

    if (!db_column_bytes(q, 0, counts, sizeof(*counts)))
        return false;
    if (counts->exhausted)
        return true;
    return tree >= 0 && n &&
           copy_write_tree(tree, sqlite3_column_blob(q, 1), n);
}

bool store_load_search(struct verify *v, const struct model *m,
                       struct counts *counts, struct tally *outcomes, int tree,
                       struct err *e)
{
    struct verify_store *s = v->o->store;
    struct counts kept;
    sqlite3_stmt *q;
    bool there, ok = false;

    if (!s || !s->resumes)
        return false;
    q = db_prepare(
        s->db, "SELECT counts, tree, outcomes FROM search WHERE run = ? AND "
               "model = ?");
    sqlite3_bind_int64(q, 1, s->run);
    db_text(q, 2, m->name);
    there = sqlite3_step(q) == SQLITE_ROW;
    if (there)
        ok = take_search(q, &kept, tree);
    if (ok)
        take_outcomes((const char *)sqlite3_column_text(q, 2), outcomes,
                      v->arena);
    sqlite3_finalize(q);
    if (there && !ok)
        return err_set(e, "the run that was kept is damaged");
    if (ok)
        *counts = kept;
    return ok;
}

/* ---- Executions that are shown ---- */

bool store_save_shown(struct verify *v, size_t number, struct err *e)
{
    struct verify_store *s = v->o->store;
    const struct shown *shown = v->r->shown[number];
    struct buf finding = {0}, trace = {0};
    sqlite3_stmt *q;
    bool ok = true;

    if (!s)
        return true;
    shown_encode(shown, &finding);
    ok = trace_encode(&shown->trace, &trace, e);
    if (ok) {
        q = db_prepare(s->db,
                       "INSERT OR REPLACE INTO shown VALUES(?, ?, ?, ?, ?)");
        sqlite3_bind_int64(q, 1, s->run);
        sqlite3_bind_int64(q, 2, (sqlite3_int64)number);
        db_text(q, 3, shown->finding.model->name);
        db_text(q, 4, finding.bytes);
        db_bytes(q, 5, trace.bytes, trace.count);
        ok = db_insert(s->db, q, e);
    }
    buf_free(&finding);
    buf_free(&trace);
    return ok;
}

static bool take_shown(struct verify *v, sqlite3_stmt *q, struct err *e)
{
    struct shown *shown = arena_alloc(v->arena, sizeof(*shown));
    const char *text = (const char *)sqlite3_column_text(q, 1);

    if (!text || !shown_decode(text, strlen(text), v->arena, shown, e) ||
        !trace_decode(sqlite3_column_blob(q, 2),
                      (size_t)sqlite3_column_bytes(q, 2), v->arena,
                      &shown->trace, e) ||
        !shown_check(shown, e))
        return err_set(e, "the run that was kept is damaged");
    shown->finding.binary = v->o->base.program;
    if (shown_passes(v, shown))
        shown_put(v, shown);
    return true;
}

bool store_load_shown(struct verify *v, struct err *e)
{
    struct verify_store *s = v->o->store;
    sqlite3_stmt *q;
    bool ok = true;

    if (!s || !s->resumes)
        return true;
    q = db_prepare(s->db, "SELECT model, finding, trace FROM shown WHERE "
                          "run = ? ORDER BY number");
    sqlite3_bind_int64(q, 1, s->run);
    while (ok && sqlite3_step(q) == SQLITE_ROW)
        ok = take_shown(v, q, e);
    sqlite3_finalize(q);
    return ok;
}
