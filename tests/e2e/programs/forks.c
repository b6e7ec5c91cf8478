/* SPDX-License-Identifier: MIT
 *
 * fork cannot run under Fencer: it is refused by name.
 *
 * expect: 3 fork
 * options: --model sc --runs 20
 */
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return 0;
}
