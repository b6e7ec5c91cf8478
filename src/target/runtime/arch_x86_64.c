/* SPDX-License-Identifier: MIT
 *
 * The C half of what depends on x86-64.
 */
#define _GNU_SOURCE
#include "runtime/arch.h"

#include <string.h>
#include <ucontext.h>

void __fencer_arch_start(void);

/* The frame that __fencer_arch_switch pops, lowest address first. */
struct frame {
    uint32_t mxcsr;
    uint16_t x87, unused;
    uint64_t r15, r14, r13, r12, rbx, rbp;
    void (*start)(void);
    uint64_t end; /* keeps the stack aligned, and ends a backtrace */
};

void *arch_prepare(char *stack_end, void (*entry)(void *), void *argument)
{
    struct frame *f =
        (struct frame *)((uintptr_t)(stack_end - sizeof *f) & ~15ull);

    memset(f, 0, sizeof *f);
    f->mxcsr = 0x1f80; /* all exceptions masked, round to nearest */
    f->x87 = 0x37f;
    f->r12 = (uint64_t)(uintptr_t)entry;
    f->r13 = (uint64_t)(uintptr_t)argument;
    f->start = __fencer_arch_start;
    return &f->r15;
}

struct arch_fault arch_fault_of(void *ucontext)
{
    const ucontext_t *u = ucontext;

    return (struct arch_fault){
        .pc = (uint64_t)u->uc_mcontext.gregs[REG_RIP],
        .sp = (uint64_t)u->uc_mcontext.gregs[REG_RSP],
        .write = (u->uc_mcontext.gregs[REG_ERR] & 2) != 0,
    };
}

/* glibc keeps it as the seventh of eight words, mixed with a secret of the
 * thread's and rotated. */
void *arch_jump_target(const void *buf)
{
    uint64_t sp, secret;

    memcpy(&sp, (const char *)buf + 6 * sizeof sp, sizeof sp);
    __asm__("mov %%fs:0x30, %0" : "=r"(secret));
    return (void *)((sp >> 17 | sp << 47) ^ secret);
}
