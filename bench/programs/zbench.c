/* SPDX-License-Identifier: MIT
 *
 * zlib at work:  zbench THREADS ROUNDS.  Each thread compresses and
 * uncompresses 768 KiB of made-up text a round and compares.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zlib.h"

#define SIZE (768 << 10)

static long rounds;

/* Words of a small vocabulary in a skewed order: compresses about 4 to 1. */
static void write_text(unsigned char *to, unsigned seed)
{
    static const char *const words[] = {
        "fence ", "store ", "load ",    "thread ", "buffer ", "memory ",
        "order ", "the ",   "of ",      "and ",    "x86 ",    "commit ",
        "a ",     "model ", "program ", "value\n",
    };
    size_t at = 0;

    while (at < SIZE) {
        seed = seed * 1103515245u + 12345u;

        const char *word = words[(seed >> 16) % 16 & (seed >> 24)];
        size_t length = strlen(word);

        if (length > SIZE - at)
            length = SIZE - at;
        memcpy(to + at, word, length);
        at += length;
        if (seed >> 20 & 1 && at < SIZE)
            to[at++] = (unsigned char)('a' + (seed >> 8) % 26);
    }
}

static void *worker(void *arg)
{
    unsigned seed = (unsigned)(uintptr_t)arg + 1;
    unsigned char *text = malloc(SIZE), *back = malloc(SIZE);
    uLong bound = compressBound(SIZE);
    unsigned char *packed = malloc(bound);

    for (long r = 0; r < rounds; r++) {
        uLongf packed_size = bound, back_size = SIZE;

        write_text(text, seed + (unsigned)r);
        if (compress(packed, &packed_size, text, SIZE) != Z_OK ||
            uncompress(back, &back_size, packed, packed_size) != Z_OK ||
            back_size != SIZE || memcmp(text, back, SIZE) != 0)
            abort();
    }
    free(text);
    free(back);
    free(packed);
    return NULL;
}

int main(int argc, char **argv)
{
    long threads = argc > 1 ? atol(argv[1]) : 1;
    pthread_t id[8];

    rounds = argc > 2 ? atol(argv[2]) : 1;
    if (threads == 1) {
        worker(NULL);
        return 0;
    }
    for (long i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, worker, (void *)(uintptr_t)i);
    for (long i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    return 0;
}
