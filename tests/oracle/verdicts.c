/* SPDX-License-Identifier: MIT
 *
 * Accesses are recognised by line: in the programs compared here each has a
 * line, or lines, of its own.
 */
#include "verdicts.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool find_access(const struct program *p, unsigned line, uint8_t *node)
{
    for (size_t t = 0; t < p->thread_count; t++)
        for (size_t i = 0; i < p->threads[t].op_count; i++) {
            const struct op *op = &p->threads[t].ops[i];

            if (!op_accesses(op) || line < op->line || line > op->last_line)
                continue;
            *node = cycle_node((unsigned)t, (unsigned)i);
            return true;
        }
    return false;
}

/* One "file:line:column", `length` letters of text. */
static bool parse_node(const char *text, size_t length, const struct program *p,
                       const char *source, uint8_t *node)
{
    const char *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    size_t used = strlen(name);
    unsigned line, column;
    int end = 0;
    char rest[64];

    if (length <= used || length - used >= sizeof rest ||
        strncmp(text, name, used))
        return false;
    memcpy(rest, text + used, length - used);
    rest[length - used] = 0;
    if (sscanf(rest, ":%u:%u%n", &line, &column, &end) != 2 || rest[end])
        return false;
    return find_access(p, line, node);
}

bool verdicts_parse(const char *text, const struct program *p,
                    const char *source, struct cycle *c)
{
    char edges[MAX_CYCLE];

    memset(c, 0, sizeof *c);
    while (*text) {
        size_t length = strcspn(text, ">~");

        if (c->length == MAX_CYCLE || !text[length] ||
            !parse_node(text, length, p, source, &c->nodes[c->length]))
            return false;
        edges[c->length++] = text[length];
        text += length + 1;
    }
    for (size_t i = 0; i < c->length; i++) {
        uint8_t next = c->nodes[(i + 1) % c->length];

        if ((edges[i] == '>') !=
            (cycle_thread(c->nodes[i]) == cycle_thread(next)))
            return false;
    }
    return c->length >= MIN_CYCLE;
}

static bool parse_class(const char *name, enum cycle_class *class)
{
    static const struct {
        const char *name;
        enum cycle_class class;
    } classes[] = {{"harmful", CONFIRMED},
                   {"benign", CONFIRMED},
                   {"infeasible", INFEASIBLE},
                   {"undecided", UNDECIDED}};

    for (size_t i = 0; name && i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(name, classes[i].name)) {
            *class = classes[i].class;
            return true;
        }
    return false;
}

static bool parse_model(const char *name, enum model *model)
{
    for (int m = 0; name && m < MODEL_COUNT; m++)
        if (!strcmp(name, model_names[m])) {
            *model = (enum model)m;
            return true;
        }
    return false;
}

static bool take_row(struct verdicts *v, sqlite3_stmt *row,
                     const struct program *p, const char *source, char *error,
                     size_t error_size)
{
    const char *nodes = (const char *)sqlite3_column_text(row, 0);
    const char *words = (const char *)sqlite3_column_text(row, 1);
    char model_name[32] = "", class_name[32] = "", created[32] = "";
    enum cycle_class class;
    enum model model;
    struct cycle c;

    /* "pso harmful created" */
    if (words)
        sscanf(words, "%31s %31s %31s", model_name, class_name, created);
    /* Whether it does harm may be open where it was created. */
    if (!strcmp(class_name, "undecided") && !strcmp(created, "created"))
        strcpy(class_name, "benign");
    if (nodes && verdicts_parse(nodes, p, source, &c) &&
        parse_model(model_name, &model) && parse_class(class_name, &class)) {
        if (cycles_put(&v->cycles[model][class], c))
            return true;
        snprintf(error, error_size, "twice: %s on %s", nodes, model_name);
        return false;
    }
    snprintf(error, error_size, "not understood: %s on %s is %s", nodes,
             model_name, class_name);
    return false;
}

bool verdicts_read(struct verdicts *v, const char *folder,
                   const struct program *p, const char *source, char *error,
                   size_t error_size)
{
    static const char question[] =
        "SELECT c.words, v.words FROM record v JOIN record c ON c.run = v.run "
        "AND c.name = 'cycle' AND c.first = v.first WHERE v.name = 'verdict'";
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    char path[512];
    int code;
    bool ok = true;

    memset(v, 0, sizeof *v);
    snprintf(path, sizeof path, "%s/test.db", folder);
    code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, question, -1, &row, NULL);
    if (code == SQLITE_OK)
        while (ok && (code = sqlite3_step(row)) == SQLITE_ROW)
            ok = take_row(v, row, p, source, error, error_size);
    if (ok && code != SQLITE_DONE) {
        snprintf(error, error_size, "%s: %s", path, sqlite3_errmsg(db));
        ok = false;
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
    return ok;
}

void verdicts_free(struct verdicts *v)
{
    for (int m = 0; m < MODEL_COUNT; m++)
        for (int k = 0; k < CLASS_COUNT; k++)
            cycles_free(&v->cycles[m][k]);
}
