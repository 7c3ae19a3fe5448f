#!/bin/sh
# Installs this folder's chat for one user: ./install.sh [PREFIX], by default ~/.local.
# ./install.sh --remove [PREFIX] takes it away; what you kept with it stays.

set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
remove=no
[ "${1-}" = --remove ] && { remove=yes; shift; }
prefix=${1:-$HOME/.local}

cd "$here"
find bin share -type f | while IFS= read -r file; do
    if [ $remove = yes ]; then
        rm -f "$prefix/$file"
        continue
    fi
    mkdir -p "$prefix/$(dirname "$file")"
    # Beside its place and renamed: a running chat keeps its own file.
    cp "$file" "$prefix/$file.new"
    mv -f "$prefix/$file.new" "$prefix/$file"
done
[ $remove = yes ] && { echo "removed from $prefix"; exit 0; }
echo "installed $prefix/bin/chat"
case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "Your PATH lacks it; for now: PATH=\"$prefix/bin:\$PATH\"; for good, that line in ~/.profile" ;;
esac
