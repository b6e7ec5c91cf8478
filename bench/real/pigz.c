/* SPDX-License-Identifier: MIT
 *
 * pigz with two threads, on its standard input: two blocks of 32 KiB, stored.
 * What comes out is unpacked by zlib, and is what went in.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <zlib.h>

#define SIZE (40 * 1024)

int pigz_main(int count, char **words);

static unsigned char in[SIZE], out[2 * SIZE], back[SIZE];

static int file_of(const void *bytes, size_t size)
{
    int file = memfd_create("pigz", 0);

    assert(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    assert(lseek(file, 0, SEEK_SET) == 0);
    return file;
}

static void unpack(size_t size)
{
    z_stream s = {.next_in = out,
                  .avail_in = (uInt)size,
                  .next_out = back,
                  .avail_out = SIZE};

    assert(inflateInit2(&s, 15 + 16) == Z_OK);
    assert(inflate(&s, Z_FINISH) == Z_STREAM_END);
    assert(s.total_out == SIZE && memcmp(in, back, SIZE) == 0);
    inflateEnd(&s);
}

int main(void)
{
    char *words[] = {"pigz", "-0", "-p", "2", "-b", "32", "-c", NULL};
    int packed = file_of("", 0);
    ssize_t size;

    for (int i = 0; i < SIZE; i++)
        in[i] = (unsigned char)(i * 7 + i / 256);
    assert(dup2(file_of(in, SIZE), 0) == 0 && dup2(packed, 1) == 1);
    assert(pigz_main(7, words) == 0);
    size = pread(packed, out, sizeof out, 0);
    assert(size > 0 && size < (ssize_t)sizeof out);
    unpack((size_t)size);
    return 0;
}
