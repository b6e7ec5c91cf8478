/* SPDX-License-Identifier: MIT
 *
 * What models say of litmus tests, against what is known of them:
 *
 *   classical FILE...     shapes, each on every model
 *   files FILE DIR        files in herd's format and their verdicts
 *   write FILE EVERY      every so manyth shape, as NAME.litmus here
 *   mutants FILE DIR IMPLIED SHAPES...
 *                         every term of every model, left out: some verdict
 *                         changes, unless IMPLIED says why none can
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/litmus.h"
#include "shapes.h"

/* One question, and the answer that is known. */
struct question {
    struct litmus *test;
    const char *name, *mapping;
    const struct model *model;
    bool holds;
};

struct questions {
    VEC(struct question);
    struct arena arena;
};

static void add_text(struct questions *q, const char *name, const char *text,
                     const char *model, bool holds)
{
    struct question *x = VEC_ADD(q);
    size_t n = strcspn(model, ":");
    struct err e;

    x->name = name;
    x->model = model_find_stated(arena_copy_n(&q->arena, model, n));
    x->mapping = model[n] ? model + n + 1 : NULL;
    x->holds = holds;
    if (!x->model || !litmus_read(text, strlen(text), &x->test, &e)) {
        printf("%s on %s: %s\n", name, model, x->model ? e.text : "no model");
        exit(1);
    }
}

static void add_shapes(struct questions *q, const char *path)
{
    struct shapes s;

    shapes_read(path, &q->arena, &s);
    for (size_t i = 0; i < s.count; i++) {
        struct buf text = {0};

        shape_write(&s.list[i], &text);
        for (size_t j = 0; j < s.column_count; j++)
            if (s.list[i].verdicts[j] != '-')
                add_text(q, s.list[i].name, text.bytes, s.columns[j],
                         s.list[i].verdicts[j] == 'a');
        buf_free(&text);
    }
}

/* Rows of a path, a model, and whether its statement holds there. */
static void add_files(struct questions *q, const char *list, const char *folder)
{
    struct buf text = {0};
    struct err e;
    char *save = NULL, *copy;

    if (!buf_read_file(&text, list, 16 << 20, &e)) {
        printf("%s\n", e.text);
        exit(1);
    }
    copy = arena_copy(&q->arena, text.bytes);
    buf_free(&text);
    for (char *line = strtok_r(copy, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        char *fields = NULL, *name = strtok_r(line, "\t", &fields);
        char *model = strtok_r(NULL, "\t", &fields);
        char *holds = strtok_r(NULL, "\t\n", &fields);
        struct buf file = {0};

        if (!holds || strcmp(model, "model") == 0)
            continue;
        if (!buf_read_file(&file,
                           arena_printf(&q->arena, "%s/%s", folder, name),
                           1 << 20, &e)) {
            printf("%s\n", e.text);
            exit(1);
        }
        add_text(q, name, file.bytes, model, *holds == '1');
        buf_free(&file);
    }
}

/* Is the known answer given? */
static bool right(const struct question *x, const struct model_axioms *axioms,
                  bool tell)
{
    struct litmus_options o = {
        .model = x->model, .mappings = {x->mapping}, .axioms = axioms};
    struct litmus_answer a;
    bool ok;

    litmus_judge(x->test, &o, &a);
    ok = a.judged && a.holds == x->holds;
    if (!ok && tell)
        printf("%s on %s%s%s: %s, but it %s\n", x->name, x->model->name,
               x->mapping ? ":" : "", x->mapping ? x->mapping : "",
               !a.judged ? a.why
               : a.holds ? "holds"
                         : "does not hold",
               x->holds ? "holds" : "does not");
    litmus_answer_free(&a);
    return ok;
}

static int ask_all(const struct questions *q)
{
    size_t wrong = 0;

    for (size_t i = 0; i < q->count; i++)
        wrong += !right(&q->list[i], NULL, true);
    printf("%zu questions, %zu wrong\n", q->count, wrong);
    return wrong || q->count == 0;
}

/* ---- mutants ---- */

#define LIST_MAX 40

struct mutants {
    const struct questions *questions;
    const char *implied; /* lines: a model, what is left out, why */
    size_t made, wrong;
};

/* Is it known that the others imply this one? */
static bool is_implied(const struct mutants *m, const char *name,
                       const char *what)
{
    char line[512];
    const char *at;

    snprintf(line, sizeof(line), "%s\t%s\t", name, what);
    at = strstr(m->implied, line);
    return at && (at == m->implied || at[-1] == '\n');
}

static void try_mutant(struct mutants *m, const struct model *model,
                       const struct model_axioms *axioms, const char *what)
{
    bool implied = is_implied(m, model->name, what), noticed = false;

    m->made++;
    for (size_t i = 0; !noticed && i < m->questions->count; i++) {
        const struct question *x = &m->questions->list[i];

        noticed = x->model == model && !right(x, axioms, false);
        if (noticed && implied)
            printf("%s without %s: %s notices, though it is implied\n",
                   model->name, what, x->name);
    }
    if (!noticed && !implied)
        printf("%s without %s: nobody notices\n", model->name, what);
    m->wrong += noticed == implied;
}

static void drop_terms(struct mutants *m, const struct model *model)
{
    const char *const *terms = model->axioms->ppo;

    for (size_t drop = 0; terms[drop]; drop++) {
        struct model_axioms copy = *model->axioms;
        const char *left[LIST_MAX];
        size_t n = 0;

        for (size_t i = 0; terms[i]; i++)
            if (i != drop)
                left[n++] = terms[i];
        left[n] = NULL;
        copy.ppo = left;
        try_mutant(m, model, &copy, terms[drop]);
    }
}

static void drop_axioms(struct mutants *m, const struct model *model)
{
    const struct relation_axiom *all = model->axioms->axioms;

    for (size_t drop = 0; all && all[drop].name; drop++) {
        struct model_axioms copy = *model->axioms;
        struct relation_axiom left[LIST_MAX];
        size_t n = 0;

        for (size_t i = 0; all[i].name; i++)
            if (i != drop)
                left[n++] = all[i];
        left[n].name = NULL;
        copy.axioms = left;
        try_mutant(m, model, &copy, all[drop].name);
    }
}

/* The text without its alternative `drop' of the outermost union; NULL: it has
 * no such, or no other. */
static char *without(struct arena *a, const char *text, size_t drop)
{
    size_t depth = 0, at = 0, begin = 0, end = 0, count = 0;

    for (at = 0;; at++) {
        depth += text[at] == '(' || text[at] == '[';
        depth -= text[at] == ')' || text[at] == ']';
        if (text[at] && (text[at] != '|' || depth))
            continue;
        if (count < drop)
            begin = at + 1;
        if (count == drop)
            end = at;
        count++;
        if (!text[at])
            break;
    }
    if (drop >= count || count == 1)
        return NULL;
    if (text[end])
        return arena_printf(a, "%.*s%s", (int)begin, text, text + end + 1);
    return arena_printf(a, "%.*s", (int)begin - 1, text);
}

static void drop_alternatives(struct mutants *m, const struct model *model,
                              struct arena *a)
{
    const struct relation_let *all = model->axioms->lets;

    for (size_t i = 0; all && all[i].name; i++) {
        char *text;

        for (size_t drop = 0; (text = without(a, all[i].text, drop)); drop++) {
            struct model_axioms copy = *model->axioms;
            struct relation_let lets[LIST_MAX];
            size_t n = 0;

            for (; all[n].name; n++)
                lets[n] = all[n];
            lets[n] = all[n];
            lets[i].text = text;
            copy.lets = lets;
            try_mutant(m, model, &copy,
                       arena_printf(a, "alternative %zu of %s = %s", drop,
                                    all[i].name, all[i].text));
        }
    }
}

static int make_mutants(const struct questions *q, const char *implied)
{
    struct mutants m = {.questions = q, .implied = implied};
    struct arena a = ARENA_INIT;

    for (const struct model *const *model = model_stated; *model; model++) {
        if ((*model)->loads_move_down)
            continue; /* relaxed is for fencer check */
        drop_terms(&m, *model);
        drop_axioms(&m, *model);
        drop_alternatives(&m, *model, &a);
    }
    printf("%zu mutants, %zu wrong\n", m.made, m.wrong);
    arena_free(&a);
    return m.wrong > 0 || m.made == 0;
}

static int write_shapes(const char *path, size_t every)
{
    struct arena a = ARENA_INIT;
    struct shapes s;
    int code = 0;

    shapes_read(path, &a, &s);
    for (size_t i = 0; i < s.count; i += every) {
        struct buf text = {0};
        struct err e;

        shape_write(&s.list[i], &text);
        if (!file_write(arena_printf(&a, "%s.litmus", s.list[i].name),
                        text.bytes, text.count, &e)) {
            printf("%s\n", e.text);
            code = 1;
        }
        buf_free(&text);
    }
    arena_free(&a);
    return code;
}

static void free_questions(struct questions *q)
{
    for (size_t i = 0; i < q->count; i++)
        litmus_free(q->list[i].test);
    VEC_FREE(q);
    arena_free(&q->arena);
}

static int ask_mutants(struct questions *q, int argc, char **argv)
{
    struct buf implied = {0};
    struct err e;
    int code;

    if (!buf_read_file(&implied, argv[4], 1 << 20, &e)) {
        printf("%s\n", e.text);
        return 1;
    }
    add_files(q, argv[2], argv[3]);
    for (int i = 5; i < argc; i++)
        add_shapes(q, argv[i]);
    code = make_mutants(q, implied.bytes);
    buf_free(&implied);
    return code;
}

int main(int argc, char **argv)
{
    struct questions q = {0};
    const char *mode = argc > 1 ? argv[1] : "";
    int code = 2;

    if (argc >= 3 && strcmp(mode, "classical") == 0) {
        for (int i = 2; i < argc; i++)
            add_shapes(&q, argv[i]);
        code = ask_all(&q);
    } else if (argc == 4 && strcmp(mode, "files") == 0) {
        add_files(&q, argv[2], argv[3]);
        code = ask_all(&q);
    } else if (argc == 4 && strcmp(mode, "write") == 0) {
        code = write_shapes(argv[2], (size_t)atoi(argv[3]));
    } else if (argc >= 6 && strcmp(mode, "mutants") == 0) {
        code = ask_mutants(&q, argc, argv);
    }
    free_questions(&q);
    return code;
}
