/* SPDX-License-Identifier: MIT
 *
 * From addresses to cells: a hash table of aligned 8-byte words, each with the
 * cell of every byte.  An epoch in each entry makes forgetting them all one
 * increment.
 */
#include "monitor/cells.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "monitor/view.h"

#define WORDS (4 * CELLS_MAX) /* a power of two; a cell is in one word */
#define NONE UINT16_MAX

/* A block may go over the edge before anybody looks. */
#define WRITES_OVER 4096ull

struct word {
    uint64_t address;
    uint64_t epoch;
    uint16_t cell[8];
};

struct cells cells;
static struct word *words;
static uint64_t epoch = 1;
static void (*tell_made)(uint16_t new);
static void (*tell_split)(uint16_t old, uint16_t new);

static void *map_memory(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

bool cells_map(void)
{
    if (words)
        return true;
    words = map_memory(WORDS * sizeof *words);
    cells.list = map_memory(CELLS_MAX * sizeof *cells.list);
    cells.writes =
        map_memory((WRITES_MAX + WRITES_OVER) * sizeof *cells.writes);
    return words && cells.list && cells.writes;
}

void cells_tell(void (*made)(uint16_t new),
                void (*split)(uint16_t old, uint16_t new))
{
    tell_made = made;
    tell_split = split;
}

void cells_forget(void)
{
    epoch++;
    cells.count = 0;
    cells.write_count = 1;
}

/* ---- Finding and splitting ---- */

/* There are fewer cells than words, so that a place is always free. */
static struct word *word_of(uint64_t address)
{
    uint32_t i = (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15ull >> 40);

    for (;; i++) {
        struct word *w = &words[i & (WORDS - 1)];

        if (w->epoch != epoch) {
            w->epoch = epoch;
            w->address = address;
            memset(w->cell, 0xff, sizeof w->cell);
            return w;
        }
        if (w->address == address)
            return w;
    }
}

static uint16_t new_cell(struct word *w, uint32_t from, uint32_t size)
{
    uint16_t number = (uint16_t)cells.count;

    MUST(size && from + size <= 8);
    if (cells.count == CELLS_MAX)
        return NONE;
    views_grow(++cells.count);
    cells.list[number] =
        (struct cell){.address = w->address + from, .size = (uint8_t)size};
    for (uint32_t i = from; i < from + size; i++)
        w->cell[i] = number;
    tell_made(number);
    return number;
}

/* Makes byte `at` of the word the first of its cell. */
static bool split_cell(struct word *w, uint32_t at)
{
    uint16_t old = w->cell[at], new;
    struct cell *c = &cells.list[old], *upper;
    uint32_t left;

    if (old == NONE || c->address == w->address + at)
        return true;
    left = (uint32_t)(w->address + at - c->address);
    MUST(left && left < c->size);
    new = new_cell(w, at, c->size - left);
    if (new == NONE)
        return false;
    upper = &cells.list[new];
    upper->plain = c->plain;
    upper->writer = c->writer;
    upper->stamp = c->stamp;
    upper->n = c->n;
    upper->newest = c->newest;
    upper->first = c->first;
    c->size = (uint8_t)left;
    tell_split(old, new);
    return true;
}

/* The cells of bytes [from, to) of a word, after those that there are. */
static bool find_in_word(uint64_t address, uint32_t from, uint32_t to,
                         uint16_t *list, uint32_t *count)
{
    struct word *w = word_of(address);

    if (!split_cell(w, from) || (to < 8 && !split_cell(w, to)))
        return false;
    while (from < to) {
        uint32_t end = from;

        if (w->cell[from] == NONE) {
            while (end < to && w->cell[end] == NONE)
                end++;
            if (new_cell(w, from, end - from) == NONE)
                return false;
        }
        MUST(*count < CELLS_AT_ONCE && cells.list[w->cell[from]].size);
        list[(*count)++] = w->cell[from];
        from += cells.list[w->cell[from]].size;
    }
    return true;
}

uint32_t cells_find(uint64_t address, uint32_t size,
                    uint16_t list[CELLS_AT_ONCE])
{
    uint64_t at = address & ~7ull;
    uint32_t from = address & 7, count = 0;
    struct word *w = word_of(at);

    /* Nearly always there is one, and just that. */
    if (w->cell[from] != NONE) {
        const struct cell *c = &cells.list[w->cell[from]];

        list[0] = w->cell[from];
        if (c->address == address && c->size == size)
            return 1;
    }
    while (size) {
        uint32_t here = size < 8 - from ? size : 8 - from;

        if (!find_in_word(at, from, from + here, list, &count))
            return 0;
        size -= here;
        from = 0;
        at += 8;
    }
    return count;
}

/* ---- Writes ---- */

struct write *cells_write(uint16_t cell, uint16_t thread, int32_t stamp,
                          bool plain)
{
    struct cell *c = &cells.list[cell];
    struct write *w = &cells.writes[cells.write_count];

    MUST(cell < cells.count && c->n < VIEW_MOST);
    MUST(cells.write_count < WRITES_MAX + WRITES_OVER);
    MUST(!c->n || thread != c->writer || stamp >= c->stamp);
    w->older = c->newest;
    c->newest = cells.write_count++;
    c->n++;
    c->plain = plain;
    c->stamp = stamp;
    w->stamp = stamp;
    c->writer = thread;
    return w;
}

struct write *cells_begin(uint16_t cell)
{
    MUST(cell < cells.count && !cells.list[cell].first);
    MUST(cells.write_count < WRITES_MAX + WRITES_OVER);
    cells.list[cell].first = cells.write_count;
    return &cells.writes[cells.write_count++];
}

const struct write *cells_place(uint16_t cell, int16_t place)
{
    const struct cell *c = &cells.list[cell];
    uint32_t at = c->newest;

    MUST(place > 0 && place <= c->n);
    for (int16_t i = c->n; i > place; i--)
        at = cells.writes[at].older;
    MUST(at);
    return &cells.writes[at];
}

bool cells_value(uint16_t cell, int16_t place, uint64_t *value)
{
    const struct cell *c = &cells.list[cell];
    const struct write *w =
        place ? cells_place(cell, place) : &cells.writes[c->first];
    uint64_t skipped = c->address - w->address;

    if (!place && !c->first)
        return false;
    if (w->object) {
        *value = w->value;
        return skipped == 0;
    }
    /* Only the low 8 bytes of what was written are known. */
    if (skipped + c->size > 8)
        return false;
    *value = w->value >> 8 * skipped;
    if (c->size < 8)
        *value &= (1ull << 8 * c->size) - 1;
    return true;
}
