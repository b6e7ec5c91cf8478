/* SPDX-License-Identifier: MIT
 *
 * What the programs of this folder share: fences that can be left out, the
 * witness of a critical section, and the oracle of a data type.
 *
 * A program's fences are numbered.  Without -DFENCED none of them is there;
 * with it all are; -DFENCED -DWITHOUT=3 leaves out number 3, and check.sh
 * expects that the model named for it in the program's head notices.
 *
 * The oracle of a data type is the one of Relaxer and CheckFence: the results
 * that the threads got must be possible if every operation is one step.  The
 * operations of each thread stay in their order; nothing else is asked for.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fencer.h>

#ifndef WITHOUT
#define WITHOUT 0
#endif

#ifdef FENCED
#define FENCE(number, kind)                                                    \
    do {                                                                       \
        if ((number) != WITHOUT)                                               \
            fencer_fence_##kind();                                             \
    } while (0)
#else
#define FENCE(number, kind) ((void)0)
#endif

static inline int number_of(void *argument)
{
    return (int)(intptr_t)argument;
}

typedef void *(*const bodies[])(void *);

/* Runs the bodies as threads and waits for all of them.  Each gets its number,
 * from 1 on. */
static inline void run_threads(bodies body, int count)
{
    pthread_t id[8];

    assert(count <= 8);
    for (int i = 0; i < count; i++)
        pthread_create(&id[i], NULL, body[i], (void *)(intptr_t)(i + 1));
    for (int i = 0; i < count; i++)
        pthread_join(id[i], NULL);
}

#endif
