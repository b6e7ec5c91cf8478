/* SPDX-License-Identifier: MIT
 *
 * The small tables of glibc's crypt_util, as Orion cut them out (figure 10,
 * whose line numbers are the labels on the right): whoever finds the flag down
 * sets both pointers and raises it; then all use the tables.  Three threads.
 *
 *   sc: correct
 *   tso: correct
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * The flag may come out before a pointer (1), and who sees the flag may have
 * an older view of the pointers (2): both read through NULL.
 *
 *   without 1: pso ss 3 5, ss 4 5
 *   without 2: pslo ll 2 6, ll 2 7
 */
#include "harness.h"

static const int permutation[4] = {3, 1, 0, 2}, expansion[4] = {1, 3, 2, 0};

static volatile int initialized;
static const int *volatile a_ptr, *volatile b_ptr;

static void *use_tables(void *unused)
{
    (void)unused;
    if (!initialized) {      /* 2 */
        a_ptr = permutation; /* 3 */
        b_ptr = expansion;   /* 4 */
        FENCE(1, ss);
        initialized = 1; /* 5 */
    }
    FENCE(2, ll);
    assert(a_ptr[2] == 0); /* 6 */
    assert(b_ptr[0] == 1); /* 7 */
    return NULL;
}

int main(void)
{
    run_threads((bodies){use_tables, use_tables, use_tables}, 3);
    return 0;
}
