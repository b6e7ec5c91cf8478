/* SPDX-License-Identifier: MIT
 *
 * Bitcode inside ordinary ELF objects and archives.
 *
 * The section .fencerbc of an object holds records: the 8 bytes "FENCERBC", a
 * 64-bit length, that many bytes of bitcode, zeroes up to the next multiple
 * of 16.  `ld -r` puts sections one after the other, so an object may hold
 * several.  (.llvmbc, the obvious name, would make binutils' LLVM plugin take
 * such objects for its own: nm and ar would no longer see their symbols.)
 */
#ifndef INSTRUMENT_CARRIER_H
#define INSTRUMENT_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define CARRIER_SECTION ".fencerbc"
#define CARRIER_ALIGN 16

/* Assembly that makes a section with one record, for a file of bitcode. */
void carrier_assembly(struct buf *out, const char *path, size_t size);

struct bytes {
    const char *at;
    size_t size;
};

/* A section of the ELF file; size 0: there is none.  False: not an ELF file
 * for x86-64, or a damaged one. */
bool carrier_section(struct bytes elf, const char *name, struct bytes *section,
                     struct err *e);

/* Calls `each` for every record of a section. */
bool carrier_each(struct bytes section,
                  bool (*each)(void *context, struct bytes bitcode,
                               struct err *e),
                  void *context, struct err *e);

/* The member of that name in an archive.  A thin archive's member is a file
 * of its own and not found here.  Several of one name: the n-th, from 0. */
bool archive_member(struct bytes archive, const char *name, size_t nth,
                    struct bytes *member, struct err *e);

bool is_elf(struct bytes file);
bool is_archive(struct bytes file);

#endif
