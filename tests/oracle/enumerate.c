/* SPDX-License-Identifier: MIT
 *
 * The four machines, straight from DESIGN section 2, and a depth-first walk
 * over all their states.
 *
 * One machine with three switches does it:
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
#include "enumerate.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BUFFER = 12, MAX_LOG = 20, MAX_VALUES = 256 };

enum phase { UNBORN, RUNNING, ENDED };

/* A store that waits.  The counts of DESIGN are kept dense: ss is the number
 * of ss fences between the oldest buffered store and this one that separate
 * two buffered stores; sl is 1 once an sl fence came after it. */
struct waiting {
    uint8_t first, count; /* atoms */
    uint8_t value;
    uint8_t ss, sl;
};

struct strand {
    uint8_t phase, pc;
    uint8_t ss;        /* the thread's own count, on the same scale */
    uint8_t committed; /* moment of its own last commit (stores and RMWs) */
    uint8_t used;      /* entries of buffer */
    struct waiting buffer[MAX_BUFFER];
    uint8_t floor[MAX_ATOMS];
};

struct state {
    uint8_t memory[MAX_ATOMS]; /* now */
    uint8_t base[MAX_ATOMS];   /* at moment 0 */
    uint8_t logged;
    struct {
        uint8_t first, count, value;
    } log[MAX_LOG];
    uint8_t regs[MAX_REGS];
    struct strand strands[MAX_THREADS];
};

struct fingerprint {
    uint64_t a, b;
};

struct walk {
    struct lowered l;
    struct options options;
    bool buffers, fifo, history, drains_all;
    /* Atoms a thread may still load, and whether an sl fence is still to
     * come, from each micro on. */
    uint16_t loads_later[MAX_THREADS][MAX_MICROS + 1];
    bool sl_later[MAX_THREADS][MAX_MICROS + 1];

    uint64_t values[MAX_VALUES];
    size_t value_count;
    struct fingerprint *seen;
    size_t seen_room, max_states;
    struct enumerated *result;
};

/* ---- values ---- */

static uint8_t number_of(struct walk *w, uint64_t value)
{
    for (size_t i = 0; i < w->value_count; i++)
        if (w->values[i] == value)
            return (uint8_t)i;
    REQUIRE(w->value_count < MAX_VALUES, "too many values");
    w->values[w->value_count] = value;
    return (uint8_t)w->value_count++;
}

static uint64_t operand_of(const struct walk *w, const struct state *s,
                           struct operand o)
{
    return o.constant + (o.reg >= 0 ? w->values[s->regs[o.reg]] : 0);
}

static void set_register(struct walk *w, struct state *s, int8_t reg,
                         uint64_t value)
{
    if (reg >= 0)
        s->regs[reg] = number_of(w, value);
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

static uint64_t value_at(const struct walk *w, const struct state *s,
                         size_t atom, unsigned moment)
{
    unsigned k = written_at(s, atom, moment);

    if (!k)
        return w->values[s->base[atom]];
    return atom_part(&w->l, s->log[k - 1].first, atom,
                     w->values[s->log[k - 1].value]);
}

/* Nothing older than `moment` is visible to the thread from now on. */
static void cut_history(const struct walk *w, struct state *s, size_t t,
                        unsigned moment)
{
    if (!w->history)
        return;
    for (size_t a = 0; a < w->l.atom_count; a++) {
        uint8_t k = written_at(s, a, moment);

        if (k > s->strands[t].floor[a])
            s->strands[t].floor[a] = k;
    }
}

static void write_memory(struct walk *w, struct state *s, size_t t,
                         unsigned first, unsigned count, uint64_t value)
{
    for (size_t a = first; a < first + count; a++)
        s->memory[a] = number_of(w, atom_part(&w->l, first, a, value));
    if (!w->history)
        return;
    REQUIRE(s->logged < MAX_LOG, "log too long");
    s->log[s->logged].first = (uint8_t)first;
    s->log[s->logged].count = (uint8_t)count;
    s->log[s->logged].value = number_of(w, value);
    s->logged++;
    for (size_t a = first; a < first + count; a++)
        s->strands[t].floor[a] = s->logged;
    s->strands[t].committed = s->logged;
}

static uint64_t read_memory(const struct walk *w, const struct state *s,
                            unsigned first, unsigned count)
{
    uint64_t value = 0;

    for (size_t a = first; a < first + count; a++)
        value |= w->values[s->memory[a]] << atom_shift(&w->l, first, a);
    return value;
}

/* ---- the buffer ---- */

static bool has_room(const struct walk *w, const struct strand *x)
{
    return !w->options.buffer || x->used < w->options.buffer;
}

static void issue(struct walk *w, struct strand *x, const struct micro *m,
                  uint64_t value)
{
    REQUIRE(x->used < MAX_BUFFER, "buffer too long");
    x->buffer[x->used++] =
        (struct waiting){m->first, m->count,
                         number_of(w, cut_to_size(value, m->size)), x->ss, 0};
}

/* An ss fence: later stores have a greater count than those that wait.  Two
 * fences with no store between them are one. */
static void fence_ss(struct strand *x)
{
    if (x->used && x->buffer[x->used - 1].ss == x->ss)
        x->ss++;
}

static bool may_commit(const struct walk *w, const struct strand *x, size_t i)
{
    const struct waiting *e = &x->buffer[i];

    if (w->fifo)
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

static void commit(struct walk *w, struct state *s, size_t t, size_t i)
{
    struct strand *x = &s->strands[t];
    struct waiting e = x->buffer[i];

    memmove(x->buffer + i, x->buffer + i + 1,
            (x->used - i - 1) * sizeof *x->buffer);
    memset(&x->buffer[--x->used], 0, sizeof *x->buffer);
    rescale(x);
    write_memory(w, s, t, e.first, e.count, w->values[e.value]);
    if (e.sl)
        cut_history(w, s, t, s->logged);
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

/* ---- steps; each returns false if it cannot be taken now ---- */

static bool step_fence(const struct walk *w, struct state *s, size_t t,
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
        cut_history(w, s, t, x->committed);
    }
    if (bits & (LL | FULL))
        cut_history(w, s, t, s->logged);
    return true;
}

/* What an RMW makes of the old value; false: it writes nothing. */
static bool rmw_result(const struct walk *w, const struct state *s,
                       const struct micro *m, uint64_t old, uint64_t *result)
{
    uint64_t operand = operand_of(w, s, m->value);

    *result = cut_to_size(m->op == OP_ADD ? old + operand : operand, m->size);
    if (m->op == OP_XCHG || m->op == OP_ADD)
        return true;
    return old == cut_to_size(operand_of(w, s, m->expected), m->size);
}

static bool step_rmw(struct walk *w, struct state *s, size_t t,
                     const struct micro *m)
{
    struct strand *x = &s->strands[t];
    uint64_t old = read_memory(w, s, m->first, m->count), result;
    bool writes = rmw_result(w, s, m, old, &result);
    uint8_t before = writes ? m->before : m->fail_before;

    if (m->op == OP_LOCK && !writes)
        return false;
    if (x->used && (w->drains_all || (before & FULL)))
        return false;
    if (buffers_part_of(x, m) || waits_for_sl(x))
        return false;
    /* An ss fence before it, or one since the oldest waiting store: its write
     * must not overtake. */
    if (writes && x->used && ((before & SS) || x->ss > x->buffer[0].ss))
        return false;

    if (writes && m->op == OP_CAS && w->options.cas_bufferable && w->buffers)
        issue(w, x, m, result);
    else if (writes)
        write_memory(w, s, t, m->first, m->count, result);
    else
        for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
            x->floor[a] = written_at(s, a, s->logged);
    if ((writes ? m->after : m->fail_after) & (LL | FULL))
        cut_history(w, s, t, s->logged);
    if (m->op == OP_TRYLOCK)
        old = writes ? 0 : BUSY;
    if (m->op != OP_LOCK)
        set_register(w, s, m->dest, old);
    x->pc++;
    return true;
}

static void load_at(struct walk *w, struct state *s, size_t t,
                    const struct micro *m, uint16_t own, uint64_t own_value,
                    unsigned moment)
{
    struct strand *x = &s->strands[t];
    uint64_t value = own_value;

    for (size_t a = m->first; a < (size_t)m->first + m->count; a++) {
        if (own >> a & 1)
            continue;
        if (w->history) {
            value |= value_at(w, s, a, moment)
                     << atom_shift(&w->l, m->first, a);
            x->floor[a] = written_at(s, a, moment);
        } else {
            value |= w->values[s->memory[a]] << atom_shift(&w->l, m->first, a);
        }
    }
    set_register(w, s, m->dest, value);
    x->pc++;
}

/* Atoms the load takes from its own buffer, the newest entry over each, and
 * their part of the value. */
static uint16_t forwarded(const struct walk *w, const struct strand *x,
                          const struct micro *m, uint64_t *value)
{
    uint16_t own = 0;

    *value = 0;
    for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
        for (size_t i = x->used; i > 0; i--) {
            const struct waiting *e = &x->buffer[i - 1];

            if (!covers(e->first, e->count, a))
                continue;
            *value |= atom_part(&w->l, e->first, a, w->values[e->value])
                      << atom_shift(&w->l, m->first, a);
            own |= (uint16_t)(1u << a);
            break;
        }
    return own;
}

static bool moment_allowed(const struct strand *x, const struct micro *m,
                           uint16_t own, unsigned moment)
{
    for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
        if (!(own >> a & 1) && moment < x->floor[a])
            return false;
    return true;
}

/* ---- what makes no difference ---- */

static bool floor_matters(const struct walk *w, const struct state *s, size_t t,
                          size_t atom)
{
    const struct strand *x = &s->strands[t];

    return x->phase == RUNNING && (w->loads_later[t][x->pc] >> atom & 1);
}

/* No thread can tell moment 0 from moment 1. */
static bool first_moment_is_dead(const struct walk *w, const struct state *s)
{
    for (size_t t = 0; t < w->l.program->thread_count; t++)
        for (size_t i = 0; i < s->log[0].count; i++) {
            size_t atom = s->log[0].first + i;

            if (floor_matters(w, s, t, atom) && !s->strands[t].floor[atom])
                return false;
        }
    return true;
}

static void drop_first_moment(struct walk *w, struct state *s)
{
    unsigned first = s->log[0].first, count = s->log[0].count;

    for (size_t a = first; a < first + count; a++)
        s->base[a] = number_of(
            w, atom_part(&w->l, first, a, w->values[s->log[0].value]));
    s->logged--;
    memmove(s->log, s->log + 1, s->logged * sizeof *s->log);
    memset(&s->log[s->logged], 0, sizeof *s->log);
    for (size_t t = 0; t < w->l.program->thread_count; t++) {
        struct strand *x = &s->strands[t];

        for (size_t a = 0; a < w->l.atom_count; a++)
            x->floor[a] -= x->floor[a] > 0;
        x->committed -= x->committed > 0;
    }
}

static void normalise(struct walk *w, struct state *s)
{
    if (!w->history)
        return;
    for (size_t t = 0; t < w->l.program->thread_count; t++) {
        struct strand *x = &s->strands[t];

        for (size_t a = 0; a < w->l.atom_count; a++)
            if (!floor_matters(w, s, t, a))
                x->floor[a] = 0;
        if (x->phase != RUNNING || !w->sl_later[t][x->pc])
            x->committed = 0;
    }
    while (s->logged && first_moment_is_dead(w, s))
        drop_first_moment(w, s);
}

/* ---- the walk ---- */

static void look_ahead(struct walk *w, size_t t)
{
    for (size_t i = w->l.micro_count[t]; i > 0; i--) {
        const struct micro *m = &w->l.micros[t][i - 1];

        w->loads_later[t][i - 1] = w->loads_later[t][i];
        w->sl_later[t][i - 1] = w->sl_later[t][i];
        if (m->kind == M_LOAD)
            for (unsigned a = m->first; a < (unsigned)m->first + m->count; a++)
                w->loads_later[t][i - 1] |= (uint16_t)(1u << a);
        if (m->kind == M_FENCE && (m->bits & SL))
            w->sl_later[t][i - 1] = true;
    }
}

/* Steps that no other thread can notice: taking them at once loses nothing.
 * A store that is issued early may still commit late, and a cut made early
 * cuts less. */
static bool step_unseen(struct walk *w, struct state *s, size_t t)
{
    struct strand *x = &s->strands[t];
    const struct micro *m = &w->l.micros[t][x->pc];

    switch ((enum micro_kind)m->kind) {
    case M_IF:
        x->pc = operand_of(w, s, m->value) == w->values[s->regs[m->dest]]
                    ? (uint8_t)(x->pc + 1)
                    : m->target;
        return true;
    case M_FENCE:
        if (!step_fence(w, s, t, m->bits))
            return false;
        x->pc++;
        return true;
    case M_STORE:
        if (!w->buffers || !has_room(w, x))
            return false;
        issue(w, x, m, operand_of(w, s, m->value));
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

static void settle(struct walk *w, struct state *s)
{
    for (size_t t = 0; t < w->l.program->thread_count; t++)
        while (s->strands[t].phase == RUNNING && step_unseen(w, s, t))
            ;
}

static void visit(struct walk *w, struct state *s);

static bool step_seen(struct walk *w, struct state *s, size_t t)
{
    struct strand *x = &s->strands[t];
    const struct micro *m = &w->l.micros[t][x->pc];

    switch ((enum micro_kind)m->kind) {
    case M_STORE: /* on SC; with buffers it is unseen */
        if (w->buffers)
            return false;
        write_memory(w, s, t, m->first, m->count,
                     cut_to_size(operand_of(w, s, m->value), m->size));
        x->pc++;
        return true;
    case M_RMW:
        return step_rmw(w, s, t, m);
    case M_SPAWN:
        if (x->used)
            return false;
        s->strands[m->target].phase = RUNNING;
        memset(s->strands[m->target].floor, 0, MAX_ATOMS);
        cut_history(w, s, m->target, s->logged);
        x->pc++;
        return true;
    case M_JOIN:
        if (s->strands[m->target].phase != ENDED)
            return false;
        cut_history(w, s, t, s->logged);
        x->pc++;
        return true;
    default:
        return false;
    }
}

/* All ways the thread's next load can go. */
static bool try_loads(struct walk *w, const struct state *s, size_t t)
{
    const struct strand *x = &s->strands[t];
    const struct micro *m = &w->l.micros[t][x->pc];
    uint64_t own_value;
    uint16_t own;

    if (m->kind != M_LOAD || waits_for_sl(x))
        return false;
    own = forwarded(w, x, m, &own_value);
    for (unsigned moment = s->logged + 1u; moment-- > 0;) {
        struct state next = *s;

        if (!moment_allowed(x, m, own, moment))
            break;
        load_at(w, &next, t, m, own, own_value, moment);
        visit(w, &next);
    }
    return true;
}

static bool try_thread(struct walk *w, const struct state *s, size_t t)
{
    const struct strand *x = &s->strands[t];
    struct state next;
    bool any = false;

    for (size_t i = 0; i < x->used; i++) {
        if (!may_commit(w, x, i))
            continue;
        next = *s;
        commit(w, &next, t, i);
        visit(w, &next);
        any = true;
    }
    if (x->phase != RUNNING)
        return any;
    any |= try_loads(w, s, t);
    next = *s;
    if (step_seen(w, &next, t) ||
        (w->options.every_step && step_unseen(w, &next, t))) {
        visit(w, &next);
        any = true;
    }
    return any;
}

static void add_outcome(struct walk *w, const struct state *s)
{
    const struct program *p = w->l.program;
    uint64_t values[MAX_OBSERVED];

    for (size_t i = 0; i < p->observed_count; i++)
        values[i] = p->observed[i].reg >= 0
                        ? w->values[s->regs[p->observed[i].reg]]
                        : read_memory(w, s, w->l.observed[i].first,
                                      w->l.observed[i].count);
    outcomes_add(&w->result->outcomes, values);
}

static bool all_ended(const struct walk *w, const struct state *s)
{
    for (size_t t = 0; t < w->l.program->thread_count; t++)
        if (s->strands[t].phase == RUNNING)
            return false;
    return true;
}

/* 128 bits stand for the state: with a million states the chance that two of
 * them share a fingerprint is below 10^-26. */
static struct fingerprint fingerprint_of(const struct state *s)
{
    enum { WORDS = sizeof *s / 8, REST = sizeof *s % 8 };
    struct fingerprint f = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};
    const unsigned char *bytes = (const unsigned char *)s;

    for (size_t i = 0; i < WORDS + (REST > 0); i++) {
        uint64_t word = 0;

        memcpy(&word, bytes + 8 * i, i < WORDS ? 8 : REST);
        f.a = (f.a ^ word) * 0xff51afd7ed558ccdu;
        f.a ^= f.a >> 32;
        f.b = (f.b + word) * 0xc4ceb9fe1a85ec53u;
        f.b ^= f.b >> 29;
    }
    f.a |= 1; /* {0, 0} is an empty slot */
    return f;
}

static void grow(struct walk *w)
{
    size_t old_room = w->seen_room;
    struct fingerprint *old = w->seen;

    w->seen_room = old_room ? 4 * old_room : 4096;
    w->seen = calloc(w->seen_room, sizeof *w->seen);
    REQUIRE(w->seen, "out of memory");
    for (size_t i = 0; i < old_room; i++) {
        size_t at = old[i].b & (w->seen_room - 1);

        if (!old[i].a)
            continue;
        while (w->seen[at].a)
            at = (at + 1) & (w->seen_room - 1);
        w->seen[at] = old[i];
    }
    free(old);
}

static bool is_new(struct walk *w, const struct state *s)
{
    struct fingerprint f = fingerprint_of(s);
    size_t at;

    if (2 * (w->result->states + 1) > w->seen_room)
        grow(w);
    for (at = f.b & (w->seen_room - 1); w->seen[at].a;
         at = (at + 1) & (w->seen_room - 1))
        if (w->seen[at].a == f.a && w->seen[at].b == f.b)
            return false;
    w->seen[at] = f;
    w->result->states++;
    return true;
}

static void visit(struct walk *w, struct state *s)
{
    bool any = false;

    if (w->max_states && w->result->states >= w->max_states)
        return;
    if (!w->options.every_step)
        settle(w, s);
    normalise(w, s);
    if (!is_new(w, s))
        return;
    if (all_ended(w, s)) {
        add_outcome(w, s);
        return;
    }
    for (size_t t = 0; t < w->l.program->thread_count; t++)
        any |= try_thread(w, s, t);
    w->result->stuck += !any;
}

bool enumerate(struct enumerated *e, const struct program *p, enum model model,
               const struct options *options, size_t max_states)
{
    struct walk *w = calloc(1, sizeof *w);
    struct state start;

    REQUIRE(w, "out of memory");
    memset(e, 0, sizeof *e);
    outcomes_init(&e->outcomes, p->observed_count);
    lower(&w->l, p, model, options);
    w->options = *options;
    w->buffers = model != SC;
    w->fifo = model == TSO;
    w->drains_all = model == TSO;
    w->history = model == PSLO;
    w->result = e;
    w->max_states = max_states;
    memset(&start, 0, sizeof start);
    number_of(w, 0);
    for (size_t t = 0; t < p->thread_count; t++) {
        look_ahead(w, t);
        start.strands[t].phase = p->threads[t].started ? RUNNING : UNBORN;
    }
    for (size_t a = 0; a < w->l.atom_count; a++)
        start.memory[a] = start.base[a] = number_of(w, w->l.atoms[a].initial);
    visit(w, &start);
    free(w->seen);
    free(w);
    return !max_states || e->states < max_states;
}
