/* SPDX-License-Identifier: MIT
 *
 * Reads ELF objects and ar archives from memory.  All numbers in them are
 * checked before they are used: objects come from anywhere.
 */
#include "instrument/carrier.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'F', 'E', 'N', 'C', 'E', 'R', 'B', 'C'};

void carrier_assembly(struct buf *out, const char *path, size_t size)
{
    buf_printf(out, "\t.section %s,\"\",@progbits\n\t.p2align 4\n",
               CARRIER_SECTION);
    buf_printf(out, "\t.ascii \"%.8s\"\n\t.quad %zu\n\t.incbin \"", magic,
               size);
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            buf_putc(out, '\\');
        buf_putc(out, *path);
    }
    buf_puts(out, "\"\n\t.p2align 4\n\t.text\n");
}

bool is_elf(struct bytes file)
{
    return file.size >= sizeof(Elf64_Ehdr) &&
           memcmp(file.at, ELFMAG, SELFMAG) == 0;
}

bool is_archive(struct bytes file)
{
    return file.size >= 8 && (memcmp(file.at, "!<arch>\n", 8) == 0 ||
                              memcmp(file.at, "!<thin>\n", 8) == 0);
}

/* Is [offset, offset + size) inside the file? */
static bool is_inside(struct bytes file, uint64_t offset, uint64_t size)
{
    return offset <= file.size && size <= file.size - offset;
}

static bool read_section_header(struct bytes elf, const Elf64_Ehdr *head,
                                size_t index, Elf64_Shdr *out)
{
    uint64_t offset = head->e_shoff + (uint64_t)index * sizeof(*out);

    if (offset < head->e_shoff || !is_inside(elf, offset, sizeof(*out)))
        return false;
    memcpy(out, elf.at + offset, sizeof(*out));
    return true;
}

/* Files with very many sections keep the counts in section 0. */
static bool read_counts(struct bytes elf, const Elf64_Ehdr *head, size_t *count,
                        size_t *names)
{
    Elf64_Shdr first;

    *count = head->e_shnum;
    *names = head->e_shstrndx;
    if (head->e_shoff == 0) {
        *count = 0;
        return true;
    }
    if (!read_section_header(elf, head, 0, &first))
        return false;
    if (*count == 0)
        *count = first.sh_size;
    if (*names == SHN_XINDEX)
        *names = first.sh_link;
    return *count <= elf.size / sizeof(first);
}

static bool is_named(struct bytes names, uint64_t at, const char *name)
{
    size_t length = strlen(name) + 1;

    return is_inside(names, at, length) &&
           memcmp(names.at + at, name, length) == 0;
}

bool carrier_section(struct bytes elf, const char *name, struct bytes *section,
                     struct err *e)
{
    Elf64_Ehdr head;
    Elf64_Shdr s;
    size_t count, name_index;

    *section = (struct bytes){0};
    if (!is_elf(elf))
        return err_set(e, "not an ELF file");
    memcpy(&head, elf.at, sizeof(head));
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != EM_X86_64)
        return err_set(e, "not an ELF file for x86-64");
    if (!read_counts(elf, &head, &count, &name_index))
        return err_set(e, "damaged ELF file: section headers");
    if (count == 0)
        return true;
    if (!read_section_header(elf, &head, name_index, &s) ||
        !is_inside(elf, s.sh_offset, s.sh_size))
        return err_set(e, "damaged ELF file: section names");

    struct bytes names = {elf.at + s.sh_offset, s.sh_size};

    for (size_t i = 0; i < count; i++) {
        if (!read_section_header(elf, &head, i, &s))
            return err_set(e, "damaged ELF file: section headers");
        if (s.sh_type == SHT_NOBITS || !is_named(names, s.sh_name, name))
            continue;
        if (!is_inside(elf, s.sh_offset, s.sh_size))
            return err_set(e, "damaged ELF file: section %s", name);
        *section = (struct bytes){elf.at + s.sh_offset, s.sh_size};
        return true;
    }
    return true;
}

bool carrier_each(struct bytes section,
                  bool (*each)(void *context, struct bytes bitcode,
                               struct err *e),
                  void *context, struct err *e)
{
    size_t at = 0;

    while (is_inside(section, at, 16)) {
        uint64_t size;

        if (memcmp(section.at + at, magic, sizeof(magic)) != 0) {
            at += CARRIER_ALIGN; /* a gap, or what another tool put here */
            continue;
        }
        memcpy(&size, section.at + at + 8, sizeof(size));
        if (!is_inside(section, at + 16, size))
            return err_set(e, "damaged bitcode section");
        if (!each(context, (struct bytes){section.at + at + 16, size}, e))
            return false;
        at += 16 + (size + CARRIER_ALIGN - 1) / CARRIER_ALIGN * CARRIER_ALIGN;
    }
    return true;
}

/* ---- Archives ---- */

#define MEMBER_HEAD 60

/* A decimal number in a field that is padded with spaces. */
static bool field_number(const char *field, size_t width, uint64_t *number)
{
    size_t i = 0;

    *number = 0;
    while (i < width && field[i] >= '0' && field[i] <= '9')
        *number = *number * 10 + (uint64_t)(field[i++] - '0');
    return i > 0;
}

/* GNU ar: a name is "name/", or "/123", an offset into the member "//" where
 * names end with "/\n". */
static struct bytes member_name(const char *head, struct bytes longer)
{
    uint64_t offset;
    size_t n = 0;

    if (head[0] == '/' && head[1] >= '0' && head[1] <= '9') {
        if (!field_number(head + 1, 15, &offset) || offset >= longer.size)
            return (struct bytes){0};

        struct bytes name = {longer.at + offset, 0};

        while (offset + name.size < longer.size && name.at[name.size] != '\n')
            name.size++;
        if (name.size && name.at[name.size - 1] == '/')
            name.size--;
        return name;
    }
    while (n < 16 && head[n] != '/' && head[n] != ' ')
        n++;
    return (struct bytes){head, n};
}

bool archive_member(struct bytes archive, const char *name, size_t nth,
                    struct bytes *member, struct err *e)
{
    struct bytes longer = {0};
    uint64_t at = 8, size;

    if (!is_archive(archive) || archive.at[2] == 't')
        return err_set(e, "not an ordinary archive");
    while (is_inside(archive, at, MEMBER_HEAD)) {
        const char *head = archive.at + at;

        at += MEMBER_HEAD;
        if (!field_number(head + 48, 10, &size) ||
            !is_inside(archive, at, size))
            return err_set(e, "damaged archive");

        struct bytes content = {archive.at + at, size};
        struct bytes own = member_name(head, longer);

        at += size + (size & 1);
        if (head[0] == '/' && head[1] == '/') {
            longer = content;
            continue;
        }
        if (own.size == strlen(name) && own.size &&
            memcmp(own.at, name, own.size) == 0 && nth-- == 0) {
            *member = content;
            return true;
        }
    }
    return err_set(e, "no member %s in the archive", name);
}
