/* SPDX-License-Identifier: MIT
 *
 * The machines of docs/models.md over lowered programs: a state, and the
 * steps that lead from one to the next.  enumerate.c walks over all of them.
 */
#ifndef ORACLE_MACHINE_H
#define ORACLE_MACHINE_H

#include "lower.h"
#include "relations.h"

enum { MAX_BUFFER = 12, MAX_LOG = 20, MAX_VALUES = 256 };

enum phase { UNBORN, RUNNING, ENDED };

/* A store that waits.  The counts of docs/models.md are kept dense: ss is the
 * number of ss fences between the oldest buffered store and this one that
 * separate two buffered stores; sl is 1 once an sl fence came after it. */
struct waiting {
    uint8_t first, count; /* atoms */
    uint8_t value;
    uint8_t ss, sl;
    uint8_t slot; /* of its first atom, if relations are recorded, else 0 */
};

struct strand {
    uint8_t phase, pc;
    uint8_t ss;        /* the thread's own count, on the same scale */
    uint8_t committed; /* moment of its own last commit (stores and RMWs) */
    uint8_t awaited;   /* 1 + what the loop that it is in read last; 0: none */
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
        uint8_t joined; /* to the next: memory never was between them */
    } log[MAX_LOG];
    uint8_t regs[MAX_REGS];
    struct strand strands[MAX_THREADS];
};

struct machine {
    struct lowered l;
    struct options options;
    bool buffers, fifo, history, drains_all;
    /* Atoms a thread may still load, and whether an sl fence is still to
     * come, from each micro on. */
    uint16_t loads_later[MAX_THREADS][MAX_MICROS + 1];
    bool sl_later[MAX_THREADS][MAX_MICROS + 1];

    struct relations *relations; /* steps add to these; NULL: nobody asks */

    uint64_t values[MAX_VALUES]; /* what the numbers in a state stand for */
    size_t value_count;
};

/* The machine for p on that model, and the state it begins in. */
void machine_init(struct machine *machine, const struct program *p,
                  enum model model, const struct options *options,
                  struct state *start);

/* The micro a thread is at. */
const struct micro *machine_next(const struct machine *machine,
                                 const struct state *s, size_t t);

/* May entry i of the thread's buffer commit?  And do it. */
bool machine_may_commit(const struct machine *machine, const struct strand *x,
                        size_t i);
void machine_commit(struct machine *machine, struct state *s, size_t t,
                    size_t i);

/* May the thread, which is at a load, take memory as it was at that moment?
 * If not, no older moment will do.  And do it. */
bool machine_may_load(const struct machine *machine, const struct state *s,
                      size_t t, unsigned moment);
/* Would the load be one that a spin loop does not make, since it would read
 * there what the load before it read? */
bool machine_spins(const struct machine *machine, const struct state *s,
                   size_t t, unsigned moment);
/* Is that moment within a block that is one step? */
bool machine_is_between(const struct state *s, unsigned moment);
void machine_load(struct machine *machine, struct state *s, size_t t,
                  unsigned moment);

/* The thread is at a choice, and takes that number. */
void machine_choose(struct machine *machine, struct state *s, size_t t,
                    unsigned number);

/* The thread's next step if it is none of these: one that other threads can
 * notice, or one they cannot.  False: it is not of that kind, or cannot be
 * taken now. */
bool machine_step_seen(struct machine *machine, struct state *s, size_t t);
bool machine_step_unseen(struct machine *machine, struct state *s, size_t t);

/* Removes from the state what can make no difference any more. */
void machine_normalise(struct machine *machine, struct state *s);

/* Memory now, as the value of an access to those atoms. */
uint64_t machine_memory(const struct machine *machine, const struct state *s,
                        unsigned first, unsigned count);

#endif
