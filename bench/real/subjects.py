# SPDX-License-Identifier: MIT
"""What bench/real/run tries: real code, how it is built, and what is known of it.

A subject's `make(cc, to)` builds it with the compiler `cc` (a list of words)
into the program `to`, in the folder of its package; it runs with `args`.
`fails` are the models on which it must fail, `holds` those on which it must
not; what is in neither is not known to us.
"""
import glob
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


class Subject:
    def __init__(self, name, package, make, args=(), fails=(), holds=(), **more):
        self.name, self.package, self.make = name, package, make
        self.args, self.fails, self.holds = list(args), fails, holds
        self.verify = more.get("verify", True)
        self.runs = more.get("runs", 1000)
        self.packages = [package] + more.get("needs", [])


def call(words, folder, **more):
    subprocess.run(words, cwd=folder, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=600, **more)


def copy_of(folder, name, change=None):
    """A copy of a package beside it, made once; `change` gets its path."""
    to = "%s+%s" % (folder, name)
    if not os.path.exists(to + "/.made"):
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(folder, to, symlinks=True)
        if change:
            change(to)
        open(to + "/.made", "w").close()
    return to


def edit(path, pattern, by):
    """Exactly one place changes, or the package is not the one we know."""
    text = open(path).read()
    text, count = re.subn(pattern, by, text)
    if count != 1:
        raise RuntimeError("%s: %d places like %s" % (path, count, pattern))
    open(path, "w").write(text)


# ---- Concurrency Kit: its own regressions, in its three builds ----

# NAME: folder, source, defines, arguments, needs the library
CK = {
    "barrier_mcs": ("ck_barrier", "barrier_mcs", "ITERATE=2 ENTRIES=2", "2 1 1", True),
    "barrier_combining": ("ck_barrier", "barrier_combining", "ITERATE=2 ENTRIES=2", "2 1 1", True),
    "brlock": ("ck_brlock", "validate", "ITERATE=2", "2 1", False),
    "bytelock": ("ck_bytelock", "validate", "ITERATE=2", "2 1", False),
    "epoch_stack": ("ck_epoch", "ck_stack", "PAIRS=2", "2 1", True),
    "fifo_mpmc": ("ck_fifo", "ck_fifo_mpmc", "ITERATIONS=2", "2 1 4", False),
    "fifo_spsc": ("ck_fifo", "ck_fifo_spsc", "ITERATIONS=2", "2 1 4", False),
    "hp_stack": ("ck_hp", "ck_hp_stack", "PAIRS=2", "2 1 1", True),
    "pflock": ("ck_pflock", "validate", "ITERATE=2", "2 1", False),
    "ring_spsc": ("ck_ring", "ck_ring_spsc", "ITERATIONS=1", "2 1 4", True),
    "ring_mpmc": ("ck_ring", "ck_ring_mpmc", "ITERATIONS=1", "2 1 4", True),
    "rwlock": ("ck_rwlock", "validate", "ITERATE=2", "2 1", False),
    "sequence": ("ck_sequence", "ck_sequence", "STEPS=2", "2 1", False),
    "swlock": ("ck_swlock", "validate", "ITERATE=2", "2 1", False),
    "tflock": ("ck_tflock", "validate", "ITERATE=2", "2 1", False),
}
CK.update((name, ("ck_spinlock", name if name == "linux_spinlock" else "ck_" + name,
                  "ITERATE=1", "2 1", False))
          for name in ("anderson", "cas", "clh", "dec", "fas", "hclh", "mcs", "ticket",
                       "ticket_pb", "linux_spinlock"))
# Built for TSO, these break where stores overtake stores.
CK_PSO = {"brlock", "cas", "clh", "dec", "fas", "fifo_spsc", "mcs", "ring_spsc", "rwlock",
          "sequence"}


def make_ck(folder, model, what, cc, to):
    source, file, defines, _, library = CK[what]
    tree = copy_of(folder, model)
    if not os.path.exists(tree + "/build/regressions.build"):
        call(["./configure", "--memory-model=" + model, "--cores=2"], tree)
    sources = ["%s/regressions/%s/validate/%s.c" % (tree, source, file)]
    if library:
        sources += ["%s/src/%s.c" % (tree, s)
                    for s in ("ck_barrier_centralized", "ck_barrier_combining",
                              "ck_barrier_mcs", "ck_epoch", "ck_hp")]
    call(cc + ["-D" + d for d in (defines + " CORES=2 _GNU_SOURCE").split()] +
         ["-std=gnu99", "-O2", "-w", "-pthread", "-I" + tree + "/include"] + sources +
         ["-lm", "-o", to], tree)


def ck_subjects():
    for what, (_, _, _, args, _) in sorted(CK.items()):
        for model in ("tso", "pso", "rmo"):
            # Linux's lock has no fence of CK's: it is x86's, whatever the build.
            linux = what == "linux_spinlock"
            weak = linux or model == "tso" and what in CK_PSO
            yield Subject("ck %s %s" % (model, what), "ck",
                          lambda folder, cc, to, m=model, w=what: make_ck(folder, m, w, cc, to),
                          args.split(), fails=("pso",) if weak else (),
                          holds=("sc", "tso") + (() if linux or model == "tso" else ("pso",)))


# ---- liburcu: a driver of ours, each flavour with and without a barrier ----

RCU = {"mb": ("RCU_MB", "urcu.c"), "memb": ("RCU_MEMBARRIER", "urcu.c"),
       "signal": ("RCU_SIGNAL", "urcu.c"), "qsbr": ("RCU_QSBR", "urcu-qsbr.c")}

# FLAVOUR: what is removed, in which file, and how
FENCE = r"\t*cmm_smp_mb\(\);[^\n]*\n"
MASTER = r"\t*smp_mb_master\(\);\n"
STATIC = "include/urcu/static/urcu-"
RCU_REMOVED = {
    "mb": {"lock": (STATIC + "mb.h", r"(LOAD_SHARED\(urcu_mb_gp.ctr\)\);\n)" + FENCE),
           "wake": (STATIC + "mb.h", "(ctr, tmp - URCU_GP_COUNT\\);\n)" + FENCE)},
    "memb": {"before": ("src/urcu.c", r"(ptr before changing the qparity \*/\n)" + MASTER),
             "wake": ("src/urcu.c", r"(Write futex before read reader_gp \*/\n)" + MASTER)},
    "signal": {"before": ("src/urcu.c", r"(ptr before changing the qparity \*/\n)" + MASTER)},
    "qsbr": {"online": (STATIC + "qsbr.h",
                        r"(ctr, CMM_LOAD_SHARED\(urcu_qsbr_gp.ctr\)\);\n)" + FENCE)},
}


def make_rcu(folder, flavour, removed, cc, to):
    def configured(tree):
        call(["./configure", "--disable-shared"], tree)
        # 100 looks at each reader before the updater sleeps are 100 times the same.
        for file in ("urcu.c", "urcu-qsbr.c"):
            edit(tree + "/src/" + file, r"(#define RCU_QS_ACTIVE_ATTEMPTS) 100", r"\1 2")

    def without(tree):
        file, pattern = RCU_REMOVED[flavour][removed]
        edit(tree + "/" + file, pattern, r"\1")

    define, source = RCU[flavour]
    tree = copy_of(folder, "configured", configured)
    if removed:
        tree = copy_of(tree, flavour + "-" + removed, without)
    files = [source, "urcu-pointer.c", "compat_arch.c", "compat_futex.c", "wfcqueue.c"]
    call(cc + ["-D" + define, "-O2", "-w", "-pthread", "-I" + tree + "/include",
               "-I" + tree + "/src", HERE + "/rcu.c"] + [tree + "/src/" + f for f in files] +
         ["-o", to], tree)


def rcu_subjects():
    for flavour in RCU:
        for removed in [None] + sorted(RCU_REMOVED[flavour]):
            yield Subject("urcu %s%s" % (flavour, removed and " -" + removed or ""), "liburcu",
                          lambda folder, cc, to, f=flavour, r=removed:
                          make_rcu(folder, f, r, cc, to),
                          fails=("tso",) if removed else (),
                          holds=("sc",) if removed else ("sc", "tso"))


# ---- Libraries with a pool of their own, each under a small driver of ours ----

def files(tree, *patterns, without="$^"):
    found = sorted(f for p in patterns for f in glob.glob(os.path.join(tree, p)))
    return [f for f in found if not re.search(without, os.path.basename(f))]


def make_uv(folder, cc, to):
    unix = ("async core dl fs getaddrinfo getnameinfo loop-watcher loop pipe poll process "
            "random-devurandom signal stream tcp thread tty udp linux-core linux-inotify "
            "linux-syscalls procfs-exepath random-getrandom random-sysctl-linux epoll proctitle")
    call(cc + ["-O2", "-w", "-pthread", "-D_GNU_SOURCE", "-Iinclude", "-Isrc", HERE + "/pool.c"] +
         files(folder, "src/*.c") + ["src/unix/%s.c" % f for f in unix.split()] +
         ["-ldl", "-o", to], folder)


def make_zstd(folder, cc, to):
    call(cc + ["-O2", "-w", "-pthread", "-DZSTD_MULTITHREAD", "-DZSTD_DISABLE_ASM", "-Ilib",
               HERE + "/zstd.c"] +
         files(folder, "lib/common/*.c", "lib/compress/*.c", "lib/decompress/*.c") +
         ["-o", to], folder)


def make_xz(folder, cc, to):
    tree = copy_of(folder, "configured", lambda t: call(
        ["./configure", "--disable-shared", "--disable-nls", "--disable-scripts"], t))
    inner = "common check lz rangecoder lzma delta simple"
    here = tree + "/src/liblzma/"
    call(cc + ["-O2", "-w", "-pthread", "-DHAVE_CONFIG_H", "-DTUKLIB_SYMBOL_PREFIX=lzma_",
               "-I" + tree, "-I" + tree + "/src/common", "-I" + here + "api", HERE + "/xz.c"] +
         ["-I" + here + d for d in inner.split()] +
         files(here, *[d + "/*.c" for d in inner.split()], without="tablegen|small") +
         files(tree, "src/common/tuklib_cpucores.c", "src/common/tuklib_physmem.c") +
         ["-o", to], tree)


def make_sqlite(folder, cc, to):
    def amalgamated(tree):
        call(["./configure", "--disable-tcl"], tree)
        call(["make", "sqlite3.c"], tree)

    tree = copy_of(folder, "amalgamated", amalgamated)
    call(cc + ["-O2", "-w", "-pthread", "-DSQLITE_THREADSAFE=1", "-DSQLITE_OMIT_LOAD_EXTENSION",
               "-I" + tree, HERE + "/sqlite.c", tree + "/sqlite3.c", "-o", to], tree)


def make_pigz(folder, cc, to):
    zlib = os.path.join(os.path.dirname(folder), "zlib")
    call(cc + ["-O2", "-w", "-Dmain=pigz_main", "-I" + zlib, "-c", "pigz.c", "-o", to + ".o"],
         folder)
    call(cc + ["-O2", "-w", "-pthread", "-D_LARGEFILE64_SOURCE=1", "-I" + zlib,
               HERE + "/pigz.c", to + ".o", "yarn.c", "try.c"] +
         files(folder, "zopfli/src/zopfli/*.c", without="_bin|zlib_c|gzip_c|zopfli_lib") +
         files(zlib, "*.c", without="^gz") + ["-lm", "-o", to], folder)


def make_memcached(folder, cc, to):
    def libevent_configured(tree):
        call(["./configure", "--disable-shared", "--disable-openssl", "--disable-samples",
              "--prefix=" + tree + "/installed"], tree)
        # The configure script of memcached wants to link with it.
        call(["make", "-j2", "install", "ACLOCAL=:", "AUTOCONF=:", "AUTOMAKE=:",
              "AUTOHEADER=:"], tree)
        with open(tree + "/include/event2/event-config.h", "w") as out:
            subprocess.run(["sed", "-f", "make-event-config.sed", "config.h"], cwd=tree,
                           check=True, stdout=out)

    event = copy_of(os.path.join(os.path.dirname(folder), "libevent"), "configured",
                    libevent_configured)

    def configured(tree):
        call(["./configure", "--disable-docs", "--disable-coverage",
              "--with-libevent=" + event + "/installed"], tree)

    tree = copy_of(folder, "configured", configured)
    words = (cc + ["-O2", "-w", "-pthread", "-DHAVE_CONFIG_H", "-I."] +
             ["-I" + event + d for d in ("", "/include", "/compat")])
    call(words + ["-Dmain=memcached_main", "-c", "memcached.c", "-o", to + ".o"], tree)
    call(words + [HERE + "/memcached.c", to + ".o"] +
         files(tree, "*.c", without="^(memcached|sizes|testapp|timedrun|tls|sasl_defs|xxhash|"
                                    "md5|.*_priv|proto_proxy|proxy_.*)\\.c") +
         files(event, "*.c", without="win32|iocp|openssl|async|devpoll|evport|kqueue|evdns|evrpc|"
                                     "http|event_tagging|arc4random|evthread_pthread|epoll_sub|"
                                     "wepoll|mbedtls") +
         ["-o", to], tree)


# ---- nsync: its futex mutex, whole and with an unlock that orders nothing ----

def make_nsync(folder, driver, relaxed, cc, to):
    def without(tree):
        edit(tree + "/internal/mu.c",
             r"(!ATM_CAS)_REL( \(&mu->word, MU_WLOCK, 0\))", r"\1\2")

    tree = copy_of(folder, "relaxed", without) if relaxed else folder
    here = tree + "/platform/"
    call(cc + ["-O2", "-w", "-pthread", "-DNSYNC_ATOMIC_C11", "-D_POSIX_C_SOURCE=200809L",
               "-I" + tree + "/public", "-I" + tree + "/internal"] +
         ["-I" + here + d for d in ("c11", "gcc", "linux", "x86_64", "posix")] +
         ["-DDRIVER=" + driver, HERE + "/nsync.c"] +
         files(tree, "internal/*.c", without="sem_wait_no_note") +
         files(here, "linux/src/nsync_semaphore_futex.c", "posix/src/per_thread_waiter.c",
               "posix/src/yield.c", "posix/src/time_rep.c", "posix/src/nsync_panic.c") +
         ["-o", to], tree)


def nsync_subjects():
    for driver, relaxed in (("mutex", False), ("mutex", True), ("condition", False)):
        yield Subject("nsync %s%s" % (driver, " -release" if relaxed else ""), "nsync",
                      lambda folder, cc, to, d=driver, r=relaxed:
                      make_nsync(folder, d, r, cc, to),
                      fails=("pso",) if relaxed else (),
                      holds=("sc", "tso") if relaxed else ("sc", "tso", "pso"))


def library_subjects():
    all_models = ("sc", "tso", "pso")
    os.environ["UV_THREADPOOL_SIZE"] = "2"
    for name, package, make in (("libuv pool", "libuv1", make_uv), ("zstd", "libzstd", make_zstd),
                                ("xz", "xz-utils", make_xz), ("sqlite", "sqlite3", make_sqlite),
                                ("pigz", "pigz", make_pigz),
                                ("memcached", "memcached", make_memcached)):
        yield Subject(name, package, make, holds=all_models, runs=50,
                      needs={"pigz": ["zlib"], "memcached": ["libevent"]}.get(name, []))


def subjects():
    return list(rcu_subjects()) + list(ck_subjects()) + list(nsync_subjects()) + \
        list(library_subjects())
