#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A library call is no fence: between the stores of a message and its flag it
# changes nothing.  Each line of the list is what stands there; the program
# fails on PSO and PSLO, its twin with a release store on none.  Between the
# reader's loads, on PSLO alone.  What does act as a fence is named under the
# limits.
set -u
bad=0

cat >call.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#ifdef FIXED
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_relaxed
#define LOAD memory_order_relaxed
#endif
#ifdef READER
#define WRITER_CALL
#define READER_CALL CALL
#undef STORE
#define STORE memory_order_release
#else
#define WRITER_CALL CALL
#define READER_CALL
#undef LOAD
#define LOAD memory_order_acquire
#endif

int data;
atomic_int flag;
char name[8] = "name", other[8] = "name";

int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static void *writer(void *unused)
{
    char buffer[32] = "7";
    char *end = buffer;
    volatile long sink = 0;

    data = 42;
    WRITER_CALL;
    atomic_store_explicit(&flag, 1, STORE);
    (void)sink;
    (void)end;
    return unused;
}

static void *reader(void *unused)
{
    char buffer[32] = "7";
    char *end = buffer;
    volatile long sink = 0;

    if (atomic_load_explicit(&flag, LOAD)) {
        READER_CALL;
        assert(data == 42);
    }
    (void)sink;
    (void)end;
    return unused;
}

int main(void)
{
    pthread_t w, r;

    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
END

# says EXIT MODEL FLAGS...: of the call under test.
says() {
    want=$1
    model=$2
    shift 2
    rm -rf .fencer
    "$FENCER" verify --no-color --model "$model" --cflags "'-DCALL=$call' $*" \
        call.c >out 2>&1
    got=$?
    [ $got -eq "$want" ] && return
    echo "$call: $model $*: exit code $got, expected $want"
    cat out
    bad=1
}

# Each alone: a printf of numbers, of text that nobody else writes, of text
# that threads share; and so on.
while read -r call; do
    says 1 pso
    says 1 pslo -DREADER
    says 0 pso,pslo -DFIXED
    says 0 pslo -DFIXED -DREADER
    ! grep -q 'full fence' out || {
        echo "$call: is said to be a fence"
        bad=1
    }
done <<'END'
printf("%d", 7)
printf("%s", buffer)
printf("%-8.3s|%5d", name, 7)
puts(name)
fputs(name, stderr)
fwrite(name, 1, 4, stdout)
fflush(stdout)
snprintf(buffer, sizeof buffer, "%d", 7)
snprintf(buffer, sizeof buffer, "%s", name)
strcpy(buffer, name)
memcpy(buffer, name, 8)
memset(buffer, 0, 8)
sink = (long)strlen(name)
sink = strcmp(name, other)
sink = memcmp(name, other, 4)
sink = (long)strchr(name, 109)
sink = strtol(buffer, &end, 10)
sink = atoi(name)
free(malloc(16))
free(strdup(name))
sink = (long)getenv("HOME")
sink = (long)time(NULL)
write(1, name, 4)
write(2, buffer, 1)
qsort(buffer, 4, 1, compare)
qsort(name, 4, 1, compare)
sink = (long)bsearch(name, other, 4, 1, compare)
sink = (long)strtok_r(buffer, "7", &end)
sink = (long)strsep(&end, other)
END

# What is left of fences is said aloud.
while read -r call; do
    says 0 pso
    grep -q 'acts as a full fence' out || {
        echo "$call: acts as a fence, and nobody is told"
        cat out
        bad=1
    }
done <<'END'
sink = (long)strsignal(2)
sink = (long)getenv(name)
END
exit $bad
