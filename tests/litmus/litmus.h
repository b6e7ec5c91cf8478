/* SPDX-License-Identifier: MIT
 *
 * The few words in which litmus tests are written.  Everything else in them is
 * plain C, so that what is tested is the way of real accesses through compiler
 * driver, instrumenter and runtime.  tests/oracle/parse.c reads the same files
 * to know what they may do; its head lists what it understands.
 *
 * Registers are ghosts: no model reorders them, so that only the accesses
 * written in the test can be.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include <assert.h>
#include <errno.h>
#include <fencer.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* Eight bytes to be accessed at any size. */
union cell {
    uint64_t whole;
    uint32_t word[2];
    uint16_t half[4];
    uint8_t byte[8];
};

/* THREAD(left) { ... } */
#define THREAD(name)                                                           \
    static __attribute__((unused)) pthread_t name##_thread;                    \
    static void name##_body(void);                                             \
    static void *name(void *unused)                                            \
    {                                                                          \
        (void)unused;                                                          \
        name##_body();                                                         \
        return NULL;                                                           \
    }                                                                          \
    static void name##_body(void)

/* Starts, and waits for, a thread that is not among LITMUS's. */
#define SPAWN(name) pthread_create(&name##_thread, NULL, name, NULL)
#define JOIN(name) pthread_join(name##_thread, NULL)

/* compare-and-swap; its value is what was there. */
#define cas(address, expected, desired, success, failure)                      \
    __extension__({                                                            \
        __typeof__(*(address)) was_ = (expected);                              \
        __atomic_compare_exchange_n(address, &was_, desired, 0, success,       \
                                    failure);                                  \
        was_;                                                                  \
    })

/* sem_trywait that says as much as pthread_mutex_trylock: 0 or EBUSY. */
#define trywait(semaphore) (sem_trywait(semaphore) ? EBUSY : 0)

/* The address, made to depend on a register without changing it. */
#define dep(address, reg) ((address) + ((reg) ^ (reg)))

#define mfence() __asm__ volatile("mfence" ::: "memory")
#define compiler_barrier() __asm__ volatile("" ::: "memory")

static inline void litmus_run(void *(*const bodies[])(void *), int count)
{
    pthread_t threads[8];

    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

#define LITMUS_RUN(...)                                                        \
    do {                                                                       \
        static void *(*const bodies_[])(void *) = {__VA_ARGS__};               \
                                                                               \
        litmus_run(bodies_, sizeof bodies_ / sizeof *bodies_);                 \
    } while (0)

/* LITMUS(left, right) { OBSERVE(r0); EXISTS(r0 == 0); }: run the threads, wait
 * for them, then look. */
#define LITMUS(...)                                                            \
    static void litmus_look(void);                                             \
    int main(void)                                                             \
    {                                                                          \
        LITMUS_RUN(__VA_ARGS__);                                               \
        litmus_look();                                                         \
        return 0;                                                              \
    }                                                                          \
    static void litmus_look(void)

#define OBSERVE(what) fencer_observe(#what, (long long)(what))

/* What the head's verdicts are about.  With -DLITMUS_ASSERT it is an error of
 * the program, to be found, shown and replayed. */
#ifdef LITMUS_ASSERT
#define EXISTS(condition) assert(!(condition))
#else
#define EXISTS(condition) ((void)0)
#endif

/* Many programs in one file: PROGRAM(p7, p7_a, p7_b) { ... } each, and at the
 * end BATCH(p0, p1, ...), whose main runs the one that argv[1] numbers.  With
 * -DLITMUS_NONE none is run, for who looks at each by its name. */
#define PROGRAM(name, ...)                                                     \
    static void name##_look(void);                                             \
    static void name(void)                                                     \
    {                                                                          \
        LITMUS_RUN(__VA_ARGS__);                                               \
        name##_look();                                                         \
    }                                                                          \
    static void name##_look(void)

#ifdef LITMUS_NONE
#define BATCH(...)                                                             \
    void (*const programs[])(void) = {__VA_ARGS__};                            \
    int main(void)                                                             \
    {                                                                          \
        return !programs[0];                                                   \
    }
#else
#define BATCH(...)                                                             \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        static void (*const programs_[])(void) = {__VA_ARGS__};                \
        int count_ = sizeof programs_ / sizeof *programs_;                     \
        int at_ = argc > 1 ? atoi(argv[1]) : 0;                                \
                                                                               \
        if (at_ < 0 || at_ >= count_)                                          \
            return 2;                                                          \
        programs_[at_]();                                                      \
        return 0;                                                              \
    }
#endif

#endif
