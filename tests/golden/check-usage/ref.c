/* A reference for queue.c that observes under another label. */
#include <fencer.h>

static int counter;

FENCER_INIT
{
    counter = 0;
}

FENCER_OP(i)
{
    fencer_observe("n", counter++);
}
