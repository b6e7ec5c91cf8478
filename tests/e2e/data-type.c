/* Tests of a data type: what e2e/data-type.sh asks about is all here.  A
 * counter that loses increments, one with a lock, one that tries again, a
 * semaphore.
 */
#include <fencer.h>
#include <pthread.h>
#include <semaphore.h>

static int racy, locked, tried;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t items;
static _Thread_local int mine;

FENCER_INIT
{
    racy = locked = tried = 0;
    sem_init(&items, 0, 0);
}

FENCER_OP(r)
{
    fencer_observe("r", ++racy);
}

FENCER_OP(l)
{
    pthread_mutex_lock(&mutex);
    int now = ++locked;
    pthread_mutex_unlock(&mutex);
    fencer_observe("l", now);
}

/* Takes as many rounds as others are in the way. */
FENCER_OP(t)
{
    int old;

    do {
        fencer_observe("t", 1);
        old = __atomic_load_n(&tried, __ATOMIC_SEQ_CST);
    } while (!__atomic_compare_exchange_n(&tried, &old, old + 1, 0,
                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

/* Alone it waits for ever. */
FENCER_OP(w)
{
    sem_wait(&items);
    fencer_observe("w", 1);
}

FENCER_OP(p)
{
    sem_post(&items);
    fencer_observe("p", (int)fencer_choose(3));
}

/* Each thread's own. */
FENCER_OP(own)
{
    fencer_observe("own", ++mine);
}

FENCER_OP(long)
{
    for (int i = 0; i < 40; i++)
        fencer_observe("long", i);
}

/* Says how many it found, at times nothing. */
FENCER_OP(quiet)
{
    if (racy)
        fencer_observe("q", racy);
}

FENCER_TEST(Racy, "( r | r )");
FENCER_TEST(Locked, "l ( l | l l )");
FENCER_TEST(Tried, "( t | t )");
FENCER_TEST(Primed, "( t' | t' )");
FENCER_TEST(Waits, "( w | p )");
FENCER_TEST(Own, "( own own | own )");
FENCER_TEST(Long, "( long | l )");
FENCER_TEST(Quiet, "( quiet | r )");
FENCER_TEST(Alone, "r r");
