#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Whatever graphs observe on a model, its machine can show: of random programs
# with objects of the thread library one outcome on each model is forbidden by
# an assertion, and that must fail.  FENCER_LONG=1 takes more programs.
set -u
bad=0

# write SEED: the program as program.c.
write() {
    awk -v seed="$1" '
    function any(n) { return int(rand() * n) }
    function var() { return "&v" any(2) ", " }
    function read(value) { return "r[" reads++ "] = " value "; " }
    function locked(what) {
        return "pthread_mutex_lock(&m); " what "pthread_mutex_unlock(&m); "
    }
    function step(kind) {
        kind = any(12)
        if (kind == 0) return read("__atomic_load_n(" var() "0)")
        if (kind == 1) return "__atomic_store_n(" var() 1 + any(3) ", 0); "
        if (kind == 2) return read("__atomic_fetch_add(" var() 1 + any(3) ", 0)")
        if (kind == 3) return locked(read("p++"))
        if (kind == 4) return locked("p++; pthread_cond_signal(&c); ")
        if (kind == 5) return "sem_post(&s); "
        if (kind == 6) return read("sem_trywait(&s)")
        if (kind == 7) return "pthread_rwlock_wrlock(&l); q++; " \
            "pthread_rwlock_unlock(&l); "
        if (kind == 8) return "pthread_rwlock_rdlock(&l); " read("q") \
            "pthread_rwlock_unlock(&l); "
        if (kind == 9) return "pthread_once(&o, init); "
        if (kind == 10) return "__atomic_thread_fence(__ATOMIC_SEQ_CST); usleep(1); "
        return locked("while (!p) pthread_cond_wait(&c, &m); " read("p"))
    }
    function steps(n, all) {
        while (n--) all = all step()
        return all
    }
    BEGIN {
        srand(seed)
        print "#include <assert.h>\n#include <fencer.h>\n#include <pthread.h>"
        print "#include <semaphore.h>\n#include <unistd.h>"
        print "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
        print "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
        print "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;"
        print "static pthread_once_t o = PTHREAD_ONCE_INIT;"
        print "static sem_t s;\nstatic int v0, v1, p, q, r[32];"
        print "static void init(void) { q += 10; }"
        for (i = 0; i < 2; i++)
            print "static void *run" i "(void *a) { " steps(1 + any(3)) "return a; }"
        print "int main(void)\n{\n    pthread_t t[2];\n    sem_init(&s, 0, 0);"
        for (i = 0; i < 2; i++)
            print "    pthread_create(&t[" i "], NULL, run" i ", NULL);"
        print "    " steps(any(2)) "\n    pthread_join(t[0], NULL);"
        # Who waits is let go.
        print "    " steps(any(3)) "\n    " locked("p++; pthread_cond_broadcast(&c); ")
        print "    pthread_join(t[1], NULL);\n    " read("v0") read("v1") read("p")
        print "#ifdef OUTCOME\n    int same = 1, x[] = {OUTCOME};"
        print "    for (int i = 0; i < " reads "; i++)\n        same &= x[i] == r[i];"
        print "    assert(!same);\n#else\n    for (int i = 0; i < " reads "; i++)"
        print "        fencer_observe(\"r\", r[i]);\n#endif\n    return 0;\n}"
    }' >program.c
}

# verify MODEL FLAGS
verify() {
    rm -rf out
    "$FENCER" verify --out out --quiet --log verify --model "$1" --cflags "$2" \
        --json answer.json program.c >/dev/null 2>log
}

# brought_about MODEL: the outcome that the answer has last.
brought_about() {
    numbers=$(sed -n 's/^ *"outcome": "\(.*\)",*$/\1/p' answer.json | tail -1 |
        sed 's/r=//g; s/ /,/g')
    [ -n "$numbers" ] || return
    verify "$1" "-DOUTCOME=$numbers"
    code=$?
    if [ $code -ne 1 ] || grep -q 'brought about' log; then
        echo "seed $seed, $1, outcome $numbers: exit code $code"
        cat program.c
        bad=1
    fi
}

seed=1
last=12
[ -z "${FENCER_LONG-}" ] || last=100
while [ $seed -le $last ]; do
    write $seed
    for model in sc tso pso pslo; do
        verify sc,$model ''
        code=$?
        ! grep 'not explored as graphs\|brought about' log || {
            echo "seed $seed"
            bad=1
        }
        [ $code -le 1 ] || { echo "seed $seed, $model: exit code $code"; bad=1; }
        brought_about $model
    done
    seed=$((seed + 1))
done
exit $bad
