#!/usr/bin/env bash
# Installs the Debian package in a root of its own that has nothing of this project, opens dumps in it as a stranger would, removes it, and
# looks for what stayed.
#
#   packaging/try_deb.sh [PACKAGE.deb] [DUMP.jsonl]
#
# Needs root, debootstrap, and a Debian mirror for the root and for what the package depends on (MIRROR; default: that of this machine).
# SUITE: default bookworm. WORK: where root and pictures go, default build/try-deb; a base root that is there already is used again.
set -euo pipefail
cd "$(dirname "$0")/.."

deb=${1:-$(ls -t dist/*.deb | head -1 || true)}
dump=${2:-}
suite=${SUITE:-bookworm}
work=$(realpath -m "${WORK:-build/try-deb}")
mirror=${MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' | head -1 || true)}
base=$work/base-$suite root=$work/root id=io.github.transcript_inspector.TranscriptInspector
# What a small desktop has: a display, a window manager, a file manager, the openers, an editor that JSON opens in.
desktop="xvfb openbox pcmanfm mousepad xdotool imagemagick xdg-utils shared-mime-info desktop-file-utils hicolor-icon-theme libglib2.0-bin man-db procps"

say() { printf '\n== %s\n' "$*"; }
die() { printf 'try_deb: %s\n' "$*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die "run this as root: it makes a root of its own and enters it"
command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap"
[ -f "$deb" ] || die "there is no package $deb: make deb"
mkdir -p "$work"

inside() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_stranger() { # the person who double-clicks: no root, and no network
  unshare --net chroot --userspec=1000:1000 "$root" /usr/bin/env -i HOME=/home/stranger USER=stranger DISPLAY=:7 \
    PATH=/usr/bin:/bin LANG=C.UTF-8 XDG_CURRENT_DESKTOP=LXDE "$@"
}
away() { umount -l "$root"/proc "$root"/dev/shm "$root"/dev/pts "$root"/dev 2>/dev/null || true; }
stop() { [ -z "${display:-}" ] || kill "$display" 2>/dev/null || true; away; }
trap stop EXIT

say "a fresh root: $suite"
if [ ! -f "$base/.whole" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase "$suite" "$base" "$mirror" >"$work/debootstrap.log" 2>&1 || die "debootstrap failed: $work/debootstrap.log"
  cp /etc/resolv.conf "$base/etc/resolv.conf"; cp /etc/hosts "$base/etc/hosts"
  cp -r /etc/apt/apt.conf.d/. "$base/etc/apt/apt.conf.d/" 2>/dev/null || true
  [ ! -f /etc/ssl/certs/ca-certificates.crt ] || install -D /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/ca-certificates.crt"
  touch "$base/.whole"
fi
away; rm -rf "$root"; cp -a "$base" "$root"
mount -t proc proc "$root/proc"; mount --bind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/dev/shm"
inside useradd -m -u 1000 stranger
echo "$(. "$root/etc/os-release"; echo "$PRETTY_NAME"), $(inside dpkg -l | grep -c '^ii') packages, Python: $(inside sh -c 'command -v python3 || echo none')"

say "a small desktop in it, without the package"
inside sh -c "apt-get update -qq && apt-get install -y -qq --no-install-recommends $desktop" >"$work/desktop.log" 2>&1 || die "see $work/desktop.log"
tree() { inside find / -xdev -path /proc -prune -o -path /dev -prune -o -path /tmp -prune -o -print | sort; }
tree >"$work/before.txt"; inside dpkg-query -f '${Package}\n' -W | sort >"$work/packages-before.txt"

say "install $(basename "$deb")"
cp "$deb" "$root/tmp/it.deb"
inside apt-get install -y -qq --no-install-recommends /tmp/it.deb >"$work/install.log" 2>&1 || { tail -5 "$work/install.log"; die "see $work/install.log"; }
inside dpkg -s transcript-inspector | sed -n '/^Package\|^Status\|^Version\|^Installed-Size\|^Depends/p'
inside dpkg -L transcript-inspector >"$work/files.txt"
echo "$(wc -l <"$work/files.txt") paths; came along: $(inside dpkg-query -f '${Package}\n' -W | sort | comm -13 "$work/packages-before.txt" - | grep -vc '^transcript-inspector$') packages"
lost=$(inside sh -c 'LD_LIBRARY_PATH=/usr/lib/transcript-inspector/_internal; export LD_LIBRARY_PATH
  find /usr/lib/transcript-inspector -name "*.so*" -type f | while read -r library; do ldd "$library" | sed -n "s/ => not found//p"; done | sort -u')
[ -z "$lost" ] && echo "every library finds what it needs" || die "libraries are missing: $lost"

say "the command line, as somebody without rights, without a network"
as_stranger transcript-inspector --version
as_stranger sh -c 'cd; transcript-inspector check /usr/lib/transcript-inspector/_internal/app/incident/invoice-agent-0412.json; echo "status $?"' | tail -5
as_stranger sh -c 'cd; transcript-inspector export /usr/lib/transcript-inspector/_internal/app/incident/invoice-agent-0412.json -o mended.json --fix all && transcript-inspector check mended.json | head -3'
inside sh -c 'man -P cat transcript-inspector 2>/dev/null | head -8'

say "what opens what"
home=$root/home/stranger; mkdir -p "$home/Desktop"
if [ -n "$dump" ]; then cp "$dump" "$home/Desktop/session.jsonl"; else
  tr -d '\n' <"$root/usr/lib/transcript-inspector/_internal/app/incident/invoice-agent-0412.json" >"$home/Desktop/session.jsonl"
fi
cp "$root/usr/lib/transcript-inspector/_internal/app/incident/invoice-agent-0412.json" "$home/Desktop/request.json"
for file in rollout-2026-01-01.jsonl a.eval a.traj notes.txt; do echo '{"type": "x"}' >"$home/Desktop/$file"; done
chown -R 1000:1000 "$home"
opener() { as_stranger gio mime "$1" | sed -n 's/^Default application for .*: //p'; }
for file in session.jsonl rollout-2026-01-01.jsonl a.traj a.eval request.json notes.txt; do
  type=$(as_stranger gio info -a standard::content-type "/home/stranger/Desktop/$file" | sed -n 's/.*content-type: //p')
  printf '%-26s %-38s %s\n' "$file" "$type" "$(opener "$type")"
done
case $(opener application/json) in *ranscript*) die "JSON was taken over" ;; esac
for file in rollout-2026-01-01.jsonl a.eval a.traj notes.txt; do rm "$home/Desktop/$file"; done

say "a double click on session.jsonl"
mkdir -p "$root/tmp/.X11-unix"; chmod 1777 "$root/tmp/.X11-unix" "$root/tmp"
# display, window manager, file manager and the program share one network of their own that leads nowhere
cat >"$root/tmp/sit.sh" <<'SIT'
set -e
Xvfb :7 -screen 0 1440x900x24 -nolisten tcp >/dev/null 2>&1 & echo $! >/tmp/display.pid
for i in $(seq 600); do xdotool getdisplaygeometry >/dev/null 2>&1 && break; sleep 0.1; done
openbox >/dev/null 2>&1 & sleep 3  # a window that is mapped while it starts is lost
pcmanfm --no-desktop /home/stranger/Desktop >/tmp/pcmanfm.log 2>&1 &
manager=$(xdotool search --sync --onlyvisible --class pcmanfm | tail -1)
xdotool windowsize --sync $manager 700 400; xdotool windowmove $manager 40 40; sleep 3
import -window root /tmp/1-folder.png
SIT
cat >"$root/tmp/click.sh" <<'CLICK'
set -e
manager=$(xdotool search --onlyvisible --class pcmanfm | tail -1)
xdotool windowactivate --sync $manager; xdotool key --window $manager ctrl+a; sleep 0.5
xdotool key Escape
xdotool mousemove --window $manager $1 $2 click --repeat 2 --delay 80 1
started=$(date +%s%N)
window=$(timeout 60 xdotool search --sync --onlyvisible --class transcript-inspector | tail -1)
echo "window after $(( ($(date +%s%N) - started) / 1000000 )) ms: $(xdotool getwindowname $window)"
# the real one takes the place of the first, under a name of its own
window=$(timeout 120 xdotool search --sync --onlyvisible --name 'session.jsonl .* Transcript Inspector' | tail -1)
echo "the file in it after $(( ($(date +%s%N) - started) / 1000000 )) ms: $(xdotool getwindowname $window)"
sleep 15
import -window root /tmp/2-opened.png
CLICK
unshare --net chroot --userspec=1000:1000 "$root" /usr/bin/env -i HOME=/home/stranger USER=stranger DISPLAY=:7 PATH=/usr/bin:/bin LANG=C.UTF-8 \
  sh -c "ip link set lo up 2>/dev/null; sh /tmp/sit.sh && sh /tmp/click.sh ${CLICK_AT:-290 130}; done=\$?; pkill -u stranger transcript-insp; sleep 1; pkill -u stranger pcmanfm; pkill -u stranger openbox; kill \$(cat /tmp/display.pid); exit \$done" || die "the double click did not open a window"
cp "$root"/tmp/[12]-*.png "$work/" && (cd "$work" && ls [12]-*.png)

say "remove it"
inside apt-get purge -y -qq transcript-inspector >"$work/remove.log" 2>&1
inside apt-get autoremove -y -qq --purge >>"$work/remove.log" 2>&1
echo "in the home of who used it, which no package touches: $(cd "$root/home/stranger" && find . -type f -ipath '*transcript*' | tr '\n' ' ')"
rm -rf "$root/home/stranger/.cache" "$root/home/stranger/.config" "$root/home/stranger/Desktop" "$root/home/stranger/mended.json"
tree >"$work/after.txt"
stayed=$(comm -13 "$work/before.txt" "$work/after.txt" | grep -v -e '^/home/stranger' -e '^/var/lib/apt' -e '^/var/cache' -e '^/var/lib/dpkg/info' -e '^/var/log' || true)
[ -z "$stayed" ] && echo "nothing stayed" || { echo "$stayed"; die "the lines above stayed"; }
inside sh -c 'grep -rls -i transcript.inspector /usr/share/applications /usr/share/mime /usr/share/icons /etc || echo "no cache names it"'
