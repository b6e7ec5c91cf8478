/* SPDX-License-Identifier: MIT
 *
 * A loop without a single event, that counts for ever.
 *
 * expect: 1 a loop that does not end
 * fixed: 0
 * options: --model sc --runs 3
 */
int main(void)
{
    unsigned state = 1, steps = 0;

    while (state) {
        state = state * 1664525u + 1013904223u;
        state |= 1;
        steps++;
#ifdef FIXED
        if (steps == 100000)
            break;
#endif
    }
    return 0;
}
