/* SPDX-License-Identifier: MIT
 *
 * A litmus test in the load-store language.  Each thread is a procedure; main
 * makes and joins them, and reads memory.  A block is one instruction in one
 * round of the thread's loops; so all edges go forward.  Every branch of the
 * test is one for the machine, whatever its arms do.
 */
#include <string.h>

#include "base/check.h"
#include "litmus/formula_inside.h"
#include "litmus/reader.h"

/* ---- Blocks ---- */

static size_t spot_of(const struct lowering *l, size_t round, size_t pc)
{
    if (pc >= l->thread->count)
        return l->rounds * l->thread->count;
    return round < l->rounds ? round * l->thread->count + pc
                             : l->rounds * l->thread->count + 1;
}

static size_t spot_count(const struct lowering *l)
{
    return l->rounds * l->thread->count + 2;
}

/* Where the instruction may lead; how many ways. */
static size_t ways_of(const struct lowering *l, size_t spot, size_t to[2])
{
    size_t count = l->thread->count, round = spot / count, pc = spot % count;
    const struct inst *i = &l->thread->list[pc];
    size_t there = i->target;
    size_t jump = spot_of(l, there <= pc ? round + 1 : round, there);

    to[0] = to[1] = spot_of(l, round, pc + 1);
    if (i->kind == INST_BRANCH || i->kind == INST_JUMP)
        to[0] = jump;
    if (i->kind == INST_STOP)
        to[0] = spot_of(l, round, count);
    return i->kind == INST_BRANCH || i->kind == INST_TAINT ? 2 : 1;
}

static bool has_loops(const struct thread *t)
{
    for (size_t i = 0; i < t->count; i++)
        if ((t->list[i].kind == INST_BRANCH || t->list[i].kind == INST_JUMP) &&
            t->list[i].target <= i)
            return true;
    return false;
}

/* Which spots are reached, and their blocks; a load exclusive has two more. */
static void number_blocks(struct lowering *l)
{
    size_t ends = l->rounds * l->thread->count, to[2];
    uint32_t next = 1; /* the entry has a block of its own */

    l->spots[l->thread->count ? 0 : ends].reached = true;
    for (size_t s = 0; s < spot_count(l); s++) {
        if (!l->spots[s].reached)
            continue;
        l->spots[s].block = next++;
        if (s >= ends)
            continue;
        if (l->thread->list[s % l->thread->count].kind == INST_LX)
            next += 2;
        for (size_t k = ways_of(l, s, to); k-- > 0;)
            l->spots[to[k]].reached = true;
    }
}

static void begin_block(struct lowering *l)
{
    struct lsl_block *b = VEC_ADD_IN(l->arena, &l->blocks);

    *b = (struct lsl_block){.first = (uint32_t)l->insts.count,
                            .cond = LSL_NONE,
                            .then = LSL_NONE,
                            .otherwise = LSL_NONE,
                            .result = LSL_NONE,
                            .loop = LSL_NONE};
}

static struct lsl_block *end_block(struct lowering *l)
{
    struct lsl_block *b = &VEC_LAST(&l->blocks);

    b->count = (uint32_t)l->insts.count - b->first;
    return b;
}

/* From the block that is being written, with the registers as they are. */
static void lead_to(struct lowering *l, size_t spot)
{
    struct spot *s = &l->spots[spot];
    uint32_t block = (uint32_t)l->blocks.count - 1;
    uint32_t *copy;

    for (size_t i = 0; i < s->from_blocks.count; i++)
        if (s->from_blocks.list[i] == block)
            return;
    copy = arena_array(l->arena, REGISTERS_MAX + 1, sizeof(*copy));
    memcpy(copy, l->registers, (REGISTERS_MAX + 1) * sizeof(*copy));
    VEC_PUSH_IN(l->arena, &s->from_blocks, block);
    VEC_PUSH_IN(l->arena, &s->from, copy);
}

/* Where several ways meet, what they bring. */
static void meet(struct lowering *l, const struct spot *s)
{
    uint32_t *now = arena_array(l->arena, REGISTERS_MAX + 1, sizeof(*now));

    CHECK(s->from.count);
    memcpy(now, s->from.list[0], (REGISTERS_MAX + 1) * sizeof(*now));
    for (size_t r = 0; r <= REGISTERS_MAX; r++) {
        bool same = true;
        struct lsl_inst *phi;

        for (size_t k = 1; k < s->from.count; k++)
            same &= s->from.list[k][r] == now[r];
        if (same)
            continue;
        phi = formula_add(l, LSL_PHI);
        phi->first = (uint32_t)l->edges.count;
        phi->count = (uint32_t)s->from.count;
        for (size_t k = 0; k < s->from.count; k++)
            VEC_PUSH_IN(l->arena, &l->edges,
                        {s->from_blocks.list[k], s->from.list[k][r]});
        now[r] = formula_result(l, phi, 64);
    }
    l->registers = now;
}

/* ---- Exclusives ---- */

static bool uses(const struct inst *i, int reg)
{
    return reg > REGISTER_ZERO &&
           (i->a == reg || i->b == reg || i->c == reg || i->base == reg ||
            i->index == reg || (i->kind == INST_CAS && i->d == reg));
}

/* The store of the pair that begins here, with only arithmetic between, none of
 * which makes its address; NULL: there is none. */
static const struct inst *store_of(struct lowering *l, size_t pc)
{
    const struct inst *load = &l->thread->list[pc];

    for (size_t k = pc + 1; k < l->thread->count; k++) {
        const struct inst *i = &l->thread->list[k];

        if (i->kind == INST_SX)
            return i->base == load->base && i->index == load->index &&
                           i->offset == load->offset && i->size == load->size
                       ? i
                       : NULL;
        if (i->kind != INST_ALU && i->kind != INST_SET &&
            i->kind != INST_SELECT)
            return NULL;
        if (i->d > REGISTER_ZERO && (i->d == load->base || i->d == load->index))
            return NULL;
    }
    return NULL;
}

static bool has_store_later(const struct lowering *l, size_t pc)
{
    for (size_t k = pc + 1; k < l->thread->count; k++) {
        if (l->thread->list[k].kind == INST_LX)
            return false;
        if (l->thread->list[k].kind == INST_SX)
            return true;
    }
    return false;
}

/* What the store will store, if that has nothing to do with what the load
 * returns. */
static uint32_t stored_later(struct lowering *l, size_t pc,
                             const struct inst *store)
{
    uint32_t *registers = l->registers, v;
    bool from_load[REGISTERS_MAX + 1] = {false};

    l->registers = arena_array(l->arena, REGISTERS_MAX + 1, sizeof(uint32_t));
    memcpy(l->registers, registers, (REGISTERS_MAX + 1) * sizeof(uint32_t));
    if (l->thread->list[pc].d > REGISTER_ZERO)
        from_load[l->thread->list[pc].d] = true;
    for (const struct inst *i = &l->thread->list[pc + 1]; i != store; i++) {
        bool computed = false;

        for (int r = REGISTER_FLAGS; r < REGISTERS_MAX; r++)
            computed |= from_load[r] && uses(i, r);
        formula_local(l, i);
        if (i->d > REGISTER_ZERO)
            from_load[i->d] = computed;
    }
    if (store->a > REGISTER_ZERO && from_load[store->a])
        formula_refuse(l, "exclusives that store what they loaded");
    v = formula_get(l, store->a);
    l->registers = registers;
    return v;
}

static void lead_on(struct lowering *l)
{
    end_block(l)->then = (uint32_t)l->blocks.count;
    begin_block(l);
}

/* The block of the choice, that of both in one, that of a load whose store
 * fails. */
static void lower_pair(struct lowering *l, size_t pc, const struct inst *store,
                       size_t next)
{
    const struct inst *i = &l->thread->list[pc];
    uint32_t v = stored_later(l, pc, store), chosen;
    uint32_t first = (uint32_t)l->blocks.count;
    struct lsl_inst *c = formula_add(l, LSL_CHOOSE);
    uint32_t *before = l->registers;
    struct lsl_block *b;

    c->a = formula_integer(l, 2);
    chosen = formula_result(l, c, 64);
    b = end_block(l);
    b->cond = formula_pure(l, PURE_NE, 1, 64, chosen, formula_integer(l, 0));
    b->count++;
    b->then = first;
    b->otherwise = first + 1;
    l->registers = arena_array(l->arena, REGISTERS_MAX + 1, sizeof(uint32_t));
    memcpy(l->registers, before, (REGISTERS_MAX + 1) * sizeof(uint32_t));
    begin_block(l);
    formula_exchange(l, i, RMW_XCHG, v,
                     formula_order(l, i, OP_RMW, i->read, store->write));
    l->registers[SUCCEEDS] = formula_integer(l, 1);
    if (l->rows)
        l->rows->mapping.rmw_pairs = true;
    end_block(l)->then = l->spots[next].block;
    lead_to(l, next);
    l->registers = before;
    begin_block(l);
    formula_load(l, i, i->read | MARK_X);
    l->registers[SUCCEEDS] = formula_integer(l, 0);
}

static void lower_exclusive(struct lowering *l, size_t pc, size_t next)
{
    const struct inst *i = &l->thread->list[pc];
    const struct inst *store = store_of(l, pc);

    if (store) {
        lower_pair(l, pc, store, next);
        return;
    }
    if (has_store_later(l, pc))
        formula_refuse(
            l, "a load and a store exclusive that are no pair at sight");
    formula_load(l, i, i->read | MARK_X);
    l->registers[SUCCEEDS] = formula_integer(l, 0);
    lead_on(l);
    lead_on(l);
}

static void end_pair(struct lowering *l, const struct inst *i)
{
    if (l->u->status_depends)
        for (size_t k = 0; k < l->thread->count; k++)
            if (uses(&l->thread->list[k], i->d))
                formula_refuse(
                    l, "a dependency on the result of a store exclusive");
    formula_set(l, i->d,
                formula_pure(l, PURE_XOR, 64, 64, l->registers[SUCCEEDS],
                             formula_integer(l, 1)));
    l->registers[SUCCEEDS] = formula_integer(l, 0);
}

/* ---- Threads ---- */

static void lower_inst(struct lowering *l, size_t pc, size_t next)
{
    const struct inst *i = &l->thread->list[pc];

    if (formula_local(l, i))
        return;
    switch ((enum inst_kind)i->kind) {
    case INST_LOAD:
        formula_load(l, i, i->read);
        break;
    case INST_STORE:
        formula_store(l, i);
        break;
    case INST_LX:
        lower_exclusive(l, pc, next);
        break;
    case INST_SX:
        end_pair(l, i);
        break;
    case INST_RMW:
        formula_rmw(l, i);
        break;
    case INST_CAS:
        formula_cas(l, i);
        break;
    case INST_FENCE:
        formula_fence(l, i);
        break;
    default:
        break;
    }
}

static uint32_t condition_of(struct lowering *l, const struct inst *i)
{
    if (i->kind == INST_TAINT)
        return formula_pure(l, PURE_NE, 1, 64, formula_get(l, i->a),
                            formula_integer(l, 0));
    return formula_compare(l, (enum alu)i->alu, formula_get(l, i->a),
                           formula_last(l, i, i->b));
}

static void lower_spot(struct lowering *l, size_t spot)
{
    const struct inst *i = &l->thread->list[spot % l->thread->count];
    uint32_t condition = LSL_NONE;
    struct lsl_block *b;
    size_t to[2], ways = ways_of(l, spot, to);

    lower_inst(l, spot % l->thread->count, to[0]);
    if (ways == 2)
        condition = condition_of(l, i);
    b = end_block(l);
    b->then = l->spots[to[0]].block;
    lead_to(l, to[0]);
    if (ways == 1)
        return;
    b->cond = condition;
    b->kept = true;
    b->otherwise = l->spots[to[1]].block;
    lead_to(l, to[1]);
}

/* Says what is shown of the thread. */
static void observe(struct lowering *l, uint32_t value,
                    struct observed_place place)
{
    struct lsl_inst *o = formula_add(l, LSL_OBSERVE);

    o->a = value;
    o->text = "shown";
    VEC_PUSH_IN(l->arena, &l->out->places, place);
}

static void lower_end(struct lowering *l)
{
    const struct litmus *t = l->u->test;

    for (size_t i = 0; i < t->shown.count; i++) {
        const struct shown *s = &t->shown.list[i];

        if (!s->memory && s->thread == l->number)
            observe(
                l, formula_get(l, (int)s->place),
                (struct observed_place){.thread = s->thread, .reg = s->place});
    }
    end_block(l);
}

static void lower_cut(struct lowering *l)
{
    struct lsl_inst *f = formula_add(l, LSL_FAIL);

    f->failure = FAIL_UNSUPPORTED;
    f->text = CUT_TEXT;
    end_block(l);
}

static void begin_proc(struct lowering *l)
{
    l->insts.list = NULL;
    l->insts.count = l->insts.room = 0;
    l->blocks.list = NULL;
    l->blocks.count = l->blocks.room = 0;
    l->edges.list = NULL;
    l->edges.count = l->edges.room = 0;
    l->constants = arena_array(l->arena, CONSTANTS_MAX, sizeof(*l->constants));
    for (uint32_t i = 0; i < CONSTANTS_MAX; i++)
        l->constants[i] = (struct lsl_value){LSL_UNDEFINED, 0, 0};
    l->constant_count = 0;
    l->reg_count = 1 + CONSTANTS_MAX;
    l->registers =
        arena_array(l->arena, REGISTERS_MAX + 1, sizeof(*l->registers));
}

static void keep_proc(struct lowering *l, const char *name, uint32_t index)
{
    l->out->program.procs[index] = (struct lsl_proc){
        .name = name,
        .param_count = 1,
        .reg_count = l->reg_count,
        .constant_count = CONSTANTS_MAX,
        .constants = l->constants,
        .insts = l->insts.list,
        .blocks = l->blocks.list,
        .block_count = (uint32_t)l->blocks.count,
        .edges = l->edges.list,
        .defined = true,
        .address_taken = true,
    };
}

static void lower_thread(struct lowering *l, size_t thread)
{
    size_t ends;

    l->thread = &l->u->threads[thread];
    l->number = thread;
    l->rounds = has_loops(l->thread) ? ROUNDS : 1;
    l->spots = arena_array(l->arena, spot_count(l), sizeof(*l->spots));
    memset(l->spots, 0, spot_count(l) * sizeof(*l->spots));
    ends = l->rounds * l->thread->count;
    begin_proc(l);
    number_blocks(l);
    for (size_t r = 0; r <= REGISTERS_MAX; r++)
        l->registers[r] = formula_integer(
            l, r < l->thread->register_count ? l->thread->initial[r] : 0);
    begin_block(l);
    end_block(l)->then = 1;
    lead_to(l, l->thread->count ? 0 : ends);
    for (size_t s = 0; s < spot_count(l) && !l->u->why; s++) {
        if (!l->spots[s].reached)
            continue;
        begin_block(l);
        meet(l, &l->spots[s]);
        if (s < ends)
            lower_spot(l, s);
        else if (s == ends)
            lower_end(l);
        else
            lower_cut(l);
    }
    keep_proc(l, arena_printf(l->arena, "thread %zu", thread),
              (uint32_t)thread);
}

/* ---- Main ---- */

static void read_memory(struct lowering *l)
{
    for (uint32_t i = 0; i < l->u->cells.count; i++) {
        const struct cell *c = &l->u->cells.list[i];
        const struct inst like = {.size = c->size};
        struct lsl_inst *a;
        uint32_t v;

        a = formula_access(l, LSL_LOAD, &like, formula_integer(l, c->address),
                           ORDER_PLAIN);
        v = formula_result(l, a, formula_bits(l, c->size));
        observe(l, formula_widen(l, v, c->size),
                (struct observed_place){.memory = true, .cell = i});
    }
}

static void lower_main(struct lowering *l)
{
    size_t threads = l->u->test->thread_count;
    uint32_t first = (uint32_t)l->u->test->locations.count + 1;
    uint32_t handles[THREADS_MAX];

    begin_proc(l);
    begin_block(l);
    for (size_t i = 0; i < threads; i++) {
        uint32_t a = formula_constant(
            l, (struct lsl_value){LSL_POINTER, first + (uint32_t)i, 0});
        uint32_t b = formula_integer(l, 0);
        struct lsl_inst *c = formula_add(l, LSL_CREATE);

        c->a = a;
        c->b = b;
        handles[i] = formula_result(l, c, 64);
    }
    for (size_t i = 0; i < threads; i++)
        formula_add(l, LSL_JOIN)->a = handles[i];
    read_memory(l);
    end_block(l);
    keep_proc(l, "main", (uint32_t)threads);
}

/* ---- The program ---- */

static void add_location(struct lowering *l, struct lsl_object *o,
                         const struct location *from)
{
    size_t n = from->initial.count;
    uint32_t each = l->pointers ? 8 : from->element;

    *o = (struct lsl_object){.name = from->name,
                             .size = n * each < 8 ? 8 : n * each,
                             .proc = LSL_NONE};
    o->cells = arena_array(l->arena, n + 1, sizeof(*o->cells));
    for (size_t i = 0; i < l->u->cells.count; i++) {
        const struct cell *c = &l->u->cells.list[i];
        uint32_t element;
        int at = litmus_location_at(l->u->test, c->address, &element);

        if (at < 0 || &l->u->test->locations.list[at] != from)
            continue;
        o->cells[o->cell_count++] =
            (struct lsl_cell){.offset = (uint64_t)(c->address - ADDRESS_OF(at)),
                              .size = formula_bits(l, c->size) / 8,
                              .value = formula_value(l->u->test, c->initial)};
    }
}

/* Numbers are as wide as their cell. */
static void cut_initial(struct lsl_object *o)
{
    for (uint32_t i = 0; i < o->cell_count; i++)
        if (o->cells[i].size < 8 && o->cells[i].value.kind == LSL_INTEGER)
            o->cells[i].value.bits &= ((uint64_t)1 << o->cells[i].size * 8) - 1;
}

static void add_objects(struct lowering *l)
{
    const struct litmus *t = l->u->test;
    struct lsl_program *p = &l->out->program;
    size_t n = t->locations.count;

    p->object_count = (uint32_t)(1 + n + t->thread_count);
    p->objects = arena_array(l->arena, p->object_count, sizeof(*p->objects));
    memset(p->objects, 0, p->object_count * sizeof(*p->objects));
    p->objects[0].proc = LSL_NONE;
    for (size_t i = 0; i < n; i++) {
        add_location(l, &p->objects[1 + i], &t->locations.list[i]);
        cut_initial(&p->objects[1 + i]);
    }
    for (size_t i = 0; i < t->thread_count; i++)
        p->objects[1 + n + i] =
            (struct lsl_object){.name = "thread", .proc = (uint32_t)i};
}

/* Is there a cell of fewer than 8 bytes that holds an address?  An array cannot
 * be made wider. */
static bool find_pointers(struct lowering *l)
{
    const struct litmus *t = l->u->test;

    for (size_t i = 0; i < l->u->cells.count; i++) {
        const struct cell *c = &l->u->cells.list[i];

        for (size_t k = 0; c->size < 8 && k < c->domain.count; k++)
            l->pointers |= c->domain.list[k] >= ADDRESS_OF(0);
    }
    for (size_t i = 0; l->pointers && i < t->locations.count; i++)
        if (t->locations.list[i].initial.count > 1)
            return formula_refuse(l, "addresses in cells that are too small");
    return true;
}

bool formula_lower(struct unfold *u, struct own_rows *rows,
                   const struct model *m, struct formula_program *out)
{
    struct lowering *l = arena_alloc(u->arena, sizeof(*l));
    static struct fencer_site nowhere = {.file = "test"};
    struct err e = {""};

    memset(l, 0, sizeof(*l));
    memset(out, 0, sizeof(*out));
    l->u = u;
    l->rows = rows;
    l->model = m;
    l->arena = u->arena;
    l->out = out;
    if (!find_pointers(l))
        return false;
    out->entry = (uint32_t)u->test->thread_count;
    out->program = (struct lsl_program){.proc_count = out->entry + 1,
                                        .sites = &nowhere,
                                        .site_count = 1,
                                        .init = LSL_NONE,
                                        .main = out->entry,
                                        .source = u->test->name};
    out->program.procs = arena_array(l->arena, out->program.proc_count,
                                     sizeof(*out->program.procs));
    add_objects(l);
    lower_main(l);
    for (size_t i = 0; i < u->test->thread_count && !u->why; i++)
        lower_thread(l, i);
    if (!u->why && !lsl_check(&out->program, &e))
        formula_refuse(l, arena_copy(u->arena, e.text));
    return !u->why;
}
