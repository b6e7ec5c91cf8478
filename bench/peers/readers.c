/* SPDX-License-Identifier: MIT
 *
 * Readers: one thread writes x, N others read it.  Every set of readers may be
 * the one that comes first: 2^N traces.
 */
#include "peers.h"

static volatile int x;

static void *writer(void *unused)
{
    (void)unused;
    x = 1;
    return NULL;
}

static void *reader(void *unused)
{
    int seen = x;

    (void)unused;
    assert(seen == 0 || seen == 1);
    return NULL;
}

int main(void)
{
    run_one_and_many(writer, reader, N);
    return 0;
}
