/* SPDX-License-Identifier: MIT
 *
 * Where things lie in the tested program.  Fixed, so that no address differs
 * between two runs: no decision may depend on one, and with this none can.
 *
 *   0x100000000000  shadow, 8 TiB of address space (event/program.h)
 *   0x200000000000  heap
 *   0x210000000000  fibers: guard page, stack, thread's data
 *   0x220000000000  the channel to the tool
 *   0x230000000000  store buffers
 *   0x240000000000  argv and environment, copied anew for each execution
 */
#ifndef RUNTIME_LAYOUT_H
#define RUNTIME_LAYOUT_H

#define HEAP_AT 0x200000000000ull
#define HEAP_SIZE (16ull << 30)    /* main's; its shadow must fit into memory */
#define HEAP_THREAD (512ull << 20) /* of any other thread */
#define HEAP_SPAN (HEAP_SIZE + HEAP_THREAD * (RT_MAX_THREADS - 1))
#define FIBER_AT 0x210000000000ull
#define FIBER_SIZE (8ull << 20) /* of one: as a default Linux thread */
#define FIBER_GUARD 4096ull
#define BUFFERS_AT 0x230000000000ull
#define ARGUMENTS_AT 0x240000000000ull

#endif
