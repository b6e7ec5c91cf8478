/* SPDX-License-Identifier: MIT
 *
 * va_list: own variadic functions, copies, passing one on to vsnprintf.
 *
 * expect: 0
 * options: --model sc,tso,pso,pslo --runs 200
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static double sum(const char *kinds, ...)
{
    double total = 0, again = 0;
    va_list list, copy;

    va_start(list, kinds);
    va_copy(copy, list);
    for (const char *k = kinds; *k; k++)
        total += *k == 'd'   ? va_arg(list, double)
                 : *k == 'l' ? (double)va_arg(list, long)
                             : va_arg(list, int);
    for (const char *k = kinds; *k; k++)
        again += *k == 'd'   ? va_arg(copy, double)
                 : *k == 'l' ? (double)va_arg(copy, long)
                             : va_arg(copy, int);
    va_end(copy);
    va_end(list);
    assert(total == again);
    return total;
}

static int format(char *to, size_t size, const char *text, ...)
{
    va_list list;
    int n;

    va_start(list, text);
    n = vsnprintf(to, size, text, list);
    va_end(list);
    return n;
}

static void *worker(void *unused)
{
    char text[64];

    (void)unused;
    assert(sum("ildiiiiilldd", 1, 2L, 3.5, 4, 5, 6, 7, 8, 9L, 10L, 11.0,
               12.0) == 78.5);
    assert(format(text, sizeof text, "%s %d %.2f %c %lx", "a", -3, 2.5, 'z',
                  255L) == 14);
    assert(strcmp(text, "a -3 2.50 z ff") == 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
