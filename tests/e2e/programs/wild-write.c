/* SPDX-License-Identifier: MIT
 *
 * A program that writes where only the runtime should: the channel to the
 * tool, the store buffers, the shadow.  The tool must live and say so.
 *
 * expect: 1
 * fixed: 0
 * options: --model tso --runs 20
 */
#include <stdint.h>
#include <string.h>

int main(void)
{
#ifndef FIXED
    static const uint64_t places[] = {0x220000000000, 0x230000000000,
                                      0x100000000000};

    for (int i = 0; i < 3; i++)
        memset((char *)(uintptr_t)places[i], 0xff, 4096);
    for (int i = 0; i < 3; i++)
        *(volatile uint64_t *)(uintptr_t)places[i] = 0xdeadbeef;
#endif
    return 0;
}
