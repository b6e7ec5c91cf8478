# SPDX-License-Identifier: MIT
#
# What the scripts of this folder share.  Each runs in a folder of its own.
set -u
here=$SOURCE/tests/e2e/cc
bad=0

complain() {
    echo "$*"
    bad=1
}

# same WHAT EXPECTED FOUND: two files are equal
same() {
    cmp -s "$2" "$3" && return
    complain "$1: output differs"
    diff "$2" "$3"
}

# exits CODE COMMAND...: with that exit code; output in `said`
exits() {
    wanted=$1
    shift
    "$@" >said 2>&1
    code=$?
    [ $code -eq "$wanted" ] && return
    complain "exit code $code, expected $wanted: $*"
    cat said
}

# said TEXT: the last command of `exits` did
said() {
    grep -qF -- "$1" said && return
    complain "not said: $1"
    cat said
}

# A second home for the tool, with a runtime that only does the accesses: what
# fails there is the instrumenter's fault alone.
make_fake() {
    rm -rf fake
    mkdir fake
    cp "$FENCER" "$(dirname "$FENCER")/fencer-llvm.so" fake
    cp -r "$SOURCE/include" fake/include
    for file in "$here/fake_rt.c" "$SOURCE/src/shared/event/event.c"; do
        clang-19 -O1 -w -I"$SOURCE/src/shared" -I"$SOURCE/src" -c "$file" \
            -o "fake/$(basename "$file" .c).o" || exit 1
    done
    ar rcs fake/libfencer_rt.a fake/fake_rt.o fake/event.o || exit 1
    FAKE=$PWD/fake/fencer
}
