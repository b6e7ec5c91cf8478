/* A box that is filled once: the store of the value has three lines. */
#include <fencer.h>

static int full, value;

FENCER_INIT
{
    full = value = 0;
}

/* clang-format off */
FENCER_OP(put)
{
    value =
        6 +
        1;
    full = 1;
}
/* clang-format on */

FENCER_OP(get)
{
    fencer_observe("get", full ? value : 7);
}

FENCER_TEST(T0, "( put | get )");
