/* SPDX-License-Identifier: MIT
 *
 * The four machines, straight from docs/models.md.  One machine with three
 * switches is all of them:
 *
 *   buffers   stores wait (TSO, PSO, PSLO);  SC writes at once
 *   fifo      they commit in issue order (TSO);  else only where they share a
 *             byte or an ss fence lies between
 *   history   a load may take memory as it was at an earlier moment (PSLO)
 *
 * A moment is a number of commits: moment k is memory after the k-th entry of
 * the log.  floor[a] is the oldest moment whose value of atom a the thread may
 * still see: the commit of the value it returned last, of its own last store,
 * or the one that was current at the last cut.  A moment suits a load if it is
 * not below the floor of any atom that the load takes from memory.
 *
 * The state is made of bytes, values being numbers in a table, so that it can
 * be fingerprinted as it lies; everything unused is zero, and what can make no
 * difference any more (floors of atoms the thread never loads again, moments
 * below every floor) is normalised away, else equal states would look
 * different.
 */
#include "machine.h"

#include <string.h>

/* ---- values ---- */

static uint8_t number_of(struct machine *machine, uint64_t value)
{
    for (size_t i = 0; i < machine->value_count; i++)
        if (machine->values[i] == value)
            return (uint8_t)i;
    REQUIRE(machine->value_count < MAX_VALUES, "too many values");
    machine->values[machine->value_count] = value;
    return (uint8_t)machine->value_count++;
}

static uint64_t operand_of(const struct machine *machine, const struct state *s,
                           struct operand o)
{
    return o.constant + (o.reg >= 0 ? machine->values[s->regs[o.reg]] : 0);
}

static void set_register(struct machine *machine, struct state *s, int8_t reg,
                         uint64_t value)
{
    if (reg >= 0)
        s->regs[reg] = number_of(machine, value);
}

static bool covers(unsigned first, unsigned count, size_t atom)
{
    return atom >= first && atom < first + count;
}

static bool overlap(unsigned first, unsigned count, unsigned first2,
                    unsigned count2)
{
    return first < first2 + count2 && first2 < first + count;
}

/* ---- memory and its past ---- */

/* The last moment up to `moment` at which the atom was written; 0: before. */
static uint8_t written_at(const struct state *s, size_t atom, unsigned moment)
{
    for (unsigned k = moment; k > 0; k--)
        if (covers(s->log[k - 1].first, s->log[k - 1].count, atom))
            return (uint8_t)k;
    return 0;
}

static uint64_t value_at(const struct machine *machine, const struct state *s,
                         size_t atom, unsigned moment)
{
    unsigned k = written_at(s, atom, moment);

    if (!k)
        return machine->values[s->base[atom]];
    return atom_part(&machine->l, s->log[k - 1].first, atom,
                     machine->values[s->log[k - 1].value]);
}

/* Nothing older than `moment` is visible to the thread from now on. */
static void cut_history(const struct machine *machine, struct state *s,
                        size_t t, unsigned moment)
{
    if (!machine->history)
        return;
    for (size_t a = 0; a < machine->l.atom_count; a++) {
        uint8_t k = written_at(s, a, moment);

        if (k > s->strands[t].floor[a])
            s->strands[t].floor[a] = k;
    }
}

/* How often the atom was written after that moment. */
static unsigned writes_since(const struct state *s, size_t atom,
                             unsigned moment)
{
    unsigned count = 0;

    for (unsigned k = moment; k < s->logged; k++)
        count += covers(s->log[k].first, s->log[k].count, atom);
    return count;
}

static void write_memory(struct machine *machine, struct state *s, size_t t,
                         unsigned first, unsigned count, uint64_t value)
{
    for (size_t a = first; a < first + count; a++)
        s->memory[a] =
            number_of(machine, atom_part(&machine->l, first, a, value));
    if (!machine->history)
        return;
    REQUIRE(s->logged < MAX_LOG, "log too long");
    s->log[s->logged].first = (uint8_t)first;
    s->log[s->logged].count = (uint8_t)count;
    s->log[s->logged].value = number_of(machine, value);
    s->logged++;
    for (size_t a = first; a < first + count; a++)
        s->strands[t].floor[a] = s->logged;
    s->strands[t].committed = s->logged;
}

uint64_t machine_memory(const struct machine *machine, const struct state *s,
                        unsigned first, unsigned count)
{
    uint64_t value = 0;

    for (size_t a = first; a < first + count; a++)
        value |= machine->values[s->memory[a]]
                 << atom_shift(&machine->l, first, a);
    return value;
}

/* An access that is a step of its own takes its atoms from memory. */
static void read_now(const struct machine *machine, const struct micro *m)
{
    for (unsigned i = 0; i < m->count; i++)
        relations_read(machine->relations, m->slot ? m->slot + i : 0,
                       m->first + i, 0);
}

static void write_now(struct machine *machine, struct state *s, size_t t,
                      const struct micro *m, uint64_t value)
{
    relations_write(machine->relations, m->slot, m->first, m->count);
    write_memory(machine, s, t, m->first, m->count,
                 cut_to_size(value, m->size));
}

/* ---- the buffer ---- */

static bool has_room(const struct machine *machine, const struct strand *x)
{
    return !machine->options.buffer || x->used < machine->options.buffer;
}

static void issue(struct machine *machine, struct strand *x,
                  const struct micro *m, uint64_t value)
{
    REQUIRE(x->used < MAX_BUFFER, "buffer too long");
    x->buffer[x->used++] = (struct waiting){
        .first = m->first,
        .count = m->count,
        .value = number_of(machine, cut_to_size(value, m->size)),
        .ss = x->ss,
        .slot = machine->relations ? (uint8_t)m->slot : 0};
}

/* An ss fence: later stores have a greater count than those that wait.  Two
 * fences with no store between them are one. */
static void fence_ss(struct strand *x)
{
    if (x->used && x->buffer[x->used - 1].ss == x->ss)
        x->ss++;
}

bool machine_may_commit(const struct machine *machine, const struct strand *x,
                        size_t i)
{
    const struct waiting *e = &x->buffer[i];

    if (machine->fifo)
        return i == 0;
    for (size_t k = 0; k < x->used; k++)
        if (x->buffer[k].ss < e->ss)
            return false;
    for (size_t k = 0; k < i; k++)
        if (overlap(x->buffer[k].first, x->buffer[k].count, e->first, e->count))
            return false;
    return true;
}

/* Brings the counts back to a scale that begins at the oldest store. */
static void rescale(struct strand *x)
{
    uint8_t least = x->used ? x->buffer[0].ss : x->ss;

    for (size_t i = 0; i < x->used; i++)
        x->buffer[i].ss = (uint8_t)(x->buffer[i].ss - least);
    x->ss = (uint8_t)(x->ss - least);
}

void machine_commit(struct machine *machine, struct state *s, size_t t,
                    size_t i)
{
    struct strand *x = &s->strands[t];
    struct waiting e = x->buffer[i];

    memmove(x->buffer + i, x->buffer + i + 1,
            (x->used - i - 1) * sizeof *x->buffer);
    memset(&x->buffer[--x->used], 0, sizeof *x->buffer);
    rescale(x);
    relations_write(machine->relations, e.slot, e.first, e.count);
    write_memory(machine, s, t, e.first, e.count, machine->values[e.value]);
    if (e.sl)
        cut_history(machine, s, t, s->logged);
}

static bool waits_for_sl(const struct strand *x)
{
    for (size_t i = 0; i < x->used; i++)
        if (x->buffer[i].sl)
            return true;
    return false;
}

static bool buffers_part_of(const struct strand *x, const struct micro *m)
{
    for (size_t i = 0; i < x->used; i++)
        if (overlap(x->buffer[i].first, x->buffer[i].count, m->first, m->count))
            return true;
    return false;
}

const struct micro *machine_next(const struct machine *machine,
                                 const struct state *s, size_t t)
{
    return &machine->l.micros[t][s->strands[t].pc];
}

/* ---- steps; each returns false if it cannot be taken now ---- */

static bool step_fence(const struct machine *machine, struct state *s, size_t t,
                       uint8_t bits)
{
    struct strand *x = &s->strands[t];

    if ((bits & FULL) && x->used)
        return false;
    if (bits & SS)
        fence_ss(x);
    if (bits & SL) {
        for (size_t i = 0; i < x->used; i++)
            x->buffer[i].sl = 1;
        cut_history(machine, s, t, x->committed);
    }
    if (bits & (LL | FULL))
        cut_history(machine, s, t, s->logged);
    return true;
}

/* What an RMW makes of the old value; false: it writes nothing. */
static bool rmw_result(const struct machine *machine, const struct state *s,
                       const struct micro *m, uint64_t old, uint64_t *result)
{
    uint64_t operand = operand_of(machine, s, m->value);

    if (m->op == OP_POST || m->op == OP_WAIT || m->op == OP_TRYWAIT) {
        *result = m->op == OP_POST ? old + 1 : old - 1;
        return m->op == OP_POST || old > 0;
    }
    *result = cut_to_size(m->op == OP_ADD ? old + operand : operand, m->size);
    if (m->op == OP_XCHG || m->op == OP_ADD)
        return true;
    return old == cut_to_size(operand_of(machine, s, m->expected), m->size);
}

static bool step_rmw(struct machine *machine, struct state *s, size_t t,
                     const struct micro *m)
{
    struct strand *x = &s->strands[t];
    uint64_t old = machine_memory(machine, s, m->first, m->count), result;
    bool writes = rmw_result(machine, s, m, old, &result), buffered;
    uint8_t before = writes ? m->before : m->fail_before;

    if ((m->op == OP_LOCK || m->op == OP_WAIT) && !writes)
        return false;
    if (x->used && (machine->drains_all || (before & FULL)))
        return false;
    if (buffers_part_of(x, m) || waits_for_sl(x))
        return false;
    buffered = writes && m->op == OP_CAS && machine->buffers &&
               machine->options.cas_bufferable && !(m->after & FULL);
    /* An ss fence before it, or one since the oldest waiting store: its write
     * must not overtake. */
    if (writes && !buffered && x->used &&
        ((before & SS) || x->ss > x->buffer[0].ss))
        return false;
    if (buffered && !has_room(machine, x))
        return false;

    read_now(machine, m);
    if (buffered && (before & SS))
        fence_ss(x);
    if (buffered)
        issue(machine, x, m, result);
    else if (writes)
        write_now(machine, s, t, m, result);
    else
        for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
            x->floor[a] = written_at(s, a, s->logged);
    if ((writes ? m->after : m->fail_after) & (LL | FULL))
        cut_history(machine, s, t, s->logged);
    if (m->op == OP_TRYLOCK || m->op == OP_TRYWAIT)
        old = writes ? 0 : BUSY;
    set_register(machine, s, m->dest, old);
    x->pc++;
    return true;
}

static const struct waiting *newest_over(const struct strand *x, size_t atom)
{
    for (size_t i = x->used; i > 0; i--)
        if (covers(x->buffer[i - 1].first, x->buffer[i - 1].count, atom))
            return &x->buffer[i - 1];
    return NULL;
}

/* Atoms the load takes from its own buffer, the newest entry over each, and
 * their part of the value. */
static uint16_t forwarded(const struct machine *machine, const struct strand *x,
                          const struct micro *m, uint64_t *value)
{
    uint16_t own = 0;

    *value = 0;
    for (size_t a = m->first; a < (size_t)m->first + m->count; a++) {
        const struct waiting *e = newest_over(x, a);

        if (!e)
            continue;
        *value |= atom_part(&machine->l, e->first, a, machine->values[e->value])
                  << atom_shift(&machine->l, m->first, a);
        own |= (uint16_t)(1u << a);
    }
    return own;
}

/* Each access of a block is a relaxed RMW of its address, and they are one
 * step: what any of them waits for, the block waits for. */
static bool step_atomic(struct machine *machine, struct state *s, size_t t,
                        const struct micro *block)
{
    struct strand *x = &s->strands[t];
    const struct micro *end = &machine->l.micros[t][block->target];
    unsigned before = s->logged;

    if (waits_for_sl(x) ||
        (x->used && (machine->drains_all || x->ss > x->buffer[0].ss)))
        return false;
    for (const struct micro *m = block + 1; m < end; m++)
        if (buffers_part_of(x, m))
            return false;
    for (const struct micro *m = block + 1; m < end; m++) {
        if (m->kind == M_LOAD) {
            read_now(machine, m);
            set_register(machine, s, m->dest,
                         machine_memory(machine, s, m->first, m->count));
            for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
                x->floor[a] = written_at(s, a, s->logged);
        } else {
            write_now(machine, s, t, m, operand_of(machine, s, m->value));
        }
    }
    for (unsigned k = before; k + 1 < s->logged; k++)
        s->log[k].joined = 1;
    x->pc = block->target;
    return true;
}

bool machine_is_between(const struct state *s, unsigned moment)
{
    return moment && s->log[moment - 1].joined;
}

bool machine_may_load(const struct machine *machine, const struct state *s,
                      size_t t, unsigned moment)
{
    const struct strand *x = &s->strands[t];
    const struct micro *m = machine_next(machine, s, t);
    uint64_t unused;
    uint16_t own = forwarded(machine, x, m, &unused);

    if (waits_for_sl(x))
        return false;
    for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
        if (!(own >> a & 1) && moment < x->floor[a])
            return false;
    return true;
}

static void relate_load(const struct machine *machine, const struct state *s,
                        const struct strand *x, const struct micro *m,
                        unsigned moment)
{
    for (unsigned i = 0; i < m->count; i++) {
        unsigned atom = m->first + i;
        const struct waiting *own = newest_over(x, atom);

        if (own)
            relations_forward(machine->relations, m->slot + i,
                              own->slot + atom - own->first);
        else
            relations_read(machine->relations, m->slot + i, atom,
                           writes_since(s, atom, moment));
    }
}

/* What the thread's load takes at that moment. */
static uint64_t value_loaded(const struct machine *machine,
                             const struct state *s, size_t t, unsigned moment)
{
    const struct micro *m = machine_next(machine, s, t);
    uint64_t value;
    uint16_t own = forwarded(machine, &s->strands[t], m, &value);

    for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
        if (!(own >> a & 1))
            value |= (machine->history ? value_at(machine, s, a, moment)
                                       : machine->values[s->memory[a]])
                     << atom_shift(&machine->l, m->first, a);
    return value;
}

bool machine_spins(const struct machine *machine, const struct state *s,
                   size_t t, unsigned moment)
{
    const struct strand *x = &s->strands[t];

    return x->awaited && machine->values[x->awaited - 1] ==
                             value_loaded(machine, s, t, moment);
}

/* Where a load leads, and what it leaves behind for the next one of its loop.
 */
static void go_on(struct machine *machine, struct strand *x,
                  const struct micro *m, uint64_t value)
{
    bool equal = value == m->value.constant;

    x->awaited = 0;
    if (m->op != OP_AWAIT) {
        x->pc++;
    } else if (equal == !m->bits) {
        x->pc = m->target;
    } else {
        x->awaited = (uint8_t)(1 + number_of(machine, value));
        x->pc++;
        REQUIRE(x->pc < m->target, "a loop that reads too much");
    }
}

void machine_load(struct machine *machine, struct state *s, size_t t,
                  unsigned moment)
{
    struct strand *x = &s->strands[t];
    const struct micro *m = machine_next(machine, s, t);
    uint64_t value = value_loaded(machine, s, t, moment), unused;
    uint16_t own = forwarded(machine, x, m, &unused);

    relate_load(machine, s, x, m, moment);
    for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
        if (!(own >> a & 1))
            x->floor[a] = written_at(s, a, moment);
    set_register(machine, s, m->dest, value);
    go_on(machine, x, m, value);
}

void machine_choose(struct machine *machine, struct state *s, size_t t,
                    unsigned number)
{
    const struct micro *m = machine_next(machine, s, t);

    relations_choose(machine->relations, m->slot, number);
    set_register(machine, s, m->dest, number);
    s->strands[t].pc++;
}

/* ---- what makes no difference ---- */

/* Atoms whose floors matter to a thread: it may still load them. */
static uint16_t floors_of(const struct machine *machine, const struct state *s,
                          size_t t)
{
    const struct strand *x = &s->strands[t];

    return x->phase == RUNNING ? machine->loads_later[t][x->pc] : 0;
}

/* No thread can see what entry k of the log wrote over. */
static bool is_dead(const struct machine *machine, const struct state *s,
                    const uint16_t *floors, size_t k)
{
    size_t first = s->log[k].first, end = first + s->log[k].count;

    for (size_t t = 0; t < machine->l.program->thread_count; t++)
        for (size_t atom = first; atom < end; atom++)
            if (floors[t] >> atom & 1 && s->strands[t].floor[atom] <= k)
                return false;
    return true;
}

/* No thread can tell moment 0 from the next at which memory was whole: how
 * many entries lie between, or 0. */
static size_t dead_entries(const struct machine *machine, const struct state *s,
                           const uint16_t *floors)
{
    for (size_t k = 0; k < s->logged; k++) {
        if (!is_dead(machine, s, floors, k))
            return 0;
        if (!s->log[k].joined)
            return k + 1;
    }
    return 0;
}

static void drop_first_moment(struct machine *machine, struct state *s)
{
    unsigned first = s->log[0].first, count = s->log[0].count;

    for (size_t a = first; a < first + count; a++)
        s->base[a] =
            number_of(machine, atom_part(&machine->l, first, a,
                                         machine->values[s->log[0].value]));
    s->logged--;
    memmove(s->log, s->log + 1, s->logged * sizeof *s->log);
    memset(&s->log[s->logged], 0, sizeof *s->log);
    for (size_t t = 0; t < machine->l.program->thread_count; t++) {
        struct strand *x = &s->strands[t];

        for (size_t a = 0; a < machine->l.atom_count; a++)
            x->floor[a] -= x->floor[a] > 0;
        x->committed -= x->committed > 0;
    }
}

void machine_normalise(struct machine *machine, struct state *s)
{
    uint16_t floors[MAX_THREADS];

    if (!machine->history)
        return;
    for (size_t t = 0; t < machine->l.program->thread_count; t++) {
        struct strand *x = &s->strands[t];

        floors[t] = floors_of(machine, s, t);
        for (size_t a = 0; a < machine->l.atom_count; a++)
            if (!(floors[t] >> a & 1))
                x->floor[a] = 0;
        if (x->phase != RUNNING || !machine->sl_later[t][x->pc])
            x->committed = 0;
    }
    for (size_t dead; (dead = dead_entries(machine, s, floors)) > 0;)
        while (dead--)
            drop_first_moment(machine, s);
}

/* ---- steps by name of what comes next ---- */

/* Steps that no other thread can notice: taking them at once loses nothing.
 * A store that is issued early may still commit late, and a cut made early
 * cuts less. */
bool machine_step_unseen(struct machine *machine, struct state *s, size_t t)
{
    struct strand *x = &s->strands[t];
    const struct micro *m = machine_next(machine, s, t);

    switch ((enum micro_kind)m->kind) {
    case M_IF:
        x->pc = (operand_of(machine, s, m->value) ==
                 machine->values[s->regs[m->dest]]) == !m->bits
                    ? (uint8_t)(x->pc + 1)
                    : m->target;
        return true;
    case M_FENCE:
        if (!step_fence(machine, s, t, m->bits))
            return false;
        x->pc++;
        return true;
    case M_STORE:
        if (!machine->buffers || !has_room(machine, x))
            return false;
        issue(machine, x, m, operand_of(machine, s, m->value));
        x->pc++;
        return true;
    case M_EXIT:
        if (x->used)
            return false;
        x->phase = ENDED;
        return true;
    default:
        return false;
    }
}

bool machine_step_seen(struct machine *machine, struct state *s, size_t t)
{
    struct strand *x = &s->strands[t];
    const struct micro *m = machine_next(machine, s, t);

    switch ((enum micro_kind)m->kind) {
    case M_STORE: /* on SC; with buffers it is unseen */
        if (machine->buffers)
            return false;
        write_now(machine, s, t, m, operand_of(machine, s, m->value));
        x->pc++;
        return true;
    case M_RMW:
        return step_rmw(machine, s, t, m);
    case M_ATOMIC:
        return step_atomic(machine, s, t, m);
    case M_SPAWN:
        if (x->used)
            return false;
        s->strands[m->target].phase = RUNNING;
        memset(s->strands[m->target].floor, 0, MAX_ATOMS);
        cut_history(machine, s, m->target, s->logged);
        x->pc++;
        return true;
    case M_JOIN:
        if (s->strands[m->target].phase != ENDED)
            return false;
        cut_history(machine, s, t, s->logged);
        x->pc++;
        return true;
    default:
        return false;
    }
}

/* ---- the start ---- */

static void look_ahead(struct machine *machine, size_t t)
{
    for (size_t i = machine->l.micro_count[t]; i > 0; i--) {
        const struct micro *m = &machine->l.micros[t][i - 1];

        machine->loads_later[t][i - 1] = machine->loads_later[t][i];
        machine->sl_later[t][i - 1] = machine->sl_later[t][i];
        if (m->kind == M_LOAD)
            for (unsigned a = m->first; a < (unsigned)m->first + m->count; a++)
                machine->loads_later[t][i - 1] |= (uint16_t)(1u << a);
        if (m->kind == M_FENCE && (m->bits & SL))
            machine->sl_later[t][i - 1] = true;
    }
}

void machine_init(struct machine *machine, const struct program *p,
                  enum model model, const struct options *options,
                  struct state *start)
{
    memset(machine, 0, sizeof *machine);
    memset(start, 0, sizeof *start);
    lower(&machine->l, p, model, options);
    machine->options = *options;
    machine->buffers = model != SC;
    machine->fifo = machine->drains_all = model == TSO;
    machine->history = model == PSLO;
    number_of(machine, 0);
    for (size_t t = 0; t < p->thread_count; t++) {
        look_ahead(machine, t);
        start->strands[t].phase = p->threads[t].started ? RUNNING : UNBORN;
    }
    for (size_t a = 0; a < machine->l.atom_count; a++)
        start->memory[a] = start->base[a] =
            number_of(machine, machine->l.atoms[a].initial);
}
