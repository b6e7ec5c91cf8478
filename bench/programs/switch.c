/* SPDX-License-Identifier: MIT
 *
 * The bare fiber switch, COUNT times there and back.  Linked with the runtime
 * library but not instrumented.
 */
#include <stddef.h>
#include <stdlib.h>

#include "runtime/arch.h"

static void *main_fiber, *other_fiber;
static char stack[1 << 16];

static void other(void *unused)
{
    (void)unused;
    for (;;)
        __fencer_arch_switch(&other_fiber, main_fiber);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1;

    other_fiber = arch_prepare(stack + sizeof stack, other, NULL);
    for (long i = 0; i < count; i++)
        __fencer_arch_switch(&main_fiber, other_fiber);
    return 0;
}
