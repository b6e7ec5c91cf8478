/* SPDX-License-Identifier: MIT
 *
 * Library functions are checked like the program's own accesses.
 *
 * expect: 1 use after free
 * fixed: 1 out of bounds
 * options: --model sc --runs 1
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(8);

    strcpy(text, "text");
#ifdef FIXED
    strcat(text, " is too long");
#else
    free(text);
#endif
    return (int)strlen(text);
}
