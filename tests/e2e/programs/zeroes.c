/* SPDX-License-Identifier: MIT
 *
 * Every execution finds the program's data as the source says: zeroes, values,
 * parts of large arrays, and what shares a line with its neighbours.
 *
 * expect: 0
 * options: --model tso --runs 2000
 */
#include <assert.h>
#include <stddef.h>

static char large[64 << 20];
static int zero, five = 5;
static short few[7] = {1, 2, 3};
static int many[100];

static void change(char *one)
{
    assert(*one == 0);
    *one = 1;
}

int main(void)
{
    assert(zero++ == 0);
    assert(five++ == 5);
    assert(few[2]++ == 3);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        assert(many[i]++ == 0);
    change(&large[0]);
    change(&large[12345678]);
    change(&large[sizeof large - 1]);
    return 0;
}
