#!/usr/bin/env bash
# Makes an AppImage out of the bundle. Untried: the runtime that stands before the file system is not in any registry that this was made with.
#
#   packaging/appimage.sh RUNTIME        a `runtime-x86_64` of the AppImage project's type2-runtime; make bundle first
#
# An AppImage is that runtime, and behind it a SquashFS with a program AppRun, a menu entry and an icon at its top; so no further tool is
# needed than mksquashfs (squashfs-tools). The SquashFS was made and mounted, and AppRun started from it; the whole file never was.
set -euo pipefail
cd "$(dirname "$0")/.."

runtime=${1:-}
id=io.github.transcript_inspector.TranscriptInspector
app=build/appimage/AppDir
[ -d build/bundle/transcript-inspector ] || { echo "appimage: there is no bundle: make bundle" >&2; exit 2; }
command -v mksquashfs >/dev/null || { echo "appimage: mksquashfs is missing: apt-get install squashfs-tools" >&2; exit 2; }

rm -rf build/appimage; mkdir -p "$app/usr/share/metainfo"
cp -a build/bundle/transcript-inspector/. "$app/"
version=$(sed -n 's/^VERSION = "\(.*\)"/\1/p' app/version.py)
day=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" +%F)
for name in desktop:"$app/$id.desktop" metainfo:"$app/usr/share/metainfo/$id.appdata.xml"; do
  source=packaging/linux/metainfo.xml; [ "${name%%:*}" = metainfo ] || source=packaging/linux/transcript-inspector.desktop
  sed -e "s/@ID@/$id/g" -e "s/@VERSION@/$version/g" -e "s/@DATE@/$day/g" -e '/^TryExec=/d' "$source" >"${name#*:}"
done
cp "build/icons/hicolor/256x256/apps/$id.png" "$app/$id.png"
ln -s "$id.png" "$app/.DirIcon"
ln -s transcript-inspector "$app/AppRun"
mksquashfs "$app" build/appimage/files.squashfs -root-owned -noappend -comp zstd -quiet -no-progress
if [ -z "$runtime" ]; then
  echo "appimage: build/appimage/files.squashfs is made; name a runtime-x86_64 to put before it" >&2
  exit 2
fi
mkdir -p dist
out=dist/Transcript_Inspector-$version-x86_64.AppImage
cat "$runtime" build/appimage/files.squashfs >"$out"
chmod +x "$out"
echo "appimage: $out"
