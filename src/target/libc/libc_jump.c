/* SPDX-License-Identifier: MIT
 *
 * longjmp: within its thread's stack, as the library does it.  A jump into
 * another thread's frame is undefined in C; here it would make two fibers one,
 * and what comes after it would say nothing of the program, so it is refused.
 */
#include <setjmp.h>

#include "libc/libc.h"
#include "runtime/arch.h"
#include "runtime/driver.h"

static _Noreturn void jump(struct __jmp_buf_tag *to, int value,
                           const char *name)
{
    uint32_t site = rt_take_site_known_quiet();

    if (!driver_is_standalone() && !libc_is_own(arch_jump_target(to)))
        rt_fail(FAIL_UNSUPPORTED, site,
                "%s() to a frame that is not on its thread's stack: Fencer "
                "cannot run it",
                name);
    siglongjmp(to, value);
}

MODEL_DOES(longjmp, (struct __jmp_buf_tag *to, int value),
           jump(to, value, "longjmp"))
MODEL_DOES(_longjmp, (struct __jmp_buf_tag *to, int value),
           jump(to, value, "_longjmp"))
MODEL_DOES(siglongjmp, (struct __jmp_buf_tag *to, int value),
           jump(to, value, "siglongjmp"))

/* glibc's check compares stack addresses; a fiber's stack is not the one it
 * knows. */
MODEL_ALSO(__longjmp_chk, longjmp)
