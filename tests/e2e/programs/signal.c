/* SPDX-License-Identifier: MIT
 *
 * A program that a signal kills.
 *
 * expect: 1 signal
 * fixed: 0
 * options: --model sc --runs 10
 */
#include <signal.h>

int main(void)
{
#ifndef FIXED
    raise(SIGTERM);
#endif
    return 0;
}
