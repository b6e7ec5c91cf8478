/* SPDX-License-Identifier: MIT
 *
 * A pointer that moved on before it was given back.
 *
 * expect: 1 malloc did not return
 * fixed: 0
 * options: --model sc --runs 10
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(16), *at = text;

    strcpy(text, "  indented");
    while (*at == ' ')
        at++;
#ifdef FIXED
    free(text);
#else
    free(at);
#endif
    return 0;
}
