/* SPDX-License-Identifier: MIT
 *
 * Programs to try: litmus tests, and random ones of the oracle's families.
 * Kept apart, for the oracle has its own words for programs and models.
 */
#ifndef WITNESS_PROGRAMS_H
#define WITNESS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

enum { PATH_ROOM = 512, BATCH_SIZE = 40 };

struct folders {
    const char *fencer, *litmus, *own, *scratch;
};

/* A compiled program, with its source if that is ours to remove. */
struct compiled {
    char name[64], source[PATH_ROOM], binary[PATH_ROOM];
};

/* How many families there are. */
extern const size_t programs_families;

/* LITMUS/NAME.c or OWN/NAME.c; the BATCH_SIZE random programs of that number.
 * False: the reason is printed. */
bool programs_litmus(const struct folders *p, const char *name,
                     struct compiled *c);
bool programs_own(const struct folders *p, const char *name,
                  struct compiled *c);
bool programs_batch(const struct folders *p, size_t number, struct compiled *c);
void programs_remove(const struct compiled *c);

/* The names of all litmus tests, ended by NULL. */
char **programs_all_litmus(const struct folders *p);

#endif
