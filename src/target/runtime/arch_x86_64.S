/* SPDX-License-Identifier: MIT
 *
 * Fiber switch for x86-64, System V calling convention: the callee-saved
 * registers, the SSE and x87 control words, and nothing else.
 */
        .text
        .globl  __fencer_arch_switch
        .type   __fencer_arch_switch, @function
        .p2align 4
__fencer_arch_switch:
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        stmxcsr -8(%rsp)
        fnstcw  -4(%rsp)
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        /* Loading a control word costs more than comparing it. */
        movl    -8(%rsp), %eax
        stmxcsr -16(%rsp)
        cmpl    %eax, -16(%rsp)
        je      1f
        ldmxcsr -8(%rsp)
1:      fnstcw  -12(%rsp)
        movw    -12(%rsp), %ax
        cmpw    %ax, -4(%rsp)
        je      2f
        fldcw   -4(%rsp)
2:      popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        retq
        .cfi_endproc
        .size   __fencer_arch_switch, .-__fencer_arch_switch

/* First code of a fiber: r12 is its entry, r13 the argument. */
        .globl  __fencer_arch_start
        .type   __fencer_arch_start, @function
__fencer_arch_start:
        .cfi_startproc
        .cfi_undefined rip
        xorl    %ebp, %ebp
        movq    %r13, %rdi
        callq   *%r12
        ud2
        .cfi_endproc
        .size   __fencer_arch_start, .-__fencer_arch_start
        .section .note.GNU-stack,"",@progbits
