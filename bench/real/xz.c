/* SPDX-License-Identifier: MIT
 *
 * liblzma's threaded encoder: two threads, blocks of half the input, and what
 * comes back is what went in.
 */
#include <assert.h>
#include <string.h>

#include <lzma.h>

#define SIZE 400

int main(void)
{
    static uint8_t in[SIZE], out[4096], back[SIZE];
    lzma_options_lzma options;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options},
                             {LZMA_VLI_UNKNOWN, NULL}};
    lzma_mt how = {.threads = 2,
                   .block_size = SIZE / 2,
                   .filters = filters,
                   .check = LZMA_CHECK_CRC32};
    lzma_stream s = LZMA_STREAM_INIT;
    size_t in_at = 0, out_at = 0;
    uint64_t memory = UINT64_MAX;

    for (int i = 0; i < SIZE; i++)
        in[i] = (uint8_t)("relaxed memory"[i % 14] + i / 100);
    assert(!lzma_lzma_preset(&options, 0));
    options.dict_size = LZMA_DICT_SIZE_MIN;
    assert(lzma_stream_encoder_mt(&s, &how) == LZMA_OK);
    s.next_in = in;
    s.avail_in = SIZE;
    s.next_out = out;
    s.avail_out = sizeof out;
    assert(lzma_code(&s, LZMA_FINISH) == LZMA_STREAM_END);
    assert(lzma_stream_buffer_decode(&memory, 0, NULL, out, &in_at,
                                     (size_t)s.total_out, back, &out_at,
                                     SIZE) == LZMA_OK);
    assert(out_at == SIZE && memcmp(in, back, SIZE) == 0);
    lzma_end(&s);
    return 0;
}
