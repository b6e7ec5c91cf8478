/* SPDX-License-Identifier: MIT
 *
 * What an execution did, as engines that judge it while it runs want to know:
 * one record for each access, fence and synchronisation, in the order in which
 * they took effect on SC, from the first time that a thread is made.  Lean, for
 * millions of them are written each second; what people see is made from struct
 * event (event.h).
 *
 * Kinds, and what their fields hold besides thread and site:
 *
 *   LOAD                address size read order
 *   STORE               address size wrote order; read: what was there before
 *   RMW                 address size read wrote order; a CAS: HAPPENED_CAS and
 *                       expected; its failure order in `failure`
 *   CAS_FAIL            address size read expected, order: of success, failure
 *   FENCE               bits (enum model_fence), or 0: the C11 fence of `order`
 *   LOCK LOCK_FAIL      address of the object, size 8, read: 0 if it was free;
 *                       expected: a mask of what must be 0 for that, 0: all
 *                       (a read lock minds the writer, not other readers);
 *                       HAPPENED_CAS: of a call that would not wait; with
 *                       HAPPENED_COUNT it is possible if not 0
 *   UNLOCK              address, size 8, wrote: 0 if it is free now
 *   WAIT POST           address, size 8, read and wrote: some count; a WAIT
 *                       that was possible read something else than 0
 *   CREATE JOIN         other: the thread
 *   START EXIT          nothing
 */
#ifndef EVENT_HAPPENING_H
#define EVENT_HAPPENING_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"

enum happened_flag {
    HAPPENED_CAS = 1,    /* an RMW that was a compare-and-swap */
    HAPPENED_GHOST = 2,  /* a variable that no model reorders */
    HAPPENED_BLOCK = 4,  /* in a fencer_atomic block: as by a relaxed RMW, and
                            one step with its neighbours */
    HAPPENED_ALONE = 8,  /* no other thread lived: nobody sees an order */
    HAPPENED_AWAIT = 16, /* pending only: in a spin loop, and goes on only if it
                            reads something else than `expected`; a CAS: than
                            `read` */
    HAPPENED_COUNT = 32, /* LOCK_FAIL of a semaphore */
    HAPPENED_FIRST = 64  /* the first access of a fencer_atomic block */
};

struct happening {
    uint64_t address;
    uint64_t read, wrote; /* the low 8 bytes */
    uint64_t expected;
    uint32_t site;
    uint16_t thread;
    uint16_t other;
    uint8_t kind; /* enum event_kind */
    uint8_t size;
    uint8_t order, failure; /* enum event_order */
    uint8_t bits;           /* enum model_fence */
    uint8_t flags;          /* enum happened_flag */
    uint16_t reserved;
};

/* Is it one that the machines place in an order: does it read or write? */
static inline bool happening_accesses(const struct happening *h)
{
    switch (h->kind) {
    case EV_LOAD:
    case EV_STORE:
    case EV_RMW:
    case EV_CAS_FAIL:
    case EV_LOCK:
    case EV_LOCK_FAIL:
    case EV_UNLOCK:
    case EV_WAIT:
    case EV_POST:
        return true;
    default:
        return false;
    }
}

#endif
