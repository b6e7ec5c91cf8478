/* SPDX-License-Identifier: MIT
 *
 * Of four choices one is not assumed to be: three executions.
 */
#include <assert.h>
#include <fencer.h>
#include <pthread.h>

static void *choose(void *argument)
{
    unsigned n = (unsigned)fencer_choose(4);

    fencer_assume(n != 2);
    assert(n < 4);
    return argument;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, choose, NULL);
    pthread_join(t, NULL);
    return 0;
}
