/* SPDX-License-Identifier: MIT
 *
 * Arrays that grow.  VEC(type) is a struct with a list, how many elements it
 * has, and for how many there is room; zeroed it is empty and ready.  It may
 * be a member without a name, so that its owner is the list:
 *
 *     struct races {
 *         VEC(struct race);
 *         VEC(uint64_t) traces;
 *     };
 *     VEC_PUSH(r, {.first = a, .second = b});
 *     VEC_PUSH(&r->traces, 1);
 *
 * The list moves when it grows: keep numbers of elements, not their addresses.
 * A list lives on the heap until VEC_FREE, or, with the macros in _IN, in an
 * arena; never in both.  The macros use `v` more than once.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"

#define VEC(type)                                                              \
    struct {                                                                   \
        type *list;                                                            \
        size_t count, room;                                                    \
    }

/* The list, with room for at least `need` elements of that size. */
void *vec_grow(struct arena *a, void *list, size_t count, size_t *room,
               size_t need, size_t size);

/* The list, with an element `last`; those that are new are zeroed. */
void *vec_reach(struct arena *a, void *list, size_t *count, size_t *room,
                size_t last, size_t size);

static inline void *vec_fit(struct arena *a, void *list, size_t count,
                            size_t *room, size_t need, size_t size)
{
    return need <= *room ? list : vec_grow(a, list, count, room, need, size);
}

static inline size_t vec_index(size_t i, size_t count)
{
    CHECK(i < count);
    return i;
}

/* Room for that many elements in all. */
#define VEC_FIT_IN(a, v, need)                                                 \
    ((v)->list = vec_fit(a, (v)->list, (v)->count, &(v)->room, need,           \
                         sizeof(*(v)->list)))
#define VEC_FIT(v, need) VEC_FIT_IN(NULL, v, need)

/* Adds a value, or what an initialiser in braces says.  The value is computed
 * before the list moves: it may use the list, or even add to it. */
#define VEC_PUSH_IN(a, v, ...)                                                 \
    do {                                                                       \
        __typeof__(*(v)->list) vec_item = __VA_ARGS__;                         \
        VEC_FIT_IN(a, v, (v)->count + 1);                                      \
        (v)->list[(v)->count++] = vec_item;                                    \
    } while (0)
#define VEC_PUSH(v, ...) VEC_PUSH_IN(NULL, v, __VA_ARGS__)

/* Puts it before element `i`. */
#define VEC_INSERT(v, i, ...)                                                  \
    do {                                                                       \
        __typeof__(*(v)->list) vec_item = __VA_ARGS__;                         \
        VEC_FIT(v, (v)->count + 1);                                            \
        memmove(&(v)->list[(i) + 1], &(v)->list[i],                            \
                ((v)->count - (i)) * sizeof(*(v)->list));                      \
        (v)->list[i] = vec_item;                                               \
        (v)->count++;                                                          \
    } while (0)

/* The address of element `i`.  There are as many elements afterwards as that
 * needs; new ones are zeroed. */
#define VEC_REACH_IN(a, v, i)                                                  \
    ((v)->list = vec_reach(a, (v)->list, &(v)->count, &(v)->room, i,           \
                           sizeof(*(v)->list)),                                \
     &(v)->list[i])
#define VEC_REACH(v, i) VEC_REACH_IN(NULL, v, i)

/* The address of a new last element, zeroed. */
#define VEC_ADD_IN(a, v)                                                       \
    ((v)->list = vec_reach(a, (v)->list, &(v)->count, &(v)->room, (v)->count,  \
                           sizeof(*(v)->list)),                                \
     &(v)->list[(v)->count - 1])
#define VEC_ADD(v) VEC_ADD_IN(NULL, v)

/* Element i, which must be there; the last one; the last one taken off. */
#define VEC_AT(v, i) (v)->list[vec_index(i, (v)->count)]
#define VEC_LAST(v) VEC_AT(v, (v)->count - 1)
#define VEC_POP(v) (v)->list[(v)->count = vec_index((v)->count - 1, (v)->count)]

/* Empty again; VEC_CLEAR keeps the memory. */
#define VEC_CLEAR(v) ((void)((v)->count = 0))
#define VEC_FREE(v)                                                            \
    (free((v)->list), (v)->list = NULL, (void)((v)->count = (v)->room = 0))

#endif
