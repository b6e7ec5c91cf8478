/* SPDX-License-Identifier: MIT
 *
 * A program that reserves memory until there is none: malloc says so at some
 * point, and what it reserved but never touched costs the machine nothing.
 *
 * expect: 1 exit code 7
 * fixed: 0
 * options: --model tso --runs 3
 */
#include <stdlib.h>

int main(void)
{
    for (int i = 0; i < 100000; i++) {
        char *block = malloc(1 << 30);

        if (!block)
            return 7;
        block[12345] = 1;
#ifdef FIXED
        return 0;
#endif
    }
    return 0;
}
