/* SPDX-License-Identifier: MIT
 *
 * A destructor function of the program that aborts, after main.
 *
 * expect: 1 abort
 * fixed: 0
 * options: --model tso --runs 50
 */
#include <stdlib.h>

static int balance = 1;

__attribute__((destructor)) static void check(void)
{
    if (balance != 0)
        abort();
}

int main(void)
{
#ifdef FIXED
    balance = 0;
#endif
    return 0;
}
