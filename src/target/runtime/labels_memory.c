/* SPDX-License-Identifier: MIT
 *
 * Labels of memory: of each byte that a thread wrote, what the thread knows of
 * its own last store there.  Each thread has its own: what another one stored
 * is read by an operation, and that is all a value depends on then.
 *
 * A byte without an entry has none, and so has every byte when the program
 * begins anew: entries of an older epoch are free.
 */
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/labels.h"
#include "runtime/modelled.h"
#include "runtime/native_inside.h"

#define WORDS (1u << 16)
#define STRING_MAX 64 /* of a string that is read, bytes that are looked at */

struct word {
    uint64_t address; /* divided by 8 */
    uint32_t epoch, thread;
    uint32_t labels[8];
};

static struct word *words;
static uint32_t used, epoch;

void labels_begin_program(void)
{
    epoch++;
    used = 0;
    for (unsigned i = 0; i < LABEL_SLOTS; i++)
        __fencer_labels[i] = 0;
    __fencer_callee = NULL;
}

/* `make`: if there is none. */
static struct word *find_word(uint64_t address, bool make)
{
    uint32_t thread = rt.current->id;
    uint64_t key = address >> 3;
    uint32_t i =
        (uint32_t)((key ^ (uint64_t)thread << 48) * 0x9e3779b97f4a7c15ull >>
                   48);

    if (!words) {
        words = mmap(NULL, WORDS * sizeof *words, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        MUST(words != MAP_FAILED);
    }
    while (words[i].epoch == epoch &&
           (words[i].address != key || words[i].thread != thread))
        i = (i + 1) % WORDS;
    if (words[i].epoch == epoch)
        return &words[i];
    if (!make)
        return NULL;
    if (used == WORDS / 2)
        native_refuse("too much memory whose dependencies are to be known",
                      rt.current->site);
    used++;
    words[i] = (struct word){.address = key, .epoch = epoch, .thread = thread};
    return &words[i];
}

uint32_t labels_recall(uint64_t address, uint64_t size)
{
    uint32_t label = 0;
    struct word *w = NULL;

    if (!used)
        return 0;
    for (uint64_t a = address; a < address + size; a++) {
        if (a == address || !(a & 7))
            w = find_word(a, false);
        if (w)
            label = labels_union(label, w->labels[a & 7]);
    }
    return label;
}

void labels_keep(uint64_t address, uint64_t size, uint32_t label)
{
    struct word *w = NULL;

    if (!label && !used)
        return;
    for (uint64_t a = address; a < address + size; a++) {
        if (a == address || !(a & 7))
            w = find_word(a, label);
        if (w)
            w->labels[a & 7] = label;
    }
}

static uint64_t string_size(const char *text)
{
    uint64_t size = 0;

    while (size < STRING_MAX && text[size])
        size++;
    return size;
}

HIDDEN(uint32_t, label_recall, (const void *address, uint64_t size))
{
    if (!labels_are_on())
        return 0;
    return labels_recall((uint64_t)address, size ? size : string_size(address));
}

HIDDEN(void, label_keep, (const void *address, uint64_t size, uint32_t label))
{
    if (labels_are_on())
        labels_keep((uint64_t)address, size, label);
}

/* Bytes keep their labels, and the ranges may overlap. */
HIDDEN(void, label_copy, (const void *to, const void *from, uint64_t size))
{
    uint64_t t = (uint64_t)to, f = (uint64_t)from;
    bool up = t - f >= size;

    if (!labels_are_on() || !used)
        return;
    for (uint64_t i = 0; i < size; i++) {
        uint64_t at = up ? i : size - 1 - i;

        labels_keep(t + at, 1, labels_recall(f + at, 1));
    }
}
