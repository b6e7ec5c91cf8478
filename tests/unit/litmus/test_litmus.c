/* SPDX-License-Identifier: MIT
 *
 * Reading litmus tests: what herd's format allows, and one line for what it
 * does not; judging: what is not judged is named.
 */
#include "litmus/litmus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct err e;

static struct litmus *read_test(const char *text)
{
    struct litmus *t = NULL;

    e.text[0] = '\0';
    if (!litmus_read(text, strlen(text), &t, &e))
        fail_msg("%s", e.text);
    return t;
}

static void refused(const char *text, const char *why)
{
    struct litmus *t;

    assert_false(litmus_read(text, strlen(text), &t, &e));
    assert_string_equal(e.text, why);
}

/* The answer on the model of the file's architecture. */
static struct litmus_answer judge(const char *text)
{
    struct litmus *t = read_test(text);
    struct litmus_options o = {.model = litmus_model(t)};
    struct litmus_answer a;

    litmus_judge(t, &o, &a);
    litmus_free(t);
    return a;
}

static void holds(const char *text, bool wanted)
{
    struct litmus_answer a = judge(text);

    assert_true(a.judged);
    if (a.holds != wanted)
        fail_msg("%s", text);
    litmus_answer_free(&a);
}

static void not_judged(const char *text, const char *why)
{
    struct litmus_answer a = judge(text);

    assert_false(a.judged);
    assert_string_equal(a.why, why);
    litmus_answer_free(&a);
}

static void mistakes_have_a_line(void **unused)
{
    (void)unused;
    refused("", "the file is empty");
    refused("MIPS x\n{}\n", "line 1: tests for 'MIPS' are not read; those for "
                            "AArch64, RISCV, X86, X86_64, PPC and C are");
    refused("AArch64 x\nP0 ;", "there is no '{', where initial values begin");
    refused("AArch64 x\n{}\n P0 ;\n FOO X1 ;\nexists true",
            "line 4: an instruction that is not known, 'FOO'");
    refused("AArch64 x\n{}\n P0 ;\n STR X1 ;\nexists true",
            "line 4: operands that are not understood, of 'STR'");
    refused("AArch64 x\n{}\n P0 ;\n B L ;\nexists true",
            "line 4: there is no label 'L'");
    refused("AArch64 x\n{}\n P0 ;\n NOP | NOP ;\nexists true",
            "line 4: more columns than threads before 'NOP'");
    refused("AArch64 x\n{}\n P0 ;\n NOP ;\nexists (1:X0=0)",
            "line 5: there is no thread 1 before '='");
    refused("AArch64 x\n{}\n P0 ;\n NOP ;\nexists (0:X0=0",
            "line 5: ')' is missing at the end of the file");
    refused("C x\n{}\nP0 (int* x) { foo(x); }",
            "line 3: 'foo' is a function that is not known before '('");
    refused("C x\n{}\nP0 (int* x) { x = ; }",
            "line 3: an expression is missing before ';'");
}

static void what_systems_have_is_named(void **unused)
{
    (void)unused;
    refused("AArch64 x\n{ 0:X0=PTE(x); }\n P0 ;\n NOP ;\nexists true",
            "line 2: page tables and memory tags are not modelled, before "
            "'PTE'");
    refused("AArch64 x\n{ 0:X0=pte_x; }\n P0 ;\n NOP ;\nexists true",
            "line 2: page tables and memory tags are not modelled, before "
            "'pte_x'");
    refused("AArch64 x\n{ 0:X0=x:red; }\n P0 ;\n NOP ;\nexists true",
            "line 2: page tables and memory tags are not modelled, before "
            "'x'");
    refused("AArch64 x\n{ 0:X0=P1:L0; }\n P0 ;\n NOP ;\nexists true",
            "line 2: instructions as values are not modelled, before 'P1'");
    refused("C x\n{}\nP0 (int* x) { WRITE_ONCE(*x, 1); }",
            "line 3: 'WRITE_ONCE' has a meaning in the Linux kernel's memory "
            "model, which is not modelled, before '('");
}

#define ONE(line, condition)                                                   \
    "AArch64 x\n{ int64_t 0:X9; int v[3]={1,2,3}; int8_t b=-1; 0:X1=v; "       \
    "0:X2=b; 0:X5=-1; }\n P0 ;\n" line ";\n" condition

static void operands_have_many_forms(void **unused)
{
    (void)unused;
    holds(ONE("LDR W0,[X1],#8", "forall (0:X0=1 /\\ 0:X1=v[2])"), true);
    holds(ONE("LDR W0,[X1,#8]!", "forall (0:X0=3 /\\ 0:X1=v[2])"), true);
    holds(ONE("STR W5,[X1],#4", "forall v={-1,2,3}"), true);
    holds(ONE("MOV X3,#1;\nLDR W0,[X1,X3,LSL #2]", "forall 0:X0=2"), true);
    holds(ONE("ADD X0,X3,X5,LSL #4", "forall 0:X0=-16"), true);
    holds(ONE("MOVZ X0,#1,LSL #16;\nMOVK X0,#2", "forall 0:X0=65538"), true);
    holds(ONE("CMP X5,#0;\nCSET W0,NE;\nCSINC W3,WZR,W0,EQ",
              "forall (0:X0=1 /\\ 0:X3=2)"),
          true);
    holds(ONE("TBZ X5,#3,L;\nMOV W0,#1;\nL: NOP", "forall 0:X0=1"), true);
    holds(ONE("TBNZ X5,#3,L;\nMOV W0,#1;\nL: NOP", "forall 0:X0=0"), true);
}

static void numbers_keep_their_width(void **unused)
{
    (void)unused;
    holds(ONE("LDRB W0,[X2]", "forall 0:X0=255"), true);
    holds(ONE("LDRSB W0,[X2]", "forall 0:X0=-1"), true);
    holds(ONE("LDRSB W9,[X2]", "forall 0:X9=4294967295"), true);
    holds(ONE("LDRSB W9,[X2]", "forall 0:X9=-1"), false);
    holds(ONE("LDRSB X9,[X2]", "forall 0:X9=-1"), true);
    holds(ONE("MOV W0,#65536;\nMUL W0,W0,W0", "forall 0:X0=0"), true);
    holds("RISCV x\n{ int8_t b=-1; 0:x6=b; uint64_t 0:x7; }\n P0 ;\n"
          "lb x5,0(x6);\nlbu x7,0(x6);\nsubw x8,x0,x7;\n"
          "forall (0:x5=-1 /\\ 0:x7=255 /\\ 0:x8=-255)",
          true);
    holds("RISCV x\n{ int8_t b=-1; 0:x6=b; 0:x7=-3; }\n P0 ;\n"
          "amoadd.b.aq x5,x7,(x6);\nforall (0:x5=-1 /\\ b=-4)",
          true);
}

static void an_array_is_no_larger_number(void **unused)
{
    (void)unused;
    not_judged("AArch64 x\n{ uint8_t t[4]; 0:X1=t; }\n P0 ;\n STR W0,[X1] ;"
               "\nexists (t[1]=1)",
               "accesses of different sizes");
    not_judged("AArch64 x\n{ int t[4]; 0:X1=t; }\n P0 ;\n STR W0,[X1,#16] ;"
               "\nexists (t[1]=1)",
               "an access beyond the end of a location");
}

#define LAST " P0 ;\n MOV W0,#1 ;\n STR W0,[X1] ;\n"

static void initial_values_have_many_forms(void **unused)
{
    (void)unused;
    holds("AArch64 x\n{ x=2; 0:X1=y; }\n" LAST "exists (x=2 /\\ y=1)", true);
    holds("AArch64 x\n{ [x]=2; 0:X1=y };\n" LAST "exists (x=2)", true);
    holds("AArch64 x\n{ int x=2; P0 : X1 = y; }\n" LAST "exists (x=2)", true);
    holds("AArch64 x\n{ uint64_t x; uint64_t 0:X1=x; x=0x3; 0:X1=y; }\n" LAST
          "exists ([x]=3)",
          true);
    holds("AArch64 x\n{ int x[2]={4,5}; 0:X1=y; }\n" LAST
          "exists (x[1]=5 /\\ x[0]=4)",
          true);
    holds("AArch64 x\n{ x=y; 0:X1=y; }\n" LAST "exists (x=y)", true);
}

static void conditions_nest(void **unused)
{
    (void)unused;
    holds("AArch64 x\n{ 0:X1=x; }\n" LAST "forall (not (x=2) /\\ x=1)", true);
    holds("AArch64 x\n{ 0:X1=x; }\n" LAST "~exists (x=2 \\/ ~(x=1))", true);
    holds("AArch64 x\n{ 0:X1=x; }\n" LAST "filter (x=1) exists (x=0)", false);
    holds("AArch64 x\n{ 0:X1=x; }\n" LAST, true);
    holds("AArch64 x\n{ 0:X1=x; }\n" LAST "forall (0:W0=0x1 /\\ 0:X0=1)", true);
}

static void comments_nest_and_lines_stay(void **unused)
{
    (void)unused;
    holds("AArch64 x (* a (* b *) { *)\n{ 0:X1=x; }\n" LAST "exists (x=1)",
          true);
    holds("C x\n(* { *)\n{}\n// P0\nP0 (int* x) { *x = 1; /* no */ }\n"
          "exists (x=1)",
          true);
}

#define C(body, condition)                                                     \
    "C x\n{ int a[2] = {3, 4}; }\nP0 (atomic_int* x, int* y, int* a) {" body   \
    "}\nexists (" condition ")"

static void c_is_what_c_means(void **unused)
{
    (void)unused;
    holds(C("int r = 2 + 3 * 4 - 1;", "0:r=13"), true);
    holds(C("int r = 1 < 2 && 3 == 3 || 0;", "0:r=1"), true);
    holds(C("int r = !0 & 5 ^ 4;", "0:r=5"), true);
    holds(C("int r = a[1] + *a;", "0:r=7"), true);
    holds(C("a[1] = 9; int r = *(a + 1);", "0:r=9 /\\ a[1]=9"), true);
    holds(C("if (*a == 3) { *y = 1; } else *y = 2;", "y=1"), true);
    holds(C("int i = 0; while (i < 3) { i = i + 1; }", "0:i=3"), true);
    holds(C("int e = 1; int r = atomic_compare_exchange_strong(x, &e, 2);",
            "0:r=0 /\\ 0:e=0 /\\ x=0"),
          true);
    holds(C("int r = atomic_fetch_add(x, 5); return; *y = 1;",
            "0:r=0 /\\ x=5 /\\ y=0"),
          true);
}

static void a_weak_exchange_may_fail_for_no_reason(void **unused)
{
    (void)unused;
    holds(C("int e = 0; int r = atomic_compare_exchange_weak(x, &e, 2);",
            "0:r=0"),
          true);
    holds(C("int e = 0; int r = atomic_compare_exchange_strong(x, &e, 2);",
            "0:r=0"),
          false);
}

/* verify and check would say that these are allowed. */
static void not_for(enum litmus_engine engine, const char *text,
                    const char *why)
{
    struct litmus *t = read_test(text);
    struct litmus_options o = {.model = litmus_model(t), .engine = engine};
    struct litmus_answer a;

    holds(text, false);
    litmus_judge(t, &o, &a);
    assert_false(a.judged);
    assert_string_equal(a.why, why);
    litmus_answer_free(&a);
    litmus_free(t);
}

static void engines_leave_to_the_axioms_what_they_cannot_tell(void **unused)
{
    static const char mixed[] =
        "RISCV x\n{ 0:x5=x; 0:x7=1; 0:x8=y; 1:x5=y; 1:x7=1; 1:x8=x; }\n"
        " P0                   | P1                   ;\n"
        " amoswap.w x6,x7,(x5) | amoswap.w x6,x7,(x5) ;\n"
        " fence.tso            | fence.tso            ;\n"
        " lr.w x9,0(x8)        | lr.w x9,0(x8)        ;\n"
        " sc.w x10,x9,0(x8)    | sc.w x10,x9,0(x8)    ;\n"
        "exists (0:x9=0 /\\ 1:x9=0)";
    static const char compared[] =
        "AArch64 x\n{ int z=3; 0:X0=x; 0:X2=y; 0:X4=z; 1:X0=x; 1:X2=y; "
        "1:X4=z; 1:X3=5; }\n"
        " P0           | P1                  ;\n"
        " MOV W1,#1    | LDR W1,[X2]         ;\n"
        " STR W1,[X0]  | MOV W9,W1           ;\n"
        " STLR W1,[X4] | CAS W1,W3,[X4]      ;\n"
        " STLR W1,[X2] | EOR W5,W1,W1        ;\n"
        "              | LDR W7,[X0,W5,SXTW] ;\n"
        "exists (1:X9=1 /\\ 1:X7=0 /\\ 1:X1=1 /\\ z=5)";
    static const char selected[] =
        "AArch64 x\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X11=x; 1:X5=z; }\n"
        " P0           | P1               ;\n"
        " MOV W0,#1    | LDR W0,[X1]      ;\n"
        " STR W0,[X1]  | CMP W0,#1        ;\n"
        " STLR W0,[X3] | CSEL W2,W3,W4,EQ ;\n"
        "              | STR W2,[X5]      ;\n"
        "              | LDR W6,[X5]      ;\n"
        "              | CBNZ W6,L0       ;\n"
        "              | L0: ISB          ;\n"
        "              | LDR W10,[X11]    ;\n"
        "exists (1:X0=1 /\\ 1:X10=0)";

    (void)unused;
    not_for(LITMUS_VERIFY, mixed,
            "RMWs of one instruction beside pairs of exclusives");
    not_for(LITMUS_CHECK, mixed,
            "RMWs of one instruction beside pairs of exclusives");
    not_for(LITMUS_VERIFY, compared,
            "a CAS that compares with what was loaded, and whose result is "
            "used");
    not_for(LITMUS_CHECK, compared,
            "a CAS that compares with what was loaded, and whose result is "
            "used");
    not_for(LITMUS_CHECK, selected,
            "a selection that goes through memory to an isb");
}

static void what_is_not_judged_is_named(void **unused)
{
    (void)unused;
    not_judged("AArch64 x\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n STRB W0,[X1] | "
               "LDR W0,[X1] ;\nexists (1:X0=1)",
               "accesses of different sizes");
    not_judged("AArch64 x\n{}\n P0 ;\n LDR W0,[X1] ;\nexists (0:X0=1)",
               "an access to no location");
    not_judged("AArch64 x\n{ 0:X1=x; }\n P0 ;\n L: LDR W0,[X1] ;\n CBZ W0,L ;"
               "\nexists (0:X0=1)",
               "a loop was cut after 4 rounds");
}

static void an_example_counts_although_a_loop_was_cut(void **unused)
{
    (void)unused;
    holds("AArch64 x\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n L: LDR W0,[X1] | MOV "
          "W0,#1 ;\n CBZ W0,L | STR W0,[X1] ;\nexists (0:X0=1)",
          true);
}

static void values_out_of_thin_air_are_none(void **unused)
{
    (void)unused;
    holds("C x\n{}\nP0 (atomic_int* x, atomic_int* y) { int r = "
          "atomic_fetch_add(x, 1); }\nP1 (atomic_int* x) { int r = "
          "atomic_fetch_add(x, 1); }\nexists (x=3 \\/ 0:r=2)",
          false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_have_a_line),
        cmocka_unit_test(what_systems_have_is_named),
        cmocka_unit_test(operands_have_many_forms),
        cmocka_unit_test(numbers_keep_their_width),
        cmocka_unit_test(an_array_is_no_larger_number),
        cmocka_unit_test(initial_values_have_many_forms),
        cmocka_unit_test(conditions_nest),
        cmocka_unit_test(comments_nest_and_lines_stay),
        cmocka_unit_test(c_is_what_c_means),
        cmocka_unit_test(a_weak_exchange_may_fail_for_no_reason),
        cmocka_unit_test(what_is_not_judged_is_named),
        cmocka_unit_test(engines_leave_to_the_axioms_what_they_cannot_tell),
        cmocka_unit_test(an_example_counts_although_a_loop_was_cut),
        cmocka_unit_test(values_out_of_thin_air_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
