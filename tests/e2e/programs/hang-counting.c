/* SPDX-License-Identifier: MIT
 *
 * A loop without a single event that counts for ever.  Nobody can say that it
 * does not end; but the user's time limit holds.
 *
 * expect: 3 time
 * fixed: 0
 * options: --model sc --time 1
 */
int main(void)
{
    unsigned state = 1, steps = 0;

    while (state) {
        state = state * 1664525u + 1013904223u;
        state |= 1;
        steps++;
#ifdef FIXED
        if (steps == 10000)
            break;
#endif
    }
    return 0;
}
