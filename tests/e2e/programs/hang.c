/* SPDX-License-Identifier: MIT
 *
 * A loop in which nothing ever changes.
 *
 * expect: 1 a loop that does not end
 * fixed: 0
 * options: --model sc --runs 3
 */
int main(void)
{
    int state = 1;

    while (state) {
#ifdef FIXED
        state = 0;
#endif
    }
    return 0;
}
