/* SPDX-License-Identifier: MIT
 *
 * MySQL's init_available_charsets (mysys/charset.c, 4.1 and 5.0): who finds
 * the flag down takes the lock, clears the table, fills it and raises the
 * flag.  Nobody looks at the flag again under the lock, so the second to come
 * clears the table under a reader: broken on SC.  Two threads.
 *
 *   sc: broken
 *   tso: broken
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * The twin looks again under the lock.  Beside that the flag may come out
 * before the table (1), and who sees it may have an older view of the table
 * (2); the two failures have different words.
 *
 *   without 1: pso ss fill raise
 *   without 2: pslo ll see use
 */
#include "harness.h"

#define CHARSETS 4

static const char *const compiled[CHARSETS] = {"big5", "latin2", "dec8",
                                               "latin1"};
static const char *volatile all_charsets[CHARSETS];
static volatile int charset_initialized;
static fencer_ghost int clearings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#ifdef FENCED
#define done_meanwhile() charset_initialized
#else
#define done_meanwhile() 0
#endif

static void fill_table(void)
{
    clearings++;
    for (int i = 0; i < CHARSETS; i++)
        all_charsets[i] = NULL;
    for (int i = 0; i < CHARSETS; i++)
        all_charsets[i] = compiled[i]; /* fill */
}

static void init_available_charsets(void)
{
    if (charset_initialized) { /* see */
        FENCE(2, ll);
        return;
    }
    pthread_mutex_lock(&lock);
    if (!done_meanwhile()) {
        fill_table();
        FENCE(1, ss);
        charset_initialized = 1; /* raise */
    }
    pthread_mutex_unlock(&lock);
}

static void find_charset(int i)
{
    if (all_charsets[i] == compiled[i]) /* use */
        return;
    assert(clearings > 1 && "the flag came before the table");
    assert(!"the table was cleared under a reader");
}

static void *find_charsets(void *unused)
{
    (void)unused;
    init_available_charsets();
    for (int i = 0; i < CHARSETS; i++)
        find_charset(i);
    return NULL;
}

int main(void)
{
    run_threads((bodies){find_charsets, find_charsets}, 2);
    return 0;
}
