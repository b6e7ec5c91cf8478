/* SPDX-License-Identifier: MIT
 *
 * The notation of classical.tsv, thread by thread between ||:
 *
 *     R a x acq      a = x            W x 1 rel     x = 1
 *     X a x 1 rlx    exchange         A a x 1 rlx   fetch and add
 *     C a x 0 1 acq rlx               compare and exchange; a is what was read
 *     F sc, F ss     fences           if a          a branch on a
 *     when a 1       only with a = 1  x@a, 1@a      depends on a
 */
#include "shapes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 8

static const char *order_of(const char *word)
{
    static const char *const names[][2] = {{"rlx", "relaxed"},
                                           {"acq", "acquire"},
                                           {"rel", "release"},
                                           {"acq_rel", "acq_rel"},
                                           {"sc", "seq_cst"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i][0], word) == 0)
            return names[i][1];
    fprintf(stderr, "no order '%s'\n", word);
    exit(1);
}

/* x@a as x+(a^a) */
static const char *operand(struct arena *a, const char *word)
{
    const char *at = strchr(word, '@');

    return at ? arena_printf(a, "%.*s+(%s^%s)", (int)(at - word), word, at + 1,
                             at + 1)
              : word;
}

static void write_plain(struct arena *a, char *const *w, struct buf *out)
{
    if (*w[0] == 'R')
        buf_printf(out, "  int %s = *(%s);\n", w[1], operand(a, w[2]));
    else
        buf_printf(out, "  *(%s) = %s;\n", operand(a, w[1]), operand(a, w[2]));
}

static void write_access(struct arena *a, char *const *w, size_t n,
                         struct buf *out)
{
    const char *last = w[n - 1];

    if (strcmp(last, "na") == 0)
        write_plain(a, w, out);
    else if (*w[0] == 'R')
        buf_printf(out,
                   "  int %s = atomic_load_explicit(%s, memory_order_%s);\n",
                   w[1], operand(a, w[2]), order_of(last));
    else if (*w[0] == 'W')
        buf_printf(out, "  atomic_store_explicit(%s, %s, memory_order_%s);\n",
                   operand(a, w[1]), operand(a, w[2]), order_of(last));
    else
        buf_printf(out,
                   "  int %s = atomic_%s_explicit(%s, %s, memory_order_%s);\n",
                   w[1], *w[0] == 'X' ? "exchange" : "fetch_add", w[2], w[3],
                   order_of(last));
}

static void write_fence(const char *kind, struct buf *out)
{
    static const char *const own[] = {"ss", "ll", "sl", "ls", "full"};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        if (strcmp(own[i], kind) == 0) {
            buf_printf(out, "  fencer_fence_%s();\n", kind);
            return;
        }
    }
    buf_printf(out, "  atomic_thread_fence(memory_order_%s);\n",
               order_of(kind));
}

static void write_step(struct arena *a, char *text, struct buf *out)
{
    char *w[FIELDS_MAX] = {NULL}, *save = NULL;
    size_t n = 0;

    for (char *p = strtok_r(text, " ", &save); p && n < FIELDS_MAX;
         p = strtok_r(NULL, " ", &save))
        w[n++] = p;
    if (n == 0)
        return;
    if (strcmp(w[0], "F") == 0)
        write_fence(w[1], out);
    else if (strcmp(w[0], "if") == 0)
        buf_printf(out, "  if (%s) {}\n", w[1]);
    else if (strcmp(w[0], "when") == 0)
        buf_printf(out, "  if (%s != %s) return;\n", w[1], w[2]);
    else if (strcmp(w[0], "C") == 0)
        buf_printf(out,
                   "  int %s = %s;\n  atomic_compare_exchange_strong_explicit("
                   "%s, &%s, %s, memory_order_%s, memory_order_%s);\n",
                   w[1], w[3], w[2], w[1], w[4], order_of(w[5]),
                   order_of(w[6]));
    else
        write_access(a, w, n, out);
}

/* The thread that sets a variable, or -1: it is memory. */
static int owner_of(const struct shape *s, char variable)
{
    int thread = 0;

    for (const char *at = s->program; *at; at++) {
        if (strncmp(at, "||", 2) == 0)
            thread++;
        if (strchr("RXAC", *at) && at[1] == ' ' && at[2] == variable &&
            (at == s->program || at[-1] == ' '))
            return thread;
    }
    return -1;
}

static void write_condition(const struct shape *s, struct buf *out)
{
    const char *join = "exists (";

    for (const char *at = s->condition; *at; at++) {
        size_t n = strcspn(at, " ");
        int thread = owner_of(s, *at);

        if (thread >= 0)
            buf_printf(out, "%s%d:%.*s", join, thread, (int)n, at);
        else
            buf_printf(out, "%s%.*s", join, (int)n, at);
        join = " /\\ ";
        at += n;
        if (!*at)
            break;
    }
    buf_puts(out, ")\n");
}

void shape_write(const struct shape *s, struct buf *out)
{
    struct arena a = ARENA_INIT;
    char *program = arena_copy(&a, s->program), *thread = program;
    size_t number = 0;

    buf_printf(out, "C %s\n{}\n", s->name);
    while (thread) {
        char *next = strstr(thread, "||"), *save = NULL;

        if (next) {
            *next = '\0';
            next += 2;
        }
        buf_printf(out, "P%zu (", number++);
        for (const char *v = "xyzwmnpq"; *v; v++)
            buf_printf(out, "%sint* %c", *v == 'x' ? "" : ", ", *v);
        buf_puts(out, ") {\n");
        for (char *p = strtok_r(thread, ";", &save); p;
             p = strtok_r(NULL, ";", &save))
            write_step(&a, p, out);
        buf_puts(out, "}\n");
        thread = next;
    }
    write_condition(s, out);
    arena_free(&a);
}

/* ---- the file ---- */

static size_t split(char *line, char *fields[COLUMNS_MAX + 3])
{
    size_t n = 0;
    char *save = NULL;

    for (char *p = strtok_r(line, "\t", &save); p && n < COLUMNS_MAX + 3;
         p = strtok_r(NULL, "\t", &save))
        fields[n++] = p;
    return n;
}

void shapes_read(const char *path, struct arena *a, struct shapes *out)
{
    struct buf text = {0};
    struct err e;
    char *save = NULL, *copy;

    if (!buf_read_file(&text, path, 1 << 20, &e)) {
        fprintf(stderr, "%s\n", e.text);
        exit(1);
    }
    copy = arena_copy(a, text.bytes);
    buf_free(&text);
    out->list = arena_array(a, 1000, sizeof(*out->list));
    out->count = out->column_count = 0;
    for (char *line = strtok_r(copy, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        char *fields[COLUMNS_MAX + 3] = {NULL};
        size_t n = split(line, fields);
        struct shape *s = &out->list[out->count];

        if (n < 4)
            continue;
        if (out->column_count == 0) {
            for (size_t i = 3; i < n; i++)
                out->columns[out->column_count++] = fields[i];
            continue;
        }
        *s = (struct shape){fields[0], fields[1], fields[2], {0}};
        for (size_t i = 3; i < n; i++)
            s->verdicts[i - 3] = fields[i][0];
        out->count++;
    }
}
