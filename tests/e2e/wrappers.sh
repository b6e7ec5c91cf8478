#!/bin/sh
# SPDX-License-Identifier: MIT
#
# An atomic operation behind a wrapper is reported where the wrapper is called,
# by the caller's names; advice for assembly is a fence.
set -u
bad=0

# has DEFINES LINE...: the report has these lines.
has() {
    rm -rf out
    "$FENCER" verify --out out --no-color --cflags "$1" \
        "$SOURCE/tests/e2e/wrappers/wrapped.c" >report 2>&1
    what=$1
    shift
    for line in "$@"; do
        grep -qxF "$line" report && continue
        echo "'$what': no line '$line':"
        cat report
        bad=1
    done
}

has -DSB "  (1) T1  wrapped.c:35  store x = 1" \
    "  (2) T1  wrapped.c:36  load y, 0" \
    "Fence: store-load, after line 35 of wrapped.c: fencer_fence_sl() or"
has -DCAS "  (2) T1  wrapped.c:50  store x = 1" \
    "  (3) T2  wrapped.c:58  read-modify-write x, 2"
has -DFENCED "  (2) T1  wrapped.c:74  store box.ready = 1" \
    "  (3) T2  wrapped.c:80  load box.ready, 1" \
    "Change: wrapped.c:74: box.ready: memory_order_relaxed -> memory_order_release"
has "" "  (2) T1  wrapped.c:88  store box.ready = 1" \
    "  (3) T2  wrapped.c:94  load box.ready, 1" \
    "Change: wrapped.c:88: box.ready: memory_order_relaxed -> memory_order_release"

# A helper's parameter depends on what its callers give, not on all they read.
rm -rf out
"$FENCER" verify --out out --no-color --model pslo --cflags -DBROKEN \
    "$SOURCE/tests/ordinary/seqcount-kernel.c" >report 2>&1
! grep -q Alpha report || { echo "for Alpha alone:"; cat report; bad=1; }
exit $bad
