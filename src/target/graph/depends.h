/* SPDX-License-Identifier: MIT
 *
 * On which earlier loads of its thread an operation depends, in the sense of
 * processors: by values that went through registers, by branches, and by
 * selections.  Processors that reorder loads and stores keep such pairs in
 * order (src/shared/model/arm.c, riscv.c).
 *
 * An operation has six sets of earlier operations of the same thread, each of
 * which is a load, an RMW, a CAS, or an OP_SYNC that read.  The name of an
 * operation is its place on the thread's path in the trie: 0 is the first
 * that the thread announces, and every kind of operation counts.
 *
 *   addr   what the address was computed from
 *   data   what the stored value was; of an RMW, its operand; of a CAS, its
 *          new value.  (That fetch-and-op also depends on what it reads itself
 *          is known without.)
 *   ctrl   what conditional branches and switches of the thread were decided
 *          by so far: the union over all of them, past the join points, too
 *   pick_addr, pick_data, pick_ctrl
 *          the same for values that only selected: the condition of a
 *          `select`, and whatever was a pick of the values above.  What a CAS
 *          compares with, its deps and picks, is in its pick_data.  Where
 *          a CAS is a loop that branches on the comparison, the deps are in the
 *          ctrl of all that follows; a record has them apart.
 *
 * What an operation gives to the values computed from it, as a source:
 *
 *   a load, an RMW: its result is {itself} in deps; its picks are those of
 *          its pointer, and those of its thread's last store to that memory
 *   a CAS: its result is {itself}, also if it succeeds, and its flag is
 *          {itself} and the deps of what it compares with.  Whoever reads a
 *          record knows whether the CAS succeeded: where that is one
 *          instruction the result of a success counts as a pick.
 *   what is no event (private memory, struct op `skips`) passes on what was
 *          stored there, as a register does.  What its address was computed
 *          from orders every later store: it goes into the ctrl of all that
 *          follows, and the picks into pick_ctrl.
 *
 * Arithmetic, casts, address computations and phis are unions of their
 * operands; x ^ x keeps the dependency.  A `select` gives the chosen operand's
 * deps and picks, and the condition's deps and picks to picks.
 *
 * Records are interned: equal ones have one number, and 0 is that of none.
 */
#ifndef GRAPH_DEPENDS_H
#define GRAPH_DEPENDS_H

#include <stdbool.h>
#include <stdint.h>

#define DEPENDS_PLACES 1024 /* on a thread's path; what is later is refused */

/* A set of places. */
struct depends_set {
    uint64_t word[DEPENDS_PLACES / 64];
};

enum depends_kind {
    DEPENDS_ADDR,
    DEPENDS_DATA,
    DEPENDS_CTRL,
    DEPENDS_PICK_ADDR,
    DEPENDS_PICK_DATA,
    DEPENDS_PICK_CTRL,
    DEPENDS_KINDS
};

struct depends {
    struct depends_set sets[DEPENDS_KINDS]; /* enum depends_kind */
    struct depends_set compared; /* a CAS: the deps of what it compares with */
};

#define DEPENDS_MAX 16384u /* different records in one search */

/* Lives in struct behaviour; all zero is empty. */
struct depends_table {
    uint32_t count; /* records; the first is number 1 */
    /* A set needed a place or a record that there is no room for: what is
     * found then is not all.  Who sees it says so by name. */
    bool full;
    uint32_t slots[2 * DEPENDS_MAX]; /* by a hash: numbers */
    struct depends records[DEPENDS_MAX];
};

static inline bool depends_has(const struct depends_set *s, unsigned place)
{
    return s->word[place / 64] >> place % 64 & 1;
}

static inline void depends_unite(struct depends_set *to,
                                 const struct depends_set *from)
{
    for (unsigned i = 0; i < DEPENDS_PLACES / 64; i++)
        to->word[i] |= from->word[i];
}

/* False, and t->full: the place is beyond what a set can hold. */
bool depends_add(struct depends_table *t, struct depends_set *s,
                 unsigned place);

/* The number of that record; 0 for an empty one, and if there is no room for
 * it (t->full then). */
uint32_t depends_intern(struct depends_table *t, const struct depends *d);

/* The record of a number: lent for as long as the table lives; of 0, an empty
 * one. */
const struct depends *depends_get(const struct depends_table *t,
                                  uint32_t number);

void depends_forget(struct depends_table *t);

#endif
