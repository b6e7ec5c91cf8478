/* SPDX-License-Identifier: MIT
 *
 * Writes over a number of the runtime's, so that this faults between two
 * executions.
 */
#include "event/channel.h"

int main(void)
{
    void *at = &((struct channel *)CHANNEL_ADDRESS)->execution_count;
    long n = 5;

    __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(0x7f) : "memory");
    return 0;
}
