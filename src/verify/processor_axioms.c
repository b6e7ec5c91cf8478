/* SPDX-License-Identifier: MIT
 *
 * A processor's axioms on a trace, as processor_axioms.h says.
 */
#include "verify/processor_axioms.h"

#include <string.h>

#include "base/check.h"
#include "predict/instructions.h"
#include "verify/processor_inside.h"

#define NODES_MAX 4096 /* of a graph: 1,000 events, of four nodes at most */

/* ---- Nodes ---- */

/* Parts of one access are told one after the other. */
static uint32_t first_part(const struct trace *t, size_t event)
{
    while (event && is_access(&t->events[event]) &&
           t->events[event].flags & EVF_PART)
        event--;
    return (uint32_t)event;
}

static bool is_last_part(const struct trace *t, size_t event)
{
    return event + 1 == t->event_count ||
           first_part(t, event + 1) == (uint32_t)event + 1;
}

static struct node *add_node(struct run *x, size_t event, uint32_t marks)
{
    struct node *n = &x->nodes[x->all.count++];

    *n = (struct node){.event = (uint32_t)event,
                       .marks = marks,
                       .thread = x->t->events[event].thread,
                       .access = first_part(x->t, event),
                       .mate = -1};
    return n;
}

static void add_fence(struct run *x, size_t event, uint32_t marks)
{
    if (marks)
        add_node(x, event, MARK_F | marks);
}

static void add_halves(struct run *x, size_t event,
                       const struct instruction *of)
{
    const struct event *e = &x->t->events[event];
    bool both = reads(e) && writes(e);
    struct node *n;

    if (reads(e)) {
        x->read_of[event] = (int)x->all.count;
        n = add_node(x, event, of->read);
        n->location = location_of(x->t, event);
        n->mate = both ? (int)x->all.count : -1;
        n->branch = of->branch;
    }
    if (writes(e)) {
        x->write_of[event] = (int)x->all.count;
        n = add_node(x, event, of->write);
        n->location = location_of(x->t, event);
        n->mate = both ? (int)x->all.count - 2 : -1;
        n->pair = of->pair;
    }
}

static void add_event(struct run *x, size_t event)
{
    const struct event *e = &x->t->events[event];
    struct instruction of = instruction_of(x->mapping, e, false);

    x->read_of[event] = x->write_of[event] = -1;
    if (e->kind != EV_FENCE && !is_access(e)) {
        add_node(x, event, 0); /* creations and joins */
        return;
    }
    if (first_part(x->t, event) == event)
        add_fence(x, event, of.before);
    add_halves(x, event, &of);
    if (is_last_part(x->t, event))
        add_fence(x, event, of.after);
}

/* ---- Base relations ---- */

static bool same_access(const struct run *x, size_t i, size_t j)
{
    return x->nodes[i].location && x->nodes[j].location &&
           x->nodes[i].access == x->nodes[j].access;
}

static bool same_half(const struct run *x, size_t i, size_t j)
{
    return same_access(x, i, j) &&
           (x->nodes[i].marks & MARK_W) == (x->nodes[j].marks & MARK_W);
}

/* The reads of an access come before its writes, else its parts have no order.
 */
static bool is_po(const struct run *x, size_t i, size_t j)
{
    if (same_access(x, i, j))
        return x->nodes[i].marks & MARK_R && x->nodes[j].marks & MARK_W;
    return i < j && x->nodes[i].thread == x->nodes[j].thread;
}

static bool same_location(const struct node *a, const struct node *b)
{
    return a->location && a->location == b->location;
}

static bool fill_rf(struct run *x, struct err *e)
{
    for (size_t i = 0; i < x->all.count; i++) {
        const struct event *ev = &x->t->events[x->nodes[i].event], *source;
        int from;

        if (x->read_of[x->nodes[i].event] != (int)i || !ev->from)
            continue;
        source = &x->t->events[ev->from - 1];
        from = x->write_of[ev->from - 1];
        if (from < 0 || !same_location(&x->nodes[from], &x->nodes[i]) ||
            (source->kind == EV_STORE ? source->value : source->wrote) !=
                ev->value)
            return err_set(e, "event %u does not read what it says",
                           x->nodes[i].event + 1);
        square_put(&x->all, x->rf, (size_t)from, i);
    }
    return true;
}

static uint32_t place_of(const struct run *x, size_t write)
{
    return x->t->events[x->nodes[write].event].co;
}

/* Where in co the source of a read is; 0: before all writes. */
static uint32_t source_of(const struct run *x, size_t read)
{
    uint32_t from = x->t->events[x->nodes[read].event].from;

    return from ? x->t->events[from - 1].co : 0;
}

static bool fill_co_and_fr(struct run *x, struct err *e)
{
    for (size_t i = 0; i < x->all.count; i++) {
        bool reads = x->read_of[x->nodes[i].event] == (int)i;

        for (size_t j = 0; j < x->all.count; j++) {
            bool writes = x->write_of[x->nodes[j].event] == (int)j;

            if (i == j || !writes || !same_location(&x->nodes[i], &x->nodes[j]))
                continue;
            if (reads && source_of(x, i) < place_of(x, j))
                square_put(&x->all, x->fr, i, j);
            if (reads || x->write_of[x->nodes[i].event] != (int)i)
                continue;
            if (place_of(x, i) == place_of(x, j))
                return err_set(e, "two writes have one place");
            if (place_of(x, i) < place_of(x, j))
                square_put(&x->all, x->co, i, j);
        }
    }
    return true;
}

/* ---- Terms ---- */

/* Is j the first load of that location that follows the store i, or a later
 * one with no store between? */
static bool is_lrs(const struct run *x, size_t i, size_t j)
{
    const struct node *w = &x->nodes[i], *r = &x->nodes[j];

    if (!(w->marks & MARK_W) || !(r->marks & MARK_R) || !same_location(w, r) ||
        !square_has(&x->all, x->po, i, j))
        return false;
    for (size_t k = i + 1; k < j; k++) {
        if (x->nodes[k].thread == w->thread && x->nodes[k].marks & MARK_W &&
            same_location(&x->nodes[k], w))
            return false;
    }
    return true;
}

/* Is that pair, in program order, in it? */
static bool is_in_base(const struct run *x, enum relation_base base, size_t i,
                       size_t j)
{
    const struct node *a = &x->nodes[i], *b = &x->nodes[j];
    bool rmw = same_access(x, i, j) && a->marks & MARK_R && b->marks & MARK_W;

    switch (base) {
    case BASE_PO:
        return true;
    case BASE_PO_LOC:
        return same_location(a, b);
    case BASE_RMW:
        return rmw;
    case BASE_AMO:
        return rmw && !b->pair;
    case BASE_LXSX:
        return rmw && b->pair;
    case BASE_LRS:
        return is_lrs(x, i, j);
    case BASE_CTRL: /* of the program a trace has none */
        return a->branch;
    default:
        return false; /* nor any other dependency */
    }
}

/* Is that pair of x->rf or the like in it? */
static bool is_among(const struct run *x, enum relation_base base, size_t i,
                     size_t j)
{
    bool same = x->nodes[i].thread == x->nodes[j].thread;

    return base == BASE_RFI ? same : base < BASE_RFI || !same;
}

/* What is joined by x->rf and the like; NULL: none of these. */
static const struct square *communication(const struct run *x,
                                          enum relation_base base)
{
    switch (base) {
    case BASE_RF:
    case BASE_RFI:
    case BASE_RFE:
        return &x->rf;
    case BASE_CO:
    case BASE_COE:
        return &x->co;
    case BASE_FR:
    case BASE_FRE:
        return &x->fr;
    default:
        return NULL;
    }
}

static struct square base_square(struct run *x, enum relation_base base)
{
    const struct square *joined = communication(x, base);
    struct square s = square_new(&x->all), from = joined ? *joined : x->po;

    if (base == BASE_PPO) {
        square_join(&x->all, s, x->ppo);
        return s;
    }
    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = square_next(&x->all, from, i, 0); j < x->all.count;
             j = square_next(&x->all, from, i, j + 1)) {
            if (joined ? is_among(x, base, i, j) : is_in_base(x, base, i, j))
                square_put(&x->all, s, i, j);
        }
    }
    return s;
}

static struct square set_square(struct run *x, const struct relation_tree *t,
                                unsigned node)
{
    struct square s = square_new(&x->all);

    for (size_t i = 0; i < x->all.count; i++) {
        if (term_is_marked(t, node, x->nodes[i].marks))
            square_put(&x->all, s, i, i);
    }
    return s;
}

static struct square with_identity(const struct run *x, struct square s)
{
    for (size_t i = 0; i < x->all.count; i++)
        square_put(&x->all, s, i, i);
    return s;
}

struct square processor_evaluate(struct run *x, const struct relation_tree *t,
                                 unsigned node)
{
    const struct relation_node *n = &t->nodes[node];
    struct square a, b;

    if (n->op == RELATION_BASE)
        return base_square(x, n->number);
    if (n->op == RELATION_SET)
        return set_square(x, t, n->a);
    if (n->op == RELATION_LET)
        return square_copy(&x->all, x->lets[n->number]);
    a = processor_evaluate(x, t, n->a);
    if (n->op == RELATION_PLUS || n->op == RELATION_STAR) {
        square_close(&x->all, a);
        return n->op == RELATION_STAR ? with_identity(x, a) : a;
    }
    b = processor_evaluate(x, t, n->b);
    if (n->op == RELATION_THEN)
        return square_compose(&x->all, a, b);
    CHECK(n->op == RELATION_UNION || n->op == RELATION_BOTH ||
          n->op == RELATION_WITHOUT);
    for (size_t i = 0; i < x->all.count * x->all.words; i++)
        a.bits[i] = n->op == RELATION_UNION  ? a.bits[i] | b.bits[i]
                    : n->op == RELATION_BOTH ? a.bits[i] & b.bits[i]
                                             : a.bits[i] & ~b.bits[i];
    return a;
}

/* What no dependency is part of; so none of them speaks of ppo itself. */
static void fill_ppo(struct run *x)
{
    for (size_t i = 0; x->m->axioms->ppo[i]; i++) {
        struct relation_tree t;
        size_t at;

        CHECK(relation_read(x->m->axioms->ppo[i], NULL, &t, &at));
        if (!term_has_dependency(&t))
            square_join(&x->all, x->ppo,
                        processor_evaluate(x, &t, (unsigned)t.count - 1));
    }
}

/* ---- Axioms ---- */

static bool is_coherent(struct run *x)
{
    struct square s = base_square(x, BASE_PO_LOC);

    square_join(&x->all, s, x->rf);
    square_join(&x->all, s, x->co);
    square_join(&x->all, s, x->fr);
    return !square_has_cycle(&x->all, s);
}

static bool is_atomic(struct run *x)
{
    struct square cut = square_compose(&x->all, x->fr, x->co);

    for (size_t i = 0; i < x->all.count; i++) {
        int mate = x->nodes[i].mate;

        if (mate > (int)i && square_has(&x->all, cut, i, (size_t)mate))
            return false;
    }
    return true;
}

/* All before a creation is before the new thread; all of a thread before what
 * follows its join. */
void processor_add_threads(const struct run *x, struct square s)
{
    for (size_t k = 0; k < x->all.count; k++) {
        const struct event *e = &x->t->events[x->nodes[k].event];

        for (size_t i = 0; i < x->all.count; i++) {
            if (e->kind == EV_CREATE && x->nodes[i].thread == e->value)
                square_put(&x->all, s, k, i);
            if (e->kind == EV_CREATE && square_has(&x->all, x->po, i, k))
                square_put(&x->all, s, i, k);
            if (e->kind == EV_JOIN && x->nodes[i].thread == e->value)
                square_put(&x->all, s, i, k);
            if (e->kind == EV_JOIN && square_has(&x->all, x->po, k, i))
                square_put(&x->all, s, k, i);
        }
    }
}

static void add_external(const struct run *x, struct square to,
                         struct square from)
{
    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            if (x->nodes[i].thread != x->nodes[j].thread &&
                square_has(&x->all, from, i, j))
                square_put(&x->all, to, i, j);
        }
    }
}

/* What comes before one part comes before all. */
static void lift(const struct run *x, struct square s, bool only_writes)
{
    for (size_t j = 0; j < x->all.count; j++) {
        for (size_t k = 0; k < x->all.count; k++) {
            if (j == k || !same_half(x, j, k) ||
                (only_writes && !(x->nodes[j].marks & MARK_W)))
                continue;
            for (size_t i = 0; i < x->all.count; i++) {
                if (square_has(&x->all, s, i, j) && !same_half(x, i, j))
                    square_put(&x->all, s, i, k);
            }
        }
    }
}

static bool is_one_node(const struct run *x, size_t i, size_t j)
{
    const struct model_axioms *a = x->m->axioms;

    if (same_half(x, i, j))
        return i == j || a->parts == PARTS_ONE_NODE;
    return a->merge && same_access(x, i, j) && !x->nodes[i].pair &&
           !x->nodes[j].pair;
}

/* Events that are one node share their edges. */
static void merge(const struct run *x, struct square s)
{
    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            if (i == j || !is_one_node(x, i, j))
                continue;
            for (size_t k = 0; k < x->all.count; k++) {
                if (square_has(&x->all, s, i, k))
                    square_put(&x->all, s, j, k);
                if (square_has(&x->all, s, k, i))
                    square_put(&x->all, s, k, j);
            }
        }
    }
    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            if (is_one_node(x, i, j))
                square_row(&x->all, s, i)[j / 64] &= ~(1ull << j % 64);
        }
    }
}

static bool has_order(struct run *x)
{
    struct square s = square_new(&x->all);

    add_external(x, s, x->rf);
    add_external(x, s, x->co);
    add_external(x, s, x->fr);
    lift(x, s, false);
    square_join(&x->all, s, x->ppo);
    lift(x, s, true);
    processor_add_threads(x, s);
    if (x->m->axioms->merge)
        merge(x, s);
    return !square_has_cycle(&x->all, s);
}

/* ---- The door ---- */

static bool open_run(struct run *x, struct err *e)
{
    const struct trace *t = x->t;

    if (t->event_count > NODES_MAX)
        return err_set(e, "it is too long");
    x->nodes =
        arena_array(&x->all.arena, 4 * t->event_count + 1, sizeof(*x->nodes));
    x->read_of = arena_array(&x->all.arena, t->event_count + 1, sizeof(int));
    x->write_of = arena_array(&x->all.arena, t->event_count + 1, sizeof(int));
    for (size_t i = 0; i < t->event_count; i++)
        add_event(x, i);
    if (x->all.count > NODES_MAX)
        return err_set(e, "it is too long");
    squares_begin(&x->all);
    x->po = square_new(&x->all);
    x->rf = square_new(&x->all);
    x->co = square_new(&x->all);
    x->fr = square_new(&x->all);
    x->ppo = square_new(&x->all);
    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            if (is_po(x, i, j))
                square_put(&x->all, x->po, i, j);
        }
    }
    if (!fill_rf(x, e) || !fill_co_and_fr(x, e))
        return false;
    if (processor_has_lets(x))
        processor_fill_lets(x);
    else
        fill_ppo(x);
    return true;
}

static bool holds_on(struct run *x, struct err *e)
{
    if (!open_run(x, e))
        return false;
    if (!is_coherent(x))
        return err_set(e, "it is not coherent");
    if (!is_atomic(x))
        return err_set(e, "an RMW is not atomic");
    if (processor_has_lets(x))
        return processor_keeps_axioms(x, e);
    if (!has_order(x))
        return err_set(e, "its events have no order");
    return true;
}

bool processor_holds(const struct model *m, const struct trace *t,
                     struct err *e)
{
    for (int i = 0; i < MODEL_MAPPINGS_MAX && m->axioms->mappings[i]; i++) {
        struct run x = {.t = t,
                        .m = m,
                        .mapping = m->axioms->mappings[i],
                        .all.arena = ARENA_INIT};
        bool ok = holds_on(&x, e);

        arena_free(&x.all.arena);
        if (ok)
            return true;
    }
    return false;
}

static int last_node(const struct run *x, uint32_t event)
{
    return x->write_of[event] >= 0 ? x->write_of[event] : x->read_of[event];
}

static int first_node(const struct run *x, uint32_t event)
{
    return x->read_of[event] >= 0 ? x->read_of[event] : x->write_of[event];
}

/* Of an RMW one half may be in order, and the other not: then it is not. */
static bool is_kept(const struct run *x, uint32_t a, uint32_t b)
{
    int first = last_node(x, a), then = first_node(x, b);

    return x->t->events[a].thread != x->t->events[b].thread || first < 0 ||
           then < 0 || square_has(&x->all, x->ppo, (size_t)first, (size_t)then);
}

void processor_reordered(const struct model *m, const struct trace *t,
                         struct shown_cycle *c)
{
    struct run x = {.t = t,
                    .m = m,
                    .mapping = m->axioms->mappings[0],
                    .all.arena = ARENA_INIT};
    struct err e;

    c->reordered = 0;
    if (open_run(&x, &e)) {
        square_close(&x.all, x.ppo);
        for (uint32_t i = 0; i < c->length; i++) {
            if (c->pairs[i] == GOAL_FIRST &&
                !is_kept(&x, c->events[i], c->events[(i + 1) % c->length]))
                c->reordered |= 1u << i;
        }
    }
    arena_free(&x.all.arena);
}
