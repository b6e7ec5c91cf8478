/* SPDX-License-Identifier: MIT
 *
 * The compiler's trap instruction.
 *
 * expect: 1 illegal instruction or trap
 * fixed: 0
 * options: --model sc --runs 10
 */
int main(void)
{
#ifndef FIXED
    __builtin_trap();
#endif
    return 0;
}
