#!/bin/sh
# Installs Paiju for good, beside the version that is there, and goes back to that one on request.
#
#   sudo ./install.sh         the version in this folder; an update is the same command
#   sudo ./install.sh back    the version before
#
# PREFIX (/opt/paiju) gets bin/paiju, DATA (/var/lib/paiju/data) is backed up before an update. Installed is exactly what
# requirements.lock names. The version in use is not touched until the new one has shown that it works, also with DATA.
set -eu
umask 022
cd "$(dirname "$0")"
PREFIX=${PREFIX:-/opt/paiju} DATA=${DATA:-/var/lib/paiju/data} PYTHON=${PYTHON:-python3}
LEDGER=$DATA/ledger.sqlite3 BACKUP=$DATA.before-update.tar
WANTED=${1:-this}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

points_to() {
  readlink "$PREFIX/$1" || true
}

point() { # in one step, so that a power cut leaves the old or the new
  ln -sfn "$2" "$PREFIX/$1.new"
  mv -T "$PREFIX/$1.new" "$PREFIX/$1"
}

as_owner() { # files that root leaves beside a ledger would keep its owner out
  owner=$(stat -c %U "$DATA")
  if [ "$owner" = "$(id -un)" ]; then "$@"; else runuser -u "$owner" -- "$@"; fi
}

case $WANTED in
  this | back) ;;
  *) fail "say nothing for the version in this folder, or back for the one before, not '$WANTED'." ;;
esac
if [ -e "$LEDGER.lock" ] && ! flock -n "$LEDGER.lock" true; then # held by whoever writes the ledger
  fail "Paiju is running on $DATA. Finish the hand, stop it (sudo systemctl stop paiju), then repeat."
fi
now=$(points_to current)

if [ "$WANTED" = back ]; then
  before=$(points_to before)
  [ -n "$before" ] || fail "there is no version before in $PREFIX."
  point current "$before"
  point before "$now"
  echo "Back at $("$PREFIX/bin/paiju" --version). To the other one again: ./install.sh back"
  if [ -e "$LEDGER" ] && ! as_owner "$PREFIX/bin/paiju" audit verify --data "$DATA"; then
    echo "This version cannot use the ledger of the other one: paiju restore $BACKUP --data NEW_FOLDER"
  fi
  exit 0
fi

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
  fail "Paiju needs Python 3.11 or newer as '$PYTHON': sudo apt install python3 python3-venv"
if [ -e "$PREFIX/bin" ] && [ ! -L "$PREFIX/bin" ]; then
  fail "$PREFIX holds something else: remove it, or choose another place: sudo PREFIX=/opt/table ./install.sh"
fi
mkdir -p "$PREFIX"
fresh=$(mktemp -d "$PREFIX/version-$(date +%Y%m%d)-XXXX")
chmod 755 "$fresh"
trap 'rm -rf "$fresh"; fail "the version in use was not changed."' EXIT
trap 'exit 1' INT TERM
echo "Installing into $fresh (about a minute) ..."
"$PYTHON" -m venv "$fresh"
"$fresh/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
"$fresh/bin/python" -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation .
"$fresh/bin/paiju" score --hand 123m456m789m12p55z --win 3p --self-draw >/dev/null
if [ -e "$LEDGER" ]; then
  if [ -n "$now" ]; then
    rm -f "$BACKUP.new"
    as_owner "$PREFIX/bin/paiju" backup "$BACKUP.new" --data "$DATA"
    mv "$BACKUP.new" "$BACKUP"
  fi
  as_owner "$fresh/bin/paiju" audit verify --data "$DATA"
fi
trap - EXIT

point current "${fresh##*/}"
point bin current/bin
if [ -n "$now" ]; then
  old=$(points_to before)
  point before "$now"
  [ -z "$old" ] || rm -rf "${PREFIX:?}/$old" # two versions are kept
  echo "The version before: sudo ./install.sh back"
fi
echo "Installed $("$PREFIX/bin/paiju" --version): $PREFIX/bin/paiju"
