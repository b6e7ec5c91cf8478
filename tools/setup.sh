#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages of tools/packages that are missing.  Says
# nothing when there are none.  Where it may not install, it prints the one
# line to run and exits with 2.  Nothing else is ever downloaded.
#
# setup.sh --browser installs instead what tests/browser is run with.  Only
# ./check asks for that: nobody who uses Fencer needs it.
set -eu
cd "$(dirname "$0")/.."

wanted=$(sed '/^#/d' tools/packages)
if [ "${1-}" = --browser ]; then
    # By command: node and npm may come from elsewhere.
    wanted=
    command -v chromium >/dev/null || wanted="$wanted chromium"
    command -v node >/dev/null || wanted="$wanted nodejs"
    command -v npm >/dev/null || wanted="$wanted npm"
    [ -n "$wanted" ] || exit 0
fi
if ! command -v dpkg-query >/dev/null; then
    echo "fencer: this is not Debian; needed are the equivalents of:" \
        $wanted >&2
    exit 2
fi

# dpkg-query prints only what it knows; what is missing is the difference.
missing=
have=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted \
    2>/dev/null | sed -n 's/^installed //p' || true)
for package in $wanted; do
    case "
$have
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
sudo=
if [ "$(id -u)" != 0 ]; then
    # -n: a password prompt in the middle of a test run helps nobody, but on a
    # terminal the user can answer it.
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }
    then
        sudo=sudo
    else
        echo "fencer: packages are missing; please run:" >&2
        echo "    su -c 'apt-get update && $install'" >&2
        exit 2
    fi
fi

echo "fencer: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
if ! { $sudo apt-get -q update && $sudo $install; } >&2; then
    echo "fencer: could not install; please run:" >&2
    echo "    $sudo apt-get update && $sudo $install" >&2
    exit 2
fi
