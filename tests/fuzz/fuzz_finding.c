/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a finding's file.  What is accepted must survive being written
 * and read again.
 */
#include <stdint.h>
#include <string.h>

#include "finding/shown.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena a = ARENA_INIT;
    struct shown f, again;
    struct buf once = {0}, twice = {0};
    struct err e;

    if (shown_decode((const char *)bytes, n, &a, &f, &e) &&
        f.finding.decision_count < 1000000) {
        shown_encode(&f, &once);
        CHECK(shown_decode(once.bytes, once.count, &a, &again, &e));
        shown_encode(&again, &twice);
        CHECK(strcmp(once.bytes, twice.bytes) == 0);
    }
    buf_free(&once);
    buf_free(&twice);
    arena_free(&a);
    return 0;
}
