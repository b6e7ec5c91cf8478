/* SPDX-License-Identifier: MIT
 *
 * One of everything in C that the instrumenter meets.  Prints what a native
 * build prints; e2e.cc.features compares the two.
 */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Every size ---- */

int8_t g8 = -5;
uint16_t g16 = 40000;
int32_t g32 = -70000;
int64_t g64 = -1ll << 40;
unsigned __int128 g128;
float gf = 1.5f;
double gd = 2.25;
long double gld = 3.125L;
bool gb = true;
double complex gc = 1 + 2 * I;
typedef float v4 __attribute__((vector_size(16)));
typedef int v2 __attribute__((vector_size(8)));
v4 gv = {1, 2, 3, 4};
v2 gv2 = {5, 6};
_Float16 gh = 0.5;
struct packed {
    char c;
    int i;
    long l;
} __attribute__((packed)) gp = {1, 2, 3};
struct bits {
    unsigned a : 3, b : 7, c : 22;
    unsigned long d : 40;
    _Bool e : 1;
} gbits;
union mixed {
    uint64_t whole;
    uint32_t half[2];
    uint8_t byte[8];
} gu;
struct big {
    int x[20];
    double y;
} gbig, gbig2;
int gone; /* common with -fcommon */

static void sizes(void)
{
    g8 += 3, g16 += 2, g32 *= 2, g64 -= 1;
    g128 = ((unsigned __int128)7 << 70) + 9;
    g128 = g128 * 3;
    gf += 0.5f, gd *= 2, gld += 1, gb = !gb, gc *= I;
    gv = gv + gv;
    gv[2] = 9;
    gv2 = gv2 * gv2;
    gh += 1;
    gp.i += 40, gp.l += 50;
    gbits.a = 5, gbits.b = 100, gbits.c = 1234567, gbits.d = 1ull << 39;
    gbits.e = 1;
    gu.whole = 0x1122334455667788ull;
    gu.byte[0] = 0xaa;
    gu.half[1]++;
    printf("%d %u %d %lld %llx%016llx\n", g8, g16, g32, (long long)g64,
           (unsigned long long)(g128 >> 64), (unsigned long long)g128);
    printf("%g %g %Lg %d %g%+gi %g\n", gf, gd, gld, gb, creal(gc), cimag(gc),
           (double)gh);
    printf("%g %g %g %g %d %d\n", gv[0], gv[1], gv[2], gv[3], gv2[0], gv2[1]);
    printf("%d %d %ld %u %u %u %llx %d\n", gp.c, gp.i, gp.l, gbits.a, gbits.b,
           gbits.c, (unsigned long long)gbits.d, gbits.e);
    printf("%llx\n", (unsigned long long)gu.whole);
}

/* ---- Copies ---- */

static struct big make(int n)
{
    struct big b = {.y = n};

    for (int i = 0; i < 20; i++)
        b.x[i] = i * n;
    return b;
}

static int by_value(struct big b)
{
    b.x[3]++;
    return b.x[3] + (int)b.y;
}

struct two {
    long a, b;
};

static struct two swap(struct two t)
{
    return (struct two){t.b, t.a};
}

static void copies(void)
{
    char text[64], other[64];
    void *(*move)(void *, const void *, size_t) = memmove;
    void *(*volatile fill)(void *, int, size_t) = memset;

    gbig = make(3);
    gbig2 = gbig;
    gbig2.x[1] = 77;
    printf("%d %d %d %d\n", gbig.x[19], gbig2.x[1], by_value(gbig2),
           gbig2.x[3]);
    strcpy(text, "abcdefghij");
    move(text + 2, text, 5);
    memcpy(other, text, 11);
    fill(other, 'z', 2);
    printf("%s %s %zu\n", text, other, strlen(other));
    memset(&gbig, 0, sizeof(gbig));
    printf("%d %d\n", gbig.x[19], memcmp(&gbig, &gbig2, 4));

    struct two t = swap((struct two){1, 2});

    printf("%ld %ld\n", t.a, t.b);
}

/* ---- Atomics ---- */

_Atomic int a32;
_Atomic int8_t a8;
_Atomic uint16_t a16;
_Atomic long a64;
_Atomic(int *) ap;
_Atomic double ad;
struct pair {
    int a, b;
};
_Atomic struct pair apair;
struct wide {
    long a, b;
};
_Atomic struct wide awide;
atomic_flag aflag = ATOMIC_FLAG_INIT;
unsigned __int128 s128;

static void atomics(void)
{
    int e = 5;
    double d = 1.5;
    struct pair p = {1, 2};

    atomic_store_explicit(&a32, 5, memory_order_release);
    printf("%d ", atomic_compare_exchange_strong(&a32, &e, 6));
    printf("%d %d ",
           atomic_compare_exchange_weak_explicit(
               &a32, &e, 7, memory_order_acq_rel, memory_order_relaxed),
           e);
    printf("%d\n", atomic_load_explicit(&a32, memory_order_acquire));
    a8 += 100, a8 += 100, a16 -= 1, a64 |= 12, a64 &= 8, a64 ^= 3;
    printf("%d %u %ld %ld\n", a8, a16, (long)a64, atomic_exchange(&a64, 44));
    ap = &g32;
    ap++;
    printf("%d\n", (int)(ap - &g32));
    ad = d;
    ad += 2;
    printf("%g\n", ad);
    apair = p;
    p = apair;
    printf("%d %d\n", p.a, p.b);

    struct wide w = {3, 4}, w2 = {0, 0};

    awide = w;
    atomic_compare_exchange_strong(&awide, &w2, w);
    printf("%ld %ld %d\n", w2.a, w2.b,
           atomic_compare_exchange_strong(&awide, &w2, ((struct wide){8, 9})));
    w = awide;
    printf("%ld %ld\n", w.a, w.b);
    printf("%d %d ", atomic_flag_test_and_set(&aflag),
           atomic_flag_test_and_set(&aflag));
    atomic_flag_clear(&aflag);
    printf("%d %d %d\n", __sync_fetch_and_nand(&g32, 5),
           __sync_lock_test_and_set(&g32, 3),
           __sync_bool_compare_and_swap(&g32, 3, 4));
    __sync_lock_release(&g32);
    __sync_synchronize();
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    s128 = 5;
    printf("%d %d\n", __sync_bool_compare_and_swap(&s128, 5, 6), (int)s128);
    printf("%d %d\n", __atomic_fetch_max(&g32, 9, __ATOMIC_RELAXED),
           __atomic_min_fetch(&g32, -9, __ATOMIC_RELAXED));
}

/* ---- Control ---- */

static long sum(int n, ...)
{
    va_list ap1, ap2;
    long s = 0;
    double d = 0;

    va_start(ap1, n);
    va_copy(ap2, ap1);
    for (int i = 0; i < n; i++)
        s += va_arg(ap1, long);
    for (int i = 0; i < n; i++)
        s += va_arg(ap2, long);
    va_end(ap1);
    va_end(ap2);
    return s + (long)d;
}

static char *format(const char *f, ...)
{
    static char out[100];
    va_list list;

    va_start(list, f);
    vsnprintf(out, sizeof(out), f, list);
    va_end(list);
    return out;
}

static int down(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

static jmp_buf place;

static void jump(int n)
{
    if (n == 0)
        longjmp(place, 7);
    jump(n - 1);
}

static int interpret(const char *code)
{
    static const void *const ops[] = {&&inc, &&dbl, &&end};
    int acc = 1;

#define NEXT goto *ops[*code++ - '0']
    NEXT;
inc:
    acc++;
    NEXT;
dbl:
    acc *= 2;
    NEXT;
end:
    return acc;
}

static int vla(int n)
{
    int total = 0;

    for (int k = 1; k <= n; k++) {
        int a[k];

        for (int i = 0; i < k; i++)
            a[i] = i;
        qsort(a, (size_t)k, sizeof(a[0]), down);
        total += a[0];
    }
    return total;
}

static int irreducible(int n)
{
    int i = 0;

    if (n & 1)
        goto middle;
top:
    i++;
middle:
    i += 2;
    if (i < n)
        goto top;
    return i;
}

__attribute__((weak)) int weak_one(void)
{
    return 11;
}

static inline int inlined(int x)
{
    return x + g32;
}

__attribute__((pure)) static int pure_one(const int *p)
{
    return *p + 1;
}

static int asm_goto(int x)
{
    __asm__ goto("test %0, %0\n\tjz %l1" : : "r"(x) : "cc" : zero);
    return 1;
zero:
    return 0;
}

static void control(void)
{
    int list[5] = {3, 9, 1, 7, 5};
    volatile int tries = 0;
    int (*f)(int) = inlined;

    printf("%ld %s\n", sum(3, 1L, 2L, 3L), format("%d-%s-%g", 1, "x", 2.5));
    qsort(list, 5, sizeof(int), down);
    printf("%d %d\n", list[0], list[4]);
    if (setjmp(place) == 0) {
        tries++;
        jump(3);
    } else {
        printf("jumped %d\n", tries);
    }
    printf("%d %d %d %d\n", interpret("01012"), vla(6), irreducible(9),
           irreducible(10));
    printf("%d %d %d %d\n", weak_one(), f(1), pure_one(&g32) + pure_one(&g32),
           asm_goto(0) + 2 * asm_goto(5));
    errno = 0;
    printf("%d %d\n", (int)strtol("999999999999999999999", NULL, 10) == -1,
           errno == ERANGE);
    printf("%g %g\n", sqrt(gd), floor(-1.5));
    do {
        tries++;
    } while (tries < 5);
    for (float x = 0; x < 3; x += 0.5f)
        tries++;
    printf("%d\n", tries);
}

/* ---- Threads and their own storage ---- */

__thread int tl = 42;
static _Thread_local char tbuf[8] = "abc";
static __thread int *tp;
_Thread_local struct pair tpair = {1, 2};

static void *worker(void *argument)
{
    tl += *(int *)argument;
    tbuf[0] = 'X';
    tp = &tl;
    tpair.b = tl;
    printf("%d %s %d %d\n", tl, tbuf, *tp, tpair.b);
    return (void *)(intptr_t)tl;
}

static void threads(void)
{
    pthread_t t;
    int n = 8;
    void *result;

    pthread_create(&t, NULL, worker, &n);
    pthread_join(t, &result);
    printf("%d %d %s %d %d\n", (int)(intptr_t)result, tl, tbuf, tp == NULL,
           tpair.b);
}

static int order[4], ordered;

__attribute__((constructor(102))) static void second(void)
{
    order[ordered++] = 2;
}

__attribute__((constructor(101))) static void first(void)
{
    order[ordered++] = 1;
}

__attribute__((constructor)) static void third(void)
{
    order[ordered++] = 3;
}

__attribute__((destructor)) static void last(void)
{
    printf("destructor %d\n", ordered);
}

static void at_exit(void)
{
    printf("at exit\n");
}

int main(int argc, char **argv, char **envp)
{
    atexit(at_exit);
    printf("%d %d %d %d %d %d\n", argc, argv[argc] == NULL, envp != NULL,
           order[0], order[1], order[2]);
    sizes();
    copies();
    atomics();
    control();
    threads();
    return 3;
}
