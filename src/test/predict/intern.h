/* SPDX-License-Identifier: MIT
 *
 * Lists of numbers, each kept once and known by a number of its own.
 */
#ifndef PREDICT_INTERN_H
#define PREDICT_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/vec.h"

struct interned {
    const uint64_t *items;
    uint32_t count;
};

struct intern {
    VEC(struct interned);
    struct index index;
};

/* The empty list has number 0. */
void intern_init(struct intern *in, struct arena *a);
uint32_t intern_add(struct intern *in, const uint64_t *items, uint32_t count);

#endif
