/* SPDX-License-Identifier: MIT
 *
 * Waiting for a signal that another thread would send.
 *
 * expect: 3 blocking-signal.c:19
 * options: --model sc --runs 20
 */
#include <signal.h>
#include <stddef.h>

int main(void)
{
    sigset_t none;
    int number;

    sigemptyset(&none);
    sigaddset(&none, SIGUSR1);

    sigwait(&none, &number);
    return 0;
}
