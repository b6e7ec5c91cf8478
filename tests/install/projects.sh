# SPDX-License-Identifier: MIT
#
# Installs Fencer under a prefix, moves it, and uses it there: by itself, with
# CMake, with make, with Meson (skipped where it is not installed), with
# pkg-config and another compiler.
set -u
build=$1
bad=0
say() {
    echo "$1"
    [ -f out ] && tail -n 30 out
    bad=1
}
rm -rf ./* .fencer
work=$PWD
DESTDIR=$work/staged cmake --install "$build" --prefix /opt/fencer >out 2>&1 ||
    say "cmake --install"
mv staged/opt/fencer "$work/moved here"
rmdir staged/opt staged || say "something is outside of the prefix"
prefix="$work/moved here"
grep -rIl "$work\|/opt/fencer" "$prefix/bin" "$prefix"/lib*/cmake \
    "$prefix"/lib*/pkgconfig && say "a file knows where it was"
libdir=$(dirname "$(readlink -f "$prefix/bin/fencer")")/..
PATH=$prefix/bin:$PATH
PKG_CONFIG_PATH=$libdir/pkgconfig
export PATH PKG_CONFIG_PATH
for file in share/man/man1/fencer.1 share/man/man1/fencer-verify.1 \
    share/man/man5/fencer-trace.5 \
    share/bash-completion/completions/fencer \
    share/fish/vendor_completions.d/fencer.fish; do
    [ -s "$prefix/$file" ] || say "no $file"
done

# ---- By itself ----

cp "$SOURCE"/examples/*.c .
[ "$(command -v fencer)" = "$prefix/bin/fencer" ] || say "another fencer"
fencer verify --quiet --no-cache sb.c >out 2>&1
[ $? = 1 ] || say "verify"
fencer check --quiet --cflags -DFENCED queue.c >out 2>&1 || say "check"
fencer doctor >out 2>&1 || say "doctor"
fencer-cc -o sb sb.c -pthread >out 2>&1 || say "fencer-cc"
fencer run --quiet ./sb >out 2>&1
[ $? = 1 ] || say "run"

# ---- pkg-config, for compilers without Fencer ----

cat >uses.c <<'END'
#include <fencer.h>
int main(void) { fencer_fence_full(); return (int)fencer_choose(1); }
END
if command -v pkg-config >/dev/null; then
    flags=$(pkg-config --cflags fencer) || say "pkg-config"
    eval "${CC:-gcc-12} -std=c11 $flags uses.c -o uses" >out 2>&1 ||
        say "fencer.h without Fencer"
    ./uses || say "fencer.h does something without Fencer"
fi

# ---- CMake ----

cmake -S "$SOURCE/examples/cmake" -B cmake -DCMAKE_PREFIX_PATH="$prefix" \
    >out 2>&1 && cmake --build cmake >>out 2>&1 || say "cmake: no build"
(cd cmake && ctest -V) >out 2>&1 || say "cmake: tests"
grep -q '100% tests passed, 0 tests failed out of 4' out || say "cmake: not four"
# Both sides: what is not as expected fails, and says so.
mkdir other && sed 's|\.\./|'"$SOURCE"'/examples/|; s/EXPECT fail/EXPECT pass/
    s/EXPECT pass)/EXPECT unknown)/' "$SOURCE/examples/cmake/CMakeLists.txt" \
    >other/CMakeLists.txt
cmake -S other -B wrong -DCMAKE_PREFIX_PATH="$prefix" >out 2>&1
cmake --build wrong >>out 2>&1
(cd wrong && ctest -V) >out 2>&1 && say "cmake: all as expected"
grep -q 'expected unknown: exit code 3, but it is 1' out || say "cmake: unsaid"
grep -q '50% tests passed, 2 tests failed out of 4' out || say "cmake: others"
sed 's/find_package(Fencer REQUIRED)/find_package(Fencer 9.0 REQUIRED)/' \
    other/CMakeLists.txt >other/new && mv other/new other/CMakeLists.txt
cmake -S other -B newer -DCMAKE_PREFIX_PATH="$prefix" >out 2>&1 &&
    say "cmake: version 9"

# ---- make ----

mkdir make && cp "$SOURCE/examples/make/Makefile" make
(cd make && make && ./mp && make check) >out 2>&1 || say "make"
grep -q 'no execution fails in fenced/mp' out || say "make: not verified"
(cd make && make verify-sb) >out 2>&1 && say "make: sb is fine"

# ---- Meson ----

if command -v meson >/dev/null; then
    mkdir meson && cp "$SOURCE"/examples/meson/* meson
    (cd meson && meson setup build && meson test -C build) >out 2>&1 ||
        say "meson"
    grep -q 'Ok: *2' out || say "meson: not two tests"
    [ ! -e .fencer/suite ] || say "meson: findings beside the sources"
else
    echo "no meson here: not tried"
fi
exit $bad
