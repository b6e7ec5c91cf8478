/* SPDX-License-Identifier: MIT
 *
 * N threads; number i replaces i by i + 1 in one CAS.  A CAS that fails only
 * reads, so two of them do not depend on each other.
 */
#include "peers.h"

static atomic_int x;

static void *rotate(void *number)
{
    int from = number_of(number);

    cas(&x, from, from + 1);
    return NULL;
}

int main(void)
{
    run_many(rotate, N);
    assert(load(&x) >= 1 && load(&x) <= N);
    return 0;
}
