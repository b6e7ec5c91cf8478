/* SPDX-License-Identifier: MIT
 *
 * One kind of access, many times:  access load|store COUNT [alive].
 * `alive` keeps a second thread, blocked on a mutex, so that the scheduler is
 * at work.  The cost of an access is the slope between two COUNTs; the loop is
 * unrolled by hand, so that it hardly counts.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 1024

static volatile int cell[CELLS];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_gate(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return NULL;
}

static int load(long count)
{
    int sum = 0;

    for (long i = 0; i < count; i += 8) {
        volatile int *at = &cell[i % CELLS];

        sum += at[0] + at[1] + at[2] + at[3] + at[4] + at[5] + at[6] + at[7];
    }
    return sum;
}

static int store(long count)
{
    for (long i = 0; i < count; i += 8) {
        volatile int *at = &cell[i % CELLS];

        at[0] = at[1] = at[2] = at[3] = 1;
        at[4] = at[5] = at[6] = at[7] = 2;
    }
    return 0;
}

int main(int argc, char **argv)
{
    long count = argc > 2 ? atol(argv[2]) : 8;
    pthread_t waiter;
    int result;

    if (argc > 3) {
        pthread_mutex_lock(&gate);
        pthread_create(&waiter, NULL, wait_for_gate, NULL);
    }
    result =
        argc > 1 && strcmp(argv[1], "store") == 0 ? store(count) : load(count);
    if (argc > 3) {
        pthread_mutex_unlock(&gate);
        pthread_join(waiter, NULL);
    }
    return result == 12345;
}
