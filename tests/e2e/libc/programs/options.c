/* SPDX-License-Identifier: MIT
 *
 * getopt keeps a place and some variables in the C library; every execution
 * starts anew, in the same process.
 *
 * expect: 0
 * options: --model sc --runs 20
 */
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <string.h>

static int verbose;
static const struct option longs[] = {{"verbose", no_argument, &verbose, 7},
                                      {"size", required_argument, NULL, 's'},
                                      {NULL, 0, NULL, 0}};
static char word[] = "word", all[] = "-ab", long1[] = "--verbose",
            long2[] = "--size=12", name[] = "program";
static char *list[] = {name, word, all, long1, long2, NULL};

int main(void)
{
    int index = -1;

    assert(opterr == 1);
    opterr = 0;
    assert(verbose == 0 && strcmp(list[1], "word") == 0);
    assert(getopt_long(5, list, "abs:", longs, &index) == 'a');
    assert(getopt_long(5, list, "abs:", longs, &index) == 'b');
    assert(getopt_long(5, list, "abs:", longs, &index) == 0 && verbose == 7);
    assert(getopt_long(5, list, "abs:", longs, &index) == 's' && index == 1);
    assert(strcmp(optarg, "12") == 0);
    assert(getopt_long(5, list, "abs:", longs, &index) == -1);
    assert(optind == 4 && strcmp(list[4], "word") == 0);
    return 0;
}
