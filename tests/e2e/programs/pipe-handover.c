/* SPDX-License-Identifier: MIT
 *
 * A message in memory, and a byte through a pipe that says that it is there:
 * who read the byte sees all of the message.  As it is, the message is read
 * without the byte, and its parts may come in any order.
 *
 * expect: 1 message[1] == 'i'
 * fixed: 0
 * options: --model pslo
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static char message[2];

static void *receive(void *arg)
{
#ifdef FIXED
    char byte;

    if (read(ends[0], &byte, 1) != 1)
        return NULL;
#endif
    if (message[0])
        assert(message[1] == 'i');
    return arg;
}

int main(void)
{
    pthread_t t;

    if (pipe(ends) != 0)
        return 1;
    pthread_create(&t, NULL, receive, NULL);
    message[1] = 'i';
    message[0] = 'h';
    if (write(ends[1], "x", 1) != 1)
        return 1;
    pthread_join(t, NULL);
    return 0;
}
