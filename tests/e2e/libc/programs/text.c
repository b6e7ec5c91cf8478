/* SPDX-License-Identifier: MIT
 *
 * The functions of string.h, and stdio's and stdlib's that work in memory.
 * Two threads use them at once, each on locals, on the heap and on variables
 * that the other could see: all three are written in different ways.
 *
 * expect: 0
 * options: --model sc,tso,pso,pslo --runs 40
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char shared[2][3][64];

#define IS(text, expected) assert(strcmp(text, expected) == 0)

static void copies(char *a, char *b)
{
    assert(strcpy(a, "hello, world") == a);
    IS(a, "hello, world");
    assert(stpcpy(b, "one") == b + 3);
    assert(strcat(b, "two") == b);
    IS(b, "onetwo");
    strncat(b, "three", 2);
    IS(b, "onetwoth");
    memset(a, 'x', 20);
    strncpy(a, "ab", 5);
    assert(memcmp(a, "ab\0\0\0xx", 7) == 0);
    strncpy(a, "abcdef", 3);
    assert(memcmp(a, "abc\0\0xx", 7) == 0);
    assert(stpncpy(a, "pq", 4) == a + 2);
    assert(mempcpy(a, "wxyz", 4) == a + 4);
    assert(memccpy(b, "key=value", '=', 20) == b + 4);
    memmove(a + 1, a, 4);
    assert(memcmp(a, "wwxyz", 5) == 0);
    bzero(a, 8);
    assert(!a[0] && !a[7] && a[8] == 'x');
    bcopy("bytes", a, 6);
    IS(a, "bytes");
}

static void searches(char *a)
{
    strcpy(a, "a needle in a haystack");
    assert(strlen(a) == 22 && strnlen(a, 5) == 5);
    assert(strchr(a, 'n') == a + 2 && !strchr(a, 'q'));
    assert(strrchr(a, 'a') == a + 19);
    assert(index(a, 'a') == strchr(a, 'a') && rindex(a, 'a') == a + 19);
    assert(bcmp(a, a, 20) == 0 && bcmp(a, a + 1, 20) != 0);
    assert(strstr(a, "in") == a + 9);
    assert(strcasestr(a, "NEEDLE") == a + 2);
    assert(memchr(a, 'h', 22) == a + 14);
    assert(strspn(a, "a en") == 5 && strcspn(a, "d") == 5);
    assert(strpbrk(a, "xyh") == a + 14);
    assert(strcmp(a, "a") > 0 && strncmp(a, "a needy", 6) == 0);
    assert(strcasecmp("ABC", "abc") == 0);
    assert(memmem(a, 22, "hay", 3) == a + 14);
}

static void tokens(char *a)
{
    char *rest, *piece = a;

    strcpy(a, "  one two  three ");
    IS(strtok_r(a, " ", &rest), "one");
    IS(strtok_r(NULL, " ", &rest), "two");
    IS(strtok_r(NULL, " ", &rest), "three");
    assert(!strtok_r(NULL, " ", &rest));
    strcpy(a, "x,,y");
    IS(strsep(&piece, ","), "x");
    IS(strsep(&piece, ","), "");
    IS(strsep(&piece, ","), "y");
    assert(!piece && !strsep(&piece, ","));
}

static void numbers(char *a)
{
    char *end, word[8], set[8], *made = NULL;
    double real;
    float small;
    long number;
    short half;
    int n = 0;

    strcpy(a, " -42rest");
    assert(strtol(a, &end, 10) == -42 && end == a + 4);
    assert(strtoul("0xff", NULL, 0) == 255);
    assert(strtod("2.5e1", &end) == 25.0 && *end == 0);
    errno = 0;
    assert(strtol("99999999999999999999", NULL, 10) == INT64_MAX);
    assert(errno == ERANGE);
    assert(atoi("17") == 17 && atof("0.5") == 0.5);
    strcpy(a, "12 3.5 0.25 word abc999 7");
    assert(sscanf(a, "%ld %lf %f %7s %7[a-c]%*d%n %hd", &number, &real, &small,
                  word, set, &n, &half) == 6);
    assert(number == 12 && real == 3.5 && small == 0.25f && half == 7);
    IS(word, "word");
    IS(set, "abc");
    assert(n == 23);
    assert(sscanf("long-word", "%m[a-z]-%7s", &made, word) == 2);
    IS(made, "long");
    free(made);
    assert(sscanf("", "%d", &n) == EOF);
}

static int list(char *to, size_t size, const char *format, ...)
{
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(to, size, format, arguments);
    va_end(arguments);
    return n;
}

static void prints(char *a)
{
    char *made;

    assert(sprintf(a, "%d %s %.2f", 7, "seven", 7.0) == 12);
    IS(a, "7 seven 7.00");
    assert(snprintf(a, 6, "%s", "truncated") == 9);
    IS(a, "trunc");
    assert(snprintf(NULL, 0, "%1000d", 1) == 1000);
    assert(list(a, 64, "%c%c%5ld", 'a', 'b', 12L) == 7);
    IS(a, "ab   12");
    assert(asprintf(&made, "%s and %s", "this", "that") == 13);
    IS(made, "this and that");
    assert(asprintf(&made, "%3000d", 1) == 3000 && strlen(made) == 3000);
    free(made);
    made = strdup("twice");
    IS(made, "twice");
    free(made);
    made = strndup("twice", 2);
    IS(made, "tw");
    free(made);
}

static void *check(void *argument)
{
    char(*mine)[64] = argument;
    char one[64], two[64], *heap = malloc(64);

    copies(mine[0], mine[1]);
    copies(one, two);
    copies(heap, one);
    searches(mine[0]);
    searches(one);
    tokens(mine[2]);
    tokens(two);
    numbers(mine[0]);
    numbers(heap);
    prints(mine[1]);
    prints(one);
    free(heap);
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, check, shared[1]);
    check(shared[0]);
    pthread_join(other, NULL);
    return 0;
}
