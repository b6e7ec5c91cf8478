/* SPDX-License-Identifier: MIT
 *
 * Indexer (Flanagan and Godefroid, POPL 2005): N threads put 4 messages each
 * into a hash table of 128 cells, by CAS, at the next free cell.  Up to 11
 * threads never meet; then there are 8^(N - 11) traces.
 */
#include "peers.h"

#define CELLS 128
#define MESSAGES 4

static atomic_int table[CELLS];

static void insert(int message)
{
    int at = message * 7 % CELLS, tries = 1;

    while (!cas(&table[at], 0, message)) {
        at = (at + 1) % CELLS;
        assert(++tries <= CELLS);
    }
}

static void *sender(void *number)
{
    for (int i = 1; i <= MESSAGES; i++)
        insert(i * 11 + number_of(number));
    return NULL;
}

int main(void)
{
    run_many(sender, N);
    return 0;
}
