/* SPDX-License-Identifier: MIT
 *
 * Memory that the program maps, names of threads and what files are need no
 * process for each execution.  Who touches memory after munmap is told.
 *
 * expect: 1 use after free
 * fixed: 0 no failure in 3000 executions
 * options: --model tso --runs 3000 --time 20
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int *shared;

static void *worker(void *none)
{
    char name[16];

    assert(!prctl(PR_SET_NAME, "worker"));
    assert(!prctl(PR_GET_NAME, name) && !strcmp(name, "worker"));
    shared[0] = 1;
    return none;
}

int main(void)
{
    struct stat s;
    pthread_t t;
    int *more;

    assert(!lstat("/", &s) && S_ISDIR(s.st_mode));
    more = (int *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(more != MAP_FAILED && !more[1023]++);
    assert(!syscall(SYS_munmap, more, 4096));
    assert(stat("/there/is/no/such/file", &s) == -1);
    shared = mmap(NULL, 5000, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED && !((size_t)shared & 4095) && !shared[1500]);
    pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
    assert(shared[0] == 1);
    more = mremap(shared, 8192, 1 << 16, MREMAP_MAYMOVE);
    assert(more != MAP_FAILED && more[0] == 1 && !more[10000]);
    assert(!munmap(more, 1 << 16));
#else
    (void)more;
    munmap(shared, 5000);
    pthread_join(t, NULL);
#endif
    return 0;
}
