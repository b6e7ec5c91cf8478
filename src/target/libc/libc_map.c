/* SPDX-License-Identifier: MIT
 *
 * Memory that a program maps for itself.  Anonymous and private, to be read and
 * written, is a block of our heap: so an execution can be taken back without a
 * new process, and who touches it after munmap is told.  All else is the
 * kernel's, and each execution gets a process.
 */
#include "libc/libc.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "runtime/driver.h"
#include "runtime/layout.h"

#define PAGE 4096u
#define BLOCK_MAX (16u << 20) /* more is reserved, not used */

static bool is_block(const void *p)
{
    return (uint64_t)p - HEAP_AT < HEAP_SPAN;
}

static size_t round_up(size_t size)
{
    return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* Shared memory, too: there are no children to share it with. */
static bool is_like_a_block(const void *where, size_t size, int protection,
                            int flags)
{
    int only = MAP_PRIVATE | MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE |
               MAP_POPULATE | MAP_STACK;

    return !where && size && size <= BLOCK_MAX &&
           protection == (PROT_READ | PROT_WRITE) &&
           flags & (MAP_PRIVATE | MAP_SHARED) && flags & MAP_ANONYMOUS &&
           !(flags & ~only) && !driver_is_standalone();
}

MODEL(
    void *, mmap,
    (void *where, size_t size, int protection, int flags, int fd, off_t offset))
{
    if (is_like_a_block(where, size, protection, flags))
        return rt_malloc(round_up(size), PAGE, true, rt_take_site_known());
    libc_enter_state("mmap");
    return mmap(where, size, protection, flags, fd, offset);
}

MODEL_ALSO(mmap64, mmap)

/* A part of a block stays: who cuts off its ends does not touch them. */
MODEL(int, munmap, (void *at, size_t size))
{
    uint32_t site;

    if (!is_block(at)) {
        libc_enter_state("munmap");
        return munmap(at, size);
    }
    site = rt_take_site_known();
    if (rt_malloc_size(at) == round_up(size))
        rt_free(at, site);
    return 0;
}

static void *move_block(void *from, size_t kept, size_t size, uint32_t site)
{
    void *to = rt_malloc(size, PAGE, true, site);

    libc_copy(to, from, kept, site);
    rt_free(from, site);
    return to;
}

MODEL(void *, mremap, (void *at, size_t size, size_t wanted, int flags, ...))
{
    void *where;
    va_list list;

    va_start(list, flags);
    where = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
    va_end(list);
    if (!is_block(at)) {
        libc_enter_state("mremap");
        return mremap(at, size, wanted, flags, where);
    }
    if (!(flags & MREMAP_MAYMOVE) || flags & MREMAP_FIXED) {
        rt_take_site_known();
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return move_block(at, size < wanted ? size : wanted, round_up(wanted),
                      rt_take_site_known());
}
