/* SPDX-License-Identifier: MIT
 *
 * qsort and bsearch call the program back, which may be switched away from;
 * qsort keeps equal elements in order, as glibc's does.
 *
 * expect: 0
 * options: --model sc,pso --runs 30
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int key, position;
    char rest[81]; /* longer than one piece, and odd */
};

static volatile int calls;

static int by_key(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;

    calls++;
    return (a->key > b->key) - (a->key < b->key);
}

static int reversed(const void *left, const void *right, void *factor)
{
    return *(int *)factor * by_key(left, right);
}

static void fill(struct pair *list, int count)
{
    unsigned x = 12345;

    for (int i = 0; i < count; i++) {
        x = x * 1103515245 + 12345;
        list[i] = (struct pair){(int)(x >> 16) % 10, i, ""};
        memset(list[i].rest, 'a' + i % 26, 80);
    }
}

static void *sorts(void *argument)
{
    struct pair *list = argument, key = {5, 0, ""}, *found;
    int count = 40, minus = -1;
    size_t n = 40;

    fill(list, count);
    qsort(list, (size_t)count, sizeof(*list), by_key);
    for (int i = 1; i < count; i++) {
        assert(list[i - 1].key < list[i].key ||
               (list[i - 1].key == list[i].key &&
                list[i - 1].position < list[i].position));
        assert(list[i].rest[79] == 'a' + list[i].position % 26);
    }
    found = bsearch(&key, list, (size_t)count, sizeof(*list), by_key);
    assert(found && found->key == 5);
    found = lfind(&key, list, &n, sizeof(*list), by_key);
    assert(found && found->key == 5 && (found - 1)->key < 5);
    qsort_r(list, (size_t)count, sizeof(*list), reversed, &minus);
    for (int i = 1; i < count; i++)
        assert(list[i - 1].key >= list[i].key);
    return NULL;
}

static struct pair lists[2][41];

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, sorts, lists[1]);
    sorts(lists[0]);
    pthread_join(other, NULL);
    return 0;
}
