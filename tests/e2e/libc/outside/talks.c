/* SPDX-License-Identifier: MIT
 *
 * Writes in every way there is; what comes out must be in order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void at_exit(void)
{
    static const char text[] = "at exit\n";

    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        abort();
}

int main(int argc, char **argv)
{
    char line[80];

    setvbuf(stdout, NULL, _IOFBF, 4096);
    atexit(at_exit);
    puts("start");
    fprintf(stderr, "to %s\n", "stderr");
    for (int i = 1; i < argc; i++) {
        fputs(argv[i], stdout);
        putchar('\n');
    }
    printf("%.2f|", 2.5);
    fwrite("last\n", 1, 5, stdout);
    if (fgets(line, sizeof(line), stdin))
        printf("read: %s", line);
    fflush(stdout);
    exit(7);
}
