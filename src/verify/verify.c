/* SPDX-License-Identifier: MIT
 *
 * `fencer verify` from start to end: see verify.h.
 */
#include "verify/verify.h"

bool verify_run(const struct verify_options *o, struct arena *a,
                struct verify_result *r, struct err *e)
{
    (void)o;
    (void)a;
    *r = (struct verify_result){0};
    err_set(e, "not yet");
    return false;
}
