/* SPDX-License-Identifier: MIT
 *
 * A chained hash table, shared by THREADS threads, one lock for sixteen
 * chains:  hash THREADS ROUNDS.  A round counts 40,000 words.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHAINS 4096
#define LOCKS (CHAINS / 16)
#define WORDS 40000
#define DISTINCT 9000

struct entry {
    struct entry *next;
    uint64_t key;
    unsigned count;
};

static struct entry *chain[CHAINS];
static pthread_mutex_t lock[LOCKS];
static long rounds;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15ull;
    x ^= x >> 29;
    return x;
}

static void count_word(uint64_t key)
{
    unsigned at = (unsigned)(mix(key) % CHAINS);
    struct entry *e;

    pthread_mutex_lock(&lock[at / 16]);
    for (e = chain[at]; e && e->key != key; e = e->next)
        ;
    if (!e) {
        e = malloc(sizeof *e);
        e->key = key;
        e->count = 0;
        e->next = chain[at];
        chain[at] = e;
    }
    e->count++;
    pthread_mutex_unlock(&lock[at / 16]);
}

static void *counter(void *arg)
{
    uint64_t state = (uint64_t)(uintptr_t)arg + 1;

    for (long r = 0; r < rounds; r++)
        for (int i = 0; i < WORDS; i++) {
            state = mix(state + 0x632be59bd9b4e019ull);
            count_word(state % DISTINCT);
        }
    return NULL;
}

int main(int argc, char **argv)
{
    long threads = argc > 1 ? atol(argv[1]) : 1;
    unsigned long total = 0;
    pthread_t id[8];

    rounds = argc > 2 ? atol(argv[2]) : 1;
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_init(&lock[i], NULL);
    for (long i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, counter, (void *)(uintptr_t)i);
    for (long i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    for (int i = 0; i < CHAINS; i++)
        for (struct entry *e = chain[i]; e; e = e->next)
            total += e->count;
    if (total != (unsigned long)(threads * rounds) * WORDS) {
        printf("lost: %lu\n", total);
        return 1;
    }
    return 0;
}
