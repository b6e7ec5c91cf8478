/* SPDX-License-Identifier: MIT
 *
 * Compiled without Fencer: keeps a count of its own, and writes to memory of
 * the program.
 */
int count_call(int *to);

int count_call(int *to)
{
    static int calls;

    *to = ++calls;
    return calls;
}
