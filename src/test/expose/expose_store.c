/* SPDX-License-Identifier: MIT
 *
 * What survives: one SQLite file with every run's cycles, verdicts and the
 * executions that show them.  A run that was killed goes on where it was: each
 * verdict is there whole or not at all, and what is there is not done again.
 * A suspect, whose verdict depends on others, is kept with its execution until
 * the model is done.
 */
#include <stdlib.h>
#include <string.h>

#include "base/db.h"
#include "expose/expose_inside.h"

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, key TEXT UNIQUE,"
    " predicted INTEGER, finished INTEGER, sc_executions INTEGER,"
    " sc_complete INTEGER, predict_seconds REAL, cut BLOB, by_process TEXT);"
    "CREATE TABLE IF NOT EXISTS cycle(id INTEGER PRIMARY KEY, run INTEGER,"
    " number INTEGER, length INTEGER, nodes TEXT, bytes BLOB);"
    "CREATE UNIQUE INDEX IF NOT EXISTS cycle_at ON cycle(run, number);"
    "CREATE TABLE IF NOT EXISTS verdict(cycle INTEGER, model TEXT, class TEXT,"
    " confirmed INTEGER, reason TEXT, bytes BLOB, PRIMARY KEY(cycle, model));"
    "CREATE TABLE IF NOT EXISTS race(run INTEGER, first INTEGER,"
    " second INTEGER, object TEXT, count INTEGER);"
    "CREATE TABLE IF NOT EXISTS outcome(run INTEGER, key INTEGER);"
    "CREATE TABLE IF NOT EXISTS model(run INTEGER, model TEXT, bytes BLOB,"
    " PRIMARY KEY(run, model));"
    "CREATE TABLE IF NOT EXISTS shown(run INTEGER, what INTEGER, first INTEGER,"
    " second INTEGER, harmful INTEGER, model TEXT, cycle BLOB, witness BLOB,"
    " outcome INTEGER, finding TEXT, trace BLOB);"
    "CREATE UNIQUE INDEX IF NOT EXISTS shown_at ON shown(run, what, first,"
    " second);";

struct expose_store {
    sqlite3 *db;
    sqlite3_int64 run;
    bool predicted; /* cycles are there */
    bool resumes;
    bool done[CYCLE_MODELS_MAX];
};

/* ---- Runs ---- */

static bool forget(struct expose_store *s, struct err *e)
{
    static const char *const statements[] = {
        ("DELETE FROM verdict WHERE cycle IN (SELECT id FROM cycle"
         " WHERE run = %lld)"),
        "DELETE FROM cycle WHERE run = %lld",
        "DELETE FROM race WHERE run = %lld",
        "DELETE FROM outcome WHERE run = %lld",
        "DELETE FROM model WHERE run = %lld",
        "DELETE FROM shown WHERE run = %lld",
        "DELETE FROM run WHERE id = %lld"};

    for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
        if (!db_execute_for(s->db, statements[i], s->run, e))
            return false;
    }
    return true;
}

/* The run of that key: to be gone on with, or a new one. */
static bool find_run(struct expose_store *s, const char *key, struct err *e)
{
    sqlite3_stmt *q = db_prepare(
        s->db, "SELECT id, predicted, finished FROM run WHERE key = ?");
    bool finished = false;

    db_text(q, 1, key);
    if (sqlite3_step(q) == SQLITE_ROW) {
        s->run = sqlite3_column_int64(q, 0);
        s->predicted = sqlite3_column_int(q, 1);
        finished = sqlite3_column_int(q, 2);
    }
    sqlite3_finalize(q);
    if (s->run && s->predicted && !finished) {
        s->resumes = true;
        return true;
    }
    s->predicted = false;
    if (s->run && !forget(s, e))
        return false;
    q = db_prepare(s->db,
                   "INSERT INTO run(key, predicted, finished) VALUES(?, 0, 0)");
    db_text(q, 1, key);
    if (!db_insert(s->db, q, e))
        return false;
    s->run = sqlite3_last_insert_rowid(s->db);
    return true;
}

bool expose_store_open(const char *file, const char *key,
                       struct expose_store **store, struct err *e)
{
    struct expose_store *s = calloc(1, sizeof(*s));
    bool ok;

    CHECK(s != NULL);
    *store = s;
    ok = db_open(file, schema, 0, &s->db, e) &&
         db_execute(s->db, "BEGIN IMMEDIATE", e) && find_run(s, key, e) &&
         db_execute(s->db, "COMMIT", e);
    if (!ok) {
        err_in(e, "%s", file);
        expose_store_close(s);
        *store = NULL;
    }
    return ok;
}

bool expose_store_resumes(const struct expose_store *s)
{
    return s->resumes;
}

bool expose_store_finish(struct expose_store *s, struct err *e)
{
    return db_execute_for(s->db, "UPDATE run SET finished = 1 WHERE id = %lld",
                          s->run, e);
}

void expose_store_close(struct expose_store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s);
}

/* ---- Executions that are shown ---- */

/* What an execution is kept for.  `first` and `second` of its row are the sites
 * of a cause, the number of a failure on SC, or a suspect's cycle and model. */
enum shown_what { SHOWN_CAUSE, SHOWN_SC, SHOWN_SUSPECT };

static bool put_shown(struct expose *x, struct shown *shown,
                      enum shown_what what, uint32_t first, uint32_t second,
                      bool harmful, struct err *e)
{
    struct expose_store *s = x->o->store;
    struct buf finding = {0}, trace = {0};
    sqlite3_stmt *q;
    bool ok;

    if (shown->kept)
        return true;
    shown->class = CLASS_KEPT;
    shown_encode(shown, &finding);
    if (!trace_encode(&shown->trace, &trace, e)) {
        buf_free(&finding);
        return false;
    }
    q = db_prepare(s->db,
                   "INSERT OR REPLACE INTO shown VALUES(?, ?, ?, ?, ?, ?, ?, "
                   "?, ?, ?, ?)");
    sqlite3_bind_int64(q, 1, s->run);
    sqlite3_bind_int(q, 2, (int)what);
    sqlite3_bind_int64(q, 3, first);
    sqlite3_bind_int64(q, 4, second);
    sqlite3_bind_int(q, 5, harmful);
    db_text(q, 6, shown->finding.model->name);
    db_bytes(q, 7, &shown->sought, sizeof(shown->sought));
    db_bytes(q, 8, &shown->witness, sizeof(shown->witness));
    sqlite3_bind_int64(q, 9, (sqlite3_int64)shown->finding.outcome);
    db_text(q, 10, finding.bytes);
    db_bytes(q, 11, trace.bytes, trace.count);
    buf_free(&finding);
    buf_free(&trace);
    ok = db_insert(s->db, q, e);
    shown->kept = ok;
    return ok;
}

static bool put_causes(struct expose *x, struct err *e)
{
    for (size_t i = 0; i < x->r->cause_count; i++) {
        struct cause *c = &x->r->causes[i];

        if (c->shown && c->shown->finding.decision_count &&
            !put_shown(x, c->shown, SHOWN_CAUSE, c->first, c->second,
                       c->harmful, e))
            return false;
    }
    return true;
}

static bool put_suspects(struct expose *x, struct err *e)
{
    for (size_t i = 0; i < x->suspect_count; i++) {
        const struct suspect *s = &x->suspects[i];

        if (!put_shown(x, s->shown, SHOWN_SUSPECT, (uint32_t)s->cycle,
                       (uint32_t)s->model, false, e))
            return false;
    }
    return true;
}

static bool forget_suspects(struct expose *x, struct err *e)
{
    CHECK(SHOWN_SUSPECT == 2);
    return db_execute_for(x->o->store->db,
                          "DELETE FROM shown WHERE run = %lld AND what = 2",
                          x->o->store->run, e);
}

static struct shown *take_shown(struct expose *x, sqlite3_stmt *q)
{
    struct shown *shown = shown_new();
    struct err ignored;
    const char *text = (const char *)sqlite3_column_text(q, 9);
    bool ok;

    ok = text &&
         shown_decode(text, strlen(text), &shown->arena, shown, &ignored) &&
         db_column_bytes(q, 6, &shown->sought, sizeof(shown->sought)) &&
         db_column_bytes(q, 7, &shown->witness, sizeof(shown->witness)) &&
         trace_decode(sqlite3_column_blob(q, 10),
                      (size_t)sqlite3_column_bytes(q, 10), &shown->arena,
                      &shown->trace, &ignored);
    if (!ok) {
        shown_free(shown);
        return NULL;
    }
    shown->finding.outcome = (uint64_t)sqlite3_column_int64(q, 8);
    shown->kept = true;
    shown->finding.binary = x->o->base.program;
    return shown;
}

static bool load_one(struct expose *x, sqlite3_stmt *q)
{
    struct shown *shown = take_shown(x, q);
    uint32_t first = (uint32_t)sqlite3_column_int64(q, 2);
    uint32_t second = (uint32_t)sqlite3_column_int64(q, 3);

    if (!shown)
        return false;
    switch (sqlite3_column_int(q, 1)) {
    case SHOWN_SC:
        record_keep_failure(x, shown);
        return true;
    case SHOWN_CAUSE:
        cause_load(x, shown, first, second, sqlite3_column_int(q, 4));
        return true;
    default:
        if (first >= x->known_count || second >= x->o->model_count) {
            shown_free(shown);
            return false;
        }
        suspect_load(x, shown, first, second);
        return true;
    }
}

static bool load_shown(struct expose *x, struct err *e)
{
    sqlite3_stmt *q = db_prepare(
        x->o->store->db, "SELECT * FROM shown WHERE run = ? ORDER BY rowid");
    bool ok = true;

    sqlite3_bind_int64(q, 1, x->o->store->run);
    while (ok && sqlite3_step(q) == SQLITE_ROW)
        ok = load_one(x, q);
    sqlite3_finalize(q);
    return ok || err_set(e, "the run that was kept is damaged");
}

/* ---- Cycles and verdicts ---- */

static bool put_cycle(struct expose *x, size_t i, sqlite3_int64 *id,
                      struct err *e)
{
    struct expose_store *s = x->o->store;
    const struct cycle *c = &x->known[i].cycle;
    struct buf nodes = {0};
    sqlite3_stmt *q =
        db_prepare(s->db, "SELECT id FROM cycle WHERE run = ? AND "
                          "number = ?");

    *id = 0;
    sqlite3_bind_int64(q, 1, s->run);
    sqlite3_bind_int64(q, 2, (sqlite3_int64)i);
    if (sqlite3_step(q) == SQLITE_ROW)
        *id = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    if (*id)
        return true;
    q = db_prepare(s->db,
                   "INSERT INTO cycle(run, number, length, nodes, bytes) "
                   "VALUES(?, ?, ?, ?, ?)");
    cycle_text(c, x->o->tables->sites, &nodes);
    sqlite3_bind_int64(q, 1, s->run);
    sqlite3_bind_int64(q, 2, (sqlite3_int64)i);
    sqlite3_bind_int(q, 3, (int)c->length);
    db_text(q, 4, nodes.bytes);
    db_bytes(q, 5, c, sizeof(*c));
    buf_free(&nodes);
    if (!db_insert(s->db, q, e))
        return false;
    *id = sqlite3_last_insert_rowid(s->db);
    return true;
}

static bool put_verdict(struct expose *x, size_t cycle, size_t model,
                        struct err *e)
{
    struct expose_store *s = x->o->store;
    const struct verdict *v = &x->known[cycle].verdicts[model];
    sqlite3_int64 id;
    sqlite3_stmt *q;

    if (v->class == VERDICT_NONE && !v->searched)
        return true;
    if (!put_cycle(x, cycle, &id, e))
        return false;
    q = db_prepare(s->db,
                   "INSERT OR REPLACE INTO verdict VALUES(?, ?, ?, ?, ?, ?)");
    sqlite3_bind_int64(q, 1, id);
    db_text(q, 2, x->o->models[model]->name);
    db_text(q, 3, verdict_words(v->class));
    sqlite3_bind_int(q, 4, v->confirmed);
    db_text(q, 5, v->reason);
    db_bytes(q, 6, v, sizeof(*v));
    return db_insert(s->db, q, e);
}

static bool load_cycles(struct expose *x, struct err *e)
{
    sqlite3_stmt *q =
        db_prepare(x->o->store->db,
                   "SELECT bytes FROM cycle WHERE run = ? ORDER BY number");
    bool ok = true;

    sqlite3_bind_int64(q, 1, x->o->store->run);
    while (ok && sqlite3_step(q) == SQLITE_ROW) {
        struct cycle c;

        ok = db_column_bytes(q, 0, &c, sizeof(c));
        if (ok)
            judge_know(x, &c);
    }
    sqlite3_finalize(q);
    return ok || err_set(e, "the run that was kept is damaged");
}

static bool load_verdicts(struct expose *x, size_t model, struct err *e)
{
    sqlite3_stmt *q =
        db_prepare(x->o->store->db,
                   "SELECT number, reason, verdict.bytes FROM verdict JOIN "
                   "cycle ON cycle = id WHERE run = ? AND model = ?");
    bool ok = true;

    sqlite3_bind_int64(q, 1, x->o->store->run);
    db_text(q, 2, x->o->models[model]->name);
    while (ok && sqlite3_step(q) == SQLITE_ROW) {
        uint64_t number = (uint64_t)sqlite3_column_int64(q, 0);
        struct verdict v;

        ok = number < x->known_count && db_column_bytes(q, 2, &v, sizeof(v));
        if (!ok)
            break;
        v.reason = db_column_text(q, 1, x->arena);
        x->known[number].verdicts[model] = v;
    }
    sqlite3_finalize(q);
    return ok || err_set(e, "the run that was kept is damaged");
}

/* ---- Everything before the models ---- */

static bool put_outcomes(struct expose *x, struct err *e)
{
    for (size_t i = 0; i < x->sc_outcomes.room; i++) {
        sqlite3_stmt *q;

        if (!x->sc_outcomes.slots[i])
            continue;
        q = db_prepare(x->o->store->db, "INSERT INTO outcome VALUES(?, ?)");
        sqlite3_bind_int64(q, 1, x->o->store->run);
        sqlite3_bind_int64(q, 2, (sqlite3_int64)x->sc_outcomes.slots[i]);
        if (!db_insert(x->o->store->db, q, e))
            return false;
    }
    return true;
}

static void load_outcomes(struct expose *x)
{
    sqlite3_stmt *q =
        db_prepare(x->o->store->db, "SELECT key FROM outcome WHERE run = ?");

    sqlite3_bind_int64(q, 1, x->o->store->run);
    while (sqlite3_step(q) == SQLITE_ROW)
        keys_add(&x->sc_outcomes, (uint64_t)sqlite3_column_int64(q, 0));
    sqlite3_finalize(q);
}

static bool put_races(struct expose *x, struct err *e)
{
    for (size_t i = 0; i < x->r->race_count; i++) {
        const struct race *r = &x->r->races[i];
        sqlite3_stmt *q = db_prepare(x->o->store->db,
                                     "INSERT INTO race VALUES(?, ?, ?, ?, ?)");

        sqlite3_bind_int64(q, 1, x->o->store->run);
        sqlite3_bind_int64(q, 2, r->first);
        sqlite3_bind_int64(q, 3, r->second);
        db_text(q, 4, r->object);
        sqlite3_bind_int64(q, 5, (sqlite3_int64)r->count);
        if (!db_insert(x->o->store->db, q, e))
            return false;
    }
    return true;
}

static void load_races(struct expose *x)
{
    sqlite3_stmt *q =
        db_prepare(x->o->store->db, "SELECT first, second, object, "
                                    "count FROM race WHERE run = ?");
    struct race *races = NULL;
    size_t n = 0, room = 0;

    sqlite3_bind_int64(q, 1, x->o->store->run);
    while (sqlite3_step(q) == SQLITE_ROW) {
        const char *object = db_column_text(q, 2, x->arena);

        if (n == room) {
            struct race *more = arena_array(
                x->arena, room = room ? room * 2 : 64, sizeof(*more));

            if (n)
                memcpy(more, races, n * sizeof(*more));
            races = more;
        }
        races[n++] = (struct race){(uint32_t)sqlite3_column_int64(q, 0),
                                   (uint32_t)sqlite3_column_int64(q, 1),
                                   object ? object : "",
                                   (uint64_t)sqlite3_column_int64(q, 3)};
    }
    sqlite3_finalize(q);
    x->r->races = races;
    x->r->race_count = n;
}

static bool put_run(struct expose *x, struct err *e)
{
    struct expose_store *s = x->o->store;
    sqlite3_stmt *q =
        db_prepare(s->db, "UPDATE run SET predicted = 1, sc_executions = ?, "
                          "sc_complete = ?, predict_seconds = ?, cut = ?, "
                          "by_process = ? WHERE id = ?");

    sqlite3_bind_int64(q, 1, (sqlite3_int64)x->r->sc_executions);
    sqlite3_bind_int(q, 2, x->r->sc_complete);
    sqlite3_bind_double(q, 3, x->r->predict_seconds);
    db_bytes(q, 4, &x->r->cut, sizeof(x->r->cut));
    db_text(q, 5, x->r->by_process);
    sqlite3_bind_int64(q, 6, s->run);
    return db_insert(s->db, q, e);
}

static bool load_run(struct expose *x, struct err *e)
{
    sqlite3_stmt *q =
        db_prepare(x->o->store->db, "SELECT sc_executions, sc_complete, "
                                    "predict_seconds, cut, by_process FROM run "
                                    "WHERE id = ?");
    bool ok;

    sqlite3_bind_int64(q, 1, x->o->store->run);
    ok = sqlite3_step(q) == SQLITE_ROW &&
         db_column_bytes(q, 3, &x->r->cut, sizeof(x->r->cut));
    if (ok) {
        x->r->sc_executions = (uint64_t)sqlite3_column_int64(q, 0);
        x->r->sc_complete = sqlite3_column_int(q, 1);
        x->r->predict_seconds = sqlite3_column_double(q, 2);
        x->r->by_process = db_column_text(q, 4, x->arena);
    }
    sqlite3_finalize(q);
    return ok || err_set(e, "the run that was kept is damaged");
}

static bool put_predicted(struct expose *x, struct err *e)
{
    sqlite3_int64 id;

    for (size_t i = 0; i < x->known_count; i++) {
        if (!put_cycle(x, i, &id, e))
            return false;
    }
    for (size_t i = 0; i < x->r->sc_count; i++) {
        if (!put_shown(x, x->r->sc[i], SHOWN_SC, (uint32_t)i, 0, true, e))
            return false;
    }
    for (size_t i = 0; i < x->o->model_count; i++) {
        if (x->o->models[i] == &model_sc && !store_model_done(x, i, e))
            return false;
    }
    return put_outcomes(x, e) && put_races(x, e) && put_run(x, e);
}

/* ---- Inside a transaction ---- */

bool store_predicted(struct expose *x, struct err *e)
{
    if (!x->o->store)
        return true;
    return db_execute(x->o->store->db, "BEGIN", e) &&
           db_commit(x->o->store->db, put_predicted(x, e), e);
}

bool store_verdict(struct expose *x, size_t cycle, size_t model, struct err *e)
{
    if (!x->o->store)
        return true;
    return db_execute(x->o->store->db, "BEGIN", e) &&
           db_commit(x->o->store->db,
                     put_verdict(x, cycle, model, e) && put_causes(x, e) &&
                         put_suspects(x, e),
                     e);
}

static bool put_model(struct expose *x, size_t model, struct err *e)
{
    struct expose_store *s = x->o->store;
    sqlite3_stmt *q;

    for (size_t i = 0; i < x->known_count; i++) {
        if (!put_verdict(x, i, model, e))
            return false;
    }
    if (!put_causes(x, e) || !forget_suspects(x, e))
        return false;
    q = db_prepare(s->db, "INSERT OR REPLACE INTO model VALUES(?, ?, ?)");
    sqlite3_bind_int64(q, 1, s->run);
    db_text(q, 2, x->o->models[model]->name);
    db_bytes(q, 3, &x->r->models[model], sizeof(x->r->models[model]));
    return db_insert(s->db, q, e);
}

bool store_model_done(struct expose *x, size_t model, struct err *e)
{
    bool inside;

    if (!x->o->store)
        return true;
    inside = !sqlite3_get_autocommit(x->o->store->db);
    if (inside)
        return put_model(x, model, e);
    return db_execute(x->o->store->db, "BEGIN", e) &&
           db_commit(x->o->store->db, put_model(x, model, e), e);
}

bool store_model_is_done(const struct expose *x, size_t model)
{
    return x->o->store && x->o->store->done[model];
}

static bool load_model(struct expose *x, size_t model, struct err *e)
{
    struct expose_store *s = x->o->store;
    sqlite3_stmt *q = db_prepare(
        s->db, "SELECT bytes FROM model WHERE run = ? AND model = ?");
    struct expose_model m;

    sqlite3_bind_int64(q, 1, s->run);
    db_text(q, 2, x->o->models[model]->name);
    if (sqlite3_step(q) == SQLITE_ROW && db_column_bytes(q, 0, &m, sizeof(m))) {
        m.model = x->o->models[model];
        x->r->models[model] = m;
        s->done[model] = true;
    }
    sqlite3_finalize(q);
    return load_verdicts(x, model, e);
}

bool store_load(struct expose *x, struct err *e)
{
    if (!x->o->store || !x->o->store->predicted)
        return false;
    if (!load_run(x, e) || !load_cycles(x, e) || !load_shown(x, e))
        return false;
    load_outcomes(x);
    load_races(x);
    for (size_t i = 0; i < x->o->model_count; i++) {
        if (!load_model(x, i, e))
            return false;
    }
    return true;
}
