/* SPDX-License-Identifier: MIT
 *
 * An entry is two files: NAME.list says what the program was built from, and
 * NAME-SIZE-HASH is the program.  NAME is a hash of how it was built (sources,
 * flags, folder, compiler), and the list begins with that text, so that two
 * builds with one hash are told apart.  Then come lines:
 *
 *     + HASH SIZE PATH    a file that was read, and what it held
 *     - PATH              a file that was not there; one that is there now
 *                           could be included instead
 *     = FILE              the program
 *
 * Files appear whole, by rename, the program before its list: who comes at the
 * same time finds an entry or none.  A program that somebody has open stays
 * whole when it is removed here.
 */
#include "cmd/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/home.h"
#include "base/vec.h"

#define FILE_MAX (16u << 20)
#define PROGRAM_MAX (128u << 20)
#define ABSENT_MAX 20000 /* files that could be included instead */

/* ---- Where ---- */

const char *cache_folder(struct arena *a)
{
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (xdg && *xdg == '/')
        return arena_printf(a, "%s/fencer", xdg);
    return home && *home == '/' ? arena_printf(a, "%s/.cache/fencer", home)
                                : NULL;
}

/* ---- How it is built ---- */

/* Flags after which the result depends on the sources and on what these include
 * alone.  Others name libraries, objects or files of arguments. */
static bool is_known_flag(const char *word, size_t n)
{
    static const char *const known[] = {"-D", "-U", "-I", "-std=", "-W",
                                        "-f", "-O", "-g", "-m",    "-pthread"};

    if (n == 3 && (memcmp(word, "-lm", 3) == 0))
        return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t m = strlen(known[i]);

        if (n >= m && memcmp(word, known[i], m) == 0)
            return n > 2 || word[1] == 'g' || word[1] == 'O';
    }
    return false;
}

/* Words in quotes are not looked into: such a build is not kept. */
static bool is_cacheable(const char *cflags)
{
    if (strpbrk(cflags, "'\"\\"))
        return false;
    while (*(cflags += strspn(cflags, " \t\n"))) {
        size_t n = strcspn(cflags, " \t\n");

        if (!is_known_flag(cflags, n))
            return false;
        cflags += n;
    }
    return true;
}

/* A file of ours or of the compiler's, as far as a new one can be told. */
static void add_tool(struct buf *key, const char *path)
{
    struct stat st;

    if (path && stat(path, &st) == 0)
        buf_printf(key, "%s %lld %lld.%09ld\n", path, (long long)st.st_size,
                   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    else
        buf_puts(key, "-\n");
}

static void add_part(struct buf *key, const char *name)
{
    char path[PATH_MAX];
    struct err e;

    add_tool(key, home_path(name, path, &e) ? path : NULL);
}

static void add_variable(struct buf *key, const char *name)
{
    const char *value = getenv(name);

    buf_printf(key, "%s=%s\n", name, value ? value : "");
}

/* Everything but the files that are read. */
static bool put_key(const struct cache_build *b, struct buf *key)
{
    char cwd[PATH_MAX];

    if (!is_cacheable(b->cflags) || !getcwd(cwd, sizeof(cwd)))
        return false;
    buf_printf(key, "%s\n%s\n%u\n", cwd, b->cflags, b->how);
    for (size_t i = 0; i < b->source_count; i++)
        buf_printf(key, "%s\n", b->sources[i]);
    add_part(key, "fencer");
    add_part(key, "fencer-llvm.so");
    add_part(key, "libfencer_rt.a");
    add_tool(key, "/usr/bin/clang-19");
    add_tool(key, "/usr/bin/ld.gold");
    add_tool(key, "/usr/bin/ld");
    add_variable(key, "PATH");
    add_variable(key, "CPATH");
    add_variable(key, "C_INCLUDE_PATH");
    return strlen(key->bytes) == key->count;
}

static uint64_t hash_text(const struct buf *text)
{
    return hash_file(text->bytes, text->count);
}

static const char *list_path(const struct buf *key, struct arena *a)
{
    const char *folder = cache_folder(a);

    return folder ? arena_printf(a, "%s/%016" PRIx64 ".list", folder,
                                 hash_text(key))
                  : NULL;
}

/* ---- To find ---- */

static bool is_as_it_was(const char *line)
{
    struct buf now = {0};
    struct err e;
    uint64_t hash, size;
    int at = 0;
    bool same =
        sscanf(line, "+ %" SCNx64 " %" SCNu64 " %n", &hash, &size, &at) == 2 &&
        at > 0 && buf_read_file(&now, line + at, FILE_MAX, &e) &&
        now.count == size && hash_text(&now) == hash;

    buf_free(&now);
    return same;
}

static int open_program(const char *list, const char *name)
{
    char path[PATH_MAX];
    int folder = (int)(strrchr(list, '/') - list);
    const char *size = strchr(name, '-');
    struct stat st;
    int file;

    if (strchr(name, '/') || !size ||
        snprintf(path, sizeof(path), "%.*s/%s", folder, list, name) >=
            (int)sizeof(path))
        return -1;
    file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return -1;
    if (fstat(file, &st) == 0 && st.st_size > 0 &&
        strtoull(size + 1, NULL, 16) == (uint64_t)st.st_size) {
        futimens(file, NULL); /* used lately: it stays longer */
        return file;
    }
    close(file);
    return -1;
}

/* The lines after the key. */
static int look_through(char *text, const char *list)
{
    char *rest = text;

    for (char *line; (line = strsep(&rest, "\n")) && rest;) {
        if (line[0] == '=' && line[1] == ' ')
            return open_program(list, line + 2);
        if (line[0] == '-' && line[1] == ' ' ? access(line + 2, F_OK) == 0
                                             : !is_as_it_was(line))
            return -1;
    }
    return -1;
}

int cache_find(const struct cache_build *b, struct arena *a)
{
    struct buf key = {0}, text = {0};
    struct err e;
    const char *list;
    int file = -1;

    if (put_key(b, &key) && (list = list_path(&key, a)) &&
        buf_read_file(&text, list, FILE_MAX, &e) &&
        strlen(text.bytes) == text.count && text.count > key.count &&
        memcmp(text.bytes, key.bytes, key.count) == 0)
        file = look_through(text.bytes + key.count, list);
    buf_free(&text);
    buf_free(&key);
    return file;
}

/* ---- What was included ---- */

void cache_watch(struct cache_watch *w, const char *headers)
{
    w->headers = headers;
    clock_gettime(CLOCK_REALTIME_COARSE, &w->begun);
    setenv("CC_PRINT_HEADERS", "1", 1);
    setenv("CC_PRINT_HEADERS_FILE", headers, 1);
}

void cache_watched(void)
{
    unsetenv("CC_PRINT_HEADERS");
    unsetenv("CC_PRINT_HEADERS_FILE");
}

/* What a list is made from. */
struct listing {
    struct buf *text;
    struct arena *arena;
    const struct timespec *begun;
    VEC(const char *) files; /* that were read */
    VEC(const char *)
    folders; /* where headers are looked for; not the system's
              */
    size_t absent;
};

static bool is_of_system(const char *path)
{
    return strncmp(path, "/usr/", 5) == 0;
}

/* The time of day in a program: it is another each time. */
static bool tells_time(const struct buf *text)
{
    return strstr(text->bytes, "__TIME__") || strstr(text->bytes, "__DATE__") ||
           strstr(text->bytes, "__TIMESTAMP__");
}

/* Has nobody changed it since the compiler began? */
static bool is_older(const char *path, const struct timespec *begun)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return false;
    return st.st_ctim.tv_sec != begun->tv_sec
               ? st.st_ctim.tv_sec < begun->tv_sec
               : st.st_ctim.tv_nsec < begun->tv_nsec;
}

static bool has_path(const char *const *list, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], path) == 0)
            return true;
    return false;
}

static void add_folder(struct listing *l, const char *path, size_t n)
{
    const char *folder = n ? arena_copy_n(l->arena, path, n) : ".";

    if (!has_path(l->folders.list, l->folders.count, folder))
        VEC_PUSH(&l->folders, folder);
}

/* A file that was read; headers beside it could be read, too. */
static bool add_file(struct listing *l, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct buf text = {0};
    struct err e;
    bool ok = is_older(path, l->begun) &&
              buf_read_file(&text, path, FILE_MAX, &e) &&
              (is_of_system(path) || !tells_time(&text));

    if (ok) {
        buf_printf(l->text, "+ %016" PRIx64 " %zu %s\n", hash_text(&text),
                   text.count, path);
        VEC_PUSH(&l->files, path);
        if (!is_of_system(path))
            add_folder(l, path, slash ? (size_t)(slash - path) : 0);
    }
    buf_free(&text);
    return ok;
}

static void add_flags_folders(struct listing *l, const char *cflags)
{
    while (*(cflags += strspn(cflags, " \t\n"))) {
        size_t n = strcspn(cflags, " \t\n");

        if (n > 2 && cflags[1] == 'I')
            add_folder(l, cflags + 2, n - 2);
        cflags += n;
    }
}

/* Lines of clang's: dots for the depth, a blank, the path. */
static bool add_headers(struct listing *l, char *text)
{
    char *rest = text;

    for (char *line; (line = strsep(&rest, "\n"));) {
        line += strspn(line, ".");
        line += strspn(line, " ");
        if (*line && !has_path(l->files.list, l->files.count, line) &&
            !add_file(l, line))
            return false;
    }
    return true;
}

static bool add_absent(struct listing *l, const char *name)
{
    for (size_t i = 0; i < l->folders.count; i++) {
        const char *path =
            arena_printf(l->arena, "%s/%s", l->folders.list[i], name);

        if (access(path, F_OK) == 0)
            continue;
        buf_printf(l->text, "- %s\n", path);
        if (++l->absent > ABSENT_MAX)
            return false;
    }
    return true;
}

/* An #include names the end of a path; which end is not known, so each is taken
 * for it. */
static bool add_all_absent(struct listing *l)
{
    for (size_t i = 0; i < l->files.count; i++)
        for (const char *name = l->files.list[i]; (name = strchr(name, '/'));)
            if (!add_absent(l, ++name))
                return false;
    return true;
}

/* ---- To keep ---- */

struct kept {
    char name[64];
    time_t used;
    uint64_t size;
};

static int by_age(const void *x, const void *y)
{
    const struct kept *a = x, *b = y;

    return (a->used > b->used) - (a->used < b->used);
}

/* Removes the programs that were not used for longest. */
static void make_room(const char *folder)
{
    DIR *dir = opendir(folder);
    VEC(struct kept) all = {0};
    uint64_t sum = 0;

    for (struct dirent *d; dir && (d = readdir(dir));) {
        struct kept k = {0};
        struct stat st;

        if (strlen(d->d_name) >= sizeof(k.name) ||
            fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        strcpy(k.name, d->d_name);
        k.used = st.st_mtim.tv_sec;
        k.size = (uint64_t)st.st_size;
        sum += k.size;
        VEC_PUSH(&all, k);
    }
    if (sum > CACHE_BYTES_MAX) {
        qsort(all.list, all.count, sizeof(*all.list), by_age);
        for (size_t i = 0; i < all.count && sum > CACHE_BYTES_MAX / 4 * 3; i++)
            if (unlinkat(dirfd(dir), all.list[i].name, 0) == 0)
                sum -= all.list[i].size;
    }
    VEC_FREE(&all);
    if (dir)
        closedir(dir);
}

static bool put_program(const char *folder, uint64_t name, const char *program,
                        struct buf *list, struct arena *a)
{
    struct buf bytes = {0};
    struct err e;
    const char *file;
    bool ok = buf_read_file(&bytes, program, PROGRAM_MAX, &e);

    if (ok) {
        file = arena_printf(a, "%016" PRIx64 "-%zx-%016" PRIx64, name,
                            bytes.count, hash_text(&bytes));
        buf_printf(list, "= %s\n", file);
        file = arena_printf(a, "%s/%s", folder, file);
        ok = file_write(file, bytes.bytes, bytes.count, &e) &&
             chmod(file, 0755) == 0;
    }
    buf_free(&bytes);
    return ok;
}

static bool put_list(const struct cache_build *b, const struct cache_watch *w,
                     struct buf *list, struct arena *a)
{
    struct listing l = {.text = list, .arena = a, .begun = &w->begun};
    struct buf headers = {0};
    struct err e;
    bool ok = buf_read_file(&headers, w->headers, FILE_MAX, &e);

    add_flags_folders(&l, b->cflags);
    for (size_t i = 0; ok && i < b->source_count; i++)
        ok = add_file(&l, b->sources[i]);
    ok = ok && add_headers(&l, headers.bytes) && add_all_absent(&l);
    VEC_FREE(&l.files);
    VEC_FREE(&l.folders);
    buf_free(&headers);
    return ok;
}

void cache_keep(const struct cache_build *b, const struct cache_watch *w,
                const char *program, struct arena *a)
{
    struct buf list = {0};
    struct err e;
    const char *folder = cache_folder(a);

    if (folder && folder_make(folder, &e) && put_key(b, &list)) {
        const char *path = list_path(&list, a);
        uint64_t name = hash_text(&list);

        make_room(folder);
        if (put_list(b, w, &list, a) &&
            put_program(folder, name, program, &list, a))
            file_write(path, list.bytes, list.count, &e);
    }
    buf_free(&list);
}
