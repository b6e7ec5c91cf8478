/* SPDX-License-Identifier: MIT
 *
 * fencer cc: a compiler driver.  Exit codes are clang's, so that make and
 * ./configure understand them; 2 is wrong usage of our own, 3 a full
 * disk, or a module that is missing.
 */
#include <stdio.h>

#include "cmd/cmd.h"
#include "compiler/compiler.h"

int cmd_cc(int argc, char **argv)
{
    struct err e = {{0}};
    int code;

    if (argc < 2) {
        fprintf(stderr, "fencer cc: no input files\n");
        return EXIT_USAGE;
    }
    code = compiler_cc(argc - 1, argv + 1, &e);
    if (code >= 0)
        return code;
    fprintf(stderr, "fencer cc: %s\n", e.text);
    return code == -2                  ? EXIT_USAGE
           : code == INSTRUMENT_UNABLE ? EXIT_UNFINISHED
                                       : 1;
}
