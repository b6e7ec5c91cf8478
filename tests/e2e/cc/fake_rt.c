/* SPDX-License-Identifier: MIT
 *
 * A runtime that does nothing but what the program says, to test the
 * instrumenter alone: every hook is the plain access, a thread runs to its
 * end where it is created, and modelled functions are the library's own.
 *
 * FAKE_FAST=1 lets loads take the fast path; FAKE_COUNT=1 prints how often
 * each hook was called, FAKE_SITES=1 the site table, both at the end.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "event/event.h"
#include "event/program.h"

extern const struct fencer_program __fencer_program;

uint64_t __fencer_mask;
int64_t __fencer_countdown;
uint32_t __fencer_count;
char *__fencer_tls;
uint32_t __fencer_site;
uint32_t __fencer_checked;

enum {
#define HOOK(name, result, parameters) COUNT_##name,
    FENCER_HOOKS(HOOK)
#undef HOOK
        COUNT_ALL
};

static const char *const hook_names[] = {
#define HOOK(name, result, parameters) #name,
    FENCER_HOOKS(HOOK)
#undef HOOK
};

static unsigned long counts[COUNT_ALL];
static unsigned last_limit;

static void seen(int hook, uint32_t site)
{
    counts[hook]++;
    if (site >= __fencer_program.site_count) {
        fprintf(stderr, "fake: %s from site %u of %llu\n", hook_names[hook],
                site, (unsigned long long)__fencer_program.site_count);
        abort();
    }
}

#define ACCESS(n, type)                                                        \
    type __fencer_load##n(type *p, uint32_t site)                              \
    {                                                                          \
        seen(COUNT_load##n, site);                                             \
        return *p;                                                             \
    }                                                                          \
    void __fencer_store##n(type *p, type v, uint32_t site)                     \
    {                                                                          \
        seen(COUNT_store##n, site);                                            \
        *p = v;                                                                \
    }                                                                          \
    type __fencer_atomic_load##n(type *p, int order, uint32_t site)            \
    {                                                                          \
        (void)order;                                                           \
        seen(COUNT_atomic_load##n, site);                                      \
        return *p;                                                             \
    }                                                                          \
    void __fencer_atomic_store##n(type *p, type v, int order, uint32_t site)   \
    {                                                                          \
        (void)order;                                                           \
        seen(COUNT_atomic_store##n, site);                                     \
        *p = v;                                                                \
    }                                                                          \
    type __fencer_rmw##n(type *p, int op, type v, int order, uint32_t site)    \
    {                                                                          \
        type old = *p;                                                         \
        (void)order;                                                           \
        seen(COUNT_rmw##n, site);                                              \
        *p = (type)combine((uint64_t)old, op, (uint64_t)v, n);                 \
        return old;                                                            \
    }                                                                          \
    type __fencer_cas##n(type *p, type expected, type desired, int success,    \
                         int failure, uint32_t site)                           \
    {                                                                          \
        type old = *p;                                                         \
        (void)success, (void)failure;                                          \
        seen(COUNT_cas##n, site);                                              \
        if (old == expected)                                                   \
            *p = desired;                                                      \
        return old;                                                            \
    }

static uint64_t float_add(uint64_t a, int op, uint64_t b, unsigned size)
{
    if (size == 4) {
        uint32_t bits[2] = {(uint32_t)a, (uint32_t)b};
        float f[2];

        memcpy(f, bits, sizeof(f));
        f[0] = op == RMW_FADD ? f[0] + f[1] : f[0] - f[1];
        memcpy(bits, f, sizeof(f));
        return bits[0];
    }

    double d[2];

    memcpy(&d[0], &a, 8);
    memcpy(&d[1], &b, 8);
    d[0] = op == RMW_FADD ? d[0] + d[1] : d[0] - d[1];
    memcpy(&a, d, 8);
    return a;
}

static uint64_t combine(uint64_t a, int op, uint64_t b, unsigned size)
{
    int shift = 64 - 8 * (int)size;
    int64_t sa = (int64_t)(a << shift) >> shift;
    int64_t sb = (int64_t)(b << shift) >> shift;

    switch (op) {
    case RMW_XCHG:
        return b;
    case RMW_ADD:
        return a + b;
    case RMW_SUB:
        return a - b;
    case RMW_AND:
        return a & b;
    case RMW_NAND:
        return ~(a & b);
    case RMW_OR:
        return a | b;
    case RMW_XOR:
        return a ^ b;
    case RMW_MAX:
        return sa > sb ? a : b;
    case RMW_MIN:
        return sa < sb ? a : b;
    case RMW_UMAX:
        return a > b ? a : b;
    case RMW_UMIN:
        return a < b ? a : b;
    default:
        return float_add(a, op, b, size);
    }
}

ACCESS(1, uint8_t)
ACCESS(2, uint16_t)
ACCESS(4, uint32_t)
ACCESS(8, uint64_t)

void __fencer_loadn(void *p, void *to, uint64_t n, uint32_t site)
{
    seen(COUNT_loadn, site);
    memcpy(to, p, n);
}

void __fencer_storen(void *p, void *from, uint64_t n, uint32_t site)
{
    seen(COUNT_storen, site);
    memcpy(p, from, n);
}

void __fencer_copy(void *to, void *from, uint64_t n, uint32_t site)
{
    seen(COUNT_copy, site);
    memmove(to, from, n);
}

void __fencer_fill(void *to, int byte, uint64_t n, uint32_t site)
{
    seen(COUNT_fill, site);
    memset(to, byte, n);
}

typedef unsigned __int128 wide;

void __fencer_atomic_load16(wide *p, wide *out, int order, uint32_t site)
{
    (void)order;
    seen(COUNT_atomic_load16, site);
    *out = *p;
}

void __fencer_atomic_store16(wide *p, wide *v, int order, uint32_t site)
{
    (void)order;
    seen(COUNT_atomic_store16, site);
    *p = *v;
}

void __fencer_rmw16(wide *p, int op, wide *v, wide *old, int order,
                    uint32_t site)
{
    (void)order;
    seen(COUNT_rmw16, site);
    *old = *p;
    *p = op == RMW_XCHG ? *v : op == RMW_ADD ? *p + *v : *p - *v;
}

void __fencer_cas16(wide *p, wide *expected, wide *desired, wide *old,
                    int success, int failure, uint32_t site)
{
    (void)success, (void)failure;
    seen(COUNT_cas16, site);
    *old = *p;
    if (*p == *expected)
        *p = *desired;
}

void __fencer_fence(int order, uint32_t site)
{
    (void)order;
    seen(COUNT_fence, site);
}

void __fencer_fence_bits(int bits, uint32_t site)
{
    (void)bits;
    seen(COUNT_fence_bits, site);
}

uint32_t __fencer_tick(uint32_t mark, uint32_t changed, uint32_t loop,
                       uint32_t site)
{
    seen(COUNT_tick, site);
    (void)mark;
    if (changed > (CHANGED_REGISTERS | CHANGES_PRIVATE | CHANGED_BOUND) ||
        loop >= __fencer_program.site_count)
        abort();
    __fencer_countdown = 3;
    return __fencer_count;
}

uint32_t __fencer_enter(uint32_t loop)
{
    if (!loop || loop >= __fencer_program.site_count)
        abort();
    return __fencer_count;
}

void __fencer_left(uint32_t loop)
{
    __fencer_enter(loop);
}

/* Private memory can be read, whatever is done with it. */
void __fencer_reads(const void *address, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        (void)((const volatile char *)address)[i];
}

void __fencer_writes(void *address, uint64_t size)
{
    __fencer_reads(address, size);
}

void __fencer_call(uint32_t index, uint32_t site)
{
    seen(COUNT_call, site);
    if (index >= __fencer_program.extern_count)
        abort();
}

void __fencer_called(uint32_t index, uint32_t site)
{
    (void)index;
    seen(COUNT_called, site);
}

void __fencer_asm(uint32_t limit, uint32_t site)
{
    seen(COUNT_asm, site);
    last_limit = limit;
    if (limit >= __fencer_program.limit_count)
        abort();
}

void __fencer_spin(uint32_t site)
{
    seen(COUNT_spin, site);
}

void __fencer_nondeterministic(uint32_t site)
{
    seen(COUNT_nondeterministic, site);
}

void __fencer_leave(char *low, char *high, uint32_t site)
{
    seen(COUNT_leave, site);
    if (low > high)
        abort();
}

void __fencer_local_lives(char *at, uint64_t size)
{
    (void)at;
    (void)size;
}

void __fencer_local_dies(char *at, uint64_t size, uint32_t site)
{
    (void)at;
    (void)size;
    seen(COUNT_local_dies, site);
}

/* ---- Threads: run at once ---- */

static void *results[64];
static unsigned thread_count;

static char *new_tls(void)
{
    size_t align = __fencer_program.tls_align;
    size_t size = (__fencer_program.tls_size + align) / align * align;
    char *copy = aligned_alloc(align < 16 ? 16 : align, (size + 15) / 16 * 16);

    memcpy(copy, __fencer_program.tls_image, __fencer_program.tls_size);
    return copy;
}

int __fencer_pthread_create(pthread_t *t, const pthread_attr_t *attr,
                            void *(*start)(void *), void *argument)
{
    char *tls = __fencer_tls;

    (void)attr;
    *t = thread_count++;
    __fencer_tls = new_tls();
    results[*t] = start(argument);
    __fencer_tls = tls;
    return 0;
}

int __fencer_pthread_join(pthread_t t, void **result)
{
    if (result)
        *result = results[t];
    return 0;
}

void *__fencer_memcpy(void *to, const void *from, size_t n)
{
    return memcpy(to, from, n);
}

void *__fencer_memmove(void *to, const void *from, size_t n)
{
    return memmove(to, from, n);
}

void *__fencer_memset(void *to, int byte, size_t n)
{
    return memset(to, byte, n);
}

/* ---- fencer.h ---- */

void __fencer_fencer_observe(const char *label, long long value)
{
    (void)label, (void)value;
}

unsigned __fencer_fencer_choose(unsigned n)
{
    (void)n;
    return 0;
}

/* In a part of the C library that weak references do not reach. */
int __fencer_atexit(void (*handler)(void))
{
    return atexit(handler);
}

/* Every other modelled function: jump to the library's, if it is there. */
#define JUMP(name)                                                             \
    __asm__(".text\n.weak __fencer_" #name "\n.weak " #name                    \
            "\n__fencer_" #name ":\njmp *" #name "@GOTPCREL(%rip)\n");
#define MODELLED(name, captures) JUMP(name)
#define EXTERNS(class, text)
#define pthread_create pthread_create_real
#define pthread_join pthread_join_real
#define memcpy memcpy_real
#define memmove memmove_real
#define memset memset_real
#define atexit atexit_real
#define fencer_observe fencer_observe_real
#define fencer_choose fencer_choose_real
#include "event/externs-libc.def"
#include "event/externs-threads.def"
#undef pthread_create
#undef pthread_join
#undef memcpy
#undef memmove
#undef memset
#undef atexit
#undef fencer_observe
#undef fencer_choose

/* ---- Start and end ---- */

static void print_sites(void)
{
    for (uint64_t i = 1; i < __fencer_program.site_count; i++) {
        const struct fencer_site *s = &__fencer_program.sites[i];

        printf("site %s:%u %s %s %u %s\n", s->file, s->line, s->function,
               event_kind_words(s->kind), s->size & ~SITE_ASSEMBLY, s->name);
    }
    for (uint64_t i = 0; i < __fencer_program.global_count; i++) {
        const struct fencer_global *g = &__fencer_program.globals[i];

        printf("global %s %llu %s\n", g->name, (unsigned long long)g->size,
               g->fields ? g->fields : "-");
    }
    for (uint64_t i = 0; i < __fencer_program.extern_count; i++)
        printf("extern %s %u\n", __fencer_program.externs[i].name,
               __fencer_program.externs[i].class);
    for (uint64_t i = 0; i < __fencer_program.limit_count; i++)
        printf("limit %s\n", __fencer_program.limits[i]);
}

static void at_end(void)
{
    for (uint64_t i = 0; i < __fencer_program.dtor_count; i++)
        __fencer_program.dtors[i].run();
    if (getenv("FAKE_COUNT")) {
        for (int i = 0; i < COUNT_ALL; i++) {
            if (counts[i])
                printf("hook %s %lu\n", hook_names[i], counts[i]);
        }
    }
    if (getenv("FAKE_SITES"))
        print_sites();
}

static void map_shadow(void)
{
    bool fast = getenv("FAKE_FAST") != NULL;
    size_t size = fast ? SHADOW_SIZE : 4096;
    char *shadow =
        mmap((void *)SHADOW_BASE, size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);

    if (shadow != (char *)SHADOW_BASE)
        abort();
    shadow[0] = SHADOW_BAD;
    __fencer_mask = fast ? UINT64_MAX : 0;
}

int main(int argc, char **argv, char **envp)
{
    int (*user)(int, char **, char **) =
        (int (*)(int, char **, char **))__fencer_program.main;

    if (__fencer_program.abi != FENCER_ABI || !user)
        return 99;
    map_shadow();
    __fencer_tls = new_tls();
    atexit(at_end);
    for (uint64_t i = 0; i < __fencer_program.ctor_count; i++)
        __fencer_program.ctors[i].run();
    exit(user(argc, argv, envp));
}
