/* SPDX-License-Identifier: MIT
 *
 * printf's formats, conversion by conversion.
 */
#ifndef LIBC_LIBC_FORMAT_H
#define LIBC_LIBC_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* As vsnprintf, where each string that is printed is read by loads of the
 * running thread.  The format is private.  Negative: it does not fit, or has
 * what is not known here (%n, wide text, numbered arguments). */
int libc_format(char *to, size_t size, const char *format, va_list list,
                uint32_t site);

#endif
