/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a finding's file.  What is accepted must survive being written
 * and read again.
 */
#include <stdint.h>
#include <string.h>

#include "finding/finding.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena a = ARENA_INIT;
    struct finding f, again;
    struct buf once = {0}, twice = {0};
    struct err e;

    if (finding_decode((const char *)bytes, n, &a, &f, &e) &&
        f.decision_count < 1000000) {
        finding_encode(&f, &once);
        CHECK(finding_decode(once.bytes, once.count, &a, &again, &e));
        finding_encode(&again, &twice);
        CHECK(strcmp(once.bytes, twice.bytes) == 0);
    }
    buf_free(&once);
    buf_free(&twice);
    arena_free(&a);
    return 0;
}
