/* SPDX-License-Identifier: MIT
 *
 * glibc's pthread_cancel_init, as Orion cut it out (figure 8, whose line
 * numbers are the labels on the right): four pointers into a library that is
 * loaded late, of which the last, the handle, says that all are there.  Four
 * threads, each of which needs one of them and calls through it.
 *
 *   sc: correct
 *   tso: correct
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * The handle may come out before the others (1), and who sees it inside init
 * may have an older view of the others (2): both call through NULL.
 *
 *   without 1: pso ss 4 7, ss 5 7, ss 6 7
 *   without 2: pslo ll 2 12, ll 2 17, ll 2 22
 */
#include "harness.h"

typedef int (*volatile entry)(void);

static entry resume, personality, getcfa, handle; /* f1, f2, f3, f4 */

static int library_function(void)
{
    return 1;
}

static void init(void)
{
    if (handle != NULL) { /* 2 */
        FENCE(2, ll);
        return; /* 3 */
    }
    resume = library_function;      /* 4 */
    personality = library_function; /* 5 */
    getcfa = library_function;      /* 6 */
    FENCE(1, ss);
    handle = library_function; /* 7 */
}

static void *use_resume(void *unused)
{
    (void)unused;
    if (resume == NULL) /* 10 */
        init();         /* 11 */
    assert(resume());   /* 12 */
    return NULL;
}

static void *use_personality(void *unused)
{
    (void)unused;
    if (personality == NULL) /* 15 */
        init();              /* 16 */
    assert(personality());   /* 17 */
    return NULL;
}

static void *use_getcfa(void *unused)
{
    (void)unused;
    if (getcfa == NULL) /* 20 */
        init();         /* 21 */
    assert(getcfa());   /* 22 */
    return NULL;
}

static void *use_handle(void *unused)
{
    (void)unused;
    if (handle == NULL) /* 25 */
        init();         /* 26 */
    assert(handle());   /* 27 */
    return NULL;
}

int main(void)
{
    run_threads((bodies){use_resume, use_personality, use_getcfa, use_handle},
                4);
    return 0;
}
