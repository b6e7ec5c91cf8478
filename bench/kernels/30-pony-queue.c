/* SPDX-License-Identifier: MIT
 *
 * Pony's message queue, many senders and one receiver: ponyc pull requests
 * 2174, 4159 and 5245.
 *
 * A sender clears the link of its message, exchanges the head for it, and links
 * it after the message that was there.  If the clearing reaches memory last,
 * it removes the link that the next sender has set meanwhile.
 *
 * To the user: an actor that gets no more messages.
 *
 * -DFIXED makes the exchange a release.
 *
 *   broken: pso
 *   failure: livelock
 *   fixed: pslo
 *   fence: ss after atomic_store_explicit(&m->next, NULL
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
#define PUBLISH memory_order_acq_rel
#else
#define PUBLISH memory_order_acquire
#endif

struct message {
    struct message *_Atomic next;
};

static struct message stub, messages[2];
static struct message *_Atomic head = &stub;

/* ponyint_actor_messageq_push. */
static void *sender(void *message)
{
    struct message *m = message, *prev;

    atomic_store_explicit(&m->next, NULL, memory_order_relaxed);
    prev = atomic_exchange_explicit(&head, m, PUBLISH);
    atomic_store_explicit(&prev->next, m, memory_order_release);
    return NULL;
}

/* ponyint_actor_messageq_pop, until two messages were there. */
static void *receiver(void *unused)
{
    struct message *tail = &stub;

    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct message *next;

        while ((next = atomic_load_explicit(&tail->next,
                                            memory_order_acquire)) == NULL)
            ;
        tail = next;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, sender, &messages[0]);
    pthread_create(&b, NULL, sender, &messages[1]);
    pthread_create(&c, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
