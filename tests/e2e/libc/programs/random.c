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

/* POSIX says what these generators do: the values are glibc's. */
static void family_of_drand48(void)
{
    unsigned short x[3] = {1, 2, 3}, y[3] = {1, 2, 3};
    unsigned short all[7] = {1, 2, 3, 4, 5, 6, 7};
    struct drand48_data d;
    double real;
    long n;

    srand48(42);
    assert(drand48() == 0.74452500006100664);
    assert(lrand48() == 735945821);
    assert(mrand48() == 477107655);
    assert(erand48(x) == 0.44199632268870914);
    assert(nrand48(x) == 565063343);
    assert(jrand48(x) == -1485464893);
    srand48_r(42, &d);
    assert(!drand48_r(&d, &real) && real == 0.74452500006100664);
    assert(!lrand48_r(&d, &n) && n == 735945821);
    assert(!mrand48_r(&d, &n) && n == 477107655);
    assert(!erand48_r(y, &d, &real) && real == 0.44199632268870914);
    assert(!nrand48_r(y, &d, &n) && n == 565063343);
    assert(!jrand48_r(y, &d, &n) && n == -1485464893);
    lcong48(all);
    assert(lrand48() == 917510);
    assert(!lcong48_r(all, &d) && !lrand48_r(&d, &n) && n == 917510);
    seed48(x);
    assert(mrand48() == 1806674195);
    assert(!seed48_r(y, &d) && !mrand48_r(&d, &n) && n == 1806674195);
}

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
    assert(lrand48() == 89400484);
    family_of_drand48();
    assert(getrandom(&bytes, sizeof(bytes), 0) == sizeof(bytes));
    fencer_observe("bytes", (long long)bytes);
    fencer_observe("pid", getpid());
    fencer_observe("time", time(NULL));
    assert(sysconf(_SC_NPROCESSORS_ONLN) == 4);
    return 0;
}
