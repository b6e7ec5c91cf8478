/* SPDX-License-Identifier: MIT
 *
 * zstd's pool: two workers compress half of the input each, and what comes back
 * is what went in.
 */
#include <assert.h>
#include <string.h>

#include "zstd.h"

#define SIZE 600

static ZSTD_CCtx *context;
static ZSTD_outBuffer out;

/* A flush makes a job of what is there, however little that is. */
static void compress(const char *from, size_t size, ZSTD_EndDirective how)
{
    ZSTD_inBuffer in = {from, size, 0};
    size_t left;

    do {
        left = ZSTD_compressStream2(context, &out, &in, how);
        assert(!ZSTD_isError(left));
    } while (left);
}

int main(void)
{
    static char in[SIZE], back[SIZE], room[4 * SIZE];

    for (size_t i = 0; i < SIZE; i++)
        in[i] = (char)("relaxed memory"[i % 14] + i / 100);
    context = ZSTD_createCCtx();
    out = (ZSTD_outBuffer){room, sizeof room, 0};
    assert(!ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_nbWorkers, 2)));
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 10);
    ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, 6);
    compress(in, SIZE / 2, ZSTD_e_flush);
    compress(in + SIZE / 2, SIZE / 2, ZSTD_e_end);
    assert(ZSTD_decompress(back, SIZE, room, out.pos) == SIZE);
    assert(memcmp(in, back, SIZE) == 0);
    ZSTD_freeCCtx(context);
    return 0;
}
