/* SPDX-License-Identifier: MIT
 *
 * One SQLite file with programs, as text, and observation sets of their tests.
 * A hash finds candidates; the texts themselves decide.
 */
#include "engine/spec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/db.h"
#include "base/hash.h"

/* Another one when the tables, the texts or the meaning of the language
 * change. */
#define SCHEMA_VERSION 2

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS program(id INTEGER PRIMARY KEY, hash INTEGER,"
    " text TEXT);"
    "CREATE INDEX IF NOT EXISTS program_hash ON program(hash);"
    "CREATE TABLE IF NOT EXISTS spec(program INTEGER, test TEXT,"
    " places TEXT, count INTEGER, observations BLOB,"
    " ended INTEGER," /* has the run that mined it? */
    " PRIMARY KEY(program, test));";

struct spec_store {
    sqlite3 *db;            /* NULL: closed to us */
    sqlite3_int64 last_row; /* of what was there before us */
};

static sqlite3_int64 find_last_row(struct spec_store *s)
{
    sqlite3_stmt *q = db_prepare(s->db, "SELECT max(rowid) FROM spec");
    sqlite3_int64 row =
        sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;

    sqlite3_finalize(q);
    return row;
}

bool spec_open(const char *file, struct spec_store **store, struct err *e)
{
    struct spec_store *s = calloc(1, sizeof(*s));

    CHECK(s != NULL);
    *store = s;
    if (db_open(file, schema, SCHEMA_VERSION, &s->db, e)) {
        s->last_row = find_last_row(s);
        return true;
    }
    free(s);
    *store = NULL;
    return false;
}

void spec_close(struct spec_store *s)
{
    struct err ignored;

    if (!s)
        return;
    if (s->db)
        (void)db_execute(s->db, "UPDATE spec SET ended = 1 WHERE ended = 0",
                         &ignored);
    sqlite3_close(s->db);
    free(s);
}

static void give_up(struct spec_store *s)
{
    sqlite3_close(s->db);
    s->db = NULL;
}

/* ---- Keys ---- */

static void put_inst(const struct lsl_proc *p, const struct lsl_inst *i,
                     struct buf *out)
{
    buf_printf(out, " %u %u %u %u %u %u %u %d %d %d %d %d %" PRIu64, i->op,
               i->pure, i->width, i->in_width, i->size,
               i->flags & (LSL_ZEROED | LSL_WIDE | LSL_UPPER), i->failure,
               (int)i->dst, (int)i->a, (int)i->b, (int)i->c, (int)i->proc,
               i->bytes);
    if (i->op == LSL_CALL) {
        for (uint32_t k = 0; k < i->count; k++)
            buf_printf(out, " %u", p->args[i->first + k]);
    }
    if (i->op == LSL_PHI) {
        for (uint32_t k = 0; k < i->count; k++)
            buf_printf(out, " %u:%u", p->edges[i->first + k].block,
                       p->edges[i->first + k].reg);
    }
    if (i->text)
        buf_printf(out, " %zu %s", strlen(i->text), i->text);
    buf_putc(out, '\n');
}

static void put_proc(const struct lsl_proc *p, struct buf *out)
{
    buf_printf(out, "proc %d %u %u", p->defined, p->param_count, p->reg_count);
    for (uint32_t i = 0; i < p->constant_count; i++) {
        buf_putc(out, ' ');
        lsl_put_value(p->constants[i], out);
    }
    buf_putc(out, '\n');
    for (uint32_t i = 0; i < p->block_count; i++) {
        const struct lsl_block *b = &p->blocks[i];

        buf_printf(out, "block %d %d %d %d\n", (int)b->cond, (int)b->then,
                   (int)b->otherwise, (int)b->result);
        for (uint32_t k = 0; k < b->count; k++) {
            if (p->insts[b->first + k].op != LSL_FENCE)
                put_inst(p, &p->insts[b->first + k], out);
        }
    }
}

static void put_object(const struct lsl_object *o, struct buf *out)
{
    buf_printf(out, "object %" PRIu64 " %d %d %d", o->size, (int)o->proc,
               o->constant, o->thread_local);
    for (uint32_t i = 0; i < o->cell_count; i++) {
        buf_printf(out, " %" PRIu64 ":%u:", o->cells[i].offset,
                   o->cells[i].size);
        lsl_put_value(o->cells[i].value, out);
    }
    buf_putc(out, '\n');
}

void spec_put_program(const struct lsl_program *p, struct buf *out)
{
    for (uint32_t i = 1; i < p->object_count; i++)
        put_object(&p->objects[i], out);
    for (uint32_t i = 0; i < p->proc_count; i++)
        put_proc(&p->procs[i], out);
    buf_printf(out, "init %d\n", (int)p->init);
}

static void put_calls(const struct lsl_program *p,
                      const struct test_thread *calls, struct buf *out)
{
    for (uint32_t i = 0; i < calls->count; i++)
        buf_printf(out, " %u", p->operations[calls->calls[i].operation].proc);
}

void spec_put_test(const struct lsl_program *p, const struct test *t,
                   struct buf *out)
{
    buf_puts(out, "");
    put_calls(p, &t->init, out);
    for (uint32_t i = 0; i < t->thread_count; i++) {
        buf_puts(out, " |");
        put_calls(p, &t->threads[i], out);
    }
}

/* The program's row; 0: there is none. */
static sqlite3_int64 find_program(struct spec_store *s, const struct buf *text)
{
    sqlite3_stmt *q =
        db_prepare(s->db, "SELECT id, text FROM program WHERE hash = ?");
    sqlite3_int64 id = 0;

    sqlite3_bind_int64(
        q, 1, (sqlite3_int64)hash_bytes(HASH_START, text->bytes, text->count));
    while (id == 0 && sqlite3_step(q) == SQLITE_ROW) {
        const char *known = (const char *)sqlite3_column_text(q, 1);

        if (known && strcmp(known, text->bytes) == 0)
            id = sqlite3_column_int64(q, 0);
    }
    sqlite3_finalize(q);
    return id;
}

/* ---- Observation sets ---- */

/* "1 e\n": thread and label of each place.  False: a label that does not fit.
 */
static bool put_places(const struct observation_set *o, struct buf *out)
{
    buf_puts(out, "");
    for (uint32_t i = 0; i < o->width; i++) {
        if (strchr(o->labels[i], '\n'))
            return false;
        buf_printf(out, "%u %s\n", o->threads[i], o->labels[i]);
    }
    return true;
}

static bool take_places(const char *text, struct arena *a,
                        struct observation_set *o)
{
    size_t lines = 0;

    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    o->labels = arena_array(a, lines, sizeof(*o->labels));
    o->threads = arena_array(a, lines, sizeof(*o->threads));
    for (o->width = 0; o->width < lines; o->width++) {
        char *rest;
        size_t n;

        o->threads[o->width] = (uint32_t)strtoul(text, &rest, 10);
        if (*rest != ' ')
            return false;
        n = strcspn(rest + 1, "\n");
        o->labels[o->width] = arena_copy_n(a, rest + 1, n);
        text = rest + 1 + n + 1;
    }
    return true;
}

/* Each observation is above the one before it. */
static bool are_sorted(const struct observation_set *o)
{
    for (size_t i = 1; i < o->count; i++) {
        const int64_t *x = o->values + (i - 1) * o->width, *y = x + o->width;
        uint32_t k = 0;

        while (k < o->width && x[k] == y[k])
            k++;
        if (k == o->width || x[k] > y[k])
            return false;
    }
    return true;
}

/* A row as it was kept; false: not one of ours. */
static bool take_row(sqlite3_stmt *q, struct arena *a,
                     struct observation_set *o)
{
    const char *places = (const char *)sqlite3_column_text(q, 0);
    sqlite3_int64 count = sqlite3_column_int64(q, 1);
    size_t bytes = (size_t)sqlite3_column_bytes(q, 2);

    memset(o, 0, sizeof(*o));
    if (!places || !take_places(places, a, o) || count < 1)
        return false;
    if (o->width ? bytes % (o->width * sizeof(*o->values)) != 0 ||
                       bytes / (o->width * sizeof(*o->values)) != (size_t)count
                 : count != 1)
        return false;
    o->count = o->room = (size_t)count;
    o->values = arena_alloc(a, bytes);
    if (bytes)
        memcpy(o->values, sqlite3_column_blob(q, 2), bytes);
    return are_sorted(o);
}

static bool find_spec(struct spec_store *s, const struct buf *program,
                      const struct buf *test, struct arena *a,
                      struct observation_set *out, bool *kept)
{
    sqlite3_int64 id = find_program(s, program);
    sqlite3_stmt *q;
    bool found;

    if (id == 0)
        return false;
    q = db_prepare(s->db, "SELECT places, count, observations,"
                          " ended OR rowid > ? FROM spec"
                          " WHERE program = ? AND test = ?");
    sqlite3_bind_int64(q, 1, s->last_row);
    sqlite3_bind_int64(q, 2, id);
    db_text(q, 3, test->bytes);
    found = sqlite3_step(q) == SQLITE_ROW && take_row(q, a, out);
    *kept = found && sqlite3_column_int64(q, 3);
    sqlite3_finalize(q);
    return found;
}

static bool add_program(struct spec_store *s, const struct buf *text,
                        sqlite3_int64 *id, struct err *e)
{
    sqlite3_stmt *q;

    *id = find_program(s, text);
    if (*id)
        return true;
    q = db_prepare(s->db, "INSERT INTO program(hash, text) VALUES(?, ?)");
    sqlite3_bind_int64(
        q, 1, (sqlite3_int64)hash_bytes(HASH_START, text->bytes, text->count));
    db_text(q, 2, text->bytes);
    if (!db_insert(s->db, q, e))
        return false;
    *id = sqlite3_last_insert_rowid(s->db);
    return true;
}

static bool add_spec(struct spec_store *s, const struct buf *program,
                     const struct buf *test, const char *places,
                     const struct observation_set *o, struct err *e)
{
    sqlite3_int64 id;
    sqlite3_stmt *q;

    if (!add_program(s, program, &id, e))
        return false;
    q = db_prepare(s->db,
                   "INSERT OR REPLACE INTO spec VALUES(?, ?, ?, ?, ?, 0)");
    sqlite3_bind_int64(q, 1, id);
    db_text(q, 2, test->bytes);
    db_text(q, 3, places);
    sqlite3_bind_int64(q, 4, (sqlite3_int64)o->count);
    db_bytes(q, 5, o->values, o->count * o->width * sizeof(*o->values));
    return db_insert(s->db, q, e);
}

static void keep(struct spec_store *s, const struct buf *program,
                 const struct buf *test, const struct observation_set *o)
{
    struct buf places = {0};
    struct err e;

    if (put_places(o, &places) &&
        (!db_execute(s->db, "BEGIN IMMEDIATE", &e) ||
         !db_commit(s->db, add_spec(s, program, test, places.bytes, o, &e),
                    &e)))
        give_up(s);
    buf_free(&places);
}

enum serial_end spec_mine(struct spec_store *s, const struct lsl_program *p,
                          const struct test *t,
                          const struct serial_options *options, struct arena *a,
                          struct observation_set *out, bool *kept,
                          struct serial_failure *failure, struct err *e)
{
    struct buf program = {0}, test = {0};
    enum serial_end end = SERIAL_DONE;
    bool found;

    *kept = false;
    if (!s || !s->db)
        return serial_mine(p, t, options, a, out, failure, e);
    spec_put_program(p, &program);
    spec_put_test(p, t, &test);
    found = find_spec(s, &program, &test, a, out, kept);
    if (found && out->count > options->max)
        end = SERIAL_TOO_MANY;
    if (!found) {
        end = serial_mine(p, t, options, a, out, failure, e);
        if (end == SERIAL_DONE)
            keep(s, &program, &test, out);
    }
    buf_free(&program);
    buf_free(&test);
    return end;
}

/* ---- Reference implementations ---- */

static bool translate_calls(const struct lsl_program *p,
                            const struct test_thread *from,
                            const struct lsl_program *reference,
                            struct arena *a, struct test_thread *to,
                            struct err *e)
{
    *to = *from;
    to->calls = arena_array(a, from->count, sizeof(*to->calls));
    for (uint32_t i = 0; i < from->count; i++) {
        const char *name = p->operations[from->calls[i].operation].name;
        uint32_t k = 0;

        while (k < reference->operation_count &&
               strcmp(reference->operations[k].name, name) != 0)
            k++;
        if (k == reference->operation_count)
            return err_set(e,
                           "%s: there is no FENCER_OP(%s), which the test "
                           "needs",
                           reference->source, name);
        to->calls[i] = from->calls[i];
        to->calls[i].operation = k;
    }
    return true;
}

bool spec_translate(const struct lsl_program *p, const struct test *t,
                    const struct lsl_program *reference, struct arena *a,
                    struct test *out, struct err *e)
{
    *out = *t;
    out->threads = arena_array(a, t->thread_count, sizeof(*out->threads));
    if (!translate_calls(p, &t->init, reference, a, &out->init, e))
        return false;
    for (uint32_t i = 0; i < t->thread_count; i++) {
        if (!translate_calls(p, &t->threads[i], reference, a, &out->threads[i],
                             e))
            return false;
    }
    return true;
}

static bool compare_places(const struct lsl_program *p,
                           const struct observation_set *own,
                           const struct observation_set *mined, struct err *e)
{
    if (own->width != mined->width)
        return err_set(e,
                       "%s observes %u values in this test, its reference %u",
                       p->source, own->width, mined->width);
    for (uint32_t i = 0; i < own->width; i++) {
        if (own->threads[i] != mined->threads[i] ||
            strcmp(own->labels[i], mined->labels[i]) != 0)
            return err_set(e,
                           "%s observes \"%s\" where its reference "
                           "observes \"%s\"",
                           p->source, own->labels[i], mined->labels[i]);
    }
    return true;
}

bool spec_same_labels(const struct lsl_program *p, const struct test *t,
                      const struct observation_set *mined, struct err *e)
{
    struct arena a = ARENA_INIT;
    struct serial_options one = {.max = 1};
    struct observation_set own;
    struct serial_failure failure;
    struct err unused;
    enum serial_end end = serial_mine(p, t, &one, &a, &own, &failure, &unused);
    bool same = true;

    if (end == SERIAL_DONE || end == SERIAL_TOO_MANY)
        same = compare_places(p, &own, mined, e);
    arena_free(&a);
    return same;
}

bool spec_fits(const struct lsl_program *p, const struct test *t,
               const struct lsl_program *reference, struct err *e)
{
    struct arena a = ARENA_INIT;
    struct serial_options one = {.max = 1};
    struct observation_set set;
    struct serial_failure failure;
    struct test same;
    struct err unused;
    enum serial_end end;
    bool ok = spec_translate(p, t, reference, &a, &same, e);

    if (ok) {
        end = serial_mine(reference, &same, &one, &a, &set, &failure, &unused);
        if (end == SERIAL_DONE || end == SERIAL_TOO_MANY)
            ok = spec_same_labels(p, t, &set, e);
    }
    arena_free(&a);
    return ok;
}
