/* SPDX-License-Identifier: MIT
 *
 * A program that writes nonsense into the memory it shares with the tool: the
 * words of the header, and then parts of what lies after it.  What, and how
 * it ends, follows from the number it is given. */
#include "prelude.h"

#include <inttypes.h>

#define WHOLE (16ul << 30)

static uint64_t state;
static char *channel;

static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Numbers that somebody multiplies, adds or indexes with. */
static uint64_t extreme(void)
{
    static const uint64_t list[] = {0,          1,          ~0ull,
                                    1ull << 28, 1ull << 31, (1ull << 32) - 1,
                                    1ull << 63, 1ull << 47, 65535};
    uint64_t i = next() % (sizeof list / sizeof *list + 1);

    return i < sizeof list / sizeof *list ? list[i] : next();
}

/* Around the compiler: the kernel copies, so no access here is a hook. */
static void put(uint64_t at, uint64_t value)
{
    struct {
        void *base;
        size_t size;
    } from = {&value, sizeof value}, to = {channel + at, sizeof value};

    syscall(SYS_process_vm_readv, getpid(), &to, 1, &from, 1, 0);
}

static void scribble(unsigned words)
{
    static const uint64_t regions[] = {
        1ul << 20, 32ul << 20, 2ul << 30, 9ul << 28, 5ul << 29,
        3ul << 30, 4ul << 30,  5ul << 30, 6ul << 30, 8ul << 30};

    for (unsigned i = 0; i < words; i++) {
        int header = next() % 4;
        uint64_t at = header ? next() % 1024 * 8
                             : regions[next() % 10] + next() % 512 * 8;

        put(at, extreme());
    }
}

static void *work(void *p)
{
    static int x;

    for (int i = 0; i < 10; i++) {
        x++;
        scribble(state % 3 ? 1 : 40);
    }
    return p;
}

int main(int argc, char **argv)
{
    const char *fd = getenv("FENCER_CHANNEL");
    pthread_t t;

    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    channel = mmap(NULL, WHOLE, PROT_READ | PROT_WRITE, MAP_SHARED,
                   fd ? atoi(fd) : -1, 0);
    if (channel == MAP_FAILED)
        channel = (char *)0x220000000000;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    switch (next() % 4) {
    case 0:
        abort();
    case 1:
        _exit((int)(next() % 256));
    case 2:
        for (;;)
            __asm__ volatile("");
    }
    return (int)(next() % 2);
}
