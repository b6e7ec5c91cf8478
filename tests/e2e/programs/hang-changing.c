/* SPDX-License-Identifier: MIT
 *
 * A thread that is alone and changes memory for ever, as in a list that was
 * torn: each execution is cut, not the whole run.
 *
 * expect: 3 too many events
 * fixed: 0
 * options: --model sc --runs 2 --max-events 100000
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint tag;

static void *work(void *arg)
{
    atomic_fetch_add(&tag, 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    while (atomic_fetch_add(&tag, 2)) {
#ifdef FIXED
        if (atomic_load(&tag) > 1000)
            break;
#endif
    }
    return 0;
}
