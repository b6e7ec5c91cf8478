/* SPDX-License-Identifier: MIT
 *
 * `fencer check` on models that are given by terms and axioms, against what is
 * known of them:
 *
 *   shapes EVERY FILE...   every so manyth shape, each on every model
 *   random FIRST COUNT     random programs: all outcomes, against those of
 *                          src/litmus, which evaluates the same texts by other
 *                          code on executions that it enumerates
 *   mutants EVERY FILE...  every so manyth term of ppo, left out of the
 * formula: a shape is decided wrongly, or an execution is found that the axioms
 * refuse
 *
 * Every execution that is found passes src/check/axioms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "litmus/litmus.h"
#include "random_shapes.h"
#include "sat.h"
#include "shapes_c.h"

#define SOURCE "stated_shapes.c"

struct batch {
    struct arena arena;
    struct shapes shapes;
    struct observed *observed;
    struct sat_file *file;
    size_t asked, wrong;
    struct sat_counts counts;
};

/* The models of the table that check has, and how it calls them. */
static const char *const models[][2] = {
    {"sc", "sc"},
    {"tso", "tso"},
    {"pso", "pso"},
    {"pslo", "pslo"},
    {"pslo --deps", "pslo --deps"},
    {"c11", "c11"},
    {"arm", "arm"},
    {"arm:llsc", "arm-llsc"},
    {"arm:rcpc", "arm-rcpc"},
    {"riscv", "riscv"},
    {"power", "power"},
};
#define MODELS (sizeof(models) / sizeof(models[0]))

static const char *name_in_check(const char *column)
{
    for (size_t i = 0; i < MODELS; i++)
        if (strcmp(models[i][0], column) == 0)
            return models[i][1];
    return NULL;
}

/* All of the batch in one file: it is compiled once. */
static void compile(struct batch *b)
{
    struct buf text = {0};
    char error[512];
    FILE *to = fopen(SOURCE, "w");

    b->observed =
        arena_array(&b->arena, b->shapes.count + 1, sizeof(*b->observed));
    buf_puts(&text, "#include <fencer.h>\n#include <pthread.h>\n");
    for (size_t i = 0; i < b->shapes.count; i++)
        shape_write_c(&b->shapes.list[i], i, &text, &b->observed[i]);
    buf_puts(&text, "int main(void)\n{\n"); /* or they were dropped */
    for (size_t i = 0; i < b->shapes.count; i++)
        buf_printf(&text, "  s%zu();\n", i);
    buf_puts(&text, "}\n");
    if (!to || fwrite(text.bytes, 1, text.count, to) != text.count ||
        fclose(to) != 0) {
        printf("cannot write " SOURCE "\n");
        exit(1);
    }
    buf_free(&text);
    b->file = sat_file_new(SOURCE, "", error, sizeof(error));
    if (!b->file) {
        printf("%s\n", error);
        exit(1);
    }
}

/* ---- Outcomes ---- */

struct seen {
    const struct shape *shape;
    const struct observed *what;
    struct arena arena;
    VEC(const char *) texts;
    bool satisfied;
};

/* As litmus writes them: "0:a=1; [x]=2;" */
static void take_outcome(void *context, const int64_t *values)
{
    struct seen *s = context;
    struct buf text = {0};

    for (size_t i = 0; i < s->what->count; i++) {
        if (s->what->threads[i] >= 0)
            buf_printf(&text, "%s%d:%c=%d;", i ? " " : "", s->what->threads[i],
                       s->what->names[i], (int)values[i]);
        else
            buf_printf(&text, "%s[%c]=%d;", i ? " " : "", s->what->names[i],
                       (int)values[i]);
    }
    VEC_PUSH(&s->texts, arena_copy(&s->arena, text.bytes));
    buf_free(&text);
    s->satisfied |= shape_satisfied(s->shape, s->what, values);
}

static bool ask_as(struct batch *b, size_t number, const char *model,
                   const struct model *encoded, struct seen *out)
{
    char entry[32], error[512];
    struct sat_wish wish = {.entry = entry,
                            .model = model,
                            .encoded = encoded,
                            .width = b->observed[number].count,
                            .outcome = take_outcome,
                            .context = out};
    bool done;

    *out = (struct seen){.shape = &b->shapes.list[number],
                         .what = &b->observed[number]};
    snprintf(entry, sizeof(entry), "s%zu", number);
    b->asked++;
    done = sat_outcomes(b->file, &wish, &b->counts, error, sizeof(error)) ==
           SAT_DONE;
    if (!done && !encoded) {
        printf("%s on %s: %s\n", out->shape->name, model, error);
        b->wrong++;
    }
    return done;
}

static bool ask(struct batch *b, size_t number, const char *model,
                struct seen *out)
{
    return ask_as(b, number, model, NULL, out);
}

static void forget(struct seen *s)
{
    VEC_FREE(&s->texts);
    arena_free(&s->arena);
}

static int finish(struct batch *b)
{
    printf("%zu questions, %zu wrong; %llu outcomes, %llu solves\n", b->asked,
           b->wrong, (unsigned long long)b->counts.outcomes,
           (unsigned long long)b->counts.solves);
    sat_file_free(b->file);
    arena_free(&b->arena);
    unlink(SOURCE);
    return b->wrong || !b->asked;
}

/* ---- Shapes ---- */

static void ask_shape(struct batch *b, size_t number)
{
    const struct shape *s = &b->shapes.list[number];

    for (size_t k = 0; k < b->shapes.column_count; k++) {
        const char *model = name_in_check(b->shapes.columns[k]);
        struct seen seen;

        if (!model || s->verdicts[k] == '-')
            continue;
        if (ask(b, number, model, &seen) &&
            seen.satisfied != (s->verdicts[k] == 'a')) {
            printf("%s on %s: %s, but it is %s\n", s->name, model,
                   seen.satisfied ? "found" : "not found",
                   seen.satisfied ? "forbidden" : "allowed");
            b->wrong++;
        }
        forget(&seen);
    }
}

/* Plain accesses race on C11: nothing is known of such a shape there. */
static void drop_races(struct shapes *s)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->column_count; k++)
            if (strcmp(s->columns[k], "c11") == 0 &&
                strstr(s->list[i].program, " na"))
                s->list[i].verdicts[k] = '-';
}

static int ask_shapes(size_t every, const char *path)
{
    struct batch b = {.asked = 0};

    shapes_read(path, &b.arena, &b.shapes);
    drop_races(&b.shapes);
    compile(&b);
    for (size_t i = 0; i < b.shapes.count; i += every)
        ask_shape(&b, i);
    printf("%s: ", path);
    return finish(&b);
}

/* ---- Random programs ---- */

static bool has_text(const char *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0)
            return true;
    return false;
}

static bool judge(struct litmus *t, const char *column,
                  struct litmus_answer *out)
{
    size_t n = strcspn(column, ":");
    char name[16];
    struct litmus_options o = {.mappings = {column[n] ? column + n + 1 : NULL}};

    snprintf(name, sizeof(name), "%.*s", (int)n, column);
    o.model = model_find_stated(name);
    if (strcmp(column, "pslo --deps") == 0) {
        o.model = &model_pslo;
        o.axioms = model_pslo.with_deps->axioms;
    }
    litmus_judge(t, &o, out);
    return out->judged;
}

static void compare(struct batch *b, size_t number, const char *column,
                    const char *model, struct litmus *t)
{
    struct litmus_answer a;
    struct seen seen;
    bool same;

    if (!judge(t, column, &a)) {
        litmus_answer_free(&a);
        return;
    }
    if (ask(b, number, model, &seen)) {
        same = a.states.count == seen.texts.count;
        for (size_t i = 0; i < a.states.count; i++)
            same &= has_text(seen.texts.list, seen.texts.count,
                             a.states.list[i].text);
        if (!same) {
            b->wrong++;
            printf("%s on %s: %s\n  check:", seen.shape->name, model,
                   seen.shape->program);
            for (size_t i = 0; i < seen.texts.count; i++)
                printf(" {%s}", seen.texts.list[i]);
            printf("\n  litmus:");
            for (size_t i = 0; i < a.states.count; i++)
                printf(" {%s}", a.states.list[i].text);
            printf("\n");
        }
    }
    forget(&seen);
    litmus_answer_free(&a);
}

static int ask_random(uint64_t first, size_t count)
{
    struct batch b = {.asked = 0};

    random_shapes(first, count, &b.arena, &b.shapes);
    compile(&b);
    for (size_t i = 0; i < count; i++) {
        struct buf text = {0};
        struct litmus *t;
        struct err e;

        shape_write(&b.shapes.list[i], &text);
        if (!litmus_read(text.bytes, strlen(text.bytes), &t, &e)) {
            printf("%s: %s\n%s", b.shapes.list[i].name, e.text, text.bytes);
            return 1;
        }
        for (size_t k = 0; k < MODELS; k++)
            compare(&b, i, models[k][0], models[k][1], t);
        litmus_free(t);
        buf_free(&text);
    }
    return finish(&b);
}

/* ---- Mutants ---- */

#define TERMS_MAX 40

/* Terms that no shape in C can miss. */
static const char *const not_missed[] = {
    "(ctrl|addr;po);[isb];po", /* C becomes no isb */
    "(pick-ctrl|pick-addr;po);[isb];po;[M]",
    "[W];po;[wr];po;[R]", /* arm has no such fence: it is a full one */
    "rmw",                /* po-loc;[W] has it */
};

static bool may_be_missed(const struct model *m, const char *term)
{
    if (m != &model_arm && strcmp(term, "rmw") != 0)
        return true;
    for (size_t i = 0; i < sizeof(not_missed) / sizeof(not_missed[0]); i++)
        if (strcmp(not_missed[i], term) == 0)
            return false;
    return true;
}

/* Does some shape tell the two apart? */
static bool is_noticed(struct batch *b, const char *name,
                       const struct model *mutant)
{
    bool noticed = false;

    for (size_t i = 0; i < b->shapes.count && !noticed; i++) {
        struct seen seen, right;

        noticed = !ask_as(b, i, name, mutant, &seen);
        if (!noticed && ask(b, i, name, &right))
            noticed = seen.texts.count != right.texts.count;
        else
            right = (struct seen){.shape = NULL};
        forget(&seen);
        forget(&right);
    }
    return noticed;
}

static size_t leave_out(struct batch *b, const char *name,
                        const struct model *model, size_t every)
{
    const char *const *ppo = model->axioms->ppo;
    size_t made = 0, count = 0;

    while (ppo[count])
        count++;
    for (size_t left = 0; left < count; left += every) {
        const char *terms[TERMS_MAX] = {NULL};
        struct model_axioms axioms = *model->axioms;
        struct model mutant = *model;
        size_t n = 0;

        for (size_t i = 0; ppo[i]; i++)
            if (i != left)
                terms[n++] = ppo[i];
        axioms.ppo = terms;
        mutant.axioms = &axioms;
        made++;
        if (is_noticed(b, name, &mutant) == may_be_missed(model, ppo[left]))
            continue;
        printf("%s without %s: %s\n", name, ppo[left],
               may_be_missed(model, ppo[left]) ? "nobody notices" : "noticed");
        b->wrong++;
    }
    return made;
}

/* The shapes of all files. */
static void read_all(struct batch *b, char **paths, int count)
{
    size_t n = 0;

    b->shapes.list = arena_array(&b->arena, 1000, sizeof(*b->shapes.list));
    for (int i = 0; i < count; i++) {
        struct shapes s;

        shapes_read(paths[i], &b->arena, &s);
        for (size_t k = 0; k < s.count && n < 1000; k++)
            b->shapes.list[n++] = s.list[k];
    }
    b->shapes.count = n;
}

static int ask_mutants(size_t every, char **paths, int count)
{
    struct batch b = {.asked = 0};
    size_t made;

    read_all(&b, paths, count);
    compile(&b);
    made = leave_out(&b, "arm", &model_arm, every) +
           leave_out(&b, "riscv", &model_riscv, every) +
           leave_out(&b, "pslo --deps", model_pslo.with_deps, every);
    printf("%zu mutants: ", made);
    return finish(&b);
}

int main(int argc, char **argv)
{
    int bad = 0;

    if (argc >= 4 && strcmp(argv[1], "shapes") == 0) {
        for (int i = 3; i < argc; i++)
            bad |= ask_shapes(strtoul(argv[2], NULL, 10), argv[i]);
        return bad;
    }
    if (argc == 4 && strcmp(argv[1], "random") == 0)
        return ask_random(strtoull(argv[2], NULL, 10),
                          strtoul(argv[3], NULL, 10));
    if (argc >= 4 && strcmp(argv[1], "mutants") == 0)
        return ask_mutants(strtoul(argv[2], NULL, 10), argv + 3, argc - 3);
    fprintf(stderr, "usage: shapes EVERY FILE... | random FIRST COUNT | "
                    "mutants EVERY FILE...\n");
    return 2;
}
