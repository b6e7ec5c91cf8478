/* SPDX-License-Identifier: MIT
 *
 * Accesses to memory.  What only its thread can know is a value and no event
 * (private.c), and so is a constant; all else becomes a load, a store, or both
 * in one unit: RMWs, locks, semaphores.
 */
#include <errno.h>

#include "flat/flat_inside.h"

struct access {
    struct walker *w;
    struct flow *f;
    const struct lsl_inst *i;
    uint32_t address;
    uint32_t unit;       /* 0: alone */
    uint8_t flags;       /* enum flat_event_flag */
    uint32_t compare;    /* of a CAS's store */
    uint8_t part, parts; /* of an access of 16 bytes */
};

static struct access new_access(struct walker *w, struct flow *f,
                                const struct lsl_inst *i, uint32_t address,
                                bool both)
{
    struct access x = {w, f, i, address, f->unit, 0, 0, 0, 0};

    if (both && !x.unit && !(i->flags & LSL_PRIVATE))
        x.unit = ++w->u->out.unit_count;
    if (both || f->unit)
        x.flags |= FLAT_RMW;
    if (f->unit)
        x.flags |= FLAT_BLOCK;
    if (i->flags & LSL_GHOST)
        x.flags |= FLAT_GHOST;
    if (i->order >= ORDER_RELAXED)
        x.flags |= FLAT_ATOMIC;
    return x;
}

static unsigned bits_of(const struct access *x)
{
    return x->i->size * 8u;
}

static struct flat_event event_of(const struct access *x, enum flat_kind kind,
                                  enum model_construct construct)
{
    return (struct flat_event){
        .kind = (uint8_t)kind,
        .size = x->i->size,
        .construct = (uint8_t)(x->f->unit ? C_RMW_RELAXED : construct),
        .flags = x->flags,
        .order = x->i->order,
        .failure_order = x->i->fail_order,
        .unit = x->unit,
        .part = x->part,
        .parts = x->parts,
        .address = x->address,
        .site = x->i->site};
}

/* What a constant variable holds there, or 0 if that cannot be told. */
static uint32_t load_constant(const struct access *x)
{
    struct unroller *u = x->w->u;
    struct option options[MAX_OPTIONS];
    unsigned count;
    uint32_t value = 0;

    if (!values_options(&u->values, x->address, options, &count))
        return 0;
    for (unsigned k = 0; k < count; k++) {
        struct lsl_value at = options[k].constant;
        const struct flat_object *o =
            &u->out.objects[at.kind == LSL_POINTER ? at.base : 0];
        const struct lsl_object *global;
        uint32_t here;

        if (at.kind != LSL_POINTER || !o->global)
            return 0;
        global = &u->program->objects[o->global];
        if (!global->constant || x->i->size > o->size ||
            at.bits > o->size - x->i->size)
            return 0;
        here = values_constant(&u->values,
                               lsl_initial(global, at.bits, x->i->size));
        value = value ? values_ite(&u->values, options[k].guard, here, value)
                      : here;
    }
    return value;
}

static uint32_t load(const struct access *x, enum model_construct construct,
                     unsigned width)
{
    struct unroller *u = x->w->u;
    struct flat_event e = event_of(x, FLAT_LOAD, construct);
    uint32_t value;

    if (x->i->flags & LSL_PRIVATE)
        return private_load(x->w, x->f, x->i, x->address, width);
    if (!(x->flags & FLAT_RMW) && (value = load_constant(x)))
        return value;
    e.guard = x->f->guard;
    e.value =
        values_add(&u->values, &(struct flat_value){.op = FLAT_LOADED,
                                                    .width = (uint8_t)width,
                                                    .a = u->out.event_count,
                                                    .site = x->i->site});
    flat_add_event(x->w, e);
    return e.value;
}

/* `condition` on top of the guard, and it changes something if `changes`. */
static void store(const struct access *x, enum model_construct construct,
                  uint32_t condition, uint32_t value, uint32_t changes)
{
    struct values *v = &x->w->u->values;
    struct flat_event e = event_of(x, FLAT_STORE, construct);

    if (x->i->flags & LSL_PRIVATE) {
        private_store(x->w, x->f, x->i, x->address, condition, value);
        return;
    }
    e.guard = guard_and(v, x->f->guard, condition);
    e.value = guard_decide(v, e.guard, value);
    e.compare = x->compare;
    if (e.guard == FLAT_FALSE)
        return;
    flat_add_event(x->w, e);
    flat_effect(x->w, guard_and(v, e.guard, changes));
}

static uint32_t differ(const struct access *x, uint32_t old, uint32_t new)
{
    struct values *v = &x->w->u->values;

    return guard_not(v, guard_same(v, old, new));
}

/* ---- RMW ---- */

static uint32_t pure(const struct access *x, enum lsl_pure op, uint32_t a,
                     uint32_t b)
{
    bool compares = op >= PURE_EQ && op <= PURE_SLE;

    return values_pure(&x->w->u->values, op, compares ? 1 : bits_of(x),
                       bits_of(x), a, b);
}

/* a if a < b, else b. */
static uint32_t smaller(const struct access *x, enum lsl_pure less, uint32_t a,
                        uint32_t b, uint32_t then, uint32_t otherwise)
{
    struct values *v = &x->w->u->values;

    return values_ite(v, guard_truth(v, pure(x, less, a, b)), then, otherwise);
}

static uint32_t all_ones(const struct access *x)
{
    unsigned bits = bits_of(x);

    return values_integer(&x->w->u->values,
                          bits < 64 ? (1ull << bits) - 1 : UINT64_MAX);
}

/* What an RMW leaves; 0: not known here. */
static uint32_t combine(const struct access *x, uint32_t old, uint32_t with)
{
    struct values *v = &x->w->u->values;
    uint32_t zero = values_integer(v, 0), one = values_integer(v, 1);

    switch ((enum rmw_op)x->i->pure) {
    case RMW_XCHG:
        return with;
    case RMW_ADD:
        return pure(x, PURE_ADD, old, with);
    case RMW_SUB:
        return pure(x, PURE_SUB, old, with);
    case RMW_AND:
        return pure(x, PURE_AND, old, with);
    case RMW_NAND:
        return pure(x, PURE_XOR, pure(x, PURE_AND, old, with), all_ones(x));
    case RMW_OR:
        return pure(x, PURE_OR, old, with);
    case RMW_XOR:
        return pure(x, PURE_XOR, old, with);
    case RMW_MAX:
        return smaller(x, PURE_SLT, old, with, with, old);
    case RMW_MIN:
        return smaller(x, PURE_SLT, with, old, with, old);
    case RMW_UMAX:
        return smaller(x, PURE_ULT, old, with, with, old);
    case RMW_UMIN:
        return smaller(x, PURE_ULT, with, old, with, old);
    case RMW_UINC:
        return smaller(x, PURE_ULT, old, with, pure(x, PURE_ADD, old, one),
                       zero);
    case RMW_UDEC:
        return smaller(x, PURE_ULT, pure(x, PURE_SUB, old, one), with,
                       pure(x, PURE_SUB, old, one), with);
    default:
        return 0;
    }
}

static uint32_t step_rmw(struct walker *w, struct flow *f,
                         const struct lsl_inst *i, struct operands o)
{
    struct access x = new_access(w, f, i, o.a, true);
    enum model_construct c =
        model_construct_of(EV_RMW, (enum event_order)i->order);
    uint32_t old = load(&x, c, i->width ? i->width : bits_of(&x));
    uint32_t new = combine(&x, old, o.b);

    if (!new) {
        flat_refuse(w, f, i->site, "floating point is not supported");
        return old;
    }
    store(&x, c, FLAT_TRUE, new, differ(&x, old, new));
    return old;
}

static uint32_t step_cas(struct walker *w, struct flow *f,
                         const struct lsl_inst *i, struct operands o)
{
    struct access x = new_access(w, f, i, o.a, true);
    enum event_order order = (enum event_order)i->order;
    enum model_construct done = model_construct_of(EV_RMW, order);
    enum model_construct failed =
        order == ORDER_SEQ_CST
            ? C_RMW_SEQ_CST
            : model_construct_of(EV_CAS_FAIL, (enum event_order)i->fail_order);
    uint32_t old, equal, swapped;

    x.flags |= FLAT_CAS;
    old = load(&x, failed, i->width ? i->width : bits_of(&x));
    equal = pure(&x, PURE_EQ, old, o.b);
    x.compare = o.b;
    flat_need_defined(w, f, equal, i->site, "an undefined value is compared");
    swapped = guard_truth(&w->u->values, equal);
    store(&x, done, swapped, o.c, differ(&x, old, o.c));
    return old;
}

/* ---- Locks and semaphores ---- */

/* Only executions in which it holds go on from here. */
static void wait_for(const struct access *x, uint32_t condition)
{
    struct unroller *u = x->w->u;
    struct flat *out = &u->out;

    if (condition == FLAT_TRUE)
        return;
    out->assumes = flat_room(u->arena, out->assumes, out->assume_count,
                             &u->assume_room, sizeof(*out->assumes));
    out->assumes[out->assume_count++] = (struct flat_assume){
        .guard = x->f->guard,
        .condition = condition,
        .kind = ASSUME_LOCK,
        .event = x->i->flags & LSL_PRIVATE ? LSL_NONE : out->event_count - 1,
        .thread = x->w->thread,
        .operation = x->w->operation,
        .site = x->i->site};
    x->f->guard = guard_and(&u->values, x->f->guard, condition);
}

static void step_lock(const struct access *x, bool semaphore, bool tries,
                      uint32_t *result)
{
    struct values *v = &x->w->u->values;
    enum model_construct construct = semaphore ? C_WAIT : C_LOCK;
    uint32_t old = load(x, tries ? C_LOCK_FAIL : construct, bits_of(x));
    uint32_t free, new, one = values_integer(v, 1);

    flat_need_defined(x->w, x->f, old, x->i->site,
                      "a lock or semaphore was never initialised");
    free = guard_truth(v, old);
    if (!semaphore)
        free = guard_not(v, free);
    if (!tries)
        wait_for(x, free);
    new = semaphore ? pure(x, PURE_SUB, old, one) : one;
    store(x, construct, tries ? free : FLAT_TRUE, new, FLAT_TRUE);
    if (tries)
        *result = values_ite(
            v, free, values_integer(v, 0),
            values_integer(v, semaphore ? (uint32_t)-1 : (uint32_t)EBUSY));
}

static void step_post(const struct access *x)
{
    uint32_t old = load(x, C_POST, bits_of(x));
    uint32_t one = values_integer(&x->w->u->values, 1);

    flat_need_defined(x->w, x->f, old, x->i->site,
                      "a lock or semaphore was never initialised");
    store(x, C_POST, FLAT_TRUE, pure(x, PURE_ADD, old, one), FLAT_TRUE);
}

static uint32_t step_sync(struct walker *w, struct flow *f,
                          const struct lsl_inst *i, struct operands o)
{
    struct access x = new_access(w, f, i, o.a, i->op != LSL_UNLOCK);
    bool semaphore = i->op == LSL_WAIT || i->op == LSL_TRYWAIT;
    bool tries = i->op == LSL_TRYLOCK || i->op == LSL_TRYWAIT;
    uint32_t result = 0;

    if (f->unit) {
        flat_refuse(w, f, i->site, "a lock inside fencer_atomic");
        return values_integer(&w->u->values, 0);
    }
    x.flags = (uint8_t)(x.flags & ~FLAT_ATOMIC) | FLAT_LOCK;
    if (i->op == LSL_UNLOCK)
        store(&x, C_UNLOCK, FLAT_TRUE, values_integer(&w->u->values, 0),
              FLAT_TRUE);
    else if (i->op == LSL_POST)
        step_post(&x);
    else
        step_lock(&x, semaphore, tries, &result);
    return result;
}

/* ---- 16 bytes ---- */

/* Both halves, of which each is a part. */
static void new_halves(struct walker *w, struct flow *f,
                       const struct lsl_inst *i, struct operands low,
                       struct operands high, struct access *x)
{
    bool both = i->op == LSL_RMW || i->op == LSL_CAS;

    for (int k = 0; k < 2; k++) {
        x[k] = new_access(w, f, i + k, k ? high.a : low.a, false);
        if (both)
            x[k].flags |= FLAT_RMW;
        if (i->op == LSL_CAS)
            x[k].flags |= FLAT_CAS;
        x[k].compare = i->op != LSL_CAS ? 0 : k ? high.b : low.b;
        if (i->flags & LSL_PRIVATE)
            continue;
        x[k].part = (uint8_t)k;
        x[k].parts = 2;
        x[k].unit = f->unit  ? f->unit
                    : k == 0 ? ++w->u->out.unit_count
                             : x[0].unit;
    }
}

/* Guard: both halves hold what is compared with. */
static uint32_t swaps(struct access *x, const uint32_t *old,
                      struct operands low, struct operands high)
{
    struct walker *w = x->w;
    uint32_t first = pure(x, PURE_EQ, old[0], low.b);
    uint32_t second = pure(x, PURE_EQ, old[1], high.b), same;

    flat_need_defined(w, x->f, first, x->i->site,
                      "an undefined value is compared");
    same = guard_truth(&w->u->values, first);
    /* Unless that is how the first ends. */
    flat_fail_if(
        w, x->f,
        guard_and(&w->u->values, same, guard_undefined(&w->u->values, second)),
        FAIL_UNDEFINED, x->i->site, "an undefined value is compared");
    return guard_and(&w->u->values, same, guard_truth(&w->u->values, second));
}

void access_step_wide(struct walker *w, struct flow *f,
                      const struct lsl_inst *i, struct operands low,
                      struct operands high, uint32_t *regs)
{
    enum event_order order = (enum event_order)i->order;
    enum model_construct done =
        model_construct_of(i->op == LSL_LOAD    ? EV_LOAD
                           : i->op == LSL_STORE ? EV_STORE
                                                : EV_RMW,
                           order);
    enum model_construct found = done;
    uint32_t old[2] = {0, 0}, condition = FLAT_TRUE;
    struct access x[2];

    new_halves(w, f, i, low, high, x);
    if (i->op == LSL_CAS && order != ORDER_SEQ_CST)
        found =
            model_construct_of(EV_CAS_FAIL, (enum event_order)i->fail_order);
    for (int k = 0; k < 2 && i->op != LSL_STORE; k++)
        regs[i[k].dst] = old[k] = load(&x[k], found, 64);
    if (i->op == LSL_LOAD)
        return;
    if (i->op == LSL_CAS)
        condition = swaps(x, old, low, high);
    for (int k = 0; k < 2; k++) {
        struct operands o = k ? high : low;
        uint32_t new = i->op == LSL_CAS ? o.c : o.b;

        store(&x[k], done, condition, new,
              i->op == LSL_STORE ? FLAT_TRUE : differ(&x[k], old[k], new));
    }
}

uint32_t access_step(struct walker *w, struct flow *f, const struct lsl_inst *i,
                     struct operands o)
{
    struct access x;

    switch (i->op) {
    case LSL_LOAD:
        x = new_access(w, f, i, o.a, false);
        return load(&x, model_construct_of(EV_LOAD, (enum event_order)i->order),
                    i->width);
    case LSL_STORE:
        x = new_access(w, f, i, o.a, false);
        store(&x, model_construct_of(EV_STORE, (enum event_order)i->order),
              FLAT_TRUE, o.b, FLAT_TRUE);
        return 0;
    case LSL_RMW:
        return step_rmw(w, f, i, o);
    case LSL_CAS:
        return step_cas(w, f, i, o);
    default:
        return step_sync(w, f, i, o);
    }
}
