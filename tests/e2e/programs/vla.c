/* SPDX-License-Identifier: MIT
 *
 * Variable-length arrays, also two-dimensional ones and shared ones.
 *
 * expect: 0
 * options: --model sc,tso,pso,pslo --runs 200
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct job {
    int n;
    int *sum;
};

static int diagonal(int n, int matrix[n][n])
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += matrix[i][i];
    return sum;
}

static void *helper(void *arg)
{
    struct job *job = arg;

    for (int i = 0; i < job->n; i++)
        job->sum[i] += i;
    return NULL;
}

static void *worker(void *arg)
{
    int n = *(int *)arg;

    for (int size = 1; size <= n; size++) {
        int matrix[size][size], shared[size];
        pthread_t id;
        struct job job = {size, shared};

        assert(sizeof matrix == sizeof(int) * (size_t)(size * size));
        for (int i = 0; i < size; i++) {
            shared[i] = 100;
            for (int j = 0; j < size; j++)
                matrix[i][j] = i * j;
        }
        pthread_create(&id, NULL, helper, &job);
        pthread_join(id, NULL);
        assert(shared[size - 1] == 100 + size - 1);
        assert(diagonal(size, matrix) ==
               (size - 1) * size * (2 * size - 1) / 6);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int n = 4;

    pthread_create(&a, NULL, worker, &n);
    pthread_create(&b, NULL, worker, &n);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
