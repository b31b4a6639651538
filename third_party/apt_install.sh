#!/bin/sh
# Installs those of the given Debian packages that are missing; does and says nothing when none is.
set -eu

say() { echo "logitchain: $*" >&2; }

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "this is not a Debian system, so see to it yourself that these, or their like, are there: $*"
  exit 0
fi

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
  sed -n 's/^installed //p' | tr '\n' ' ')
missing=
for package; do
  case " $installed" in
    *" $package "*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

say "installing Debian packages:$missing"
if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  say 'that needs root, and there is no sudo. Please run as root:'
  say "  apt-get update && apt-get install -y --no-install-recommends$missing"
  exit 1
fi

# The output of the command that needed the packages stays clean.
# shellcheck disable=SC2086
if ! { $as_root apt-get update -q &&
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $missing; } >&2; then
  say 'apt-get failed, for the reasons above. All packages are in Debian 12 (bookworm).'
  exit 1
fi
