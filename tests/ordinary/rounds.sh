#!/bin/sh
# SPDX-License-Identifier: MIT
#
# rounds.sh [FIRST [COUNT]]: is it right which rounds of a loop are left out?
# Random programs in which a reader tries until it may stop; a try reads shared
# variables, all or in part under a mutex, and reads and writes a struct of the
# reader's own, by itself and by the library, parts of which are observed at the
# end.  With -DROUNDS=n the tries are counted, which makes every round a real one,
# and executions with more of them do not count.  Both must observe the same.
set -u
first=${1:-1}
count=${2:-12}
bad=0

generate() {
    awk -v seed="$1" '
    function pick(n) { return int(rand() * n) }
    function field() { return "s->" substr("abc", pick(3) + 1, 1) }
    function text() { return "(char *)&" field() }
    function shared() { return "load(&" (pick(2) ? "x" : "y") ")" }
    function put(   k) {
        k = pick(9)
        if (k == 7) return "strcpy(" text() ", " text() ");"
        if (k == 8) return "if (!strcmp(" text() ", " text() ")) " field() \
            " = " shared() ";"
        if (k < 2) return field() " = " shared() ";"
        if (k == 2) return field() " = " field() ";"
        if (k == 3) return field() " = " pick(2) ";"
        if (k == 4) return field() " = 1 - (" field() " & 1);"
        if (k == 5) return "if (" field() " == " pick(2) ") " field() " = " \
            shared() ";"
        return "if (" shared() " == " pick(2) ") " field() " = " field() ";"
    }
    BEGIN {
        srand(seed)
        print "#include <fencer.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <string.h>"
        print "static atomic_int x, y;\nstruct seen { int a, b, c; };"
        print "#define load(p) atomic_load_explicit(p, memory_order_relaxed)"
        print "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
        print "#define lock() pthread_mutex_lock(&m)"
        print "#define unlock() pthread_mutex_unlock(&m)"
        print "static int try(struct seen *s)\n{"
        locks = pick(3)
        print "    int done;"
        for (i = at = 2 + pick(3); i; i--) {
            if (locks && i == at - (locks == 2)) print "    lock();"
            print "    " put()
        }
        print "    done = load(&x) == 2;"
        if (locks) print "    unlock();"
        print "    return done;\n}"
        print "static void *reader(void *u)\n{"
        print "    struct seen own = {0, 0, 0}, *s = &own;\n    int n = 0;"
        print "    while (!try(s))\n#ifdef ROUNDS"
        print "        if (++n == ROUNDS)\n            fencer_assume(0);"
        print "#else\n        ;\n#endif\n    (void)n;"
        all = 1 + pick(7)
        for (i = 0; i < 3; i++)
            if (int(all / 2 ^ i) % 2) {
                f = substr("abc", i + 1, 1)
                print "    fencer_observe(\"" f "\", s->" f ");"
            }
        print "    return u;\n}"
        print "int main(void)\n{\n    pthread_t t;"
        print "    pthread_create(&t, 0, reader, 0);"
        at = pick(3)
        for (i = 0; i < 3; i++) {
            guarded = locks && pick(2)
            print "    " (guarded ? "lock(); " : "") "atomic_store_explicit(&" \
                (i == at ? "y, 1" : i == 2 || (i == 1 && at == 2) ? "x, 2" : \
                 "x, 1") ", memory_order_relaxed);" (guarded ? " unlock();" : "")
        }
        print "    pthread_join(t, 0);\n    return 0;\n}"
    }' </dev/null
}

# observed FLAGS: what is, on each model; or that it is not what SC observes:
# then the search ends there.
observed() {
    rm -rf out out.json
    timeout 60 "$FENCER" verify --out out --json out.json --quiet --unroll 50 \
        --model sc,pso,pslo --cflags "$1" program.c >out.txt 2>&1
    awk '/"model":/ { model = $2 }
        /"property_broken":/ { broken = $2; print model, broken }
        /"outcome":/ && broken ~ /no/ { $1 = model; print }' out.json | sort
}

seed=$first
while [ "$seed" -lt $((first + count)) ]; do
    generate "$seed" >program.c
    observed "" >all
    observed "-DROUNDS=9" >counted
    if ! cmp -s all counted || grep -q unknown all; then
        echo "program $seed: with every round (right) others are observed"
        diff all counted
        cat program.c
        bad=1
    fi
    seed=$((seed + 1))
done
exit $bad
