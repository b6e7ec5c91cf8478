/* A counter, with all that can be wrong about it. */
#include <fencer.h>

static int counter;

FENCER_INIT
{
    counter = 0;
}

FENCER_OP(i)
{
    fencer_observe("i", counter++);
}

#ifdef REFUSED
static double half;

FENCER_OP(h)
{
    half = half / 2;
    fencer_observe("h", 0);
}
#endif
