/* SPDX-License-Identifier: MIT
 *
 * Walks a procedure's blocks in their order, which is topological but for the
 * edges back to loop headers.  At each block the ways that lead there arrive,
 * each with its guard, its private memory and the operands of the block's
 * PHIs, and are merged, two at a time: first the two whose guards have most in
 * common, so that branches that split last join first.
 *
 * A loop is walked round by round.  What a round passes to the code after
 * the loop (ways out, values) stays with the round; the edges back become the
 * ways in of the next one, unless they are cut (flat.h).  Rounds of which
 * constants decide that another follows are not counted.
 */
#include <inttypes.h>

#include "flat/flat_inside.h"

#define MAX_ROUNDS 10000
/* A guard of more literals than that is a loop without end, too. */
#define MAX_LITERALS 4000
#define MAX_CALLS 200
/* Up to so many ways into a block every pair is compared. */
#define FEW 12

/* One way into a block. */
struct arrival {
    struct arrival *next;
    struct flow flow;
    uint32_t *values; /* of the block's PHIs; of a return: its result */
    uint32_t count;
};

struct frame {
    const struct lsl_proc *proc;
    const struct shape *shape;
    uint32_t index; /* of the procedure */
    uint32_t *regs;
    struct arrival **in;   /* per block, newest first; last: returns */
    struct arrival **back; /* per loop */
    uint32_t *leaves;      /* per loop: guard of leaving it in this round */
};

/* ---- Arrivals ---- */

static void merge_two(struct walker *w, struct arrival *a,
                      const struct arrival *b)
{
    struct values *v = &w->u->values;
    uint32_t common = guard_common(v, a->flow.guard, b->flow.guard);
    uint32_t here = guard_beyond(v, common, a->flow.guard);
    uint32_t there = guard_beyond(v, common, b->flow.guard);

    if (a->flow.unit != b->flow.unit)
        flat_refuse(w, &a->flow, 0,
                    "fencer_atomic is entered or left on one way only");
    if (v->notes.list[there].depth < v->notes.list[here].depth)
        here = guard_not(v, there);
    for (uint32_t i = 0; i < a->count; i++)
        if (a->values[i])
            a->values[i] = values_ite(v, here, a->values[i], b->values[i]);
    a->flow.memory = private_merge(w, here, a->flow.memory, b->flow.memory);
    a->flow.guard = guard_or(v, a->flow.guard, b->flow.guard);
}

/* The most that this way's guard shares with another's, and which. */
static unsigned closest(const struct values *v, const struct arrival *a,
                        struct arrival ***which)
{
    unsigned most = 0;

    *which = NULL;
    for (struct arrival **p = (struct arrival **)&a->next; *p;
         p = &(*p)->next) {
        uint32_t common = guard_common(v, a->flow.guard, (*p)->flow.guard);

        if (!*which || v->notes.list[common].depth > most) {
            most = v->notes.list[common].depth;
            *which = p;
        }
    }
    return most;
}

/* Many ways come from rounds of loops, where the newest are the closest. */
static void merge_newest(struct walker *w, struct arrival *list)
{
    merge_two(w, list, list->next);
    list->next = list->next->next;
}

static void merge_closest(struct walker *w, struct arrival *list)
{
    struct arrival *best = list, **with = NULL, **which;
    unsigned most = 0;

    for (struct arrival *a = list; a->next; a = a->next) {
        unsigned common = closest(&w->u->values, a, &which);

        if (!with || common > most) {
            most = common;
            best = a;
            with = which;
        }
    }
    merge_two(w, best, *with);
    *with = (*with)->next;
}

/* All ways of the list as one, which is then empty; NULL if there is none. */
static struct arrival *take(struct walker *w, struct arrival **list)
{
    struct arrival *all = *list;
    unsigned count = 0;

    *list = NULL;
    for (const struct arrival *a = all; a; a = a->next)
        count++;
    for (; count > FEW; count--)
        merge_newest(w, all);
    for (; count > 1; count--)
        merge_closest(w, all);
    return all && all->flow.guard != FLAT_FALSE ? all : NULL;
}

static void arrive(struct walker *w, struct arrival **list,
                   const struct flow *f, uint32_t *values, uint32_t count)
{
    struct arrival *a = arena_alloc(&w->u->scratch, sizeof(*a));

    *a = (struct arrival){*list, *f, values, count};
    *list = a;
}

/* ---- Edges ---- */

static bool is_inside(const struct lsl_loop *l, uint32_t block)
{
    return l->header <= block && block <= l->last;
}

/* The loops that an edge leaves; LSL_NONE: all. */
static void note_leaving(struct walker *w, struct frame *f, uint32_t from,
                         uint32_t to, uint32_t guard)
{
    uint32_t loop = f->proc->blocks[from].loop;

    for (; loop != LSL_NONE && !is_inside(&f->proc->loops[loop], to);
         loop = f->proc->loops[loop].parent)
        f->leaves[loop] = guard_or(&w->u->values, f->leaves[loop], guard);
}

static uint32_t phi_operand(const struct frame *f, const struct lsl_inst *phi,
                            uint32_t from)
{
    for (uint32_t k = 0; k < phi->count; k++) {
        const struct lsl_edge *e = &f->proc->edges[phi->first + k];

        if (e->block == from)
            return f->regs[e->reg];
    }
    CHECK(!"an edge without an operand");
    return 0;
}

static void go(struct walker *w, struct frame *f, uint32_t from, uint32_t to,
               struct flow flow)
{
    uint32_t count = f->shape->phis[to];
    const struct lsl_inst *phis = &f->proc->insts[f->proc->blocks[to].first];
    uint32_t *values;

    if (flow.guard == FLAT_FALSE)
        return;
    note_leaving(w, f, from, to, flow.guard);
    values = arena_array(&w->u->scratch, count, sizeof(*values));
    for (uint32_t k = 0; k < count; k++)
        values[k] = guard_decide(&w->u->values, flow.guard,
                                 phi_operand(f, &phis[k], from));
    arrive(w, to > from ? &f->in[to] : &f->back[f->shape->loop_at[to]], &flow,
           values, count);
}

static void leave_procedure(struct walker *w, struct frame *f, uint32_t from,
                            struct flow flow)
{
    uint32_t reg = f->proc->blocks[from].result;
    uint32_t *value = arena_alloc(&w->u->scratch, sizeof(*value));

    note_leaving(w, f, from, LSL_NONE, flow.guard);
    if (reg != LSL_NONE)
        *value = guard_decide(&w->u->values, flow.guard, f->regs[reg]);
    arrive(w, &f->in[f->proc->block_count], &flow, value, 1);
}

static void end_block(struct walker *w, struct frame *f, uint32_t from,
                      struct flow flow)
{
    const struct lsl_block *b = &f->proc->blocks[from];
    struct values *v = &w->u->values;
    struct flow otherwise;
    uint32_t condition;

    if (b->then == LSL_NONE) {
        leave_procedure(w, f, from, flow);
        return;
    }
    if (b->cond == LSL_NONE) {
        go(w, f, from, b->then, flow);
        return;
    }
    condition = guard_decide(v, flow.guard, f->regs[b->cond]);
    if (!f->shape->chooses[from])
        flat_add_branch(w, flow.guard, condition);
    flat_need_defined(w, &flow, condition, b->site,
                      "an undefined value decides a branch");
    condition = guard_truth(v, condition);
    otherwise = flow;
    flow.guard = guard_and(v, flow.guard, condition);
    otherwise.guard = guard_and(v, otherwise.guard, guard_not(v, condition));
    go(w, f, from, b->then, flow);
    go(w, f, from, b->otherwise, otherwise);
}

/* ---- Blocks ---- */

static void walk_block(struct walker *w, struct frame *f, uint32_t block,
                       const struct arrival *in)
{
    const struct lsl_block *b = &f->proc->blocks[block];
    uint32_t phis = f->shape->phis[block];
    struct flow flow = in->flow;

    for (uint32_t k = 0; k < phis; k++)
        f->regs[f->proc->insts[b->first + k].dst] = in->values[k];
    for (uint32_t k = phis; k < b->count; k++) {
        flat_step(w, &flow, f->proc, &f->proc->insts[b->first + k], f->regs);
        if (flow.guard == FLAT_FALSE || w->u->refused)
            return;
    }
    end_block(w, f, block, flow);
}

static void walk_loop(struct walker *w, struct frame *f, uint32_t loop);

static void walk_blocks(struct walker *w, struct frame *f, uint32_t first,
                        uint32_t last)
{
    for (uint32_t b = first; b <= last && b < f->proc->block_count; b++) {
        uint32_t loop = f->shape->loop_at[b];
        struct arrival *in;

        if (loop != LSL_NONE) {
            walk_loop(w, f, loop);
            b = f->proc->loops[loop].last;
        } else if ((in = take(w, &f->in[b]))) {
            walk_block(w, f, b, in);
        }
    }
}

/* ---- Loops ---- */

/* A loop while it is walked. */
struct rounds {
    uint32_t loop;
    uint64_t key;
    uint32_t counted;  /* edges back that were not decided by constants */
    uint32_t entry;    /* guard */
    uint32_t **values; /* per round that can leave: of live-out registers */
    uint32_t *left;    /* likewise: its guard */
    uint32_t count;
    size_t values_room, left_room;
    /* Where this round began: the thread's events, all choices. */
    uint32_t event, choice;
};

static void keep_live_out(struct walker *w, struct frame *f, struct rounds *r)
{
    const struct live_out *out = &f->shape->live_out[r->loop];
    struct arena *a = &w->u->scratch;

    if (f->leaves[r->loop] == FLAT_FALSE || !out->count)
        return;
    r->values =
        flat_room(a, r->values, r->count, &r->values_room, sizeof(*r->values));
    r->left = flat_room(a, r->left, r->count, &r->left_room, sizeof(*r->left));
    r->left[r->count] = f->leaves[r->loop];
    r->values[r->count] = arena_array(a, out->count, sizeof(uint32_t));
    for (uint32_t k = 0; k < out->count; k++)
        r->values[r->count][k] = f->regs[out->regs[k]];
    r->count++;
}

/* After the loop a register has its value of the round that left. */
static void merge_live_out(struct walker *w, struct frame *f,
                           const struct rounds *r)
{
    const struct live_out *out = &f->shape->live_out[r->loop];
    struct values *v = &w->u->values;

    for (uint32_t k = 0; k < out->count; k++) {
        uint32_t value = 0;

        for (uint32_t i = r->count; i-- > 0;) {
            uint32_t here = r->values[i][k];
            uint32_t common = guard_common(v, r->entry, r->left[i]);

            if (value && here)
                value = values_ite(v, guard_beyond(v, common, r->left[i]), here,
                                   value);
            else if (here)
                value = here;
        }
        f->regs[out->regs[k]] = value;
    }
}

/* Guard: the loop carries the same into the next round as into this one. */
static uint32_t carries_same(struct walker *w, const struct arrival *in,
                             const struct arrival *back, uint32_t objects)
{
    struct values *v = &w->u->values;
    uint32_t same =
        private_same(w, in->flow.memory, back->flow.memory, objects);

    for (uint32_t k = 0; k < in->count && same != FLAT_FALSE; k++)
        same =
            guard_and(v, same, guard_same(v, in->values[k], back->values[k]));
    return same;
}

static uint32_t chose(struct walker *w, const struct rounds *r)
{
    const struct flat *out = &w->u->out;
    struct values *v = &w->u->values;
    uint32_t guard = FLAT_FALSE;

    for (uint32_t i = r->choice; i < out->choice_count; i++)
        if (out->choices[i].thread == w->thread &&
            v->list[out->choices[i].value].op == FLAT_CHOSEN)
            guard = guard_or(v, guard, out->choices[i].guard);
    return guard;
}

/* What the round that is cut off did. */
static void tell_round(struct walker *w, const struct rounds *r)
{
    struct flat_cut *c = &w->u->out.cuts[w->u->out.cut_count - 1];

    c->first = r->event;
    c->count = w->u->notes[w->thread].events - r->event;
    c->chose = chose(w, r);
}

/* Takes what is cut away from the edges back; false if nothing is left. */
static bool cut(struct walker *w, struct arrival *back, uint32_t guard,
                enum flat_cut_kind kind, const struct rounds *r, uint32_t site)
{
    struct values *v = &w->u->values;

    guard = guard_and(v, back->flow.guard, guard);
    if (guard == FLAT_FALSE)
        return true;
    flat_add_cut(w, guard, kind, r->key, site);
    tell_round(w, r);
    back->flow.guard = guard_and(v, back->flow.guard, guard_not(v, guard));
    return back->flow.guard != FLAT_FALSE;
}

/* Does another round follow?  `same`: guard, it carries the same again. */
static bool goes_on(struct walker *w, struct frame *f, struct rounds *r,
                    struct arrival *back, uint32_t same, uint32_t effect)
{
    uint32_t site = f->proc->loops[r->loop].site;
    bool decided = f->leaves[r->loop] == FLAT_FALSE;
    uint32_t idle =
        guard_and(&w->u->values, same, guard_not(&w->u->values, effect));

    if (w->once && !decided && !cut(w, back, same, CUT_ONCE, r, site))
        return false;
    if (!cut(w, back, idle, CUT_IDLE, r, site))
        return false;
    if (decided)
        return true;
    if (r->counted++ < flat_bounds_get(w->u->bounds, r->key))
        return true;
    return cut(w, back, FLAT_TRUE, CUT_BOUND, r, site);
}

/* The way into the next round, or NULL. */
static struct arrival *walk_round(struct walker *w, struct frame *f,
                                  struct rounds *r, struct arrival *in)
{
    const struct lsl_loop *l = &f->proc->loops[r->loop];
    uint32_t objects = w->u->out.object_count;
    struct round round = {w->round, FLAT_FALSE};
    struct arrival *back;

    w->round = &round;
    r->event = w->u->notes[w->thread].events;
    r->choice = w->u->out.choice_count;
    f->leaves[r->loop] = FLAT_FALSE;
    walk_block(w, f, l->header, in);
    walk_blocks(w, f, l->header + 1, l->last);
    w->round = round.outer;
    flat_effect(w, round.effect);
    keep_live_out(w, f, r);
    back = take(w, &f->back[r->loop]);
    if (!back || w->u->refused ||
        !goes_on(w, f, r, back, carries_same(w, in, back, objects),
                 round.effect))
        return NULL;
    return back;
}

static void walk_loop(struct walker *w, struct frame *f, uint32_t loop)
{
    struct rounds r = {.loop = loop};
    uint64_t path = w->path;
    struct arrival *in = take(w, &f->in[f->proc->loops[loop].header]);

    if (!in)
        return;
    r.key = flat_mix(flat_mix(path, f->index), loop);
    r.entry = in->flow.guard;
    for (uint64_t round = 0; in; round++) {
        if (round == MAX_ROUNDS ||
            w->u->values.notes.list[in->flow.guard].depth > MAX_LITERALS) {
            flat_refuse(w, &in->flow, f->proc->loops[loop].site,
                        "a loop of more than %" PRIu64 " rounds", round);
            break;
        }
        w->path = flat_mix(r.key, round);
        in = walk_round(w, f, &r, in);
    }
    w->path = path;
    merge_live_out(w, f, &r);
}

/* ---- Procedures ---- */

static void enter(struct walker *w, struct frame *f, uint32_t proc,
                  const uint32_t *args, uint32_t count)
{
    struct unroller *u = w->u;
    const struct lsl_proc *p = &u->program->procs[proc];
    struct arena *a = &u->scratch;

    if (!u->shapes[proc])
        u->shapes[proc] = shape_of(p, a);
    *f = (struct frame){p, u->shapes[proc], proc, NULL, NULL, NULL, NULL};
    f->regs = arena_array(a, p->reg_count, sizeof(*f->regs));
    f->in = arena_array(a, (size_t)p->block_count + 1, sizeof(*f->in));
    f->back = arena_array(a, p->loop_count, sizeof(*f->back));
    f->leaves = arena_array(a, p->loop_count, sizeof(*f->leaves));
    for (uint32_t k = 0; k < count; k++)
        f->regs[k] = args[k];
    for (uint32_t k = 0; k < p->constant_count; k++)
        f->regs[p->param_count + k] = flat_constant(w, p->constants[k]);
}

uint32_t walk_call(struct walker *w, struct flow *f, uint32_t proc,
                   const uint32_t *args, uint32_t count, uint32_t site)
{
    const struct lsl_proc *p = &w->u->program->procs[proc];
    struct frame frame;
    struct arrival *out;

    if (w->depth == MAX_CALLS) {
        flat_refuse(w, f, site, "calls of %s nest deeper than %d", p->name,
                    MAX_CALLS);
        return 0;
    }
    if (!p->defined || p->param_count != count) {
        flat_refuse(w, f, site,
                    p->defined ? "%s called with another number of arguments"
                               : "%s is not defined",
                    p->name);
        return 0;
    }
    w->depth++;
    enter(w, &frame, proc, args, count);
    arrive(w, &frame.in[0], f, NULL, 0);
    walk_blocks(w, &frame, 0, p->block_count - 1);
    w->depth--;
    out = take(w, &frame.in[p->block_count]);
    if (!out) {
        f->guard = FLAT_FALSE;
        return 0;
    }
    *f = out->flow;
    return out->values[0];
}
