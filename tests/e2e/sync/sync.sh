# SPDX-License-Identifier: MIT
#
# The modelled thread library, in whole programs.  sync.sh right NAME: NAME.c
# has no failure, on any model, under any strategy.  sync.sh wrong: each case of
# wrong.c fails in the words given here, and its right twin does not.  sync.sh
# relaxed: the rows on synchronisation of the table in docs/models.md.
set -eu
here=$SOURCE/tests/e2e/sync
bad=0

build() {
    "$FENCER" cc -g "$here/$1.c" -o "$1"
}

# run EXIT ARGUMENTS...: that exit code, else the output and a failed test.
run() {
    expected=$1
    shift
    code=0
    "$FENCER" run --no-color "$@" >output 2>&1 || code=$?
    [ "$code" = "$expected" ] && return
    echo "fencer run $*: exit $code, not $expected"
    tail -n 60 output
    bad=1
}

# fails CASE WORDS MODEL...: found on each of those models, in those words.
fails() {
    case=$1
    words=$2
    shift 2
    for model; do
        run 1 --model "$model" --runs 2000 ./wrong -- "$case"
        grep -q -e "$words" output && continue
        echo "$case on $model: nothing said of '$words'"
        head -n 5 output
        bad=1
    done
}

# verified MODELS CODE CASE...: what verify says of each.
verified() {
    models=$1
    want=$2
    shift 2
    for case; do
        code=0
        "$FENCER" verify --no-color --out o --model "$models" ./wrong -- \
            "$case" >output 2>&1 || code=$?
        [ $code = "$want" ] && continue
        echo "fencer verify $case: exit $code, not $want"
        head -n 5 output
        bad=1
    done
}

refused() {
    run 3 --model tso --runs 2 ./wrong -- "$1"
    grep -q -e "$2" output && return
    echo "$1: nothing said of '$2'"
    head -n 5 output
    bad=1
}

right() {
    build "$1"
    for strategy in random pct pos rr; do
        run 0 --model all --strategy $strategy --runs 400 "./$1"
    done
    run 0 --model all --locks paper --runs 200 "./$1"
    run 0 --model all --by-process --runs 20 "./$1"
    # Nothing that the program calls is unknown.
    ! grep 'is not modelled' output || bad=1
}

wrong() {
    build wrong
    fails crossed 'waits for a mutex held by thread 2' sc tso pso pslo
    fails relock 'a mutex that it holds itself' tso
    fails abandoned 'waits for a mutex held by thread' tso
    fails upgraded 'deadlock: .*waits for a write lock' tso
    fails reader-writer 'deadlock: .*waits for a read lock' tso pso
    fails spun 'a spin lock that it holds itself' tso
    fails nested-once 'deadlock: .*pthread_once' tso
    fails lost 'lost wake-up: .*a condition variable' sc tso pso pslo
    fails one-signal 'lost wake-up: .*a condition variable' tso pso
    fails too-few-posts 'waits for a semaphore' tso
    fails too-few-arrive 'deadlock: .*a barrier' tso
    fails try-for-ever 'livelock' tso
    fails sleep-for-ever 'livelock' tso
    fails unlock-unlocked 'pthread_mutex_unlock: the mutex is not locked' tso
    fails unlock-twice 'pthread_mutex_unlock: the mutex is not locked' tso pso
    fails unlock-of-other 'pthread_mutex_unlock: the mutex is' tso
    fails wait-unlocked 'pthread_cond_wait: the mutex is not locked' tso
    fails rw-unlock-unlocked 'pthread_rwlock_unlock: the lock is not' tso
    fails spin-unlock-unlocked 'pthread_spin_unlock: the lock is not' tso
    fails destroy-awaited 'destroyed while thread 1 waits' tso
    fails no-barrier 'the barrier is not initialised' tso
    fails lock-freed 'use after free' tso
    fails lock-null 'null pointer' tso
    fails destroy-locked 'the mutex is destroyed while thread' tso
    fails destroy-held 'the mutex is destroyed while thread 0 holds it' sc pso
    fails destroy-rw 'the lock is destroyed while it is locked' tso
    fails destroy-spin 'the lock is destroyed while it is locked' tso
    fails use-destroyed 'the mutex was destroyed' sc tso
    fails init-held 'made anew while thread 1 holds it' sc tso
    fails rw-init-held 'made anew while it is locked' sc pso
    fails rw-use-destroyed 'the lock was destroyed' sc tso
    fails rw-unlock-of-other 'the lock is held by other threads' sc pslo
    fails cond-init-awaited 'made anew while thread 1 waits' sc tso
    fails cond-use-destroyed 'the condition variable was destroyed' sc
    fails sem-init-awaited 'made anew while thread 1 waits' sc tso
    fails sem-use-destroyed 'the semaphore was destroyed' sc
    fails spin-init-held 'made anew while thread 1 holds it' sc pso
    fails spin-use-destroyed 'the lock was destroyed' sc
    fails barrier-init-awaited 'made anew while 1 threads wait' sc
    fails barrier-use-destroyed 'the barrier was destroyed' sc
    verified sc,pso 1 rw-init-held rw-use-destroyed rw-unlock-of-other \
        cond-init-awaited cond-use-destroyed sem-use-destroyed spin-init-held \
        spin-use-destroyed barrier-init-awaited barrier-use-destroyed
    fails never-times-out 'assertion failed: outcome != ETIMEDOUT' tso
    fails never-signalled 'assertion failed: outcome != 0' tso
    fails not-fifo 'assertion failed: first_woken == 1' tso
    fails kill-thread 'the program sent itself SIGUSR1' tso
    refused too-many-threads 'more than 1024 threads'
    for twin in crossed+ lost+ polled+ outlived+ init-held+ all-again+ \
        all-in-old-memory+; do
        run 0 --model sc,tso,pso,pslo --runs 1000 ./wrong -- $twin
        for strategy in pct pos rr; do
            run 0 --model tso,pso --strategy $strategy --runs 300 ./wrong -- \
                $twin
        done
    done
}

# table CASE SC TSO PSO PSLO [OPTIONS]: the exit code on each model.
table() {
    case=$1
    codes="$2 $3 $4 $5"
    shift 5
    for model in sc tso pso pslo; do
        run "${codes%% *}" --model $model --runs 4000 "$@" ./relaxed -- "$case"
        codes=${codes#* }
    done
}

relaxed() {
    build relaxed
    table plain 0 1 1 1
    for locks in mutexes rwlocks spins; do
        table $locks 0 0 1 1
        table $locks 0 1 1 1 --locks paper
    done
    table locks-after 0 0 1 1
    table posts 0 0 0 1
    table signals 0 0 0 1
    table trylock 0 0 1 1
    table handed-over 0 0 0 0
    table handed-over 0 0 0 0 --locks paper
    table create-and-join 0 0 0 0
}

"$@"
exit $bad
