/* SPDX-License-Identifier: MIT
 *
 * The spin lock that Linux had, in assembly with jumps, with its labels and
 * with those of Concurrency Kit.  Who does not give it back lets the other one
 * spin for ever.
 *
 * expect: 1 livelock
 * fixed: 0
 * options: --model sc,tso --runs 500
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static signed char lock = 1;
static int inside;

static void take(void)
{
    __asm__ volatile("1:\tlock; decb %0\n\t"
                     "jns 3f\n"
                     "2:\trep; nop\n\t"
                     "cmpb $0,%0\n\t"
                     "jle 2b\n\t"
                     "jmp 1b\n"
                     "3:\n\t"
                     : "+m"(lock)
                     :
                     : "memory");
}

static void take_as_kit(void)
{
    __asm__ volatile("\n1:\tlock ; decb %0\n\t"
                     "jns 2f\n"
                     "3:\nrep;nop\n\t"
                     "cmpb $0,%0\n\t"
                     "jle 3b\n\t"
                     "jmp 1b\n"
                     "2:\t"
                     : "=m"(lock)
                     :
                     : "memory");
}

static void *worker(void *other)
{
    if (other)
        take_as_kit();
    else
        take();
    inside++;
#ifdef FIXED
    __asm__ volatile("movb $1,%0" : "=m"(lock) : : "memory");
#endif
    return other;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, &inside);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(inside == 2);
    return 0;
}
