/* SPDX-License-Identifier: MIT
 *
 * Not written yet.
 */
#include "predict/predict.h"

int cycle_compare(const struct cycle *a, const struct cycle *b)
{
    (void)a;
    (void)b;
    return 0;
}
