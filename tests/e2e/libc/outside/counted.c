/* SPDX-License-Identifier: MIT
 *
 * Calls what counts.c has; in every execution that is the first call.
 */
#include <assert.h>

int count_call(int *to);

static int last;

int main(void)
{
    assert(last == 0);
    assert(count_call(&last) == 1 && last == 1);
    return 0;
}
