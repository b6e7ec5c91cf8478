/* SPDX-License-Identifier: MIT
 *
 * What the last operation of a case depends on: all six sets of graph/depends.h
 * exactly, so that one too many is noticed as well as one too few.
 *
 * One thread runs all cases.  Its memory becomes shared by acquire loads, so
 * that what it does there are operations; BEGIN forgets the branches so far.
 * Bit n of a set is the n-th operation since BEGIN.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned __fencer_test_place(void);
void __fencer_test_forget_branches(void);
int __fencer_test_expect(const char *name, unsigned from,
                         const unsigned long wanted[6]);

struct sets {
    unsigned long addr, data, ctrl, pick_addr, pick_data, pick_ctrl;
};

static unsigned place;
static int wrong; /* the thread's own until it is joined */

static inline void begin(void)
{
    __fencer_test_forget_branches();
    place = __fencer_test_place();
}

static inline void expect(const char *name, struct sets wanted)
{
    unsigned long all[] = {wanted.addr,      wanted.data,
                           wanted.ctrl,      wanted.pick_addr,
                           wanted.pick_data, wanted.pick_ctrl};

    if (!__fencer_test_expect(name, place, all))
        wrong = 1;
}

#define BEGIN() begin()
#define EXPECT(name, ...) expect(name, (struct sets){__VA_ARGS__})
#define SHARE(variable) (void)__atomic_load_n(&(variable), __ATOMIC_ACQUIRE)
#define LOAD(variable) __atomic_load_n(&(variable), __ATOMIC_RELAXED)
#define STORE(variable, value)                                                 \
    __atomic_store_n(&(variable), value, __ATOMIC_RELAXED)

static inline int run(void *(*cases)(void *))
{
    pthread_t thread;

    return pthread_create(&thread, NULL, cases, NULL) ||
           pthread_join(thread, NULL) || wrong;
}

#endif
