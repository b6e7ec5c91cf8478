/* SPDX-License-Identifier: MIT
 *
 * Random numbers are the same in every execution and in every process, and
 * follow their seeds.  The one outcome must be all executions'.
 *
 * expect: 0
 * options: --model tso --runs 50
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <fencer.h>

int main(void)
{
    unsigned seed = 5, again = 5;
    uint64_t bytes;
    int first;

    fencer_observe("rand", rand());
    fencer_observe("random", random());
    srand(7);
    first = rand();
    srand(7);
    assert(rand() == first && first >= 0);
    assert(rand_r(&seed) == rand_r(&again) && seed == again);
    srand48(1);
    /* POSIX says what this generator does. */
    assert(lrand48() == 89400484);
    assert(getrandom(&bytes, sizeof(bytes), 0) == sizeof(bytes));
    fencer_observe("bytes", (long long)bytes);
    fencer_observe("pid", getpid());
    fencer_observe("time", time(NULL));
    assert(sysconf(_SC_NPROCESSORS_ONLN) == 4);
    return 0;
}
