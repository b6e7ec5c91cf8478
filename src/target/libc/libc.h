/* SPDX-License-Identifier: MIT
 *
 * The modelled C library: what its files share, and what the rest of the
 * runtime asks of it.  Every MODELLED row of event/externs-libc.def has its
 * MODEL (runtime/modelled.h) in one of the libc_*.c.
 *
 * A model reads and writes the program's memory in one of two ways.  Most do so
 * through libc_in, libc_text and libc_out, so that their loads and stores are
 * events that a memory model may reorder, as those of the real function would
 * be: a call is no fence.  Where that is all, the row says so ('r' and 'o'),
 * and a round of a loop with such calls may be one that changes nothing.  What
 * is too intricate for that happens after libc_enter_draining: the rule for
 * uninstrumented code.
 */
#ifndef LIBC_LIBC_H
#define LIBC_LIBC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/modelled.h"
#include "runtime/rt.h"

/* ---- For the rest of the runtime ---- */

/* Start of an execution: forget what the last one left in these files. */
void libc_reset(void);

/* Is that a variable of the C library that libc_reset sets? */
bool libc_resets(uint64_t address);

/* The program ends by return from main or exit: handlers of atexit, newest
 * first, then the program's destructors, then open files are flushed. */
void libc_run_exit_handlers(void);

/* The running thread is `interrupted`, at its next step.  True: a handler ran,
 * and it announces that step anew.  May not return: it was cancelled.  `now`:
 * it is about to wait, and no handler may be left for later. */
bool libc_interrupt(bool now);

/* Nobody can run any more.  Refuses, if somebody waits for a descriptor: it is
 * no deadlock, but outside. */
void libc_refuse_stuck(void);

/* Before a call of an external function that has no model.  May end the
 * execution: the call would stop every thread, or cannot be run. */
void libc_before_external(const struct fencer_extern *x, uint32_t site);

/* ---- Entering and leaving.  libc_core.c ---- */

/* The call under way is a scheduling point, and no fence: it touches memory of
 * the program through libc_in, libc_out and libc_text alone.  Returns its
 * site. */
uint32_t libc_enter(void);
/* The same for one that changes nothing but what it writes so. */
uint32_t libc_enter_quiet(void);
/* For what is too intricate for that: the call drains, as uninstrumented code
 * does, and the user is told. */
uint32_t libc_enter_draining(void);
/* The same for a model that says all that it touches (libc_reads, libc_out). */
uint32_t libc_enter_draining_known(void);
/* The same, and it uses what in-process reset cannot undo. */
uint32_t libc_enter_state(const char *name);
/* The same for a site already taken, and no scheduling point while accesses
 * are none: for small functions that are called often. */
void libc_drain(uint32_t site);
void libc_drain_known(uint32_t site); /* of one that says what it touches */
/* A call at that site has drained. */
void libc_note_drain(uint32_t site);

/* The call uses what in-process reset cannot undo. */
void libc_needs_process(const char *name);
/* Did any, in this execution? */
bool libc_uses_state(void);

/* Comes to the library's own state, which all threads share: a step that no
 * model reorders.  Changes are made before anything else is accessed. */
void libc_state(void *state, size_t size, uint32_t site);

/* Does the scheduler or a trace want to see every access? */
bool libc_watched(void);
/* Neither, or there is no other thread, and memory is as this one sees it? */
bool libc_is_unseen(void);

/* Copies private bytes to the program's memory, and back, as events. */
void libc_out(void *to, const void *from, size_t count, uint32_t site);
void libc_in(void *to, const void *from, size_t count, uint32_t site);

/* Text of the program, up to its NUL or `max` bytes, as loads of the running
 * thread.  Returns where it can be read: as it is, or in `room`. */
struct libc_text {
    const char *from; /* in the program's memory */
    const char *text;
    char room[4096];
};
const char *libc_text(struct libc_text *t, const char *from, size_t max,
                      uint32_t site);
/* A place in that text, in the program's memory; NULL stays NULL. */
char *libc_text_at(const struct libc_text *t, const char *place);

/* memmove and memset, of which either end may be a local. */
void libc_copy(void *to, const void *from, size_t count, uint32_t site);
void libc_fill(void *to, int byte, size_t count, uint32_t site);

/* Is it in the program's read-only segments?  Such memory needs no event. */
bool libc_is_constant(const void *address);

/* Is it on the running thread's stack, or its thread-local memory? */
bool libc_is_own(const void *address);

/* That memory is about to be read or written by the real function; drained
 * already.  A finding if the program may not touch it. */
void libc_reads(const void *from, size_t count, uint32_t site);
void libc_reads_text(const char *text, uint32_t site);
void libc_writes(void *to, size_t count, uint32_t site);
/* The real function wrote that. */
void libc_wrote(void *to, size_t count, uint32_t site);

/* Is some other thread able to run, now or after a timeout? */
bool libc_others_can_run(void);
/* Ends the execution: "read() would stop every thread". */
_Noreturn void libc_refuse_block(const char *name, uint32_t site);

/* ---- Parts that reset ---- */

void libc_reset_exit(void);
void libc_reset_input(void);
void libc_reset_membarrier(void);
void libc_reset_random(void);
void libc_reset_signals(void);
void libc_reset_stdio(void);
void libc_reset_string(void);
void libc_reset_time(void);
void libc_reset_timers(void);
void libc_reset_process(void);

/* Calls the handler of a signal that the program sent to itself; also from
 * pthread_kill and friends. */
int libc_raise(int number, uint32_t site);
/* Ends the execution, if every one is to be explored. */
void libc_refuse_explored(const char *what, uint32_t site);
/* Sends it to that thread.  0 or an error. */
int libc_signal_thread(struct thread *t, int number, uint32_t site);

/* membarrier, which has no name but its number. */
long libc_membarrier(int command, unsigned flags, uint32_t site);

/* realloc. */
void *libc_resize(void *p, size_t size, uint32_t site);

/* Output of one formatted piece; returns its length. */
int libc_print(FILE *to, const char *name, const char *format,
               va_list arguments, uint32_t site);
/* Is that stream's or descriptor's output captured? */
bool libc_captures(FILE *stream);
bool libc_captures_fd(int fd);
/* From now on that descriptor is what the program made of it. */
void libc_release_fd(int fd);

/* Waits until another thread did something to what is behind descriptors; if
 * `timed`, false: or its time is over. */
bool libc_wait_world(const char *name, bool timed);
/* The running thread is about to: no step may come between. */
void libc_change_world(void);

/* Waits until the descriptor is ready for poll's `events`, letting the other
 * threads run; refuses if none of them can. */
void libc_wait_fd(int fd, short events, const char *name, uint32_t site);
/* Before the first look at it. */
void libc_rewind_stdin(const char *name, uint32_t site);

#endif
