/* SPDX-License-Identifier: MIT
 *
 * What memory held before: see history.c.
 */
#ifndef RUNTIME_HISTORY_H
#define RUNTIME_HISTORY_H

#include "runtime/rt.h"

#define HISTORY_CHOICES 64 /* older values offered to one load, at most */

void history_map(void);
/* Everything before now is forgotten: all threads read current memory. */
void history_forget(void);
/* Another number each time that was done. */
uint32_t history_epoch(void);

/* [address, address + size) is about to be overwritten by t, at the moment
 * rt.now: keep what was there.  `event` is the writer's number + 1. */
void history_note(struct thread *t, uint64_t address, unsigned size,
                  uint32_t event);

/* How many different views t may have of the bytes in `need` (bit i: byte
 * address + i) that are not from before the moment `low`, the newest counted:
 * at least 1. */
uint32_t history_views(const struct thread *t, uint64_t address, uint32_t need,
                       uint64_t low);

/* How often the bytes have changed after that moment. */
uint32_t history_changes(uint64_t address, uint32_t need, uint64_t moment);

/* Takes the view-th of them, 0 being the newest: fills the needed bytes of
 * `out` and moves t's floors there. */
struct history_taken {
    uint32_t writer; /* of the first needed byte, as an event number + 1 */
    uint64_t since;  /* the moment from which on memory looked like that */
};
struct history_taken history_take(struct thread *t, uint64_t address,
                                  uint32_t need, uint32_t view, uint8_t *out);

#endif
