/* SPDX-License-Identifier: MIT
 *
 * Memory that is accessed by different sizes, and integers of 128 bits.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "see.h"

union cell {
    uint64_t whole;
    uint32_t word[2];
    uint16_t half[4];
    uint8_t byte[8];
};
struct padded {
    uint8_t small;
    uint32_t large;
};
struct two {
    uint64_t first, second;
};

static union cell cell, filled = {.whole = 0x1122334455667788};
static unsigned __int128 wide = ((unsigned __int128)3 << 64) | 5;
static _Atomic struct two both;
static struct padded paddeds[2];

static void see_cell(union cell *c)
{
    SEE(c->whole);
    for (int i = 0; i < 2; i++)
        SEE(c->word[i]);
    for (int i = 0; i < 4; i++)
        SEE(c->half[i]);
    for (int i = 0; i < 8; i++)
        SEE(c->byte[i]);
}

static void write_cell(union cell *c)
{
    c->whole = 0x0102030405060708;
    c->half[1] = 0xaabb;
    see_cell(c);
    c->byte[7] = 0xee;
    c->word[0]++;
    see_cell(c);
    c->whole -= 1;
    see_cell(c);
}

/* What is between the members was never written, and does not matter. */
static void copy_padded(void)
{
    struct padded here = {1, 2}, there;

    there = here;
    SEE(there.small);
    SEE(there.large);
    memcpy(&paddeds[0], &there, sizeof(there));
    paddeds[1] = paddeds[0];
    SEE(paddeds[1].small + paddeds[1].large);
}

static void see_wide(unsigned __int128 n)
{
    SEE(n);
    SEE(n >> 64);
    SEE(n == wide);
    SEE((n ^ wide) != 0);
}

static void wides(void)
{
    struct two old = {1, 2}, new = {3, 4};
    unsigned __int128 n = wide;

    see_wide(n);
    see_wide(n | ((unsigned __int128)9 << 100));
    see_wide((n << 64) & ~(unsigned __int128)0);
    see_wide((unsigned __int128)(int64_t)-1);
    see_wide((__int128)(int32_t)-7);
    atomic_store(&both, old);
    SEE(atomic_compare_exchange_strong(&both, &old, new));
    SEE(atomic_compare_exchange_strong(&both, &old, new));
    SEE(old.first * 10 + old.second);
    old = (struct two){3, 0};
    SEE(atomic_compare_exchange_strong(&both, &old, new));
    new = (struct two){5, 6};
    old = atomic_exchange(&both, new);
    SEE(old.first * 10 + old.second);
    new = atomic_load(&both);
    SEE(new.first * 10 + new.second);
}

SHOW
{
    union cell own;

    see_cell(&filled);
    write_cell(&cell);
    write_cell(&filled);
    write_cell(&own);
    copy_padded();
    wides();
}
