/* SPDX-License-Identifier: MIT
 *
 * The cheapest hitting set: a choice of things such that each given set holds
 * at least one of them.
 */
#ifndef ENGINE_HITTING_H
#define ENGINE_HITTING_H

#include <stdbool.h>
#include <stddef.h>

struct hitting;

struct hitting *hitting_new(size_t things, const unsigned *weights);
void hitting_free(struct hitting *h);

/* set[i]: thing i is in it.  At least one is. */
void hitting_add(struct hitting *h, const bool *set);

/* Fills chosen[]. */
void hitting_solve(const struct hitting *h, bool *chosen);

#endif
