/* SPDX-License-Identifier: MIT
 *
 * Chains, newest record first.
 */
#include "table.h"

#include <stddef.h>
#include <string.h>

static struct record **chain_of(struct table *t, pthread_t thread)
{
    return &t->chain[((unsigned long)thread * 2654435761u >> 16) % CHAINS];
}

/* Where the pointer to the thread's record is, or would be. */
static struct record **place_of(struct table *t, pthread_t thread)
{
    struct record **at = chain_of(t, thread);

    while (*at && !pthread_equal((*at)->thread, thread))
        at = &(*at)->next;
    return at;
}

void table_init(struct table *t)
{
    for (int i = 0; i < CHAINS; i++)
        t->chain[i] = NULL;
    t->count = 0;
}

bool table_add(struct table *t, struct record *r)
{
    struct record **chain = chain_of(t, r->thread);

    if (table_find(t, r->thread))
        return false;
    r->next = *chain;
    *chain = r;
    t->count++;
    return true;
}

struct record *table_find(struct table *t, pthread_t thread)
{
    return *place_of(t, thread);
}

struct record *table_find_name(struct table *t, const char *name)
{
    for (int i = 0; i < CHAINS; i++)
        for (struct record *r = t->chain[i]; r; r = r->next)
            if (strcmp(r->name, name) == 0)
                return r;
    return NULL;
}

struct record *table_remove(struct table *t, pthread_t thread)
{
    struct record **at = place_of(t, thread), *r = *at;

    if (r) {
        *at = r->next;
        t->count--;
    }
    return r;
}
