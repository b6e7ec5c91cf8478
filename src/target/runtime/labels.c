/* SPDX-License-Identifier: MIT
 *
 * Labels of the program's values, as the instrumented code carries them, and
 * the records of dependencies (graph/depends.h) that come of them.
 *
 * Sets are interned: a thread that runs again makes the same ones, and a union
 * that was made before is found in a small memory of unions.
 */
#include "runtime/labels.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/modelled.h"
#include "runtime/native_inside.h"

#define LABELS_MAX (1u << 16)
#define RECENT                                                                 \
    4096u /* unions, picks and records that were asked for lately              \
           */

struct label {
    struct depends_set deps, picks;
};

enum made_by { MADE_BY_UNION, MADE_BY_PICK };

uint32_t __fencer_labels[LABEL_SLOTS];
void *__fencer_callee;

static struct {
    bool on;
    uint32_t count; /* the first is number 1 */
    struct label *labels;
    uint32_t *slots; /* by a hash: numbers */
    struct made {
        uint32_t a, b, by, made;
    } made[RECENT];
    struct recorded {
        struct labels_given given;
        uint32_t branch, record;
    } recorded[RECENT];
} all;

static void *map(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MUST(at != MAP_FAILED);
    return at;
}

static bool model_asks(void)
{
    return (rt.model->by_axioms && !rt.model->axioms->weakest) ||
           (rt.model->with_deps && rt.channel->flags & CHANNEL_DEPS);
}

void labels_begin_search(void)
{
    all.on = __fencer_program.flags & PROGRAM_DEPENDS && model_asks() &&
             !(rt.channel->flags & CHANNEL_NO_DEPENDS);
    if (!all.on)
        return;
    if (!all.labels) {
        all.labels = map(LABELS_MAX * sizeof *all.labels);
        all.slots = map(2 * LABELS_MAX * sizeof *all.slots);
    }
    if (all.count)
        memset(all.slots, 0, 2 * LABELS_MAX * sizeof *all.slots);
    all.count = 0;
    memset(all.made, 0, sizeof all.made);
    memset(all.recorded, 0, sizeof all.recorded);
}

bool labels_are_on(void)
{
    return all.on && native_is_on();
}

static struct labels_thread *self(void)
{
    return &native_self()->labels;
}

/* ---- Sets ---- */

static const struct label nothing;

static const struct label *label_at(uint32_t label)
{
    MUST(label <= all.count);
    return label ? &all.labels[label - 1] : &nothing;
}

static uint32_t hash(const void *words, size_t size)
{
    const uint64_t *word = words;
    uint64_t h = 0;

    for (size_t i = 0; i < size / sizeof *word; i++)
        h = (h ^ word[i]) * 0x9e3779b97f4a7c15ull, h ^= h >> 32;
    return (uint32_t)h;
}

static uint32_t intern(const struct label *l)
{
    uint32_t i = hash(l, sizeof *l) % (2 * LABELS_MAX);

    if (memcmp(l, &nothing, sizeof *l) == 0)
        return 0;
    while (all.slots[i] && memcmp(label_at(all.slots[i]), l, sizeof *l) != 0)
        i = (i + 1) % (2 * LABELS_MAX);
    if (all.slots[i])
        return all.slots[i];
    if (all.count == LABELS_MAX) {
        native.trie->depends.full = true;
        return 0;
    }
    all.labels[all.count] = *l;
    all.slots[i] = ++all.count;
    return all.count;
}

static uint32_t make(uint32_t a, uint32_t b, enum made_by by)
{
    struct label l = *label_at(a);
    const struct label *m = label_at(b);
    struct made *known = &all.made[(a * 31 + b * 2 + by) % RECENT];

    if (known->a == a && known->b == b && known->by == by && known->made)
        return known->made;
    depends_unite(by == MADE_BY_UNION ? &l.deps : &l.picks, &m->deps);
    depends_unite(&l.picks, &m->picks);
    *known = (struct made){a, b, by, intern(&l)};
    return known->made;
}

uint32_t labels_union(uint32_t a, uint32_t b)
{
    return !b || a == b ? a : !a ? b : make(a, b, MADE_BY_UNION);
}

static uint32_t pick(uint32_t label, uint32_t by)
{
    return by ? make(label, by, MADE_BY_PICK) : label;
}

/* That operation, and the picks of these labels. */
static uint32_t of_place(uint32_t place, uint32_t a, uint32_t b)
{
    struct label l = {.picks = label_at(a)->picks};

    depends_unite(&l.picks, &label_at(b)->picks);
    depends_add(&native.trie->depends, &l.deps, place);
    return intern(&l);
}

/* ---- Operations ---- */

/* In a modelled function nobody says which operand is which. */
void labels_take(void)
{
    struct labels_thread *t;
    uint32_t *slot = __fencer_labels;

    if (!labels_are_on())
        return;
    t = self();
    t->given = (struct labels_given){slot[LABEL_ADDR], slot[LABEL_DATA],
                                     slot[LABEL_COMPARED]};
    slot[LABEL_ADDR] = slot[LABEL_DATA] = slot[LABEL_COMPARED] = 0;
    if (!t->in_call)
        return;
    t->given.address = labels_union(t->given.address, t->call);
    t->given.data = labels_union(labels_union(t->given.data, t->call), t->read);
}

void labels_give(uint32_t address, uint32_t data)
{
    __fencer_labels[LABEL_ADDR] = address;
    __fencer_labels[LABEL_DATA] = data;
}

static uint32_t record(const struct labels_given *given, uint32_t branch)
{
    const struct label *a = label_at(given->address);
    const struct label *d = label_at(given->data);
    const struct label *c = label_at(given->compared);
    const struct label *b = label_at(branch);
    struct depends r = {{[DEPENDS_ADDR] = a->deps,
                         [DEPENDS_DATA] = d->deps,
                         [DEPENDS_CTRL] = b->deps,
                         [DEPENDS_PICK_ADDR] = a->picks,
                         [DEPENDS_PICK_DATA] = d->picks,
                         [DEPENDS_PICK_CTRL] = b->picks},
                        c->deps};

    depends_unite(&r.sets[DEPENDS_PICK_DATA], &c->deps);
    depends_unite(&r.sets[DEPENDS_PICK_DATA], &c->picks);
    return depends_intern(&native.trie->depends, &r);
}

/* The labels that matter to an operation of that kind. */
static struct labels_given given_to(unsigned kind)
{
    const struct labels_thread *t = self();
    struct labels_given g = {0, 0, 0};

    switch (kind) {
    case OP_LOAD:
    case OP_ATOMIC:
        g.address = t->given.address;
        return g;
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
    case OP_PUT:
        return t->given;
    case OP_SYNC:
        g.address = t->in_call ? t->call : 0;
        return g;
    default:
        return g;
    }
}

uint32_t labels_announced(unsigned kind)
{
    struct labels_thread *t = self();
    struct labels_given g;
    struct recorded *known;

    if (!all.on)
        return 0;
    t->fed = false;
    t->last = t->place++;
    g = given_to(kind);
    if (kind == OP_SYNC)
        labels_did_read(labels_of_last());
    known = &all.recorded[(g.address * 31 + g.data * 7 + g.compared * 3 +
                           t->branch) %
                          RECENT];
    if (known->given.address != g.address || known->given.data != g.data ||
        known->given.compared != g.compared || known->branch != t->branch)
        *known = (struct recorded){g, t->branch, record(&g, t->branch)};
    return known->record;
}

void labels_fed(void)
{
    self()->fed = true;
}

uint32_t labels_of_last(void)
{
    const struct labels_thread *t = self();

    return t->fed ? 0 : of_place(t->last, 0, 0);
}

/* Others may have run since the operation. */
void labels_end(void)
{
    if (labels_are_on())
        __fencer_labels[LABEL_RESULT] = self()->result;
}

void labels_did_read(uint32_t label)
{
    struct labels_thread *t = self();

    t->result = label;
    if (t->in_call)
        t->read = labels_union(t->read, label);
}

void labels_will_put(uint32_t label)
{
    self()->given = (struct labels_given){0, label, 0};
}

/* What is stored picks what its CAS compared with. */
uint32_t labels_of_stored(void)
{
    const struct labels_given *g = &self()->given;

    return pick(labels_union(g->data, g->address), g->compared);
}

/* A machine knows no later store before it knows where an earlier access goes:
 * of one that is no event the address decides as a branch does. */
static void branch_on_address(void)
{
    struct labels_thread *t = self();

    t->branch = labels_union(t->branch, t->given.address);
}

void labels_did_own_load(uint64_t address, uint64_t size)
{
    if (!labels_are_on())
        return;
    branch_on_address();
    labels_did_read(
        labels_union(labels_recall(address, size), self()->given.address));
}

void labels_did_own_store(uint64_t address, uint64_t size)
{
    if (!labels_are_on())
        return;
    branch_on_address();
    labels_keep(address, size, labels_of_stored());
}

/* Of the thread's last store there only the picks pass on: what it stored may
 * not be what is read. */
void labels_did_load(uint64_t address, uint64_t size)
{
    const struct labels_thread *t;

    if (!labels_are_on())
        return;
    t = self();
    labels_did_read(t->fed ? 0
                           : of_place(t->last, t->given.address,
                                      labels_recall(address, size)));
}

void labels_did_store(uint64_t address, uint64_t size)
{
    if (labels_are_on())
        labels_keep(address, size, labels_of_stored());
}

/* What it writes may be all that it was given and has read. */
void labels_touched(bool writes, uint64_t address, uint64_t size)
{
    const struct labels_thread *t;

    if (!labels_are_on())
        return;
    t = self();
    if (t->in_call && writes)
        labels_keep(address, size, labels_union(t->call, t->read));
    else if (t->in_call)
        labels_did_read(labels_recall(address, size));
}

/* ---- Hooks ---- */

HIDDEN(uint32_t, label_union, (uint32_t a, uint32_t b))
{
    return labels_are_on() ? labels_union(a, b) : 0;
}

HIDDEN(uint32_t, label_pick, (uint32_t label, uint32_t by))
{
    return labels_are_on() ? pick(label, by) : 0;
}

HIDDEN(void, label_branch, (uint32_t label))
{
    if (labels_are_on())
        self()->branch = labels_union(self()->branch, label);
}

/* Modelled calls may be nested, by functions that they call back. */
HIDDEN(uint64_t, label_call, (uint32_t label))
{
    struct labels_thread *t;
    uint64_t before;

    if (!labels_are_on())
        return 0;
    t = self();
    before = (uint64_t)t->in_call << 63 | (uint64_t)t->read << 32 | t->call;
    t->in_call = true;
    t->call = label;
    t->read = 0;
    return before;
}

HIDDEN(uint32_t, label_called, (uint64_t before, uint32_t label))
{
    struct labels_thread *t;
    uint32_t read;

    if (!labels_are_on())
        return 0;
    t = self();
    read = t->read;
    t->in_call = before >> 63;
    t->call = (uint32_t)before;
    t->read = before >> 32 & 0x7fffffff;
    return labels_union(label, read);
}

HIDDEN(void, label_callback, (void))
{
    if (labels_are_on())
        self()->in_call = false;
}
