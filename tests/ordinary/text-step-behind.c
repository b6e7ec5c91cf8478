/* SPDX-License-Identifier: MIT
 *
 * A loop that looks at a buffer, puts what it read last time there, and reads
 * again: each round uses what the one before left.  It ends after the second
 * round that reads 1, and never waits for good, also if somebody else could
 * know the buffer.  -DBROKEN: the caller believes that nobody ever wrote.
 *
 * verify:                  sc no, tso no, pso no, pslo no, c11 no
 * verify:                  arm no, riscv no
 * verify -DKNOWN:          sc no, tso no, pso no, pslo no, c11 no
 * verify -DKNOWN:          arm no, riscv no
 * verify -DBROKEN:         sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN -DKNOWN:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_int given;
static char *_Atomic known;

static void *reader(void *unused)
{
    char text[4] = "a", next = 'a';

#ifdef KNOWN
    atomic_store(&known, text);
#endif
    while (strcmp(text, "b") != 0) {
        text[0] = next;
        next = (char)('a' + atomic_load(&given));
    }
#ifdef BROKEN
    assert(next == 'a');
#else
    assert(next == 'b' || atomic_load(&known) == text);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&given, 1);
    pthread_join(t, NULL);
    return 0;
}
