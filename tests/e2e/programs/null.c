/* SPDX-License-Identifier: MIT
 *
 * A pointer that is checked, then read again.
 *
 * expect: 1 null pointer
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>

struct config {
    int pad[4];
    int size;
};

static struct config first = {{0}, 4};
static struct config *volatile current = &first;

static void *unload(void *unused)
{
    (void)unused;
    current = NULL;
    return NULL;
}

int main(void)
{
    pthread_t a;
    int size = 0;

    pthread_create(&a, NULL, unload, NULL);
#ifdef FIXED
    struct config *mine = current;

    if (mine)
        size = mine->size;
#else
    if (current)
        size = current->size;
#endif
    pthread_join(a, NULL);
    return size != 0 && size != 4;
}
