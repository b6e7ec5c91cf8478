/* SPDX-License-Identifier: MIT
 *
 * Read-copy-update with counters and two phases (Desnoyers and others, 2012):
 * N readers look at the current version, a writer replaces it and spoils the
 * old one when nobody can look at it any more.
 *
 * A reader that is inside shows the phase in which it came.  The writer turns
 * the phase twice, and waits each time for those who came in the other one: a
 * reader may have read the phase long before it shows it.
 *
 *   -DFENCED    full fences, in readers too
 */
#include "peers.h"

#define PHASE 2

static struct version {
    _Atomic int is_good;
} versions[2] = {{1}, {1}};

static struct version *_Atomic current = &versions[0];
static _Atomic int phase = 1;
static _Atomic int shown[N]; /* 0: outside */

static void *reader(void *number)
{
    int me = number_of(number);

    store(&shown[me], load(&phase));
    FENCE();
    assert(load(&load(&current)->is_good));
    FENCE();
    store(&shown[me], 0);
    return NULL;
}

/* Is it outside, or did it come in this phase? */
static bool is_of_phase(int reader, int now)
{
    int shows = load(&shown[reader]);

    return !shows || shows == now;
}

static void turn_phase(void)
{
    int now = load(&phase) ^ PHASE;

    store(&phase, now);
    FENCE();
    for (int i = 0; i < N; i++)
        WAIT_UNTIL(is_of_phase(i, now));
}

static void *writer(void *unused)
{
    store(&current, &versions[1]);
    FENCE();
    turn_phase();
    turn_phase();
    FENCE();
    store(&versions[0].is_good, 0);
    return unused;
}

int main(void)
{
    run_one_and_many(writer, reader, N);
    return 0;
}
