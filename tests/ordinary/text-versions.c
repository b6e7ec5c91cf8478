/* SPDX-License-Identifier: MIT
 *
 * Text in two places by turns, with a number that says which.  A reader copies
 * it to a buffer of its own and looks there whether it is what it waits for.
 * -DBROKEN: the number may be out before the text is.
 * -DNAMES: the reader waits for a second version, and says which text it saw
 * before: what a failing round left behind is used.
 *
 * verify:            sc no, tso no, pso no, pslo no, c11 no
 * verify:            arm no, riscv no
 * verify -DBROKEN:   sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:   arm yes, riscv yes
 * verify -DPRINTED:  sc no, tso no, pso no, pslo no, c11 no
 * verify -DPRINTED:  arm no, riscv no
 * verify -DNAMES:    sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DNAMES:    arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifdef BROKEN
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

static atomic_int version;
static char texts[3][8] = {"init"};

static void publish(const char *text)
{
    int v = atomic_load_explicit(&version, memory_order_relaxed);

    strcpy(texts[v + 1], text);
    atomic_store_explicit(&version, v + 1, PUBLISH);
}

static void *writer(void *unused)
{
    publish("ready");
#ifdef NAMES
    publish("done");
#endif
    return unused;
}

static void *reader(void *unused)
{
    char seen[8], before[8] = "";

#ifdef NAMES
    for (;;) {
        int v = atomic_load_explicit(&version, memory_order_acquire);

        strncpy(seen, texts[v], sizeof seen);
        if (strcmp(seen, "done") == 0)
            break;
        strcpy(before, seen);
    }
    assert(strcmp(before, "ready") != 0);
#else
    do {
        int v = atomic_load_explicit(&version, memory_order_acquire);

#ifdef PRINTED
        snprintf(seen, sizeof seen, "%s", texts[v]);
#else
        memcpy(seen, texts[v], sizeof seen);
#endif
    } while (memcmp(seen, "init", 4) == 0);
    assert(strcmp(seen, "ready") == 0 && strlen(before) == 0);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
