/* SPDX-License-Identifier: MIT
 *
 * Compiled without Fencer.
 */
int mix(int a, int b);

int mix(int a, int b)
{
    return 31 * a ^ b;
}
