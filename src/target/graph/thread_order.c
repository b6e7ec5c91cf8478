/* SPDX-License-Identifier: MIT
 *
 * The paths of threads, and what comes before what on them: thread_order.h.
 */
#include "graph/thread_order_inside.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"

/* ---- What C becomes ---- */

static enum model_mapped mapped_rmw(enum model_mapped relaxed,
                                    enum event_order order)
{
    static const uint8_t step[] = {[ORDER_ACQUIRE] = 1,
                                   [ORDER_RELEASE] = 2,
                                   [ORDER_ACQ_REL] = 3,
                                   [ORDER_SEQ_CST] = 4};

    return relaxed + (order > ORDER_RELAXED ? step[order] : 0);
}

/* A lock is an RMW that acquires, an unlock a store that releases. */
static enum model_mapped mapped_sync(const struct effect *effect)
{
    switch (effect->construct) {
    case C_LOCK:
    case C_WAIT:
        return effect->writes ? MAPPED_RMW_ACQUIRE : MAPPED_LOAD_ACQUIRE;
    case C_UNLOCK:
        return MAPPED_STORE_RELEASE;
    case C_POST:
        return effect->store_like ? MAPPED_STORE_RELEASE : MAPPED_RMW_RELEASE;
    case C_LOCK_FAIL:
        return MAPPED_LOAD;
    default:
        return effect->writes ? mapped_rmw(MAPPED_RMW_RELAXED, effect->order)
               : order_acquires(effect->order) ? MAPPED_LOAD_ACQUIRE
                                               : MAPPED_LOAD;
    }
}

static enum model_mapped mapped_of(const struct op *op,
                                   const struct effect *effect)
{
    switch (op->kind) {
    case OP_LOAD:
        return op->order == ORDER_SEQ_CST  ? MAPPED_LOAD_SEQ_CST
               : order_acquires(op->order) ? MAPPED_LOAD_ACQUIRE
                                           : MAPPED_LOAD;
    case OP_RMW:
        return mapped_rmw(MAPPED_RMW_RELAXED, op->order);
    case OP_CAS: /* one instruction, or one loop, for both ways it may end */
        return mapped_rmw(MAPPED_CAS_RELAXED,
                          order_join(op->order, op->failure_order));
    case OP_SYNC:
        return mapped_sync(effect);
    default:
        return op->order == ORDER_SEQ_CST  ? MAPPED_STORE_SEQ_CST
               : order_releases(op->order) ? MAPPED_STORE_RELEASE
                                           : MAPPED_STORE;
    }
}

static uint32_t marks_of_bits(unsigned bits)
{
    return (bits & FENCE_SS ? MARK_WW : 0u) | (bits & FENCE_SL ? MARK_WR : 0u) |
           (bits & FENCE_LL ? MARK_RR : 0u) | (bits & FENCE_LS ? MARK_RW : 0u) |
           (bits & FENCE_FULL ? MARK_FULL : 0u);
}

/* Of an access on a model with recipes. */
static struct model_instruction by_recipe(const struct thread_orders *o,
                                          const struct op *op,
                                          const struct effect *effect)
{
    enum model_construct c =
        op->kind == OP_LOAD    ? model_construct_of(EV_LOAD, op->order)
        : op->kind == OP_STORE ? model_construct_of(EV_STORE, op->order)
                               : effect->construct;
    const struct model_recipe *r = &o->model->recipe[c];

    return (struct model_instruction){.before = marks_of_bits(r->before),
                                      .after = marks_of_bits(r->after)};
}

/* fencer_fence_ss and the like have their own rows. */
static uint32_t marks_of_fence(const struct thread_orders *o,
                               const struct op *op)
{
    static const uint8_t rows[] = {MAPPED_FENCE_SS, MAPPED_FENCE_SL,
                                   MAPPED_FENCE_LL, MAPPED_FENCE_LS,
                                   MAPPED_FENCE_FULL};
    uint32_t marks = 0;

    if (!o->mapping)
        return marks_of_bits(op->fence);
    for (unsigned i = 0; i < sizeof rows; i++) {
        if (op->fence >> i & 1)
            marks |= o->mapping->rows[rows[i]].before;
    }
    if (!op->fence && op->order > ORDER_RELAXED)
        marks =
            o->mapping->rows[mapped_rmw(MAPPED_FENCE_ACQUIRE - 1, op->order)]
                .before;
    return marks;
}

/* ---- Paths ---- */

static bool op_is_access(const struct op *op)
{
    return op->kind <= OP_SYNC;
}

static struct effect effect_at(struct thread_orders *o, behaviour_node node,
                               uint64_t value)
{
    const struct op *op = behaviour_op(o->b, node);

    if (op->kind == OP_STORE || op->kind == OP_FREE)
        return (struct effect){.writes = 1};
    return op->kind == OP_RMW || op->kind == OP_CAS || op->kind == OP_SYNC
               ? behaviour_effect(o->b, node, value)
               : (struct effect){.writes = 0};
}

/* The step and its events, with all that it comes after. */
static void open_path(struct thread_orders *o, struct path *p, uint32_t step)
{
    p->count = step ? o->steps[step].path_events : 0;
    p->places = step ? o->steps[step].place + 1u : 0;
    p->branches = step ? o->steps[step].branches : (struct path_set){{0}};
    p->held = step ? o->steps[step].held : 0;
    p->alone = step ? o->steps[step].alone : o->starts_alone;
    for (; step; step = o->steps[step].parent) {
        const struct kept_step *s = &o->steps[step];

        for (unsigned i = s->first; i < s->path_events; i++)
            p->events[i] = &o->events[s->at + i - s->first];
        if (s->place < DEPENDS_PLACES)
            p->place_steps[s->place] = step;
    }
}

static struct path_event *add_event(struct thread_orders *o, struct path *p,
                                    uint32_t marks, int location, int number)
{
    struct path_event *e;

    if (p->count == PATH_EVENTS_MAX || o->event_count == PATH_POOL_MAX) {
        o->full = true;
        return NULL;
    }
    e = p->events[p->count++] = &o->events[o->event_count++];
    *e = (struct path_event){.marks = marks,
                             .location = (int16_t)location,
                             .number = (int16_t)number,
                             .held = p->held,
                             .node = (uint16_t)(p->count - 1),
                             .nodes = 1,
                             .mate = -1};
    return e;
}

static void add_fence(struct thread_orders *o, struct path *p, uint32_t marks)
{
    if (marks && add_event(o, p, MARK_F | marks, -1, -1))
        order_event(o, p, p->count - 1);
}

/* ---- Dependencies ---- */

/* The result of a CAS that succeeds in one instruction only selects. */
static bool only_selects(const struct thread_orders *o,
                         const struct kept_step *s)
{
    return o->has_picks && s->swaps && !s->pair;
}

static void take_sources(const struct thread_orders *o, const struct path *p,
                         const struct depends *d, int kind,
                         struct path_event *to)
{
    const struct depends_set *from = &d->sets[kind];

    for (unsigned place = 0; place < p->places && place < DEPENDS_PLACES;
         place++) {
        const struct kept_step *s = &o->steps[p->place_steps[place]];
        int k = kind;

        if (!depends_has(from, place) || s->read < 0)
            continue;
        if (only_selects(o, s) && k < DEPENDS_PICK_ADDR)
            k += DEPENDS_PICK_ADDR;
        path_add_some(&to->depends[k], (unsigned)s->read, s->reads);
    }
}

static void take_depends(const struct thread_orders *o, const struct path *p,
                         const struct op *op, bool stores,
                         struct path_event *to)
{
    const struct depends *d = depends_get(&o->b->depends, op->depends);

    for (int kind = 0; op->depends && kind < DEPENDS_KINDS; kind++) {
        if (stores || (kind != DEPENDS_DATA && kind != DEPENDS_PICK_DATA))
            take_sources(o, p, d, kind, to);
    }
    path_unite(&to->depends[DEPENDS_CTRL], &p->branches);
}

/* ---- One operation ---- */

/* What an operation becomes. */
struct compiled {
    const struct op *op;
    const struct effect *effect;
    struct model_instruction row;
    bool is_rmw, pair;
};

/* One instruction and a loop of exclusives differ where it branches, and where
 * one that acquires and releases keeps what follows. */
static bool is_mapped_differently(const struct compiled *c)
{
    return c->op->kind == OP_CAS ||
           (c->is_rmw && c->row.read & MARK_A && c->row.write & MARK_L);
}

static struct compiled compile(struct thread_orders *o, const struct op *op,
                               const struct effect *effect)
{
    struct compiled c = {.op = op, .effect = effect};

    c.is_rmw = op->kind == OP_RMW || op->kind == OP_CAS ||
               (op->kind == OP_SYNC && !effect->store_like);
    if (!o->mapping) {
        c.row = by_recipe(o, op, effect);
        return c;
    }
    c.row = o->mapping->rows[mapped_of(op, effect)];
    c.pair = op->kind == OP_CAS ? o->mapping->cas_pairs : o->mapping->rmw_pairs;
    o->differ = o->differ || is_mapped_differently(&c);
    return c;
}

static uint32_t marks_of_half(const struct compiled *c)
{
    uint32_t atomic = order_is_atomic(c->op->order) ? MARK_ATOMIC : 0u;

    if (!c->is_rmw)
        return atomic;
    return atomic | MARK_RMW | (c->pair ? MARK_X : MARK_AMO);
}

static void add_read(struct thread_orders *o, struct path *p,
                     const struct compiled *c, struct kept_step *s)
{
    /* What is a store to its thread loads nothing that counts. */
    uint32_t marks = c->op->kind == OP_SYNC && c->effect->store_like
                         ? 0u
                         : MARK_R | marks_of_half(c) | c->row.read;
    unsigned first = p->count, parts = op_parts(c->op);

    for (unsigned i = 0; i < parts; i++) {
        struct path_event *e = add_event(o, p, marks, c->op->location + (int)i,
                                         s->step.events + (int)i);

        if (!e)
            return;
        e->part = (uint8_t)i;
        take_depends(o, p, c->op, false, e);
        order_event(o, p, p->count - 1);
    }
    s->read = (int16_t)first;
    s->reads = (uint8_t)parts;
    s->step.has_read = true;
    if (parts > 1 && o->parts == PARTS_ONE_NODE)
        merge_events(p, first);
}

static void tie_halves(const struct thread_orders *o, struct path *p,
                       const struct compiled *c, struct kept_step *s)
{
    struct path_event *w = p->events[p->count - 1];

    w->mate = s->read;
    w->mates = s->reads;
    w->pair = c->pair;
    if (p->events[s->read]->marks & MARK_A && w->marks & MARK_L && !c->pair)
        w->marks |= MARK_AL;
    if (c->op->kind == OP_SYNC ||
        (c->op->kind == OP_RMW && c->op->rmw != RMW_XCHG))
        path_add_some(&w->depends[DEPENDS_DATA], (unsigned)s->read, s->reads);
    if (c->op->kind == OP_CAS && o->has_picks)
        path_add_some(&w->depends[DEPENDS_PICK_DATA], (unsigned)s->read,
                      s->reads);
    s->step.one_node = o->merges && !c->pair;
}

static void add_write(struct thread_orders *o, struct path *p,
                      const struct compiled *c, struct kept_step *s)
{
    int number = s->step.events + s->reads;
    bool frees = c->op->kind == OP_FREE;
    unsigned first = p->count, parts = op_parts(c->op);

    for (unsigned i = 0; i < parts; i++) {
        struct path_event *e =
            add_event(o, p, MARK_W | marks_of_half(c) | c->row.write,
                      frees ? -1 : c->op->location + (int)i, number + (int)i);

        if (!e)
            return;
        e->part = (uint8_t)i;
        take_depends(o, p, c->op, true, e);
        if (s->step.has_read)
            tie_halves(o, p, c, s);
        order_event(o, p, p->count - 1);
    }
    s->write = (int16_t)first;
    s->writes = (uint8_t)parts;
    s->step.has_write = true;
    if (s->step.one_node)
        merge_events(p, (unsigned)s->read);
    else if (parts > 1 && o->parts == PARTS_ONE_NODE)
        merge_events(p, first);
    else if (parts > 1)
        share_order(p, first);
}

/* An isync waits for the branches before it, also for that on what was just
 * read. */
static void add_last_fence(struct thread_orders *o, struct path *p,
                           const struct compiled *c, struct kept_step *s)
{
    struct path_set *ctrl;

    add_fence(o, p, c->row.after);
    if (!(c->row.after & MARK_ISB) || s->read < 0 || o->full)
        return;
    ctrl = &p->events[p->count - 1]->depends[DEPENDS_CTRL];
    *ctrl = p->events[s->read]->depends[DEPENDS_CTRL];
    if (c->row.branch)
        path_add_some(ctrl, (unsigned)s->read, s->reads);
}

/* A loop of exclusives branches on a comparison: on what was read, and on what
 * that is compared with. */
static void branch_on(const struct thread_orders *o, const struct path *p,
                      const struct compiled *c, struct kept_step *s)
{
    const struct depends *d = depends_get(&o->b->depends, c->op->depends);

    path_add_some(&s->branches, (unsigned)s->read, s->reads);
    for (unsigned place = 0;
         c->op->kind == OP_CAS && place < p->places && place < DEPENDS_PLACES;
         place++) {
        const struct kept_step *from = &o->steps[p->place_steps[place]];

        if (depends_has(&d->compared, place) && from->read >= 0)
            path_add_some(&s->branches, (unsigned)from->read, from->reads);
    }
}

static void add_access(struct thread_orders *o, struct path *p,
                       const struct compiled *c, struct kept_step *s)
{
    add_fence(o, p, c->row.before);
    if (c->op->kind != OP_STORE && c->op->kind != OP_FREE)
        add_read(o, p, c, s);
    if (c->effect->writes)
        add_write(o, p, c, s);
    add_last_fence(o, p, c, s);
    if (c->row.branch && s->read >= 0)
        branch_on(o, p, c, s);
    if (c->row.branch && s->write >= 0 && o->mapping->status_branch)
        path_add_some(&s->branches, (unsigned)s->write, s->writes);
    s->pair = c->pair;
    s->swaps = c->op->kind == OP_CAS && c->effect->writes;
}

/* A fence of the program.  One that waits for branches is behind those that its
 * thread has made. */
static void add_own_fence(struct thread_orders *o, struct path *p,
                          const struct op *op)
{
    uint32_t marks = marks_of_fence(o, op);
    struct path_event *e =
        marks ? add_event(o, p, MARK_F | marks, -1, -1) : NULL;

    if (!e)
        return;
    if (marks & MARK_ISB)
        take_depends(o, p, op, false, e);
    order_event(o, p, p->count - 1);
}

/* In numbers of the graph's events. */
static void number_set(const struct path *p, const struct path_set *set,
                       struct path_set *to)
{
    unsigned i;

    PATH_EACH(i, *set, p->count)
    {
        if (p->events[i]->marks & (MARK_R | MARK_W))
            path_add(to, (unsigned)p->events[i]->number);
    }
}

static void number_before(const struct path *p, int event, struct path_set *to)
{
    if (event >= 0)
        number_set(p, &p->events[event]->closed, to);
}

static bool is_torn(const struct path *p, const struct kept_step *s)
{
    for (int i = 1; i < s->reads; i++) {
        if (memcmp(&p->events[s->read]->closed, &p->events[s->read + i]->closed,
                   sizeof(struct path_set)) != 0)
            return true;
    }
    return false;
}

/* Each part by itself, and what they have in common. */
static void number_parts(struct thread_orders *o, const struct path *p,
                         struct kept_step *s)
{
    struct path_set *common = &s->step.before_read;

    if (!is_torn(p, s))
        return;
    if (o->torn_count + s->reads > TORN_MAX) {
        o->full = true;
        return;
    }
    s->step.torn = o->torn_count;
    for (int i = 0; i < s->reads; i++) {
        struct path_set *one = &o->torn[o->torn_count++];

        *one = (struct path_set){{0}};
        number_before(p, s->read + i, one);
        for (unsigned k = 0; k < PATH_EVENTS_MAX / 64; k++)
            common->word[k] &= one->word[k];
    }
}

static void number_seeds(const struct thread_orders *o, const struct path *p,
                         int event, struct path_set to[SEED_COUNT])
{
    struct path_set seeds[SEED_COUNT];

    find_seeds(o, p, event, seeds);
    for (int i = 0; event >= 0 && i < SEED_COUNT; i++)
        number_set(p, &seeds[i], &to[i]);
}

static void fill_seeds(struct thread_orders *o, uint32_t step)
{
    const struct kept_step *s = &o->steps[step];
    struct thread_seeds *to = &o->seeds[step];

    *to = (struct thread_seeds){.events = s->step.events};
    number_seeds(o, &o->path, s->read, to->before_read);
    number_seeds(o, &o->path, s->write, to->before_write);
}

/* ---- Steps ---- */

static uint32_t step_of(struct thread_orders *o, behaviour_node node,
                        const struct effect *effect);

/* The step that led to the node; 0: it is a root. */
static uint32_t step_before(struct thread_orders *o, behaviour_node node)
{
    behaviour_node parent = behaviour_parent(o->b, node);
    struct effect effect;

    if (!parent.ix)
        return 0;
    effect = effect_at(o, parent, o->b->entries[node.ix].value);
    return step_of(o, parent, &effect);
}

/* How many events of the graph it is. */
static unsigned events_of(const struct op *op, const struct kept_step *s)
{
    if (op->kind >= OP_END || op->kind == OP_PUT)
        return 0;
    return op_is_access(op) ? (unsigned)s->reads + s->writes : 1u;
}

static void intersect(struct path_set *to, const struct path_set *from)
{
    for (unsigned k = 0; k < PATH_EVENTS_MAX / 64; k++)
        to->word[k] &= from->word[k];
}

/* Of its events, only what the other mapping keeps, too.  Either's order is
 * closed, so this is; and what is an order with either is one with this. */
static void weaken_events(struct thread_orders *o, const struct kept_step *s,
                          behaviour_node node, const struct effect *effect)
{
    const struct kept_step *other =
        &o->also->steps[step_of(o->also, node, effect)];

    MUST(!s->step.one_node && !other->step.one_node);
    if (other->first != s->first || other->path_events != o->path.count) {
        o->full = true; /* their events are others */
        return;
    }
    for (unsigned i = s->first; i < o->path.count; i++) {
        const struct path_event *from =
            &o->also->events[other->at + i - s->first];

        intersect(&o->path.events[i]->closed, &from->closed);
        intersect(&o->path.events[i]->guarded, &from->guarded);
    }
}

static void fill_step(struct thread_orders *o, struct kept_step *s,
                      behaviour_node node, const struct effect *effect)
{
    const struct op *op = behaviour_op(o->b, node);
    struct path *p = &o->path;
    unsigned before = s->parent ? o->steps[s->parent].events_after : 0;

    open_path(o, p, s->parent);
    s->first = (uint16_t)p->count;
    s->place = (uint16_t)(p->places < UINT16_MAX ? p->places : UINT16_MAX);
    s->at = o->event_count;
    s->branches = p->branches;
    s->step.events = (uint16_t)before;
    if (op_is_access(op) || op->kind == OP_FREE) {
        struct compiled c = compile(o, op, effect);

        add_access(o, p, &c, s);
    } else if (op->kind == OP_FENCE) {
        add_own_fence(o, p, op);
    }
    if (o->also)
        weaken_events(o, s, node, effect);
    s->alone = p->alone && op->kind != OP_CREATE;
    s->held = thread_orders_hold(o, op, effect, p->held);
    s->path_events = (uint16_t)p->count;
    s->events_after = (uint16_t)(before + events_of(op, s));
    number_before(p, s->read, &s->step.before_read);
    number_before(p, s->write, &s->step.before_write);
    if (s->write >= 0)
        number_set(p, &p->events[s->write]->guarded, &s->guards);
    number_parts(o, p, s);
}

static uint32_t step_of(struct thread_orders *o, behaviour_node node,
                        const struct effect *effect)
{
    const struct op *op = behaviour_op(o->b, node);
    uint32_t n = thread_orders_find(o, node, effect);
    bool is_new;

    if (n)
        return n;
    n = thread_orders_add(o, node, effect, step_before(o, node), &is_new);
    if (is_new) {
        fill_step(o, &o->steps[n], node, effect);
        if (o->by_lets)
            fill_seeds(o, n);
        thread_orders_note(o, &o->path, n, op);
    }
    return n;
}

const struct thread_step *thread_order_of(struct thread_orders *o,
                                          behaviour_node node,
                                          const struct effect *effect)
{
    return &o->steps[step_of(o, node, effect)].step;
}

const struct path_set *thread_order_part(const struct thread_orders *o,
                                         const struct thread_step *s, int part)
{
    return &o->torn[s->torn + (uint32_t)part];
}

const struct thread_seeds *thread_seeds_of(struct thread_orders *o,
                                           behaviour_node node,
                                           const struct effect *effect)
{
    return &o->seeds[step_of(o, node, effect)];
}

void thread_order_until(struct thread_orders *o, behaviour_node node)
{
    step_before(o, node);
}

const struct path_set *thread_orders_guards(struct thread_orders *o,
                                            behaviour_node node,
                                            const struct effect *effect)
{
    return &o->steps[step_of(o, node, effect)].guards;
}

/* A store that comes next, of which nothing is known. */
static bool shields(struct thread_orders *o, uint32_t step)
{
    int read = o->steps[step].read;
    struct path *p = &o->path;
    const struct path_event *store;

    open_path(o, p, step);
    if (read < 0 || !add_event(o, p, MARK_W, -1, -1))
        return false;
    store = p->events[p->count - 1];
    o->event_count--; /* it is on no path */
    p->events[p->count - 1]->depends[DEPENDS_CTRL] = p->branches;
    order_event(o, p, p->count - 1);
    return path_has(&store->guarded, (unsigned)read);
}

bool thread_orders_shields(struct thread_orders *o, behaviour_node node,
                           const struct effect *effect)
{
    uint32_t n = step_of(o, node, effect);

    if (!o->steps[n].shields)
        o->steps[n].shields = shields(o, n) ? 1 : -1;
    return o->steps[n].shields > 0;
}

/* ---- The door ---- */

struct thread_orders *thread_orders_new(void)
{
    struct thread_orders *o =
        mmap(NULL, sizeof *o, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MUST(o != MAP_FAILED);
    thread_orders_forget_steps(o);
    return o;
}

void thread_orders_free(struct thread_orders *o)
{
    if (o->spare)
        thread_orders_free(o->spare);
    munmap(o, sizeof *o);
}

static void begin_with(struct thread_orders *o, struct behaviour *b,
                       const struct model *m, unsigned mapping,
                       unsigned started)
{
    o->also = NULL;
    thread_orders_forget_steps(o);
    o->event_count = 0;
    o->full = o->differ = false;
    o->starts_alone = started == 1;
    o->b = b;
    o->model = m;
    o->mapping = m->axioms->mappings[mapping];
    o->merges = m->axioms->merge;
    o->parts = m->axioms->parts;
    o->torn_count = 1; /* 0 is none */
    o->notes_values = false;
    thread_orders_read(o, m->axioms);
    thread_orders_forget(o);
}

void thread_orders_begin(struct thread_orders *o, struct behaviour *b,
                         const struct model *m, unsigned started)
{
    begin_with(o, b, m, 0, started);
    if (!m->axioms->weakest || !m->axioms->mappings[1])
        return;
    if (!o->spare)
        o->spare = thread_orders_new();
    o->also = o->spare;
    begin_with(o->also, b, m, 1, started);
}

struct behaviour *thread_orders_trie(struct thread_orders *o)
{
    return o->b;
}

bool thread_orders_differ(const struct thread_orders *o)
{
    return o->differ;
}

bool thread_orders_is_full(const struct thread_orders *o)
{
    return o->full || (o->also && o->also->full) || o->b->depends.full;
}
