/* SPDX-License-Identifier: MIT
 *
 * fencer.h: what a program may say to Fencer.  Found without a flag by
 * `fencer cc`; without Fencer everything here is sensible C11 or nothing, so
 * the header may stay in shipped code.
 */
#ifndef FENCER_H
#define FENCER_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __FENCER__

/* The four SPARC fences and the full one: `sl` keeps earlier stores before
 * later loads, and so on. */
void fencer_fence_ss(void);
void fencer_fence_sl(void);
void fencer_fence_ll(void);
void fencer_fence_ls(void);
void fencer_fence_full(void);

/* A number below n, chosen by the tool. */
unsigned fencer_choose(unsigned n);

/* Only executions in which c holds count. */
void fencer_assume(int c);

/* Part of the execution's outcome: label and value. */
void fencer_observe(const char *label, long long v);

void fencer_atomic_begin(void);
void fencer_atomic_end(void);

/* fencer_atomic { ... }: one step.  Each address it touches is treated as by a
 * relaxed read-modify-write.  Leave the block only through its end. */
#define fencer_atomic                                                          \
    for (int fencer_once_ = (fencer_atomic_begin(), 1); fencer_once_;          \
         fencer_once_ = (fencer_atomic_end(), 0))

/* fencer_ghost int in_section;  A variable that no model reorders. */
#define fencer_ghost __attribute__((section("fencer_ghost")))

#else

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void fencer_fence_ss(void)
{
    atomic_thread_fence(memory_order_release);
}

static inline void fencer_fence_sl(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static inline void fencer_fence_ll(void)
{
    atomic_thread_fence(memory_order_acquire);
}

static inline void fencer_fence_ls(void)
{
    atomic_thread_fence(memory_order_acquire);
}

static inline void fencer_fence_full(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static inline unsigned fencer_choose(unsigned n)
{
    static _Thread_local unsigned state = 2463534242u;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return n ? state % n : 0;
}

static inline void fencer_assume(int c)
{
    (void)c;
}

static inline void fencer_observe(const char *label, long long v)
{
    (void)label;
    (void)v;
}

/* Without Fencer an atomic block is a critical section of one global lock. */
__attribute__((weak)) atomic_flag fencer_atomic_lock_ = ATOMIC_FLAG_INIT;

static inline void fencer_atomic_begin(void)
{
    while (atomic_flag_test_and_set_explicit(&fencer_atomic_lock_,
                                             memory_order_acquire))
        ;
}

static inline void fencer_atomic_end(void)
{
    atomic_flag_clear_explicit(&fencer_atomic_lock_, memory_order_release);
}

#define fencer_atomic                                                          \
    for (int fencer_once_ = (fencer_atomic_begin(), 1); fencer_once_;          \
         fencer_once_ = (fencer_atomic_end(), 0))

#define fencer_ghost

#endif

/* ---- Tests of a data type ----
 *
 *   FENCER_INIT { queue_init(&q); }
 *   FENCER_OP(e) { int v = fencer_choose(2); enqueue(&q, v);
 *                  fencer_observe("e", v); }
 *   FENCER_OP(d) { fencer_observe("d", dequeue(&q)); }
 *   FENCER_TEST(T0, "( e | d )");
 *   FENCER_TEST(T1, "e ( ed | de )");
 *
 * A test is a list of operations to begin with, then threads of operations, as
 * CheckFence writes them (PLDI 2007, Fig. 8).  A name in it is the longest of
 * an operation that fits, and spaces are free; `e'` counts only executions in
 * which that operation does not try again (no round of a loop begins as the one
 * before it did); without parentheses there is one thread.  Is every
 * observation of the threads one that they could make with operations that are
 * atomic?  `fencer check` and `fencer verify` answer that.
 *
 * FENCER_INIT also gives the program a main, weak, that runs the test named by
 * its argument: a name, or a test as above; else the first of the file.
 * `--list` prints them. */

struct fencer_operation_ {
    const char *name;
    void (*run)(void);
};

struct fencer_test_ {
    const char *name, *notation;
    unsigned line;
};

/* All of the program, gathered by the linker in sections of pointers: these
 * have no gaps.  Weak: there may be none. */
#define FENCER_EDGE_ __attribute__((weak, visibility("hidden")))
extern const struct fencer_operation_ *const __start_fencer_ops[] FENCER_EDGE_;
extern const struct fencer_operation_ *const __stop_fencer_ops[] FENCER_EDGE_;
extern const struct fencer_test_ *const __start_fencer_tests[] FENCER_EDGE_;
extern const struct fencer_test_ *const __stop_fencer_tests[] FENCER_EDGE_;

#ifdef __FENCER__

int fencer_harness(int argc, char **argv, void (*init)(void),
                   const struct fencer_operation_ *const *operations,
                   const struct fencer_operation_ *const *operations_end,
                   const struct fencer_test_ *const *tests,
                   const struct fencer_test_ *const *tests_end);

#else

#define FENCER_THREADS_MAX_ 64

/* The operation at that place of a test, and what is after it and its primes;
 * NULL: there is none. */
static inline const struct fencer_operation_ *fencer_next_(const char **at)
{
    const struct fencer_operation_ *best = NULL;
    size_t longest = 0;

    *at += strspn(*at, " \t\n");
    for (const struct fencer_operation_ *const *o = __start_fencer_ops;
         o != __stop_fencer_ops; o++) {
        size_t n = strlen((*o)->name);

        if (n > longest && strncmp((*o)->name, *at, n) == 0) {
            best = *o;
            longest = n;
        }
    }
    *at += longest;
    *at += best ? strspn(*at, "' \t\n") : 0;
    return best;
}

static inline void *fencer_thread_(void *text)
{
    const char *at = (const char *)text;
    const struct fencer_operation_ *o;

    while ((o = fencer_next_(&at)))
        o->run();
    return NULL;
}

/* The places where threads begin, in a test that may begin with other
 * operations; 0: it is none. */
static inline unsigned fencer_threads_(const char *text, const char **begin)
{
    const char *at = text;
    unsigned count = 1;

    begin[0] = text;
    while (fencer_next_(&at))
        ;
    if (!*at)
        return 1;
    if (*at++ != '(')
        return 0;
    begin[0] = at;
    for (;;) {
        while (fencer_next_(&at))
            ;
        if (*at != '|' || count == FENCER_THREADS_MAX_)
            break;
        begin[count++] = ++at;
    }
    return *at == ')' && !at[1 + strspn(at + 1, " \t\n")] ? count : 0;
}

static inline int fencer_run_(const char *text, void (*init)(void))
{
    const char *begin[FENCER_THREADS_MAX_];
    pthread_t threads[FENCER_THREADS_MAX_];
    unsigned count = fencer_threads_(text, begin);

    if (!count) {
        fprintf(stderr, "%s: neither a test nor operations\n", text);
        return 2;
    }
    init();
    if (begin[0] != text)
        fencer_thread_((void *)text);
    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, fencer_thread_, (void *)begin[i]))
            abort();
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static inline int
fencer_harness(int argc, char **argv, void (*init)(void),
               const struct fencer_operation_ *const *operations,
               const struct fencer_operation_ *const *operations_end,
               const struct fencer_test_ *const *tests,
               const struct fencer_test_ *const *tests_end)
{
    const struct fencer_test_ *first = NULL;
    int list = argc > 1 && strcmp(argv[1], "--list") == 0;

    (void)operations;
    (void)operations_end;
    for (const struct fencer_test_ *const *t = tests; t != tests_end; t++) {
        if (list)
            printf("%s %s\n", (*t)->name, (*t)->notation);
        else if (argc > 1 && strcmp(argv[1], (*t)->name) == 0)
            return fencer_run_((*t)->notation, init);
        if (!first || (*t)->line < first->line)
            first = *t;
    }
    if (list)
        return 0;
    if (argc < 2 && !first) {
        fprintf(stderr, "no test is given, and there is no FENCER_TEST\n");
        return 2;
    }
    return fencer_run_(argc > 1 ? argv[1] : first->notation, init);
}

#endif

#define FENCER_INIT                                                            \
    static void fencer_init_(void);                                            \
    int main(int argc, char **argv) __attribute__((weak));                     \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        return fencer_harness(argc, argv, fencer_init_, __start_fencer_ops,    \
                              __stop_fencer_ops, __start_fencer_tests,         \
                              __stop_fencer_tests);                            \
    }                                                                          \
    __attribute__((used)) static void fencer_init_(void)

#define FENCER_OP(op)                                                          \
    static void fencer_op_##op(void);                                          \
    static const struct fencer_operation_ fencer_operation_##op = {            \
        #op, fencer_op_##op};                                                  \
    static const struct fencer_operation_ *const fencer_operation_at_##op      \
        __attribute__((used, section("fencer_ops"))) = &fencer_operation_##op; \
    __attribute__((used)) static void fencer_op_##op(void)

#define FENCER_TEST(test, text)                                                \
    __attribute__((used)) static const char fencer_test_##test[] = text;       \
    static const struct fencer_test_ fencer_record_##test = {                  \
        #test, fencer_test_##test, __LINE__};                                  \
    static const struct fencer_test_ *const fencer_record_at_##test            \
        __attribute__((used, section("fencer_tests"))) = &fencer_record_##test

#ifdef __cplusplus
}
#endif

#endif
