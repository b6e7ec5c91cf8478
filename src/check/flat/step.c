/* SPDX-License-Identifier: MIT
 *
 * One instruction: what it does to registers, to the guard, and to the lists
 * of the test.  Accesses are in flat_access.c.
 */
#include "flat/flat_inside.h"

struct step {
    struct walker *w;
    struct flow *f;
    const struct lsl_proc *proc;
    const struct lsl_inst *i;
    uint32_t *regs;
    struct operands o;
};

static struct values *values_of(const struct step *s)
{
    return &s->w->u->values;
}

static uint32_t operand(const struct step *s, uint32_t reg)
{
    if (reg == LSL_NONE)
        return 0;
    CHECK(s->regs[reg]);
    return guard_decide(values_of(s), s->f->guard, s->regs[reg]);
}

/* ---- Values ---- */

static void check_division(const struct step *s)
{
    struct values *v = values_of(s);
    unsigned width = s->i->width;
    uint64_t ones = width < 64 ? (1ull << width) - 1 : UINT64_MAX;
    uint32_t overflow;

    flat_fail_if(s->w, s->f, guard_equals(v, s->o.b, width, LSL_INT(0)),
                 FAIL_ARITHMETIC, s->i->site, "division by zero");
    if (s->i->pure != PURE_SDIV && s->i->pure != PURE_SREM)
        return;
    overflow =
        guard_and(v, guard_equals(v, s->o.b, width, LSL_INT(ones)),
                  guard_equals(v, s->o.a, width, LSL_INT(ones - ones / 2)));
    flat_fail_if(s->w, s->f, overflow, FAIL_ARITHMETIC, s->i->site,
                 "division that overflows");
}

/* Pointers on which the operation has no meaning, where that is known. */
static void check_pointers(const struct step *s)
{
    struct values *v = values_of(s);
    struct lsl_value a, b = LSL_INT(0), out;

    if (!values_is(v, s->o.a, &a) || (s->o.b && !values_is(v, s->o.b, &b)))
        return;
    if (lsl_eval((enum lsl_pure)s->i->pure, s->i->width, s->i->in_width, a, b,
                 &out) == LSL_ON_POINTER)
        flat_fail_if(s->w, s->f, FLAT_TRUE, FAIL_UNSUPPORTED, s->i->site,
                     "arithmetic on a pointer");
}

static uint32_t step_pure(const struct step *s)
{
    enum lsl_pure op = (enum lsl_pure)s->i->pure;

    if (op >= PURE_UDIV && op <= PURE_SREM)
        check_division(s);
    else
        check_pointers(s);
    return values_pure(values_of(s), op, s->i->width, s->i->in_width, s->o.a,
                       s->o.b);
}

static uint32_t step_select(const struct step *s)
{
    struct values *v = values_of(s);

    flat_need_defined(s->w, s->f, s->o.a, s->i->site,
                      "an undefined value decides between two");
    return values_ite(v, guard_truth(v, s->o.a), s->o.b, s->o.c);
}

static uint32_t step_choose(const struct step *s)
{
    struct unroller *u = s->w->u;
    struct flat *out = &u->out;
    struct lsl_value below;
    uint32_t value;

    if (!values_is(&u->values, s->o.a, &below) || below.kind != LSL_INTEGER ||
        !below.bits) {
        flat_refuse(s->w, s->f, s->i->site,
                    "fencer_choose of a number that is not a constant");
        return values_integer(&u->values, 0);
    }
    if (below.bits == 1)
        value = values_integer(&u->values, 0);
    else
        value =
            values_add(&u->values, &(struct flat_value){.op = FLAT_CHOSEN,
                                                        .width = s->i->width,
                                                        .a = out->choice_count,
                                                        .site = s->i->site,
                                                        .constant = below});
    out->choices = flat_room(u->arena, out->choices, out->choice_count,
                             &u->choice_room, sizeof(*out->choices));
    out->choices[out->choice_count++] = (struct flat_choice){
        s->f->guard, value, s->w->thread, s->w->operation, s->i->site};
    return value;
}

/* ---- Objects ---- */

static uint32_t new_object(const struct step *s, bool heap, uint64_t size)
{
    uint32_t object = flat_add_object(
        s->w, (struct flat_object){.heap = heap,
                                   .zeroed = (s->i->flags & LSL_ZEROED) != 0,
                                   .size = size,
                                   .site = s->i->site,
                                   .thread = s->w->thread});

    return values_constant(values_of(s),
                           (struct lsl_value){LSL_POINTER, object, 0});
}

static uint32_t step_alloc(const struct step *s)
{
    struct lsl_value size;

    if (!values_is(values_of(s), s->o.a, &size) || size.kind != LSL_INTEGER)
        size.bits = UINT64_MAX;
    return new_object(s, true, size.bits);
}

static void step_free(const struct step *s)
{
    struct values *v = values_of(s);
    uint32_t null = guard_equals(v, s->o.a, 64, LSL_INT(0));
    struct flat_event e = {.kind = FLAT_FREE,
                           .guard =
                               guard_and(v, s->f->guard, guard_not(v, null)),
                           .address = s->o.a,
                           .site = s->i->site};

    if (e.guard == FLAT_FALSE)
        return;
    flat_add_event(s->w, e);
    flat_effect(s->w, e.guard);
}

/* ---- What the user says ---- */

static void step_assume(const struct step *s)
{
    struct unroller *u = s->w->u;
    struct flat *out = &u->out;
    uint32_t condition;

    flat_need_defined(s->w, s->f, s->o.a, s->i->site,
                      "an undefined value is assumed or asserted");
    condition = guard_truth(&u->values, s->o.a);
    if (condition == FLAT_TRUE || s->f->guard == FLAT_FALSE)
        return;
    out->assumes = flat_room(u->arena, out->assumes, out->assume_count,
                             &u->assume_room, sizeof(*out->assumes));
    out->assumes[out->assume_count++] =
        (struct flat_assume){.guard = s->f->guard,
                             .condition = condition,
                             .kind = ASSUME_PROGRAM,
                             .event = LSL_NONE,
                             .thread = s->w->thread,
                             .operation = s->w->operation,
                             .site = s->i->site};
    s->f->guard = guard_and(&u->values, s->f->guard, condition);
}

static void step_assert(const struct step *s)
{
    struct values *v = values_of(s);

    flat_add_branch(s->w, s->f->guard, s->o.a);

    flat_need_defined(s->w, s->f, s->o.a, s->i->site,
                      "an undefined value is assumed or asserted");
    flat_fail_if(s->w, s->f, guard_not(v, guard_truth(v, s->o.a)), FAIL_ASSERT,
                 s->i->site, s->i->text);
}

static void step_observe(const struct step *s)
{
    struct unroller *u = s->w->u;
    struct flat *out = &u->out;

    flat_need_defined(s->w, s->f, s->o.a, s->i->site,
                      "an undefined value is observed");
    if (s->f->guard == FLAT_FALSE)
        return;
    out->observes = flat_room(u->arena, out->observes, out->observe_count,
                              &u->observe_room, sizeof(*out->observes));
    out->observes[out->observe_count++] =
        (struct flat_observe){.guard = s->f->guard,
                              .value = s->o.a,
                              .label = s->i->text,
                              .thread = s->w->thread,
                              .operation = s->w->operation,
                              .site = s->i->site};
    flat_effect(s->w, s->f->guard);
}

static void step_fence(const struct step *s)
{
    struct flat_event e = {.kind = FLAT_FENCE,
                           .guard = s->f->guard,
                           .fences = s->i->fences,
                           .order = s->i->order,
                           .site = s->i->site};

    if (s->f->unit) {
        flat_refuse(s->w, s->f, s->i->site, "a fence inside fencer_atomic");
        return;
    }
    if (!e.fences)
        e.construct = (uint8_t)model_construct_of(
            EV_FENCE, (enum event_order)s->i->order);
    flat_add_event(s->w, e);
}

static void step_atomic(const struct step *s)
{
    if (s->i->op == LSL_ATOMIC_END)
        s->f->unit = 0;
    else if (!s->f->unit)
        s->f->unit = ++s->w->u->out.unit_count;
    else
        flat_refuse(s->w, s->f, s->i->site,
                    "fencer_atomic inside fencer_atomic");
}

/* ---- Calls and threads ---- */

static uint32_t only_candidate(const struct lsl_program *p, uint32_t params,
                               struct lsl_value *address)
{
    uint32_t found = LSL_NONE;

    for (uint32_t o = 1; o < p->object_count; o++) {
        uint32_t proc = p->objects[o].proc;

        if (proc == LSL_NONE || !p->procs[proc].address_taken ||
            p->procs[proc].param_count != params)
            continue;
        if (found != LSL_NONE)
            return LSL_NONE;
        found = proc;
        *address = (struct lsl_value){LSL_POINTER, o, 0};
    }
    return found;
}

/* The procedure that a pointer to one means, or LSL_NONE. */
static uint32_t target_of(const struct step *s, uint32_t params)
{
    const struct lsl_program *p = s->w->u->program;
    struct values *v = values_of(s);
    struct lsl_value address = {0};
    uint32_t proc;

    if (values_is(v, s->o.a, &address)) {
        if (address.kind == LSL_POINTER && !address.bits &&
            address.base < p->object_count &&
            p->objects[address.base].proc != LSL_NONE)
            return p->objects[address.base].proc;
        flat_fail_if(s->w, s->f, FLAT_TRUE, FAIL_SEGV, s->i->site,
                     "call through a pointer to no function");
        return LSL_NONE;
    }
    proc = only_candidate(p, params, &address);
    if (proc == LSL_NONE) {
        flat_refuse(s->w, s->f, s->i->site,
                    "the function pointer has more than one target");
        return LSL_NONE;
    }
    flat_fail_if(
        s->w, s->f,
        guard_not(v, guard_same(v, s->o.a, values_constant(v, address))),
        FAIL_UNSUPPORTED, s->i->site,
        "a function pointer that does not lead to the only function with so "
        "many parameters");
    return proc;
}

static uint32_t step_call(const struct step *s)
{
    uint32_t proc = s->i->proc;
    uint32_t *args = arena_array(&s->w->u->scratch, s->i->count, sizeof(*args));
    uint64_t path = s->w->path;
    uint32_t result;

    if (proc == LSL_NONE)
        proc = target_of(s, s->i->count);
    if (proc == LSL_NONE || s->f->guard == FLAT_FALSE)
        return 0;
    for (uint32_t k = 0; k < s->i->count; k++)
        args[k] = operand(s, s->proc->args[s->i->first + k]);
    s->w->path = flat_mix(path, (uint64_t)(s->i - s->proc->insts) + 1);
    result = walk_call(s->w, s->f, proc, args, s->i->count, s->i->site);
    s->w->path = path;
    return result;
}

static uint32_t step_create(const struct step *s)
{
    struct unroller *u = s->w->u;
    uint32_t proc = target_of(s, 1), argument = s->o.b;
    struct walker child = {.u = u, .operation = LSL_NONE};
    struct flow f = {0};
    uint32_t event, returned;

    if (proc == LSL_NONE || s->f->guard == FLAT_FALSE)
        return 0;
    event = flat_add_event(s->w, (struct flat_event){.kind = FLAT_CREATE,
                                                     .guard = s->f->guard,
                                                     .site = s->i->site});
    flat_effect(s->w, s->f->guard);
    child.thread = flat_new_thread(u, event);
    child.path = flat_mix(s->w->path, (uint64_t)(s->i - s->proc->insts) + 1);
    f.guard = s->f->guard;
    flat_start(&child, &f);
    returned =
        walk_call(&child, &f, proc, &argument,
                  u->program->procs[proc].param_count ? 1 : 0, s->i->site);
    flat_exit(&child, &f);
    u->notes[child.thread].result = returned;
    return values_integer(&u->values, child.thread);
}

/* A handle that was read from memory may be that of any thread so far.  What
 * the thread returned. */
static uint32_t step_join(const struct step *s)
{
    struct unroller *u = s->w->u;
    struct values *v = values_of(s);
    uint32_t after = FLAT_FALSE, known = FLAT_FALSE;
    struct lsl_value undefined = {LSL_UNDEFINED, 0, 0};
    uint32_t result = values_constant(v, undefined);

    for (uint32_t t = 1; t < u->out.thread_count; t++) {
        uint32_t is_it = guard_same(v, s->o.a, values_integer(v, t));
        uint32_t guard = guard_and(v, s->f->guard, is_it);

        if (guard == FLAT_FALSE || !u->notes[t].exit)
            continue;
        known = guard_or(v, known, is_it);
        if (u->notes[t].result)
            result = values_ite(v, is_it, u->notes[t].result, result);
        after = guard_or(v, after, flat_join(s->w, guard, t, s->i->site));
    }
    flat_fail_if(s->w, s->f, guard_not(v, known), FAIL_UNSUPPORTED, s->i->site,
                 "which thread is joined cannot be told");
    s->f->guard = after;
    return result;
}

/* ---- All of them ---- */

static uint32_t result_of(const struct step *s)
{
    switch ((enum lsl_op)s->i->op) {
    case LSL_PURE:
        return step_pure(s);
    case LSL_SELECT:
        return step_select(s);
    case LSL_STACK:
        return new_object(s, false, s->i->bytes);
    case LSL_ALLOC:
        return step_alloc(s);
    case LSL_CHOOSE:
        return step_choose(s);
    case LSL_CALL:
        return step_call(s);
    case LSL_CREATE:
        return step_create(s);
    case LSL_JOIN:
        return step_join(s);
    default:
        return access_step(s->w, s->f, s->i, s->o);
    }
}

void flat_step(struct walker *w, struct flow *f, const struct lsl_proc *p,
               const struct lsl_inst *i, uint32_t *regs)
{
    struct step s = {w, f, p, i, regs, {0, 0, 0}};
    uint32_t result = 0;

    s.o = (struct operands){operand(&s, i->a), operand(&s, i->b),
                            operand(&s, i->c)};
    w->u->out.instruction_count++;
    if (i->flags & LSL_UPPER)
        return; /* came with the lower half */
    if (i->flags & LSL_WIDE) {
        struct operands high = {operand(&s, i[1].a), operand(&s, i[1].b),
                                operand(&s, i[1].c)};

        access_step_wide(w, f, i, s.o, high, regs);
        return;
    }
    switch ((enum lsl_op)i->op) {
    case LSL_FENCE:
        step_fence(&s);
        break;
    case LSL_ATOMIC_BEGIN:
    case LSL_ATOMIC_END:
        step_atomic(&s);
        break;
    case LSL_FREE:
        step_free(&s);
        break;
    case LSL_ASSUME:
        step_assume(&s);
        break;
    case LSL_ASSERT:
        step_assert(&s);
        break;
    case LSL_FAIL:
        flat_fail_if(w, f, FLAT_TRUE, (enum failure_kind)i->failure, i->site,
                     i->text);
        break;
    case LSL_OBSERVE:
        step_observe(&s);
        break;
    default:
        result = result_of(&s);
    }
    if (i->dst != LSL_NONE && result)
        regs[i->dst] = result;
}
