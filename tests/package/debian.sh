#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the Debian package from the tree, asks lintian, installs the package
# in a clean chroot, uses it there, and removes it.  Takes some minutes and the
# network: only with FENCER_LONG=1, by root, where debootstrap is.
#
#   FENCER_DEB     a package that was built already
#   FENCER_MIRROR  where Debian comes from, http://deb.debian.org/debian
set -u
skip() {
    echo "skipped: $1"
    exit 77
}
[ -n "${FENCER_LONG:-}" ] || skip "FENCER_LONG=1 builds the package"
[ "$(id -u)" = 0 ] || skip "a chroot wants root"
for tool in debootstrap dpkg-buildpackage dh lintian; do
    command -v $tool >/dev/null || skip "$tool is not installed"
done
mirror=${FENCER_MIRROR:-http://deb.debian.org/debian}
bad=0
say() {
    echo "$1"
    [ -s log ] && tail -n 30 log
    bad=1
}
work=$(mktemp -d)
root=$work/root
finish() {
    umount "$root/proc" 2>/dev/null
    rm -rf --one-file-system "$work"
}
trap finish EXIT
cd "$work" || exit 3

# ---- Built, from a copy: what is built stays out of the tree ----

deb=${FENCER_DEB:-}
if [ -z "$deb" ]; then
    mkdir fencer
    (cd "$SOURCE" && tools/files | tar cf - -T -) | tar xf - -C fencer
    (cd fencer && dpkg-buildpackage -b -us -uc -d) >log 2>&1 ||
        { say "dpkg-buildpackage"; exit 1; }
    deb=$(ls "$work"/fencer_*.deb)
fi
lintian --fail-on error,warning "$deb" >log 2>&1 || say "lintian"

# ---- A clean system: only what the package asks for ----

debootstrap --variant=minbase bookworm "$root" "$mirror" >log 2>&1 ||
    { say "debootstrap"; exit 1; }
mount -t proc proc "$root/proc" || say "no /proc in the chroot"
cp /etc/resolv.conf "$root/etc/"
cp "$deb" "$root/tmp/fencer.deb"
cp "$SOURCE"/examples/*.c "$SOURCE"/examples/fencer.toml "$root/tmp"
inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
        DEBIAN_FRONTEND=noninteractive sh -c "cd /tmp && $1" >log 2>&1
}
inside 'apt-get update &&
    apt-get install -y --no-install-recommends ./fencer.deb' ||
    { say "apt-get install"; exit 1; }

inside 'fencer verify --model sc,tso,arm,c11 sb.c'
[ $? = 1 ] && grep -q '^fails on x86, ARM and C11; right on SC' log ||
    say "verify of a wrong program"
inside 'fencer verify --model sc,tso --cflags -DFENCED sb.c' || say "verify"
inside 'fencer check --cflags -DFENCED queue.c' || say "check"
inside 'fencer-cc -pthread -o sb sb.c' || say "fencer-cc"
inside 'fencer run ./sb'
[ $? = 1 ] && grep -q '^assertion failed' log || say "run of what fencer-cc built"
# What the workflow of examples/github runs.
sed -n 's/^ *run: \(fencer .*\)/\1/p' "$SOURCE/examples/github/fencer.yml" >steps
grep -q suite steps || say "the workflow has no such step"
while read -r step; do
    inside "$step </dev/null" || say "$step"
done <steps
[ -s "$root/tmp/fencer.sarif" ] || say "no SARIF"
inside 'ls /usr/share/man/man1/fencer-verify.1.gz' || say "no manual pages"

inside 'apt-get purge -y fencer && ! command -v fencer' || say "purge"
inside 'find /usr /etc /var/lib -name "*fencer*" | grep . && exit 1 || true' ||
    say "something stays behind"
exit $bad
