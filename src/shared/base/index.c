/* SPDX-License-Identifier: MIT
 *
 * Open addressing with linear probing, at most half full.
 */
#include "base/index.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 64

static struct index_slot *make_slots(struct arena *a, size_t room)
{
    struct index_slot *slots =
        a ? arena_array(a, room, sizeof(*slots)) : calloc(room, sizeof(*slots));

    CHECK(slots != NULL);
    return slots;
}

void index_grow(struct index *x)
{
    size_t room = x->room ? x->room * 2 : ROOM_MIN, moved = 0;
    struct index_slot *slots = make_slots(x->arena, room);

    CHECK(room > x->room && (room & (room - 1)) == 0);
    for (size_t i = 0; i < x->room; i++) {
        size_t at = x->slots[i].hash & (room - 1);

        if (!x->slots[i].number)
            continue;
        while (slots[at].number)
            at = (at + 1) & (room - 1);
        slots[at] = x->slots[i];
        moved++;
    }
    CHECK(moved == x->count);
    if (!x->arena)
        free(x->slots);
    x->slots = slots;
    x->room = room;
}

void index_clear(struct index *x)
{
    if (x->room)
        memset(x->slots, 0, x->room * sizeof(*x->slots));
    x->count = 0;
}

void index_free(struct index *x)
{
    if (!x->arena)
        free(x->slots);
    *x = (struct index){.arena = x->arena};
}
