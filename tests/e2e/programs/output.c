/* SPDX-License-Identifier: MIT
 *
 * What the program prints is captured, per execution, and shown with a
 * failure.
 *
 * expect: 1 the 3rd line: 3.50
 * fixed: 0
 * options: --model sc --runs 20
 */
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    printf("first %s\n", "line");
    puts("second line");
    fprintf(stdout, "the %drd line: %.2f\n", 3, 3.5);
    putchar('4');
    fputs("th line\n", stderr);
    if (write(1, "fifth\n", 6) != 6)
        return 1;
#ifndef FIXED
    assert(!"shown");
#endif
    return 0;
}
