/* SPDX-License-Identifier: MIT
 *
 * MP: the flag is there before the message, or the message was read before
 * the flag.
 */
#include "run.h"

static volatile int x, y;
static int r, s;

THREAD(writer)
{
    x = 1; /* a */
    FENCE();
    y = 1; /* b */
    END;
}

THREAD(reader)
{
    r = y; /* c */
    FENCE();
    s = x; /* d */
    END;
}

int main(void)
{
    RUN(writer, reader);
    return r && !s;
}
