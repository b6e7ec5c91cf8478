/* SPDX-License-Identifier: MIT
 *
 * A shape in C, as people would write it.  1?a is 1 if a is not 0, and
 * c?a:d is d if it is.  A branch has an arm that stores, to a variable of its
 * own: one that only computes would be none.
 */
#include "shapes_c.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 8

struct writer {
    struct arena arena;
    struct buf *out;
    size_t number;
};

static const char *order_of(const char *word)
{
    static const char *const names[][2] = {{"rlx", "RELAXED"},
                                           {"acq", "ACQUIRE"},
                                           {"rel", "RELEASE"},
                                           {"acq_rel", "ACQ_REL"},
                                           {"sc", "SEQ_CST"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i][0], word) == 0)
            return names[i][1];
    fprintf(stderr, "no order '%s'\n", word);
    exit(1);
}

/* x@a: an address that depends on a.  x?a: one that a only selects. */
static const char *address(struct writer *w, const char *word)
{
    if (word[1] == '?')
        return arena_printf(&w->arena, "(%s ? &s%zu_%c[0] : &s%zu_q[0])",
                            word + 2, w->number, *word, w->number);
    if (word[1] == '@')
        return arena_printf(&w->arena, "&s%zu_%c[%s & 0]", w->number, *word,
                            word + 2);
    return arena_printf(&w->arena, "&s%zu_%c[0]", w->number, *word);
}

static const char *value(struct writer *w, const char *word)
{
    const char *at = strchr(word, '@'), *selects = strchr(word, '?');

    if (selects && strchr(selects, ':'))
        return arena_printf(
            &w->arena, "(%.*s ? %.*s : %s)", (int)strcspn(selects + 1, ":"),
            selects + 1, (int)(selects - word), word, strchr(selects, ':') + 1);
    if (selects)
        return arena_printf(&w->arena, "(%s ? %.*s : 9)", selects + 1,
                            (int)(selects - word), word);
    return at ? arena_printf(&w->arena, "%.*s + (%s & 0)", (int)(at - word),
                             word, at + 1)
              : word;
}

static void write_access(struct writer *w, char *const *f, size_t n)
{
    const char *last = f[n - 1];
    bool plain = strcmp(last, "na") == 0;

    if (*f[0] == 'R' && plain)
        buf_printf(w->out, "  %s = *(%s);\n", f[1], address(w, f[2]));
    else if (*f[0] == 'W' && plain)
        buf_printf(w->out, "  *(%s) = %s;\n", address(w, f[1]), value(w, f[2]));
    else if (*f[0] == 'R')
        buf_printf(w->out, "  %s = __atomic_load_n(%s, __ATOMIC_%s);\n", f[1],
                   address(w, f[2]), order_of(last));
    else if (*f[0] == 'W')
        buf_printf(w->out, "  __atomic_store_n(%s, %s, __ATOMIC_%s);\n",
                   address(w, f[1]), value(w, f[2]), order_of(last));
    else
        buf_printf(w->out, "  %s = __atomic_%s(%s, %s, __ATOMIC_%s);\n", f[1],
                   *f[0] == 'X' ? "exchange_n" : "fetch_add", address(w, f[2]),
                   value(w, f[3]), order_of(last));
}

static void write_fence(struct writer *w, const char *kind)
{
    static const char *const own[] = {"ss", "ll", "sl", "ls", "full"};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        if (strcmp(own[i], kind) == 0) {
            buf_printf(w->out, "  fencer_fence_%s();\n", kind);
            return;
        }
    }
    buf_printf(w->out, "  __atomic_thread_fence(__ATOMIC_%s);\n",
               order_of(kind));
}

static void write_step(struct writer *w, char *text, size_t thread)
{
    char *f[FIELDS_MAX] = {NULL}, *save = NULL;
    size_t n = 0;

    for (char *p = strtok_r(text, " ", &save); p && n < FIELDS_MAX;
         p = strtok_r(NULL, " ", &save))
        f[n++] = p;
    if (n == 0)
        return;
    if (strcmp(f[0], "F") == 0)
        write_fence(w, f[1]);
    else if (strcmp(f[0], "if") == 0)
        buf_printf(w->out, "  if (%s) s%zu_own%zu = 1;\n", value(w, f[1]),
                   w->number, thread);
    else if (strcmp(f[0], "when") == 0)
        buf_printf(w->out, "  if (%s != %s) goto end;\n", value(w, f[1]), f[2]);
    else if (strcmp(f[0], "C") == 0)
        buf_printf(w->out,
                   "  %s = %s;\n  __atomic_compare_exchange_n(%s, &%s, %s, 0, "
                   "__ATOMIC_%s, __ATOMIC_%s);\n",
                   f[1], f[3], address(w, f[2]), f[1], f[4], order_of(f[5]),
                   order_of(f[6]));
    else
        write_access(w, f, n);
}

/* Registers are what R, X, A and C set. */
static void find_registers(const char *thread, int number,
                           struct observed *what)
{
    for (const char *at = thread; *at && strncmp(at, "||", 2) != 0; at++) {
        bool sets = strchr("RXAC", *at) && at[1] == ' ' &&
                    (at == thread || at[-1] == ' ');

        if (!sets || strchr(what->names, at[2]))
            continue;
        what->threads[what->count] = number;
        what->names[what->count++] = at[2];
    }
}

static void find_memory(const struct shape *s, struct observed *what)
{
    for (const char *at = s->condition; *at; at++)
        if (isalpha((unsigned char)*at) && at[1] == '=' &&
            !strchr(what->names, *at)) {
            what->threads[what->count] = -1;
            what->names[what->count++] = *at;
        }
}

static void write_thread(struct writer *w, char *thread, size_t number,
                         const struct observed *what)
{
    char *save = NULL;

    buf_printf(w->out, "static int s%zu_own%zu;\n", w->number, number);
    buf_printf(w->out, "static void *s%zu_t%zu(void *p)\n{\n", w->number,
               number);
    for (size_t i = 0; i < what->count; i++)
        if (what->threads[i] == (int)number)
            buf_printf(w->out, "  int %c = 0;\n", what->names[i]);
    for (char *p = strtok_r(thread, ";", &save); p;
         p = strtok_r(NULL, ";", &save))
        write_step(w, p, number);
    buf_puts(w->out, "  goto end;\nend:\n");
    for (size_t i = 0; i < what->count; i++)
        if (what->threads[i] == (int)number)
            buf_printf(w->out, "  s%zu_r%c = %c;\n", w->number, what->names[i],
                       what->names[i]);
    buf_puts(w->out, "  return p;\n}\n");
}

static void write_main(struct writer *w, size_t threads,
                       const struct observed *what)
{
    struct buf *out = w->out;

    buf_printf(out, "void s%zu(void)\n{\n  pthread_t t[%zu];\n", w->number,
               threads);
    for (size_t i = 0; i < threads; i++)
        buf_printf(out, "  pthread_create(&t[%zu], 0, s%zu_t%zu, 0);\n", i,
                   w->number, i);
    for (size_t i = 0; i < threads; i++)
        buf_printf(out, "  pthread_join(t[%zu], 0);\n", i);
    for (size_t i = 0; i < what->count; i++)
        buf_printf(out, "  fencer_observe(\"%c\", s%zu_%s%c%s);\n",
                   what->names[i], w->number, what->threads[i] >= 0 ? "r" : "",
                   what->names[i], what->threads[i] >= 0 ? "" : "[0]");
    buf_puts(out, "}\n");
}

void shape_write_c(const struct shape *s, size_t number, struct buf *out,
                   struct observed *what)
{
    struct writer w = {.out = out, .number = number};
    char *thread = arena_copy(&w.arena, s->program);
    size_t threads = 0;

    *what = (struct observed){.count = 0};
    for (const char *at = s->program; at;
         at = strstr(at, "||") ? strstr(at, "||") + 2 : NULL)
        find_registers(at, (int)threads++, what);
    find_memory(s, what);
    for (const char *v = "xyzwmnpqkl"; *v; v++)
        buf_printf(out, "static int s%zu_%c[1];\n", number, *v);
    for (size_t i = 0; i < what->count; i++)
        if (what->threads[i] >= 0)
            buf_printf(out, "static int s%zu_r%c;\n", number, what->names[i]);
    for (size_t i = 0; i < threads; i++) {
        char *next = strstr(thread, "||");

        if (next) {
            *next = '\0';
            next += 2;
        }
        write_thread(&w, thread, i, what);
        thread = next;
    }
    write_main(&w, threads, what);
    arena_free(&w.arena);
}

bool shape_satisfied(const struct shape *s, const struct observed *what,
                     const int64_t *values)
{
    for (const char *at = s->condition; *at; at++) {
        const char *name;

        if (!isalpha((unsigned char)*at) || at[1] != '=')
            continue;
        name = strchr(what->names, *at);
        if (!name || values[name - what->names] != atoi(at + 2))
            return false;
    }
    return true;
}
