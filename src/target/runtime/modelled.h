/* SPDX-License-Identifier: MIT
 *
 * How the model of a library function is written, here for `getc`:
 *
 *     MODEL(int, getc, (FILE *from))
 *     {
 *         ...
 *     }
 *
 * defines __fencer_getc, to which the instrumenter sends calls of getc.  The
 * compiler compares its type with the header's.  What is one expression is one
 * row:
 *
 *     MODEL_IS(int, getc, (FILE *from), get_char(from, "getc"))
 *     MODEL_DOES(bzero, (void *to, size_t n), libc_fill(to, 0, n, ...))
 */
#ifndef RUNTIME_MODELLED_H
#define RUNTIME_MODELLED_H

/* A model has its function's parameters, and may need fewer of them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
/* There are models of deprecated functions, too. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Declares a model that another file defines. */
#define MODEL_OF(name) extern __typeof__(name) __fencer_##name;

#define MODEL(type, name, parameters)                                          \
    extern __typeof__(name) __fencer_##name;                                   \
    type __fencer_##name parameters

#define MODEL_IS(type, name, parameters, value)                                \
    MODEL(type, name, parameters)                                              \
    {                                                                          \
        return value;                                                          \
    }

#define MODEL_DOES(name, parameters, call)                                     \
    MODEL(void, name, parameters)                                              \
    {                                                                          \
        call;                                                                  \
    }

/* The same for names that no header declares: hooks, and what the headers'
 * macros, _FORTIFY_SOURCE and the compiler make of a call. */
#define HIDDEN(type, name, parameters)                                         \
    type __fencer_##name parameters;                                           \
    type __fencer_##name parameters

#define HIDDEN_IS(type, name, parameters, value)                               \
    HIDDEN(type, name, parameters)                                             \
    {                                                                          \
        return value;                                                          \
    }

#define HIDDEN_DOES(name, parameters, call)                                    \
    HIDDEN(void, name, parameters)                                             \
    {                                                                          \
        call;                                                                  \
    }

/* `name` is another name of `same`, which this file defines. */
#define MODEL_ALSO(name, same)                                                 \
    extern __typeof__(__fencer_##same) __fencer_##name                         \
        __attribute__((alias("__fencer_" #same)));

/* A function with variable arguments, which follow `last`: the value that one
 * with a list of them has.  `list` is what `value` calls that list. */
#define HIDDEN_LISTS(name, parameters, last, list, value)                      \
    HIDDEN(int, name, parameters)                                              \
    {                                                                          \
        va_list list;                                                          \
        int result;                                                            \
                                                                               \
        va_start(list, last);                                                  \
        result = value;                                                        \
        va_end(list);                                                          \
        return result;                                                         \
    }

#define MODEL_LISTS(name, parameters, last, list, value)                       \
    extern __typeof__(name) __fencer_##name;                                   \
    HIDDEN_LISTS(name, parameters, last, list, value)

#endif
