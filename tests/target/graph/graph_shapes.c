/* SPDX-License-Identifier: MIT
 *
 * The classical shapes (tests/litmus-herd/classical.tsv, whose notation
 * litmus-herd/shapes.c explains) by the search, on processors: what the table
 * allows is found, load buffering included, and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mini_inside.h"
#include "watch.h"

#define WORDS_MAX 8
#define FIELDS_MAX 16
#define TERMS_MAX 8

struct shape {
    struct mini p;
    char locations[MINI_LOCATIONS + 1];
    struct {
        char name;
        unsigned thread, index;
    } registers[MINI_THREADS * MINI_REGISTERS];
    unsigned register_count;
    struct {
        char name;
        uint64_t value;
    } wanted[TERMS_MAX];
    unsigned wanted_count;
};

/* ---- Reading ---- */

static unsigned location_of(struct shape *s, char name)
{
    size_t i = 0;

    while (s->locations[i] && s->locations[i] != name)
        i++;
    s->locations[i] = name;
    if (i >= s->p.locations)
        s->p.locations = (unsigned)i + 1;
    return (unsigned)i;
}

static unsigned register_of(struct shape *s, char name)
{
    unsigned thread = s->p.threads - 1, index = 0;

    for (unsigned i = 0; i < s->register_count; i++) {
        if (s->registers[i].thread != thread)
            continue;
        if (s->registers[i].name == name)
            return s->registers[i].index;
        index++;
    }
    s->registers[s->register_count].name = name;
    s->registers[s->register_count].thread = thread;
    s->registers[s->register_count++].index = index;
    return index;
}

static enum event_order order_of(const char *word)
{
    static const struct {
        const char *word;
        enum event_order order;
    } orders[] = {{"acq", ORDER_ACQUIRE},
                  {"rel", ORDER_RELEASE},
                  {"acq_rel", ORDER_ACQ_REL},
                  {"sc", ORDER_SEQ_CST}};

    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i].word, word) == 0)
            return orders[i].order;
    return strcmp(word, "na") == 0 ? ORDER_PLAIN : ORDER_RELAXED;
}

/* "x@a": the register that it depends on, plus 1. */
static unsigned depends_on(struct shape *s, const char *word)
{
    const char *at = strchr(word, '@');

    return at ? register_of(s, at[1]) + 1 : 0;
}

static void read_fence(struct mini_code *c, const char *word)
{
    static const char *const own[] = {"ss", "sl", "ll", "ls", "full"};

    c->kind = MINI_FENCE;
    for (unsigned i = 0; i < 5; i++)
        if (strcmp(own[i], word) == 0)
            c->fence = 1u << i;
    c->order = c->fence ? ORDER_SEQ_CST : order_of(word);
}

static void read_access(struct shape *s, struct mini_code *c, char **w)
{
    bool stores = *w[0] == 'W';
    const char *place = w[stores ? 1 : 2];
    const char *value = w[stores ? 2 : 3];

    c->kind = stores         ? MINI_STORE
              : *w[0] == 'R' ? MINI_LOAD
              : *w[0] == 'X' ? MINI_XCHG
              : *w[0] == 'A' ? MINI_ADD
                             : MINI_CAS;
    c->location = location_of(s, *place);
    c->pointer = depends_on(s, place);
    c->to = stores ? MINI_REGISTERS - 1 : register_of(s, *w[1]);
    if (c->kind == MINI_LOAD) {
        c->order = order_of(w[3]);
        return;
    }
    if (c->kind == MINI_CAS) {
        c->second.add = strtoull(value, NULL, 10);
        value = w[4];
        c->order = order_of(w[5]);
        c->failure_order = order_of(w[6]);
    } else {
        c->order = order_of(w[stores ? 3 : 4]);
    }
    c->first.add = strtoull(value, NULL, 10);
    c->data = depends_on(s, value);
}

static void read_code(struct shape *s, char *text)
{
    unsigned t = s->p.threads - 1;
    struct mini_code *c = &s->p.code[t][s->p.length[t]++];
    char *w[WORDS_MAX] = {NULL}, *rest = NULL;
    size_t n = 0;

    for (char *word = strtok_r(text, " ", &rest); word && n < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest))
        w[n++] = word;
    *c = (struct mini_code){.to = MINI_REGISTERS - 1,
                            .first = {.from = -1},
                            .second = {.from = -1}};
    if (strcmp(w[0], "F") == 0) {
        read_fence(c, w[1]);
    } else if (strcmp(w[0], "if") == 0 || strcmp(w[0], "when") == 0) {
        c->kind = *w[0] == 'i' ? MINI_SKIP : MINI_ASSUME;
        c->first.from = (int)register_of(s, *w[1]);
        c->second.add = w[2] ? strtoull(w[2], NULL, 10) : 0;
    } else {
        read_access(s, c, w);
    }
}

static void read_program(struct shape *s, char *text)
{
    char *rest = NULL;

    s->p.threads = 1;
    for (char *at = text; *at; at++)
        if (at[0] == '|' && at[1] == '|')
            at[0] = ';', at[1] = '!';
    for (char *code = strtok_r(text, ";", &rest); code;
         code = strtok_r(NULL, ";", &rest)) {
        if (*code == '!') {
            s->p.threads++;
            code++;
        }
        if (strspn(code, " ") != strlen(code))
            read_code(s, code);
    }
    s->p.started = s->p.threads;
    s->p.depends = true;
}

static void read_condition(struct shape *s, char *text)
{
    char *rest = NULL;

    for (char *term = strtok_r(text, " ", &rest); term;
         term = strtok_r(NULL, " ", &rest)) {
        s->wanted[s->wanted_count].name = term[0];
        s->wanted[s->wanted_count++].value = strtoull(term + 2, NULL, 10);
    }
}

/* ---- Looking ---- */

struct looking {
    struct watched watched; /* first: the callbacks' context */
    const struct shape *shape;
    struct mini_run *open;
    bool found;
};

static uint64_t value_of(const struct looking *l, const struct graph *g,
                         char name)
{
    const struct shape *s = l->shape;
    int last;

    for (unsigned i = 0; i < s->register_count; i++)
        if (s->registers[i].name == name)
            return l->open->places[g->at[s->registers[i].thread].ix]
                .registers[s->registers[i].index];
    last =
        graph_co_last(g, (unsigned)(strchr(s->locations, name) - s->locations));
    return last < 0 ? 0 : g->events[last].value;
}

static bool look(void *context, const struct graph *g, enum graph_end end)
{
    struct looking *l = context;
    bool all = end == GRAPH_COMPLETE;

    for (unsigned i = 0; i < l->shape->wanted_count; i++)
        all = all && value_of(l, g, l->shape->wanted[i].name) ==
                         l->shape->wanted[i].value;
    l->found = l->found || all;
    return true;
}

static struct {
    unsigned checked, buffering, wrong;
} sum;

static void check(const struct shape *s, const char *name, int m, char verdict)
{
    struct looking l = {.watched = {.p = &s->p}, .shape = s};
    struct graph_search search = {.rules = watch_models[m].rules,
                                  .model = watch_model_of(m),
                                  .threads = s->p.threads,
                                  .initial = watch_initial,
                                  .ended = look,
                                  .context = &l};
    bool open, early;

    l.open = mini_open(&s->p);
    search.behaviour = mini_behaviour(l.open);
    search.orders = watch_orders(search.rules, search.model, search.behaviour,
                                 s->p.threads);
    thread_orders_begin_late(search.orders, true);
    graph_search_run(&search);
    early = l.found;
    open = watch_run_late(&search) < 0;
    sum.checked++;
    sum.buffering += l.found && !early;
    if (open || l.found != (verdict == 'a')) {
        sum.wrong++;
        printf("%s on %s: %s%s, which the table %s\n", name,
               watch_models[m].name, l.found ? "found" : "not found",
               open ? ", but not all explored" : "",
               verdict == 'a' ? "allows" : "forbids");
        mini_print(&s->p);
    }
    mini_close(l.open);
}

static size_t split(char *line, char **fields)
{
    size_t n = 0;
    char *rest = NULL;

    line[strcspn(line, "\n")] = '\0';
    for (char *f = strtok_r(line, "\t", &rest); f && n < FIELDS_MAX;
         f = strtok_r(NULL, "\t", &rest))
        fields[n++] = f;
    return n;
}

int test_shapes(const char *path)
{
    static const char *const columns[] = {"arm", "arm:llsc", "arm:rcpc",
                                          "riscv", "power"};
    static struct shape s;
    int at[FIELDS_MAX] = {0};
    char line[1024], *fields[FIELDS_MAX];
    FILE *in = fopen(path, "r");

    if (!in || !fgets(line, sizeof line, in))
        return 1;
    for (size_t i = 0, n = split(line, fields); i < n; i++)
        for (int k = 0; k < 5; k++)
            if (strcmp(fields[i], columns[k]) == 0)
                at[i] = BRUTE_ARM + k;
    while (fgets(line, sizeof line, in)) {
        size_t n = split(line, fields);

        memset(&s, 0, sizeof s);
        read_program(&s, fields[1]);
        read_condition(&s, fields[2]);
        for (size_t i = 3; i < n; i++)
            if (at[i] && *fields[i] != '-')
                check(&s, fields[0], at[i], *fields[i]);
    }
    fclose(in);
    printf("%u verdicts, %u of load buffering: %u wrong\n", sum.checked,
           sum.buffering, sum.wrong);
    return sum.wrong || sum.checked < 900;
}
