/* SPDX-License-Identifier: MIT
 *
 * The inline assembly of ck, liburcu and the Linux kernel, by shape.  Prints
 * what a native build prints.  All but negl is understood, or needs not be.
 */
#include <stdint.h>
#include <stdio.h>

static uint32_t x = 5;
static uint64_t y = 6;
static uint8_t b = 7;
static uint16_t h = 8;
static void *pointer;
static struct {
    uint64_t low, high;
} __attribute__((aligned(16))) pair = {1, 2};

struct dummy {
    unsigned long v[10];
};
#define HP(p) ((struct dummy *)(p))

static void fences(void)
{
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("lfence" ::: "memory");
    __asm__ volatile("sfence" ::: "memory");
    __asm__ volatile("pause" ::: "memory");
    __asm__ volatile("rep; nop" ::: "memory");
    __asm__ volatile("prefetcht0 %0" : : "m"(x));
    __asm__ volatile("prefetchnta (%0)" : : "r"(&y));
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("lock addl $0, -4(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("lock; orl $0,(%%rsp)" ::: "memory", "cc");
}

static void bits(void)
{
    uint64_t word = 40, found;
    uint32_t low, high, leaf = 0, rest, level = 0;
    unsigned long set = 9;
    int was;
    uint8_t z;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    __asm__ volatile("cpuid"
                     : "+a"(leaf), "=b"(rest), "+c"(level), "=d"(high)
                     :
                     : "memory");
    __asm__("bsfq %1,%0" : "=r"(found) : "rm"(word));
    printf("bsf %llu ", (unsigned long long)found);
    __asm__("bsrq %1,%0" : "=r"(found) : "rm"(word));
    printf("bsr %llu\n", (unsigned long long)found);
    __asm__ volatile("lock; btsq %2,%1\n\tsbbl %0,%0"
                     : "=r"(was), "+m"(set)
                     : "Ir"(3l)
                     : "memory");
    printf("bts %d %lu\n", was, set);
    __asm__ volatile("btq %2,%1; setc %0"
                     : "=q"(z)
                     : "m"(set), "r"(4l)
                     : "memory");
    printf("bt %u\n", z);
}

static void ck(void)
{
    uint32_t r, old;
    uint8_t z;
    uint64_t compare[2] = {1, 2}, set[2] = {10, 20};

    __asm__ volatile("movl %1, %0" : "=q"(r) : "m"(x) : "memory");
    __asm__ volatile("movl %1, %0" : "=m"(x) : "iq"(r + 1) : "memory");
    __asm__ volatile("movb %1, %0" : "=m"(b) : "iq"((uint8_t)99) : "memory");
    __asm__ volatile("movq %1, %0" : "=m"(pointer) : "iq"(&x) : "memory");
    r = 10;
    __asm__ volatile("lock xaddl %1, %0" : "+m"(x), "+q"(r) : : "memory", "cc");
    printf("xadd %u %u\n", r, x);
    __asm__ volatile("lock incl %0" : "+m"(x) : : "memory", "cc");
    __asm__ volatile("lock decw %0" : "+m"(h) : : "memory", "cc");
    __asm__ volatile("lock addq %1, %0"
                     : "+m"(y)
                     : "iq"(4ull)
                     : "memory", "cc");
    __asm__ volatile("lock notb %0" : "+m"(b) : : "memory", "cc");
    printf("inc %u %u %llu %u\n", x, h, (unsigned long long)y, b);
    x = 1;
    __asm__ volatile("lock decl %0; setz %1"
                     : "+m"(x), "=q"(z)
                     :
                     : "memory", "cc");
    printf("dec zero %u %u\n", x, z);
    __asm__ volatile("lock cmpxchgl %2, %0; setz %1"
                     : "+m"(x), "=q"(z)
                     : "q"(44), "a"(0)
                     : "memory", "cc");
    printf("cas %u %u\n", x, z);
    __asm__ volatile("lock cmpxchgl %3, %0; mov %%eax, %2; setz %1;"
                     : "+m"(x), "=a"(z), "=m"(old)
                     : "q"(55), "a"(1)
                     : "memory", "cc");
    printf("cas value %u %u %u\n", x, z, old);
    __asm__ volatile("movq 0(%4), %%rax;"
                     "movq 8(%4), %%rdx;"
                     "lock cmpxchg16b %0; setz %1"
                     : "+m"(pair), "=q"(z)
                     : "b"(set[0]), "c"(set[1]), "q"(compare)
                     : "memory", "cc", "%rax", "%rdx");
    printf("cas wide %llu %llu %u\n", (unsigned long long)pair.low,
           (unsigned long long)pair.high, z);
}

static void urcu(void)
{
    unsigned int old = 55, result;
    unsigned long value = 1000;

    x = 55;
    __asm__ volatile("lock; cmpxchgl %2, %1"
                     : "+a"(old), "+m"(*HP(&x))
                     : "r"(66)
                     : "memory");
    printf("urcu cas %u %u\n", old, x);
    __asm__ volatile("xchgq %0, %1"
                     : "=r"(value), "+m"(*HP(&y))
                     : "0"(value)
                     : "memory");
    printf("urcu xchg %lu %llu\n", value, (unsigned long long)y);
    result = 5;
    __asm__ volatile("lock; xaddl %0, %1"
                     : "+r"(result), "+m"(*HP(&x))
                     :
                     : "memory");
    __asm__ volatile("lock; andl %1, %0" : "+m"(*HP(&x)) : "ir"(0xfe));
    __asm__ volatile("lock; orw %1, %0" : "+m"(*HP(&h)) : "ir"((short)0x100));
    printf("urcu add %u %u %u\n", result, x, h);
}

static void kernel(void)
{
    unsigned char c;
    int v = 3;
    long p = 8;

    __asm__ volatile("lock; subl %2,%0; sete %1"
                     : "+m"(x), "=qm"(c)
                     : "ir"(x)
                     : "memory");
    printf("sub and test %u %d\n", x, c);
    __asm__ volatile("lock xaddl %0, %1" : "+r"(v), "+m"(x) : : "memory", "cc");
    __asm__ volatile("lock; incl %0" : "+m"(x));
    printf("%d %u\n", v, x);
    __asm__ volatile("lock; decl %0" : "+m"(x) : : "memory");
    __asm__ volatile("lock; addl %1,%0" : "+m"(x) : "i"(-3), "m"(x) : "cc");
    __asm__ volatile("lock; incl %0" : "=m"(x), "=@ccz"(v) : "m"(x) : "memory");
    printf("flags %d %u\n", v, x);
    __asm__ volatile("xchg %b0,%1" : "+q"(c), "+m"(b) : : "memory");
    printf("xchg %d %d\n", c, b);
    __asm__ volatile("addl %1, %0" : "+m"(x) : "ir"(7));
    __asm__ volatile("bswap %0" : "+r"(p));
    __asm__ volatile("lock; btsl $4, %0" : "+m"(x) : : "memory", "cc");
    __asm__ volatile("lock btrq %2, %0; setc %1"
                     : "+m"(y), "=q"(c)
                     : "r"(3ull)
                     : "memory", "cc");
    printf("bits %u %llu %d\n", x, (unsigned long long)y, c);
    __asm__ volatile("lock; negl %0" : "+m"(x) : : "memory", "cc");
    printf("%u %lx\n", x, p);
}

/* What a replay cannot repeat: told to the runtime. */
static void clocks(void)
{
    unsigned low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    printf("clocks %d\n", (low | high | __builtin_ia32_rdtsc()) != 0);
}

int main(void)
{
    bits();
    clocks();
    fences();
    ck();
    urcu();
    kernel();
    return 0;
}
