/* SPDX-License-Identifier: MIT
 *
 * Growing lists, as vec.h says.  Room doubles, so that adding one by one costs
 * a constant each.
 */
#include "base/vec.h"

#include <stdint.h>
#include <string.h>

#define ROOM_MIN 8

void *vec_grow(struct arena *a, void *list, size_t count, size_t *room,
               size_t need, size_t size)
{
    size_t more = *room < ROOM_MIN / 2 ? ROOM_MIN : *room * 2;

    CHECK(count <= *room && *room < need);
    CHECK(size > 0 && need <= SIZE_MAX / 4 / size);
    *room = more < need ? need : more;
    if (!a) {
        list = realloc(list, *room * size);
        CHECK(list != NULL);
        return list;
    }

    void *copy = arena_array(a, *room, size);

    if (count)
        memcpy(copy, list, count * size);
    return copy;
}

void *vec_reach(struct arena *a, void *list, size_t *count, size_t *room,
                size_t last, size_t size)
{
    if (last < *count)
        return list;
    CHECK(last < SIZE_MAX);
    list = vec_fit(a, list, *count, room, last + 1, size);
    memset((char *)list + *count * size, 0, (last + 1 - *count) * size);
    *count = last + 1;
    return list;
}
