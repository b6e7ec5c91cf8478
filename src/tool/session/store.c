/* SPDX-License-Identifier: MIT
 *
 * As store.h says.  SQLite's own locks last for one change; ours, on a
 * descriptor of its own, for the whole run.  The kernel drops it with its
 * process.
 */
#include "session/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/db.h"
#include "base/hash.h"

#define SCHEMA_VERSION 1u

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, key TEXT UNIQUE,"
    " finished INTEGER, sum INTEGER);"
    "CREATE TABLE IF NOT EXISTS record(id INTEGER PRIMARY KEY, run INTEGER,"
    " name TEXT, first INTEGER, second INTEGER, words TEXT, bytes BLOB,"
    " hash INTEGER);"
    "CREATE UNIQUE INDEX IF NOT EXISTS record_at ON record(run, name, first,"
    " second);"
    "CREATE TABLE IF NOT EXISTS owner(pid INTEGER);";

struct store {
    sqlite3 *db;
    char *file;
    int lock;
    sqlite3_int64 run;
    bool resumes;
    uint64_t sum, sum_before; /* of the hashes of the run's records; before the
                                 change under way */
};

uint32_t store_layout(const size_t *sizes)
{
    uint64_t h = hash_bytes(HASH_START, FENCER_VERSION, strlen(FENCER_VERSION));

    for (; *sizes; sizes++)
        h = hash_bytes(h, sizes, sizeof(*sizes));
    return (uint32_t)(h ^ h >> 32) + SCHEMA_VERSION;
}

bool store_is_damaged(const struct store *s, struct err *e)
{
    return err_set(e, "%s: somebody has changed it: remove it, and run again",
                   s->file);
}

/* ---- Hashes ---- */

static uint64_t hash_text(uint64_t h, const char *text)
{
    return hash_bytes(h, text ? text : "", text ? strlen(text) + 1 : 1);
}

static uint64_t hash_record(const struct record *r)
{
    uint64_t h = hash_text(HASH_START, r->name);

    h = hash_bytes(h, &r->first, sizeof(r->first));
    h = hash_bytes(h, &r->second, sizeof(r->second));
    h = hash_text(h, r->words);
    return hash_bytes(h, r->bytes, r->count);
}

/* Records as a statement "SELECT name, first, second, words, bytes" has them;
 * lent until its next step. */
static struct record record_of(sqlite3_stmt *q)
{
    struct record r = {.name = (const char *)sqlite3_column_text(q, 0),
                       .first = (uint64_t)sqlite3_column_int64(q, 1),
                       .second = (uint64_t)sqlite3_column_int64(q, 2),
                       .words = (const char *)sqlite3_column_text(q, 3),
                       .bytes = sqlite3_column_blob(q, 4),
                       .count = (size_t)sqlite3_column_bytes(q, 4)};

    return r;
}

/* Is all there that was put, as it was put? */
static bool check_sum(struct store *s, struct err *e)
{
    sqlite3_stmt *q = db_prepare(s->db, "SELECT name, first, second, words,"
                                        " bytes FROM record WHERE run = ?");
    uint64_t sum = 0;
    int code;

    sqlite3_bind_int64(q, 1, s->run);
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        struct record r = record_of(q);

        sum += hash_record(&r);
    }
    sqlite3_finalize(q);
    return (code == SQLITE_DONE && sum == s->sum) || store_is_damaged(s, e);
}

/* ---- Opening ---- */

static int owner_of(struct store *s)
{
    sqlite3_stmt *q = db_prepare(s->db, "SELECT pid FROM owner");
    int pid = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int(q, 0) : 0;

    sqlite3_finalize(q);
    return pid;
}

static bool take_lock(struct store *s, struct err *e)
{
    s->lock = open(s->file, O_RDWR | O_CLOEXEC);
    if (s->lock < 0)
        return err_set(e, "%s: %s", s->file, strerror(errno));
    if (flock(s->lock, LOCK_EX | LOCK_NB) != 0)
        return err_set(e,
                       "%s: process %d is using it: wait for its end, or "
                       "choose another folder (--out)",
                       s->file, owner_of(s));
    return true;
}

static bool write_owner(struct store *s, struct err *e)
{
    return db_execute(s->db, "DELETE FROM owner", e) &&
           db_execute_for(s->db, "INSERT INTO owner VALUES(%lld)", getpid(), e);
}

static bool forget_run(struct store *s, struct err *e)
{
    return db_execute_for(s->db, "DELETE FROM record WHERE run = %lld", s->run,
                          e) &&
           db_execute_for(s->db, "DELETE FROM run WHERE id = %lld", s->run, e);
}

/* The run of that key: one to continue, or a new one. */
static bool find_run(struct store *s, const char *key, struct err *e)
{
    sqlite3_stmt *q =
        db_prepare(s->db, "SELECT id, finished, sum FROM run WHERE key = ?");

    db_text(q, 1, key);
    if (sqlite3_step(q) == SQLITE_ROW) {
        s->run = sqlite3_column_int64(q, 0);
        s->resumes = !sqlite3_column_int(q, 1);
        s->sum = (uint64_t)sqlite3_column_int64(q, 2);
    }
    sqlite3_finalize(q);
    if (s->resumes)
        return check_sum(s, e);
    if (s->run && !forget_run(s, e))
        return false;
    s->sum = 0;
    q = db_prepare(s->db,
                   "INSERT INTO run(key, finished, sum) VALUES(?, 0, 0)");
    db_text(q, 1, key);
    if (!db_insert(s->db, q, e))
        return false;
    s->run = sqlite3_last_insert_rowid(s->db);
    return true;
}

bool store_open(const char *file, const char *key, uint32_t layout,
                struct store **store, struct err *e)
{
    struct store *s = calloc(1, sizeof(*s));
    bool ok;

    CHECK(s != NULL);
    *s = (struct store){.lock = -1, .file = strdup(file)};
    CHECK(s->file != NULL);
    *store = s;
    ok = db_open(file, schema, (int)(layout & INT32_MAX), &s->db, e) &&
         take_lock(s, e) && store_begin(s, e) &&
         store_commit(s, write_owner(s, e) && find_run(s, key, e), e);
    if (!ok) {
        store_close(s);
        *store = NULL;
    }
    return ok;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    if (s->lock >= 0)
        close(s->lock);
    free(s->file);
    free(s);
}

bool store_resumes(const struct store *s)
{
    return s->resumes;
}

bool store_finish(struct store *s, struct err *e)
{
    return db_execute_for(s->db, "UPDATE run SET finished = 1 WHERE id = %lld",
                          s->run, e);
}

/* ---- Changes ---- */

static bool failed(const struct store *s, struct err *e)
{
    return err_in(e, "%s", s->file);
}

bool store_begin(struct store *s, struct err *e)
{
    s->sum_before = s->sum;
    return db_execute(s->db, "BEGIN IMMEDIATE", e) || failed(s, e);
}

static bool write_sum(struct store *s, struct err *e)
{
    sqlite3_stmt *q = db_prepare(s->db, "UPDATE run SET sum = ? WHERE id = ?");

    sqlite3_bind_int64(q, 1, (sqlite3_int64)s->sum);
    sqlite3_bind_int64(q, 2, s->run);
    return db_insert(s->db, q, e);
}

bool store_commit(struct store *s, bool ok, struct err *e)
{
    bool done = ok && write_sum(s, e);

    if (db_commit(s->db, done, e))
        return true;
    s->sum = s->sum_before;
    return ok && failed(s, e); /* who sets ok to false has said why */
}

/* Drops what a record takes the place of; the sum goes with it. */
static bool drop(struct store *s, const char *name, const struct record *only,
                 struct err *e)
{
    sqlite3_stmt *q = db_prepare(
        s->db, only ? "DELETE FROM record WHERE run = ? AND name = ? AND"
                      " first = ? AND second = ? RETURNING hash"
                    : "DELETE FROM record WHERE run = ? AND name = ?"
                      " RETURNING hash");
    int code;

    sqlite3_bind_int64(q, 1, s->run);
    db_text(q, 2, name);
    if (only) {
        sqlite3_bind_int64(q, 3, (sqlite3_int64)only->first);
        sqlite3_bind_int64(q, 4, (sqlite3_int64)only->second);
    }
    while ((code = sqlite3_step(q)) == SQLITE_ROW)
        s->sum -= (uint64_t)sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return code == SQLITE_DONE || db_failed(s->db, e);
}

bool store_forget(struct store *s, const char *name, struct err *e)
{
    return drop(s, name, NULL, e);
}

bool store_put(struct store *s, struct record r, struct err *e)
{
    uint64_t hash = hash_record(&r);
    sqlite3_stmt *q;

    CHECK(!sqlite3_get_autocommit(s->db));
    if (!drop(s, r.name, &r, e))
        return false;
    q = db_prepare(s->db, "INSERT INTO record(run, name, first, second, words,"
                          " bytes, hash) VALUES(?, ?, ?, ?, ?, ?, ?)");
    sqlite3_bind_int64(q, 1, s->run);
    db_text(q, 2, r.name);
    sqlite3_bind_int64(q, 3, (sqlite3_int64)r.first);
    sqlite3_bind_int64(q, 4, (sqlite3_int64)r.second);
    db_text(q, 5, r.words);
    db_bytes(q, 6, r.bytes, r.count);
    sqlite3_bind_int64(q, 7, (sqlite3_int64)hash);
    s->sum += hash;
    return db_insert(s->db, q, e);
}

/* ---- Looking ---- */

static sqlite3_stmt *select_records(struct store *s, const char *name)
{
    sqlite3_stmt *q =
        db_prepare(s->db, "SELECT name, first, second, words, bytes FROM record"
                          " WHERE run = ? AND name = ? ORDER BY id");

    sqlite3_bind_int64(q, 1, s->run);
    db_text(q, 2, name);
    return q;
}

bool store_each(struct store *s, const char *name,
                bool (*take)(void *arg, const struct record *r), void *arg,
                struct err *e)
{
    sqlite3_stmt *q = select_records(s, name);
    int code;
    bool ok = true;

    while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
        struct record r = record_of(q);

        ok = take(arg, &r);
    }
    ok = ok && code == SQLITE_DONE;
    sqlite3_finalize(q);
    return ok || store_is_damaged(s, e);
}

bool record_take(const struct record *r, void *to, size_t size)
{
    if (r->count != size)
        return false;
    memcpy(to, r->bytes, size);
    return true;
}

/* ---- Executions that are shown ---- */

/* Before the finding, as a file has it, and the trace. */
struct shown_head {
    uint64_t finding_size, trace_size, outcome;
    struct cycle sought;
    struct cycle_witness witness;
};

bool store_put_shown(struct store *s, struct record r, const struct shown *it,
                     struct err *e)
{
    struct shown_head head = {.outcome = it->finding.outcome,
                              .sought = it->sought,
                              .witness = it->witness};
    struct buf finding = {0}, trace = {0}, all = {0};
    bool ok;

    shown_encode(it, &finding);
    ok = trace_encode(&it->trace, &trace, e);
    if (ok) {
        head.finding_size = finding.count;
        head.trace_size = trace.count;
        buf_add(&all, &head, sizeof(head));
        buf_add(&all, finding.bytes, finding.count);
        buf_add(&all, trace.bytes, trace.count);
        r.bytes = all.bytes;
        r.count = all.count;
        ok = store_put(s, r, e);
    }
    buf_free(&finding);
    buf_free(&trace);
    buf_free(&all);
    return ok;
}

bool record_take_shown(const struct record *r, struct arena *a,
                       struct shown *it)
{
    struct shown_head head;
    const char *at = (const char *)r->bytes + sizeof(head);
    struct err ignored;

    if (r->count < sizeof(head))
        return false;
    memcpy(&head, r->bytes, sizeof(head));
    if (head.finding_size > r->count - sizeof(head) ||
        head.trace_size != r->count - sizeof(head) - head.finding_size ||
        !shown_decode(at, head.finding_size, a, it, &ignored) ||
        !trace_decode(at + head.finding_size, head.trace_size, a, &it->trace,
                      &ignored))
        return false;
    it->finding.outcome = head.outcome;
    it->sought = head.sought;
    it->witness = head.witness;
    it->kept = true;
    return shown_check(it, &ignored);
}
