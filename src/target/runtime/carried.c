/* SPDX-License-Identifier: MIT
 *
 * Memory of a thread's own, and whether a round of a loop changed it.  Each
 * write to such memory notes what was there before; when the round is over, the
 * oldest note of each byte says how it was when the round began.  There are
 * few: these are locals whose address is passed to a helper, and the like.
 *
 * Notes carry the thread's clock.  A round that began at `mark` has those from
 * `mark` on, for the clock moves when a round begins.
 */
#include "runtime/carried.h"

#include <string.h>

#include "runtime/modelled.h"
#include "runtime/native.h"
#include "runtime/runtime_record.h"

#define NOTES_MAX 256u

struct note {
    uint64_t word; /* address of 8 bytes */
    uint8_t old[8];
    uint32_t at;
    uint8_t bytes; /* that are written, a bit each */
};

/* The last notes of a thread. */
struct notes {
    uint64_t execution; /* the serial of the one they belong to */
    uint32_t count;     /* so many there were */
    uint32_t from;      /* clock since which all are there */
    struct note list[NOTES_MAX];
};

static struct notes all[RT_MAX_THREADS];

static struct notes *notes_of(const struct thread *t)
{
    struct notes *n = &all[t->id];

    if (n->execution != rt.serial) {
        n->count = 0;
        n->from = 0;
        n->execution = rt.serial;
    }
    return n;
}

/* Bytes of the word that lie in [address, end). */
static uint8_t bytes_within(uint64_t word, uint64_t address, uint64_t end)
{
    uint8_t bytes = 0;

    for (unsigned i = 0; i < 8; i++)
        if (word + i >= address && word + i < end)
            bytes |= (uint8_t)(1u << i);
    return bytes;
}

static void note_word(struct notes *n, uint64_t word, uint8_t bytes)
{
    struct note *to = &n->list[n->count % NOTES_MAX];

    if (n->count >= NOTES_MAX)
        n->from = to->at + 1;
    n->count++;
    *to = (struct note){.word = word, .at = __fencer_count, .bytes = bytes};
    for (unsigned i = 0; i < 8; i++)
        if (bytes >> i & 1)
            to->old[i] = ((const uint8_t *)word)[i];
}

void carried_note_write(uint64_t address, uint64_t size)
{
    struct notes *n = notes_of(rt.current);
    uint64_t end = address + size;

    if (size > 8 * NOTES_MAX) {
        n->from = __fencer_count + 1;
        return;
    }
    for (uint64_t word = address & ~7ull; word < end; word += 8)
        note_word(n, word, bytes_within(word, address, end));
}

bool carried_is_known(const struct thread *t, uint32_t mark)
{
    return mark >= notes_of(t)->from;
}

/* Of the word of note `i`: which bytes are others now, and were not noted
 * before in the round, whose notes begin at `first`. */
static uint8_t changed_by(const struct notes *n, uint32_t first, uint32_t i)
{
    const struct note *note = &n->list[i % NOTES_MAX];
    uint8_t changed = 0, earlier = 0;

    for (uint32_t k = first; k != i; k++)
        if (n->list[k % NOTES_MAX].word == note->word)
            earlier |= n->list[k % NOTES_MAX].bytes;
    for (unsigned b = 0; b < 8; b++)
        if (note->bytes >> b & 1 && !(earlier >> b & 1) &&
            ((const uint8_t *)note->word)[b] != note->old[b])
            changed |= (uint8_t)(1u << b);
    return changed;
}

bool carried_each_change(const struct thread *t, uint32_t mark,
                         carried_visit *visit, void *context)
{
    const struct notes *n = notes_of(t);
    uint32_t first = n->count, oldest = 0;

    if (n->count > NOTES_MAX)
        oldest = n->count - NOTES_MAX;
    while (first > oldest && n->list[(first - 1) % NOTES_MAX].at >= mark)
        first--;
    for (uint32_t i = first; i != n->count; i++) {
        uint8_t changed = changed_by(n, first, i);

        if (changed && !visit(context, n->list[i % NOTES_MAX].word, changed))
            return false;
    }
    return true;
}

static bool refuse(void *context, uint64_t word, uint8_t changed)
{
    (void)context;
    (void)word;
    (void)changed;
    return false;
}

bool carried_is_same(const struct thread *t, uint32_t mark)
{
    return carried_is_known(t, mark) &&
           carried_each_change(t, mark, refuse, NULL);
}

/* ---- Hooks ---- */

HIDDEN(uint32_t, enter, (uint32_t loop))
{
    if (native_is_on())
        native_pass_loop(loop, true);
    return ++__fencer_count;
}

HIDDEN_DOES(left, (uint32_t loop), native_left(loop))

HIDDEN(void, reads, (const void *address, uint64_t size))
{
    if (native_is_on())
        native_own_read((uint64_t)address, size);
}

HIDDEN(void, writes, (void *address, uint64_t size))
{
    carried_note_write((uint64_t)address, size);
    if (native_is_on())
        native_own_write((uint64_t)address, size);
}
