/* SPDX-License-Identifier: MIT
 *
 * The events of a thread lie in a window, the newest first: bit d of a set is
 * the one d places before the newest.  For each the window keeps which others
 * come before it in the closure of the terms.  A new event asks every term
 * backwards: who is related to it?
 *
 *     pre([A];po, {0})  =  those of pre(po, {0}) that are marked A
 *
 * That is as in target/graph/thread_order_terms.c, but of a trace: of the
 * dependencies it knows those of all that follows on a load that decides a
 * branch at once, which is in the program's text (SITE_DECIDES).  With fewer
 * dependencies a term has fewer pairs, so more cycles are predicted.
 */
#include "predict/terms.h"

#include "base/check.h"
#include "predict/instructions.h"
#include "predict/language.h"
#include "predict/predict_access.h"

typedef unsigned __int128 set;
#define ONE ((set)1)

struct node {
    uint32_t marks;
    uint64_t address; /* of its memory */
    uint8_t size;     /* 0: none */
    bool stores_half; /* the load of its RMW is just before it */
    bool pair;        /* and these are exclusives */
    set before;       /* bit d: the one d places before it */
};

struct window {
    struct node nodes[TERMS_WINDOW]; /* a ring */
    set marked[MARK_COUNT];          /* those with that mark */
    set decides;                     /* loads that decide a branch */
    uint64_t count;                  /* events so far */
    uint64_t full;                   /* how many there were at the last fence
                                        that keeps all */
    /* Of the last access: its last event, and what comes before its first. */
    uint64_t last, first, full_first;
    set before_first;
};

struct terms {
    const struct terms_models *models;
    struct window *windows; /* per model */
    uint64_t steps, seq_cst_fence;
    bool seq_cst; /* the last access is */
};

/* ---- Models ---- */

static void read_trees(struct terms_model *m, struct arena *a)
{
    const char *const *ppo = m->model->axioms->ppo;
    size_t count = 0, at;

    while (ppo[count])
        count++;
    m->trees = arena_array(a, count, sizeof(*m->trees));
    for (size_t i = 0; i < count; i++) {
        CHECK(relation_read(ppo[i], NULL, &m->trees[m->tree_count], &at));
        if (term_grows_with_dependencies(&m->trees[m->tree_count]))
            m->tree_count++;
    }
}

void terms_add_model(struct terms_models *m, const struct model *model,
                     struct arena *a)
{
    struct terms_model *to = &m->list[m->count++];

    CHECK(m->count <= TERMS_MODELS_MAX);
    *to = (struct terms_model){
        .model = model, .column = (unsigned)model_number(model_asked(model))};
    CHECK(to->column < CYCLE_MODELS_MAX);
    if (model->by_language)
        return;
    to->mapping = model->axioms->mappings[0];
    if (!model->axioms->lets) /* else only full fences are known to keep */
        read_trees(to, a);
}

struct terms *terms_new(const struct terms_models *m, struct arena *a)
{
    struct terms *t = arena_array(a, 1, sizeof(*t));

    t->models = m;
    t->windows = arena_array(a, m->count, sizeof(*t->windows));
    return t;
}

/* ---- Terms, backwards ---- */

static struct node *node_at(struct window *w, unsigned d)
{
    return &w->nodes[(w->count - 1 - d) % TERMS_WINDOW];
}

static unsigned room(const struct window *w)
{
    return w->count < TERMS_WINDOW ? (unsigned)w->count : TERMS_WINDOW;
}

static unsigned lowest(set s)
{
    return (uint64_t)s ? (unsigned)__builtin_ctzll((uint64_t)s)
                       : 64 + (unsigned)__builtin_ctzll((uint64_t)(s >> 64));
}

static set all_of(const struct window *w)
{
    return room(w) == TERMS_WINDOW ? ~(set)0 : (ONE << room(w)) - 1;
}

static set older_than(const struct window *w, unsigned d)
{
    return d + 1 < TERMS_WINDOW ? all_of(w) >> (d + 1) << (d + 1) : 0;
}

static bool same_location(const struct node *a, const struct node *b)
{
    return a->size && b->size && a->address < b->address + b->size &&
           b->address < a->address + a->size;
}

/* Those of one location before it; or only the store that it could be
 * forwarded. */
static set of_location(struct window *w, unsigned d, bool lrs)
{
    const struct node *to = node_at(w, d);
    set found = 0;

    if (lrs && !(to->marks & MARK_R))
        return 0;
    for (unsigned k = d + 1; k < room(w); k++) {
        const struct node *n = node_at(w, k);

        if (!same_location(n, to) || (lrs && !(n->marks & MARK_W)))
            continue;
        found |= ONE << k;
        if (lrs)
            break;
    }
    return found;
}

static set load_of(struct window *w, unsigned d, enum relation_base base)
{
    const struct node *n = node_at(w, d);

    if (!n->stores_half || d + 1 >= room(w) || (base == BASE_AMO && n->pair) ||
        (base == BASE_LXSX && !n->pair))
        return 0;
    return ONE << (d + 1);
}

static set before_one(struct window *w, enum relation_base base, unsigned d)
{
    switch (base) {
    case BASE_PO:
        return older_than(w, d);
    case BASE_PO_LOC:
        return of_location(w, d, false);
    case BASE_LRS:
        return of_location(w, d, true);
    case BASE_RMW:
    case BASE_AMO:
    case BASE_LXSX:
        return load_of(w, d, base);
    case BASE_PPO:
        return node_at(w, d)->before << d;
    case BASE_CTRL:
        return older_than(w, d) & w->decides;
    default:
        return 0; /* rf and co are of no term, others are not known */
    }
}

static set before_base(struct window *w, enum relation_base base, set to)
{
    set found = 0;

    if (base == BASE_PO)
        return to ? older_than(w, lowest(to)) : 0;
    for (; to; to &= to - 1)
        found |= before_one(w, base, lowest(to));
    return found;
}

/* As term_is_marked, of all at once. */
static set those_marked(const struct window *w, const struct relation_tree *t,
                        unsigned node)
{
    const struct relation_node *n = &t->nodes[node];
    set a, b;

    if (n->op == RELATION_MARKED)
        return w->marked[n->number];
    a = those_marked(w, t, n->a);
    b = those_marked(w, t, n->b);
    return n->op == RELATION_UNION  ? a | b
           : n->op == RELATION_BOTH ? a & b
                                    : a & ~b;
}

static set before(struct window *w, const struct relation_tree *t,
                  unsigned node, set to);

/* Who is related to one of them both ways, or one way and not the other. */
static set before_both(struct window *w, const struct relation_tree *t,
                       const struct relation_node *n, set to)
{
    set found = 0;

    for (; to; to &= to - 1) {
        set one = to & -to;
        set a = before(w, t, n->a, one), b = before(w, t, n->b, one);

        found |= n->op == RELATION_BOTH ? a & b : a & ~b;
    }
    return found;
}

static set before_chain(struct window *w, const struct relation_tree *t,
                        unsigned node, set to)
{
    set found = 0, more = before(w, t, node, to);

    while (more & ~found) {
        found |= more;
        more = before(w, t, node, found);
    }
    return found;
}

static set before(struct window *w, const struct relation_tree *t,
                  unsigned node, set to)
{
    const struct relation_node *n = &t->nodes[node];

    switch (n->op) {
    case RELATION_BASE:
        return before_base(w, n->number, to);
    case RELATION_SET:
        return to & those_marked(w, t, n->a);
    case RELATION_UNION:
        return before(w, t, n->a, to) | before(w, t, n->b, to);
    case RELATION_BOTH:
    case RELATION_WITHOUT:
        return before_both(w, t, n, to);
    case RELATION_THEN:
        return before(w, t, n->a, before(w, t, n->b, to));
    case RELATION_OPTIONAL:
        return to | before(w, t, n->a, to);
    case RELATION_PLUS:
        return before_chain(w, t, n->a, to);
    case RELATION_STAR:
        return to | before_chain(w, t, n->a, to);
    default:
        return 0; /* no term has them */
    }
}

/* ---- What the thread does ---- */

static void close_newest(struct window *w, const struct terms_model *m)
{
    struct node *newest = node_at(w, 0);
    set found = 0;

    for (size_t i = 0; i < m->tree_count; i++)
        found |= before(w, &m->trees[i], (unsigned)m->trees[i].count - 1, ONE);
    found &= ~ONE;
    newest->before = found;
    for (; found; found &= found - 1) {
        unsigned d = lowest(found);

        newest->before |= node_at(w, d)->before << d;
    }
}

static struct node *add_node(struct window *w, uint32_t marks)
{
    struct node *n;

    w->count++;
    n = node_at(w, 0);
    *n = (struct node){.marks = marks};
    for (unsigned k = 0; k < MARK_COUNT; k++)
        w->marked[k] = w->marked[k] << 1 | (marks >> k & 1);
    w->decides <<= 1;
    return n;
}

static void add_fence(struct window *w, const struct terms_model *m,
                      uint32_t marks)
{
    const uint32_t all = MARK_RR | MARK_RW | MARK_WR | MARK_WW;

    if (!marks)
        return;
    add_node(w, MARK_F | marks);
    close_newest(w, m);
    if (marks & MARK_FULL || (marks & all) == all)
        w->full = w->count;
}

static void add_half(struct window *w, const struct terms_model *m,
                     const struct event *e, uint64_t address, uint32_t marks,
                     const struct instruction *i)
{
    struct node *n = add_node(w, marks);

    n->address = address;
    n->size = e->object ? e->size : 0;
    n->stores_half = marks & MARK_W && i->reads;
    n->pair = i->pair;
    close_newest(w, m);
    if (marks == i->read || !i->reads) {
        w->first = w->count;
        w->full_first = w->full;
        w->before_first = n->before;
    }
    w->last = w->count;
}

static bool decides(const struct trace *from, const struct event *e)
{
    return e->kind == EV_LOAD && e->site < from->site_count &&
           from->sites[e->site].size & SITE_DECIDES;
}

static void add_instruction(struct window *w, const struct terms_model *m,
                            const struct trace *from, const struct event *e)
{
    struct instruction i = instruction_of(m->mapping, e, true);
    uint64_t address = e->object ? access_address(from, e) : 0;

    add_fence(w, m, i.before);
    if (i.reads)
        add_half(w, m, e, address, i.read, &i);
    if (i.reads && decides(from, e))
        w->decides |= ONE;
    if (i.writes)
        add_half(w, m, e, address, i.write, &i);
    add_fence(w, m, i.after);
}

void terms_step(struct terms *t, const struct trace *from,
                const struct event *e)
{
    t->steps++;
    if (e->flags & EVF_GHOST)
        return;
    if (language_is_full_fence(e))
        t->seq_cst_fence = t->steps;
    t->seq_cst = (e->flags & EVF_ORDER) == ORDER_SEQ_CST;
    for (size_t i = 0; i < t->models->count; i++) {
        const struct terms_model *m = &t->models->list[i];

        if (m->mapping)
            add_instruction(&t->windows[i], m, from, e);
    }
}

/* ---- Questions ---- */

struct terms_place terms_here(const struct terms *t)
{
    struct terms_place here = {.steps = t->steps, .seq_cst = t->seq_cst};

    for (size_t i = 0; i < t->models->count; i++)
        here.last[i] = t->windows[i].last;
    return here;
}

static bool is_kept(const struct window *w, uint64_t first)
{
    uint64_t distance = w->first - first;

    return first < w->full_first ||
           (distance < TERMS_WINDOW && w->before_first >> distance & 1);
}

uint16_t terms_may(const struct terms *t, const struct terms_place *first)
{
    uint16_t may = 0;

    for (size_t i = 0; i < t->models->count; i++) {
        const struct terms_model *m = &t->models->list[i];
        bool kept = m->mapping ? is_kept(&t->windows[i], first->last[i])
                               : first->steps < t->seq_cst_fence ||
                                     (first->seq_cst && t->seq_cst);

        if (!kept)
            may |= (uint16_t)(1u << m->column);
    }
    return may;
}
