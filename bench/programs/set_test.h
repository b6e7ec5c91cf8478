/* SPDX-License-Identifier: MIT
 *
 * Relaxer's harness for sets: 3 and 7 are in, then three threads add, remove
 * and look; then main looks for everything.  The program gives init_set, add,
 * remove_key and contains.
 */
#ifndef SET_TEST_H
#define SET_TEST_H

#include "history.h"

static void init_set(void);
static bool add(int key);
static bool remove_key(int key);
static bool contains(int key);

static void *set_first(void *unused)
{
    (void)unused;
    note(1, ADD, -1, add(-1));
    note(1, REMOVE, 2, remove_key(2));
    return NULL;
}

static void *set_second(void *unused)
{
    (void)unused;
    note(2, REMOVE, 3, remove_key(3));
    note(2, ADD, 1, add(1));
    note(2, HAS, 7, contains(7));
    return NULL;
}

static void *set_third(void *unused)
{
    (void)unused;
    note(3, HAS, 3, contains(3));
    note(3, ADD, -5, add(-5));
    return NULL;
}

int main(void)
{
    static const int all[] = {-5, -1, 1, 2, 3, 7};

    init_set();
    note(BEFORE, ADD, 3, add(3));
    note(BEFORE, ADD, 7, add(7));
    run_threads((bodies){set_first, set_second, set_third}, 3);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        note(AFTER, HAS, all[i], contains(all[i]));
    assert(explained());
    return 0;
}

#endif
