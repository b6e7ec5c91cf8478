/* SPDX-License-Identifier: MIT
 *
 * Litmus files: any bytes are read or refused with a line, and what is read is
 * judged, or refused with a reason, in bounded time.
 */
#include "base/seconds.h"
#include "fuzz.h"
#include "litmus/litmus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct litmus *t;
    struct litmus_answer a;
    struct err e = {""};

    if (!litmus_read((const char *)data, size, &t, &e)) {
        CHECK(*e.text);
        return 0;
    }

    struct litmus_options o = {.model = litmus_model(t),
                               .until = seconds_passed() + 0.05};

    litmus_judge(t, &o, &a);
    CHECK(a.judged || a.why);
    litmus_answer_free(&a);
    litmus_free(t);
    return 0;
}
