/* SPDX-License-Identifier: MIT
 *
 * Reads the tables that the instrumenter left in a program (event/program.h)
 * out of its ELF file.  The file is linked non-PIE, so a pointer in it is a
 * virtual address; the program headers say where in the file that is.  The
 * file may be anything: every offset, count and string is checked before use.
 */
#include "trace/trace.h"

/* After our headers: it makes a macro of EV_NONE. */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/clean.h"
#include "base/hash.h"
#include "base/log.h"

#define FILE_MAX (1ull << 30)
#define TEXT_MAX 65536 /* no name or file is longer */

struct image {
    const unsigned char *bytes;
    size_t n;
    Elf64_Ehdr header;
    struct arena *arena;
    uint64_t text_left; /* bytes of strings that may still be copied */
};

/* [at, at + size) of the file, or NULL. */
static const void *file_at(const struct image *im, uint64_t at, uint64_t size)
{
    if (at > im->n || size > im->n - at)
        return NULL;
    return im->bytes + at;
}

static bool segment(const struct image *im, unsigned i, Elf64_Phdr *ph)
{
    const void *p = file_at(im, im->header.e_phoff + (uint64_t)i * sizeof(*ph),
                            sizeof(*ph));

    if (!p || im->header.e_phoff > im->n)
        return false;
    memcpy(ph, p, sizeof(*ph));
    return true;
}

/* What the program finds at `address`, and how much of the file follows. */
static const unsigned char *memory_at(const struct image *im, uint64_t address,
                                      uint64_t *room)
{
    Elf64_Phdr ph;

    for (unsigned i = 0; i < im->header.e_phnum && segment(im, i, &ph); i++) {
        if (ph.p_type != PT_LOAD || address < ph.p_vaddr ||
            address - ph.p_vaddr >= ph.p_filesz)
            continue;

        const void *start = file_at(im, ph.p_offset, ph.p_filesz);

        if (!start)
            return NULL;
        *room = ph.p_filesz - (address - ph.p_vaddr);
        return (const unsigned char *)start + (address - ph.p_vaddr);
    }
    return NULL;
}

static const void *table_at(const struct image *im, const void *address,
                            uint64_t count, uint64_t size)
{
    uint64_t room;
    const void *p = memory_at(im, (uintptr_t)address, &room);

    return p && count <= room / size ? p : NULL;
}

/* Replaces a pointer of the program by a copy of its string, fit to be shown.
 */
static bool take_string(struct image *im, const char **text)
{
    uint64_t room;

    if (*text == NULL) {
        *text = "";
        return true;
    }

    const unsigned char *p = memory_at(im, (uintptr_t)*text, &room);

    if (!p)
        return false;
    if (room > TEXT_MAX)
        room = TEXT_MAX;

    const unsigned char *end = memchr(p, 0, room);

    if (!end || (uint64_t)(end - p) + 1 > im->text_left)
        return false;
    im->text_left -= (uint64_t)(end - p) + 1;
    *text = clean_copy(im->arena, (const char *)p);
    return true;
}

static bool damaged(struct err *e, const char *what)
{
    return err_set(e, "its Fencer tables are damaged (%s)", what);
}

/* Copies `count` elements and returns them, NULL where that is impossible. */
static void *take_table(struct image *im, const void *address, uint64_t count,
                        size_t size)
{
    if (count == 0)
        return arena_alloc(im->arena, size);

    const void *p = table_at(im, address, count, size);

    if (!p)
        return NULL;

    void *copy = arena_array(im->arena, count, size);

    memcpy(copy, p, count * size);
    return copy;
}

static bool take_sites(struct image *im, const struct fencer_program *fp,
                       struct program *p, struct err *e)
{
    p->sites = take_table(im, fp->sites, fp->site_count, sizeof(*p->sites));
    if (!p->sites || fp->site_count > UINT32_MAX)
        return damaged(e, "sites");
    p->site_count = fp->site_count ? fp->site_count : 1;
    for (size_t i = 0; i < p->site_count; i++) {
        struct fencer_site *s = &p->sites[i];

        if (!take_string(im, &s->file) || !take_string(im, &s->dir) ||
            !take_string(im, &s->function) || !take_string(im, &s->name) ||
            s->kind >= EV_KIND_COUNT)
            return damaged(e, "site");
    }
    return true;
}

static bool take_globals(struct image *im, const struct fencer_program *fp,
                         struct program *p, struct err *e)
{
    p->globals =
        take_table(im, fp->globals, fp->global_count, sizeof(*p->globals));
    if (!p->globals)
        return damaged(e, "globals");
    p->global_count = fp->global_count;
    for (size_t i = 0; i < p->global_count; i++) {
        struct fencer_global *g = &p->globals[i];

        if (!take_string(im, &g->name) || !take_string(im, &g->fields))
            return damaged(e, "global");
    }
    return true;
}

static bool take_externs(struct image *im, const struct fencer_program *fp,
                         struct program *p, struct err *e)
{
    p->externs =
        take_table(im, fp->externs, fp->extern_count, sizeof(*p->externs));
    if (!p->externs)
        return damaged(e, "externs");
    p->extern_count = fp->extern_count;
    for (size_t i = 0; i < p->extern_count; i++) {
        struct fencer_extern *x = &p->externs[i];

        if (!take_string(im, &x->name) || x->site >= p->site_count)
            return damaged(e, "extern");
    }
    return true;
}

static bool take_limits(struct image *im, const struct fencer_program *fp,
                        struct program *p, struct err *e)
{
    p->limits = take_table(im, fp->limits, fp->limit_count, sizeof(*p->limits));
    if (!p->limits)
        return damaged(e, "limits");
    p->limit_count = fp->limit_count;
    for (size_t i = 0; i < p->limit_count; i++) {
        if (!take_string(im, &p->limits[i]))
            return damaged(e, "limit");
    }
    return true;
}

/* Looks for the symbol in one symbol table. */
static bool symbol_in(const struct image *im, const Elf64_Shdr *table,
                      const Elf64_Shdr *names, const char *name,
                      uint64_t *value)
{
    const unsigned char *symbols =
        file_at(im, table->sh_offset, table->sh_size);
    const char *text = file_at(im, names->sh_offset, names->sh_size);
    size_t n = strlen(name) + 1;

    if (!symbols || !text)
        return false;
    for (uint64_t i = 0; i < table->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym s;

        memcpy(&s, symbols + i * sizeof(s), sizeof(s));
        if (s.st_name < names->sh_size && names->sh_size - s.st_name >= n &&
            memcmp(text + s.st_name, name, n) == 0) {
            *value = s.st_value;
            return true;
        }
    }
    return false;
}

static bool section(const struct image *im, unsigned i, Elf64_Shdr *sh)
{
    if (i >= im->header.e_shnum || im->header.e_shoff > im->n)
        return false;

    const void *p = file_at(im, im->header.e_shoff + (uint64_t)i * sizeof(*sh),
                            sizeof(*sh));

    if (!p)
        return false;
    memcpy(sh, p, sizeof(*sh));
    return true;
}

static bool symbol(const struct image *im, const char *name, uint64_t *value)
{
    Elf64_Shdr table, names;

    for (unsigned i = 0; section(im, i, &table); i++) {
        if (table.sh_type == SHT_SYMTAB && section(im, table.sh_link, &names) &&
            symbol_in(im, &table, &names, name, value))
            return true;
    }
    return false;
}

static bool is_elf(struct image *im, struct err *e)
{
    if (im->n < sizeof(im->header))
        return err_set(e, "is not an ELF program");
    memcpy(&im->header, im->bytes, sizeof(im->header));
    if (memcmp(im->header.e_ident, ELFMAG, SELFMAG) != 0)
        return err_set(e, "is not an ELF program");
    if (im->header.e_ident[EI_CLASS] != ELFCLASS64 ||
        im->header.e_ident[EI_DATA] != ELFDATA2LSB ||
        im->header.e_machine != EM_X86_64 ||
        im->header.e_phentsize != sizeof(Elf64_Phdr) ||
        (im->header.e_shnum > 0 &&
         im->header.e_shentsize != sizeof(Elf64_Shdr)))
        return err_set(e, "is not an x86-64 ELF program");
    return true;
}

bool program_parse(const void *bytes, size_t n, struct arena *a,
                   struct program *p, struct err *e)
{
    struct image im = {.bytes = bytes, .n = n, .arena = a};
    struct fencer_program fp;
    uint64_t address, room;

    memset(p, 0, sizeof(*p));
    if (!is_elf(&im, e))
        return false;
    if (!symbol(&im, "__fencer_program", &address))
        return err_set(e, "was not linked by fencer cc");

    const void *at = memory_at(&im, address, &room);

    if (!at || room < sizeof(fp.abi))
        return err_set(e, "was not linked by fencer cc");
    memcpy(&fp.abi, at, sizeof(fp.abi));
    if (fp.abi != FENCER_ABI)
        return err_set(e,
                       "was linked by another version of fencer (%llu, "
                       "this one is %d): link it again",
                       (unsigned long long)fp.abi, FENCER_ABI);
    if (room < sizeof(fp))
        return damaged(e, "program");
    memcpy(&fp, at, sizeof(fp));

    /* Tables may share strings, but an honest file's are not larger than
     * eight times the file. */
    im.text_left = (uint64_t)n * 8;
    p->flags = fp.flags;
    p->file_size = n;
    p->file_hash = hash_file(bytes, n);
    return take_sites(&im, &fp, p, e) && take_globals(&im, &fp, p, e) &&
           take_externs(&im, &fp, p, e) && take_limits(&im, &fp, p, e);
}

bool program_read(const char *path, struct arena *a, struct program *p,
                  struct err *e)
{
    struct buf file = {0};
    bool ok = buf_read_file(&file, path, FILE_MAX, e);

    if (ok) {
        ok = program_parse(file.bytes, file.count, a, p, e) ||
             err_in(e, "%s", path);
    }
    if (ok)
        LOG(TRACE, "%s: %zu sites, %zu globals, %zu externs", path,
            p->site_count, p->global_count, p->extern_count);
    buf_free(&file);
    return ok;
}
