/* SPDX-License-Identifier: MIT
 *
 * Everything that depends on the processor: switching fibers, and reading a
 * signal's context.  x86-64 is in arch_x86_64.S and arch_x86_64.c; another
 * architecture is two more files.
 */
#ifndef RUNTIME_ARCH_H
#define RUNTIME_ARCH_H

#include <stdbool.h>
#include <stdint.h>

/* Save the running fiber's registers on its stack, leave the stack pointer in
 * *from, and go on with the fiber that saved `to`.  The frame at the saved
 * pointer is r15 r14 r13 r12 rbx rbp and the return address, ascending, with
 * the floating point control words below it: fencer-gdb.py relies on it. */
void __fencer_arch_switch(void **from, void *to);

/* A stack ready for __fencer_arch_switch: it will call entry(argument), which
 * never returns. */
void *arch_prepare(char *stack_end, void (*entry)(void *), void *argument);

/* Where the interrupted code was, and what it accessed. */
struct arch_fault {
    uint64_t pc, sp;
    bool write;
};
struct arch_fault arch_fault_of(void *ucontext);

/* The stack pointer that a jmp_buf of the C library keeps. */
void *arch_jump_target(const void *buf);

#endif
