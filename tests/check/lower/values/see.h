/* SPDX-License-Identifier: MIT
 *
 * Programs of one thread whose values are seen twice: printed by the machine,
 * and observed by the load-store language.  They must agree.
 *
 * SHOW { int x = 1; SEE(x + 1); }
 */
#ifndef SEE_H
#define SEE_H

#ifdef __FENCER__
#include <fencer.h>
#define SEE(value) fencer_observe("value", (long long)(value))
#define SHOW                                                                   \
    FENCER_INIT                                                                \
    {                                                                          \
    }                                                                          \
    FENCER_OP(x)
#else
#include <stdio.h>
#define SEE(value) printf("%lld\n", (long long)(value))
#define SHOW                                                                   \
    static void show(void);                                                    \
    int main(void)                                                             \
    {                                                                          \
        show();                                                                \
        return 0;                                                              \
    }                                                                          \
    static void show(void)
#endif

#endif
