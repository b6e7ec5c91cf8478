/* SPDX-License-Identifier: MIT
 *
 * The engines, each against the axioms: the same states of the same test, on
 * every model, and the verdicts that are known.
 *
 *   shapes EVERY FILE...  every so manyth shape
 *   random FIRST COUNT    random programs, of the numbers from FIRST on
 *   files LIST DIR FEW    files in herd's format, on the models of LIST; no
 *                         engine leaves out more than FEW of them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/litmus.h"
#include "random_shapes.h"
#include "shapes.h"

static const char *const engine_names[] = {
#define ENGINE(name, text, words) text,
    LITMUS_ENGINES(ENGINE)
#undef ENGINE
};

struct tally {
    size_t asked, wrong;
    size_t left_out[LITMUS_ENGINE_COUNT];
};

struct asked {
    struct litmus *test;
    const char *name;
    const struct model *model;
    const char *mapping;
};

/* "arm:llsc" */
static bool find_model(struct asked *x, const char *column)
{
    char name[32];
    size_t n = strcspn(column, ":");

    snprintf(name, sizeof(name), "%.*s", (int)n, column);
    x->model = model_find_stated(name);
    x->mapping = column[n] ? column + n + 1 : NULL;
    return x->model != NULL;
}

static void judge(const struct asked *x, enum litmus_engine by,
                  struct litmus_answer *to)
{
    struct litmus_options o = {
        .engine = by, .model = x->model, .mappings = {x->mapping}};

    litmus_judge(x->test, &o, to);
}

static bool is_same(const struct litmus_answer *a,
                    const struct litmus_answer *b)
{
    bool same = a->states.count == b->states.count && a->holds == b->holds &&
                a->race == b->race;

    for (size_t i = 0; same && i < a->states.count; i++)
        same = strcmp(a->states.list[i].text, b->states.list[i].text) == 0;
    return same;
}

static void tell(const struct asked *x, enum litmus_engine by,
                 const struct litmus_answer *a)
{
    printf("%s on %s%s%s by %s:%s", x->name, x->model->name,
           x->mapping ? ":" : "", x->mapping ? x->mapping : "",
           engine_names[by], a->race ? " a race" : "");
    for (size_t i = 0; i < a->states.count; i++)
        printf(" {%s}", a->states.list[i].text);
    printf("%s\n", a->judged ? "" : a->why);
}

/* What loses or gains a state is told with what the axioms have. */
static void compare(struct tally *t, const struct asked *x)
{
    struct litmus_answer right;

    judge(x, LITMUS_AXIOMS, &right);
    t->left_out[LITMUS_AXIOMS] += !right.judged;
    for (int by = LITMUS_AXIOMS + 1; right.judged && by < LITMUS_ENGINE_COUNT;
         by++) {
        struct litmus_answer a;

        judge(x, (enum litmus_engine)by, &a);
        t->asked++;
        t->left_out[by] += !a.judged;
        if (a.judged && !is_same(&right, &a)) {
            tell(x, LITMUS_AXIOMS, &right);
            tell(x, (enum litmus_engine)by, &a);
            t->wrong++;
        }
        litmus_answer_free(&a);
    }
    litmus_answer_free(&right);
}

static int finish(const struct tally *t, size_t few)
{
    bool bad = t->wrong || !t->asked;

    printf("%zu questions, %zu wrong; left out:", t->asked, t->wrong);
    for (int by = 0; by < LITMUS_ENGINE_COUNT; by++) {
        printf(" %zu by %s", t->left_out[by], engine_names[by]);
        bad |= t->left_out[by] > few;
    }
    printf("\n");
    return bad;
}

/* ---- Shapes ---- */

static struct litmus *test_of(const struct shape *s)
{
    struct buf text = {0};
    struct litmus *t;
    struct err e;

    shape_write(s, &text);
    if (!litmus_read(text.bytes, text.count, &t, &e)) {
        printf("%s: %s\n%s", s->name, e.text, text.bytes);
        exit(1);
    }
    buf_free(&text);
    return t;
}

/* A model that no program is explored on is for the axioms alone. */
static bool is_explored(const struct model *m)
{
    return model_find(m->name) == m;
}

static void ask_file(struct tally *t, const char *path, size_t every)
{
    struct arena a = ARENA_INIT;
    struct shapes s;

    shapes_read(path, &a, &s);
    for (size_t i = 0; i < s.count; i += every) {
        struct asked x = {.test = test_of(&s.list[i]), .name = s.list[i].name};

        for (size_t k = 0; k < s.column_count; k++)
            if (s.list[i].verdicts[k] != '-' && find_model(&x, s.columns[k]) &&
                is_explored(x.model))
                compare(t, &x);
        litmus_free(x.test);
    }
    arena_free(&a);
}

static int ask_shapes(size_t every, char **paths, int count)
{
    struct tally t = {0};

    for (int i = 0; i < count; i++)
        ask_file(&t, paths[i], every);
    return finish(&t, 0);
}

/* ---- Random programs ---- */

static int ask_random(uint64_t first, size_t count)
{
    static const char *const columns[] = {
        "sc",  "tso",      "pso",      "pslo",  "c11",
        "arm", "arm:llsc", "arm:rcpc", "riscv", "power",
    };
    struct arena a = ARENA_INIT;
    struct shapes s;
    struct tally t = {0};

    random_shapes(first, count, &a, &s);
    for (size_t i = 0; i < s.count; i++) {
        struct asked x = {.test = test_of(&s.list[i]),
                          .name = s.list[i].program};

        for (size_t k = 0; k < sizeof(columns) / sizeof(columns[0]); k++)
            if (find_model(&x, columns[k]))
                compare(&t, &x);
        litmus_free(x.test);
    }
    arena_free(&a);
    return finish(&t, count / 50); /* numbers that only grow */
}

/* ---- Files ---- */

static void ask_row(struct tally *t, const char *folder, const char *name,
                    const char *model)
{
    struct asked x = {.name = name};
    struct buf path = {0}, text = {0};
    struct err e;

    buf_printf(&path, "%s/%s", folder, name);
    if (!find_model(&x, model) ||
        !buf_read_file(&text, path.bytes, 1 << 20, &e) ||
        !litmus_read(text.bytes, text.count, &x.test, &e)) {
        printf("%s: %s\n", path.bytes, x.model ? e.text : "no model");
        exit(1);
    }
    if (is_explored(x.model))
        compare(t, &x);
    litmus_free(x.test);
    buf_free(&text);
    buf_free(&path);
}

static int ask_files(const char *list, const char *folder, size_t few)
{
    struct tally t = {0};
    struct buf text = {0};
    struct err e;
    char *save = NULL;

    if (!buf_read_file(&text, list, 16 << 20, &e)) {
        printf("%s\n", e.text);
        return 1;
    }
    for (char *line = strtok_r(text.bytes, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        char *fields = NULL, *name = strtok_r(line, "\t", &fields);
        char *model = strtok_r(NULL, "\t", &fields);

        if (model && strcmp(model, "model") != 0)
            ask_row(&t, folder, name,
                    strcmp(model, "rc11") == 0 ? "c11" : model);
    }
    buf_free(&text);
    return finish(&t, few);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 3 ? argv[1] : "";

    if (strcmp(mode, "shapes") == 0)
        return ask_shapes(strtoul(argv[2], NULL, 10), argv + 3, argc - 3);
    if (strcmp(mode, "random") == 0)
        return ask_random(strtoull(argv[2], NULL, 10),
                          strtoul(argv[3], NULL, 10));
    if (strcmp(mode, "files") == 0 && argc == 5)
        return ask_files(argv[2], argv[3], strtoul(argv[4], NULL, 10));
    fprintf(stderr, "usage: shapes EVERY FILE... | random FIRST COUNT | "
                    "files LIST DIR FEW\n");
    return 2;
}
