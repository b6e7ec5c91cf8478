# SPDX-License-Identifier: MIT
#
# Build systems: make with dependency files, a configure script's probes, and
# CMake, each with nothing but another compiler.
. "$SOURCE/tests/e2e/cc/lib.sh"
cc="$FENCER cc"
rm -rf make cmake
mkdir make cmake

cat >make/main.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include "counter.h"
static void *work(void *arg) { (void)arg; count(); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    count();
    pthread_join(t, NULL);
    printf("%d\n", counted());
    return 0;
}
C
cat >make/counter.h <<'C'
void count(void);
int counted(void);
C
cat >make/counter.c <<'C'
#include <stdatomic.h>
#include "counter.h"
static atomic_int n;
void count(void) { n++; }
int counted(void) { return n; }
C
cp make/*.[ch] cmake
cat >make/Makefile <<'C'
CFLAGS = -O2 -g -Wall -MMD
LDLIBS = -lpthread
prog: main.o libcounter.a
	$(CC) $(LDFLAGS) -o $@ main.o -L. -lcounter $(LDLIBS)
libcounter.a: counter.o
	ar rcs $@ counter.o
-include main.d counter.d
C
exits 0 make -C make CC="$cc"
[ "$(make/prog)" = 2 ] || complain "make's program is wrong"
[ -f make/main.d ] || complain "no dependency file"
grep -q '^main.o:.*counter.h' make/main.d || complain "wrong dependency file"
exits 0 make -C make CC="$cc"
said 'up to date'

cat >cmake/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(counter C)
find_package(Threads REQUIRED)
include(CheckFunctionExists)
include(CheckIncludeFile)
check_function_exists(snprintf HAVE_SNPRINTF)
check_function_exists(no_such_function HAVE_NOTHING)
check_include_file(fencer.h HAVE_FENCER_H)
if(NOT HAVE_SNPRINTF OR HAVE_NOTHING OR NOT HAVE_FENCER_H)
  message(FATAL_ERROR "probes go wrong")
endif()
add_library(counter STATIC counter.c)
add_executable(prog main.c)
target_link_libraries(prog counter Threads::Threads)
C
printf '#!/bin/sh\nexec "%s" cc "$@"\n' "$FENCER" >fcc
chmod +x fcc
exits 0 cmake -S cmake -B cmake/build -DCMAKE_C_COMPILER="$PWD/fcc" \
    -DCMAKE_BUILD_TYPE=Release
exits 0 cmake --build cmake/build
[ "$(cmake/build/prog)" = 2 ] || complain "cmake's program is wrong"

# What ./configure does: compile, link, run, and look for functions.
cat >conftest.c <<'C'
#include <stdio.h>
int main(void) { FILE *f = fopen("conftest.out", "w"); return f ? fclose(f) != 0 : 1; }
C
exits 0 $cc -o conftest -g -O2 conftest.c
rm -f conftest.out
exits 0 ./conftest
[ -f conftest.out ] || complain "a configure probe writes no file"
echo 'char no_such(void); int main(void) { return no_such(); }' >conftest.c
exits 1 $cc -o conftest conftest.c
said 'no_such'
echo 'int main(void) { return sizeof(long) == 8 ? 0 : 1; }' >conftest.c
exits 0 $cc -o conftest conftest.c
exits 0 ./conftest
echo '#include <no/such/header.h>' >conftest.c
exits 1 $cc -E conftest.c
exit $bad
