/* SPDX-License-Identifier: MIT
 *
 * Functions that are known by their names: fencer.h's, threads, locks and
 * semaphores, the heap, the ways to fail.  All others are refused.
 *
 * A lock is the 4 bytes at its address, 0 when free; so is a semaphore, its
 * count.  Both are zeroes when initialised statically.
 *
 * Printing, sleeping and yielding leave nothing behind: nobody can see from
 * inside the program whether they happened, as long as the number of
 * characters printed is not asked for.
 */
#include <string.h>

#include "base/check.h"
#include "lower/body.h"

static uint32_t argument(struct body *b, LLVMValueRef call, unsigned n)
{
    return body_operand(b, LLVMGetArgOperand(call, n));
}

static uint32_t site_of(struct body *b, LLVMValueRef call)
{
    return site_new(&b->l->p, call, EV_CALL, 0, NULL);
}

/* A new instruction at the call's site. */
static struct lsl_inst *add_at(struct body *b, LLVMValueRef call,
                               enum lsl_op op)
{
    uint32_t site = site_of(b, call);
    struct lsl_inst *i = body_add(b, op);

    i->site = site;
    return i;
}

/* ... whose result is the call's. */
static struct lsl_inst *add_value(struct body *b, LLVMValueRef call,
                                  enum lsl_op op)
{
    uint32_t dst = body_register(b);
    unsigned width = type_width(b->l, LLVMTypeOf(call));
    struct lsl_inst *i = add_at(b, call, op);

    i->width = (uint8_t)width;
    i->dst = dst;
    body_define_one(b, call, dst);
    return i;
}

static void succeed(struct body *b, LLVMValueRef call)
{
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        body_define_one(b, call, body_number(b, 0));
}

static bool is_null(LLVMValueRef v)
{
    return LLVMIsAConstantPointerNull(v) != NULL;
}

/* ---- fencer.h ---- */

static void lower_fence(struct body *b, LLVMValueRef call, int bits)
{
    struct lsl_inst *i = add_at(b, call, LSL_FENCE);

    i->fences = (uint8_t)bits;
}

static void lower_choose(struct body *b, LLVMValueRef call, int unused)
{
    uint32_t n = argument(b, call, 0);

    (void)unused;
    add_value(b, call, LSL_CHOOSE)->a = n;
}

/* What has one argument and no result. */
static void lower_unary(struct body *b, LLVMValueRef call, int op)
{
    uint32_t a = argument(b, call, 0);

    add_at(b, call, (enum lsl_op)op)->a = a;
}

static void lower_observe(struct body *b, LLVMValueRef call, int unused)
{
    const char *label = object_text(b->l, LLVMGetArgOperand(call, 0));
    uint32_t v = argument(b, call, 1);

    (void)unused;
    if (!label)
        lower_refuse(b->l, "fencer_observe with a label that is no constant "
                           "is not supported");

    struct lsl_inst *i = add_at(b, call, LSL_OBSERVE);

    i->a = v;
    i->text = label;
}

static void lower_simple(struct body *b, LLVMValueRef call, int op)
{
    add_at(b, call, (enum lsl_op)op);
}

/* ---- Locks and semaphores ---- */

/* Waits, or gives back; the result is 0. */
static void lower_sync(struct body *b, LLVMValueRef call, int op)
{
    uint32_t a = argument(b, call, 0);
    unsigned flags = body_flags(b, LLVMGetArgOperand(call, 0));
    struct lsl_inst *i = add_at(b, call, (enum lsl_op)op);

    i->a = a;
    i->size = 4;
    i->flags = (uint8_t)(flags & LSL_GHOST);
    succeed(b, call);
}

static void lower_try(struct body *b, LLVMValueRef call, int op)
{
    uint32_t a = argument(b, call, 0);
    struct lsl_inst *i = add_value(b, call, (enum lsl_op)op);

    i->a = a;
    i->size = 4;
}

/* mtx_trylock says 1 where POSIX says EBUSY. */
static void lower_mtx_try(struct body *b, LLVMValueRef call, int unused)
{
    uint32_t a = argument(b, call, 0), was = body_register(b);
    struct lsl_inst *i = add_at(b, call, LSL_TRYLOCK);

    (void)unused;
    i->width = 32;
    i->dst = was;
    i->a = a;
    i->size = 4;
    was = body_pure(b, PURE_NE, 1, 32, was, body_number(b, 0));
    body_define_one(b, call, body_pure(b, PURE_ZEXT, 32, 1, was, LSL_NONE));
}

/* The lock word starts as 0, a semaphore as its argument number `value`. */
static void lower_init(struct body *b, LLVMValueRef call, int value)
{
    LLVMValueRef at = LLVMGetArgOperand(call, 0);
    uint32_t start =
        value ? argument(b, call, (unsigned)value) : body_number(b, 0);
    uint32_t site = site_new(&b->l->p, call, EV_CALL, 4, NULL);

    body_store(b, body_operand(b, at), start, 4, body_flags(b, at), site);
    succeed(b, call);
}

static void lower_mutex_init(struct body *b, LLVMValueRef call, int unused)
{
    (void)unused;
    if (!is_null(LLVMGetArgOperand(call, 1)))
        lower_refuse(b->l, "a mutex with attributes is not supported");
    lower_init(b, call, 0);
}

static void lower_mtx_init(struct body *b, LLVMValueRef call, int unused)
{
    LLVMValueRef kind = LLVMGetArgOperand(call, 1);

    (void)unused;
    if (!LLVMIsAConstantInt(kind) || LLVMConstIntGetZExtValue(kind) != 0)
        lower_refuse(b->l, "a mutex that is not mtx_plain is not supported");
    lower_init(b, call, 0);
}

/* ---- Threads ---- */

static void add_create(struct body *b, LLVMValueRef call, unsigned start)
{
    LLVMValueRef handle = LLVMGetArgOperand(call, 0);
    uint32_t f = argument(b, call, start), x = argument(b, call, start + 1);
    uint32_t to = body_operand(b, handle), thread = body_register(b);
    struct lsl_inst *i = add_at(b, call, LSL_CREATE);
    uint32_t site = i->site;

    i->width = 64;
    i->dst = thread;
    i->a = f;
    i->b = x;
    body_store(b, to, thread, 8, body_flags(b, handle), site);
    succeed(b, call);
}

/* The function to start is argument number `start`; before it may come the
 * attributes. */
static void lower_create(struct body *b, LLVMValueRef call, int start)
{
    if (start == 2 && !is_null(LLVMGetArgOperand(call, 1)))
        lower_refuse(b->l, "a thread with attributes is not supported");
    add_create(b, call, (unsigned)start);
}

/* What the thread returned goes where the caller says. */
static void join_result(struct body *b, LLVMValueRef call, LLVMValueRef to,
                        uint32_t address)
{
    uint32_t dst = body_register(b);
    struct lsl_inst *i = &VEC_LAST(&b->insts);

    i->dst = dst;
    i->width = 64;
    body_store(b, address, dst, 8, body_flags(b, to),
               site_new(&b->l->p, call, EV_CALL, 8, NULL));
}

static void lower_join(struct body *b, LLVMValueRef call, int of_c11)
{
    LLVMValueRef to = LLVMGetArgOperand(call, 1);
    uint32_t address = body_operand(b, to);

    if (of_c11 && !is_null(to))
        lower_refuse(b->l, "the result of a joined thread is not supported");
    lower_unary(b, call, LSL_JOIN);
    if (!is_null(to))
        join_result(b, call, to, address);
    succeed(b, call);
}

/* ---- The heap ---- */

static void lower_alloc(struct body *b, LLVMValueRef call, int size)
{
    uint32_t bytes = argument(b, call, (unsigned)size);

    add_value(b, call, LSL_ALLOC)->a = bytes;
}

static void lower_calloc(struct body *b, LLVMValueRef call, int unused)
{
    uint32_t bytes = body_pure(b, PURE_MUL, 64, 64, argument(b, call, 0),
                               argument(b, call, 1));
    struct lsl_inst *i = add_value(b, call, LSL_ALLOC);

    (void)unused;
    i->a = bytes;
    i->flags = LSL_ZEROED;
}

/* ---- The end ---- */

static void lower_assert(struct body *b, LLVMValueRef call, int unused)
{
    const char *claim = object_text(b->l, LLVMGetArgOperand(call, 0));

    (void)unused;
    body_fail(
        b, FAIL_ASSERT,
        arena_printf(b->l->arena, "assertion failed: %s", claim ? claim : "?"),
        site_of(b, call));
}

static void lower_abort(struct body *b, LLVMValueRef call, int unused)
{
    (void)unused;
    body_fail(b, FAIL_ABORT, failure_kind_words(FAIL_ABORT), site_of(b, call));
}

/* exit ends all threads, which has no meaning here; a failing one does. */
static void lower_exit(struct body *b, LLVMValueRef call, int unused)
{
    LLVMValueRef code = LLVMGetArgOperand(call, 0);

    (void)unused;
    if (!LLVMIsAConstantInt(code) || LLVMConstIntGetZExtValue(code) == 0) {
        lower_refuse(b->l, "exit is supported with a failing exit code only");
        return;
    }
    body_fail(b, FAIL_EXIT_CODE,
              arena_printf(b->l->arena, "the program ended with exit code %lld",
                           LLVMConstIntGetSExtValue(code)),
              site_of(b, call));
}

/* ---- Nothing ---- */

/* Its result, a success, is 0. */
static void lower_nothing(struct body *b, LLVMValueRef call, int unused)
{
    (void)unused;
    succeed(b, call);
}

static void lower_print(struct body *b, LLVMValueRef call, int unused)
{
    (void)unused;
    if (LLVMGetFirstUse(call))
        lower_refuse(b->l, "the result of %s is not supported",
                     ir_name(&b->l->p, ir_callee(call)));
}

/* ---- The table ---- */

static const struct known {
    const char *name;
    unsigned arguments; /* at least */
    void (*lower)(struct body *b, LLVMValueRef call, int option);
    int option;
} knowns[] = {
    {"fencer_fence_ss", 0, lower_fence, BITS_SS},
    {"fencer_fence_sl", 0, lower_fence, BITS_SL},
    {"fencer_fence_ll", 0, lower_fence, BITS_LL},
    {"fencer_fence_ls", 0, lower_fence, BITS_LS},
    {"fencer_fence_full", 0, lower_fence, BITS_FULL},
    {"fencer_choose", 1, lower_choose, 0},
    {"fencer_assume", 1, lower_unary, LSL_ASSUME},
    {"fencer_observe", 2, lower_observe, 0},
    {"fencer_atomic_begin", 0, lower_simple, LSL_ATOMIC_BEGIN},
    {"fencer_atomic_end", 0, lower_simple, LSL_ATOMIC_END},
    {"pthread_mutex_init", 2, lower_mutex_init, 0},
    {"pthread_mutex_lock", 1, lower_sync, LSL_LOCK},
    {"pthread_mutex_trylock", 1, lower_try, LSL_TRYLOCK},
    {"pthread_mutex_unlock", 1, lower_sync, LSL_UNLOCK},
    {"pthread_mutex_destroy", 1, lower_nothing, 0},
    {"pthread_spin_init", 2, lower_init, 0},
    {"pthread_spin_lock", 1, lower_sync, LSL_LOCK},
    {"pthread_spin_trylock", 1, lower_try, LSL_TRYLOCK},
    {"pthread_spin_unlock", 1, lower_sync, LSL_UNLOCK},
    {"pthread_spin_destroy", 1, lower_nothing, 0},
    {"mtx_init", 2, lower_mtx_init, 0},
    {"mtx_lock", 1, lower_sync, LSL_LOCK},
    {"mtx_trylock", 1, lower_mtx_try, 0},
    {"mtx_unlock", 1, lower_sync, LSL_UNLOCK},
    {"mtx_destroy", 1, lower_nothing, 0},
    {"sem_init", 3, lower_init, 2},
    {"sem_wait", 1, lower_sync, LSL_WAIT},
    {"sem_trywait", 1, lower_try, LSL_TRYWAIT},
    {"sem_post", 1, lower_sync, LSL_POST},
    {"sem_destroy", 1, lower_nothing, 0},
    {"pthread_create", 4, lower_create, 2},
    {"pthread_join", 2, lower_join, 0},
    {"pthread_detach", 1, lower_nothing, 0},
    {"thrd_create", 3, lower_create, 1},
    {"thrd_join", 2, lower_join, 1},
    {"malloc", 1, lower_alloc, 0},
    {"aligned_alloc", 2, lower_alloc, 1},
    {"calloc", 2, lower_calloc, 0},
    {"free", 1, lower_unary, LSL_FREE},
    {"__assert_fail", 4, lower_assert, 0},
    {"abort", 0, lower_abort, 0},
    {"exit", 1, lower_exit, 0},
    {"_exit", 1, lower_exit, 0},
    {"sched_yield", 0, lower_nothing, 0},
    {"pthread_yield", 0, lower_nothing, 0},
    {"thrd_yield", 0, lower_nothing, 0},
    {"usleep", 1, lower_nothing, 0},
    {"sleep", 1, lower_nothing, 0},
    {"nanosleep", 2, lower_nothing, 0},
    {"printf", 1, lower_print, 0},
    {"fprintf", 2, lower_print, 0},
    {"puts", 1, lower_print, 0},
    {"fputs", 2, lower_print, 0},
    {"putchar", 1, lower_print, 0},
    {"fputc", 2, lower_print, 0},
    {"fflush", 1, lower_print, 0},
    {"perror", 1, lower_print, 0},
};

static const struct known *find(const char *name)
{
    for (size_t i = 0; i < sizeof(knowns) / sizeof(knowns[0]); i++) {
        if (strcmp(knowns[i].name, name) == 0)
            return &knowns[i];
    }
    return NULL;
}

bool library_ignores(const char *name)
{
    const struct known *k = find(name);

    return k && k->lower == lower_print;
}

bool library_is_lock(const char *name)
{
    const struct known *k = find(name);

    return k && (k->lower == lower_sync || k->lower == lower_try ||
                 k->lower == lower_mtx_try);
}

bool library_lower(struct body *b, LLVMValueRef call, const char *name)
{
    const struct known *k = find(name);

    if (!k)
        return false;
    if (LLVMGetNumArgOperands(call) < k->arguments)
        lower_refuse(b->l, "this call of %s has too few arguments", name);
    else
        k->lower(b, call, k->option);
    return true;
}
