/* SPDX-License-Identifier: MIT
 *
 * Signals that the program sends to itself: handlers, masks, sigwait and
 * sigsuspend, all without the kernel.
 *
 * expect: 0
 * options: --model tso,pso --runs 100
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t seen, told;

static void handler(int number)
{
    assert(number == SIGUSR1);
    seen++;
}

static void with_info(int number, siginfo_t *info, void *none)
{
    (void)none;
    assert(number == SIGUSR2 && info->si_signo == number);
    told++;
}

static void *sender(void *none)
{
    assert(kill(getpid(), SIGUSR2) == 0);
    return none;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = with_info,
                               .sa_flags = SA_SIGINFO};
    sigset_t set, old, empty;
    pthread_t other;
    int number;

    assert(signal(SIGUSR1, handler) == SIG_DFL);
    raise(SIGUSR1);
    assert(seen == 1);
    sigemptyset(&set);
    sigemptyset(&empty);
    sigaddset(&set, SIGUSR1);
    assert(sigprocmask(SIG_BLOCK, &set, &old) == 0);
    raise(SIGUSR1);
    assert(seen == 1);
    assert(sigprocmask(SIG_SETMASK, &old, NULL) == 0);
    assert(seen == 2);
    assert(signal(SIGUSR1, SIG_IGN) == handler);
    raise(SIGUSR1);
    assert(seen == 2 && signal(SIGKILL, handler) == SIG_ERR);

    sigemptyset(&action.sa_mask);
    assert(sigaction(SIGUSR2, &action, NULL) == 0);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&other, NULL, sender, NULL);
    assert(sigsuspend(&empty) == -1 && errno == EINTR && told == 1);
    pthread_join(other, NULL);
    pthread_create(&other, NULL, sender, NULL);
    assert(sigwait(&set, &number) == 0 && number == SIGUSR2 && told == 1);
    pthread_join(other, NULL);
    return 0;
}
