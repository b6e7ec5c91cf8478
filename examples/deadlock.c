/* SPDX-License-Identifier: MIT
 *
 * Two accounts, two locks, two transfers in opposite directions: each thread
 * may hold the lock the other one waits for.  No memory model is to blame.
 *
 *   every model:  deadlock
 *
 * -DFIXED takes the locks in one order.
 */
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account anna = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bert = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from, *second = to;

#ifdef FIXED
    if (to < from) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *there(void *unused)
{
    (void)unused;
    transfer(&anna, &bert, 10);
    return NULL;
}

static void *back(void *unused)
{
    (void)unused;
    transfer(&bert, &anna, 20);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
