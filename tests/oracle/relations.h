/* SPDX-License-Identifier: MIT
 *
 * Who read from whom, and in which order writes reached memory, noted while a
 * machine runs.  By slots (see lower.h): one for each atom of each access.
 */
#ifndef ORACLE_RELATIONS_H
#define ORACLE_RELATIONS_H

#include "lower.h"

enum { MAX_SLOTS = 120 };

/* A place is a number in the atom's coherence order: 0 is the initial value, 1
 * the first write of it. */
struct relations {
    uint8_t written[MAX_ATOMS]; /* writes of each atom so far */
    uint8_t place[MAX_SLOTS];   /* of a write; 0: not in memory yet */
    uint8_t source[MAX_SLOTS];  /* of a read: 1 + place of the write it took;
                                   0: not done yet */
};

/* In place of a source while that waits in the reader's own buffer: this and
 * the slot of the write. */
enum { WAITS = 0x80 };

/* None of these does anything if r is NULL or the slot 0: nobody asks. */

/* The access with these slots and atoms reached memory. */
void relations_write(struct relations *r, unsigned slot, unsigned first,
                     unsigned count);
/* A read took the atom from memory as it was `ago` writes of it ago. */
void relations_read(struct relations *r, unsigned slot, unsigned atom,
                    unsigned ago);
/* That number was chosen: kept like a source. */
void relations_choose(struct relations *r, unsigned slot, unsigned number);
/* A read took the atom from its own thread's write, which waits. */
void relations_forward(struct relations *r, unsigned slot, unsigned from);

#endif
