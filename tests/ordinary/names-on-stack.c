/* SPDX-License-Identifier: MIT
 *
 * Workers write their names and results into an array on main's stack; main
 * waits until they are done, and looks at them.  -DJOIN: it joins them, and
 * prints the names.  -DBROKEN: the count of those who are done is relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DJOIN:    sc no, tso no, pso no, pslo no, c11 no
 * verify -DJOIN:    arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct worker {
    int id;
    pthread_t thread;
    char name[16];
    double result;
};

static atomic_int finished;

static void *work(void *arg)
{
    struct worker *w = arg;

    w->result = w->id * 1.5;
    snprintf(w->name, sizeof w->name, "worker-%d", w->id);
#ifdef BROKEN
    atomic_fetch_add_explicit(&finished, 1, memory_order_relaxed);
#else
    finished++;
#endif
    return NULL;
}

int main(void)
{
    struct worker workers[2];
    double sum = 0;

    memset(workers, 0, sizeof workers);
    for (int i = 0; i < 2; i++) {
        workers[i].id = i;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) {
            perror("pthread_create");
            exit(EXIT_FAILURE);
        }
#ifndef JOIN
        pthread_detach(workers[i].thread);
#endif
    }
#ifdef JOIN
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i].thread, NULL);
    printf("%s and %s\n", workers[0].name, workers[1].name);
#else
    while (finished < 2)
        ;
#endif
    for (int i = 0; i < 2; i++)
        sum += workers[i].result;
    if (sum < 1.4 || strcmp(workers[1].name, "worker-1") != 0) {
        fprintf(stderr, "%s: %f\n", workers[1].name, sum);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
