/* SPDX-License-Identifier: MIT
 *
 * Which values an atom may ever hold.
 */
#ifndef ORACLE_DOMAINS_H
#define ORACLE_DOMAINS_H

#include "lower.h"

enum { MAX_HELD = 64 };

struct held {
    uint64_t value;
    uint64_t trail; /* writes that it came by */
};

struct domain {
    size_t count, room;
    struct held *list;
};

/* Values are numbered through, each atom's initial one first. */
struct domains {
    struct domain atoms[MAX_ATOMS];
    size_t first[MAX_ATOMS];
    size_t count;
};

/* False, and still to be freed: there are more than MAX_HELD. */
bool domains_find(struct domains *d, const struct lowered *l);
void domains_free(struct domains *d);

/* The value's number, or MAX_HELD: nobody can ever write it. */
size_t domains_number(const struct domains *d, size_t atom, uint64_t value);

#endif
