/* SPDX-License-Identifier: MIT
 *
 * Memory as a monitor sees it: cells, numbered as they are touched.  A cell is
 * a run of bytes that no access so far has divided, so that its writes have one
 * order.  An access that touches a part of one splits it, and both halves have
 * the past of the whole; with one size per variable a cell is a variable.
 *
 * Each cell has its writes in coherence order, w_1 w_2 ... w_n; w_0 is what was
 * there before.  On SC that is the order in which they happen.
 */
#ifndef MONITOR_CELLS_H
#define MONITOR_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#define CELLS_MAX 2048
#define CELLS_AT_ONCE 16 /* that one access can touch */
#define WRITES_MAX (1u << 19)

struct write {
    uint64_t address; /* of the access; its cells may be parts of it */
    uint64_t value;
    uint32_t number, index, site; /* as in struct monitor_report */
    int32_t stamp;                /* writes of its thread up to this one */
    uint32_t older;               /* of the same cell; 0: none */
    uint16_t thread;
    bool object; /* of the thread library: its value is a number, not bytes */
    bool plain;  /* a store, which may wait in a buffer */
    bool blind;  /* it did not read what it overwrote */
};

struct cell {
    uint64_t address;
    uint8_t size;
    bool plain;      /* the newest write was a store */
    uint16_t writer; /* who made the newest write */
    int16_t n;       /* number of writes */
    int32_t stamp;   /* of the newest write */
    uint32_t newest; /* index into cells.writes; 0: none */
    uint32_t first;  /* what was there before them, likewise */
};

struct cells {
    uint32_t count;
    uint32_t write_count; /* writes[0] is unused */
    struct cell *list;
    struct write *writes;
};

extern struct cells cells;

bool cells_map(void);
void cells_forget(void);

/* Who wants to know of new cells, and that one was split: `new` is the upper
 * part, and has the past of `old`. */
void cells_tell(void (*made)(uint16_t new),
                void (*split)(uint16_t old, uint16_t new));

/* The cells of an access, in order of address, made or split as needed.  How
 * many; 0: no room. */
uint32_t cells_find(uint64_t address, uint32_t size,
                    uint16_t list[CELLS_AT_ONCE]);

/* The next write of a cell, to be filled in but for `older`; and what it held
 * before any write.  Beyond WRITES_MAX or VIEW_MOST, give up. */
struct write *cells_write(uint16_t cell, uint16_t thread, int32_t stamp,
                          bool plain);
struct write *cells_begin(uint16_t cell);

/* Write w_place of a cell, place > 0, from the newest down. */
const struct write *cells_place(uint16_t cell, int16_t place);

/* What the cell held after w_place; false: nobody knows. */
bool cells_value(uint16_t cell, int16_t place, uint64_t *value);

#endif
