#!/bin/bash
# packaging/deb.sh VERSION DIR: builds DIR/simul_VERSION_ARCH.deb from the files in build/. Needs no root.
#
# The version comes from the Makefile. dpkg-shlibdeps finds the dependencies of the package. Some libraries are loaded only
# on demand (dlopen), so this script names the files that preload/ opens, and libxml2 for --junit, and asks dpkg for their packages.
# The same sources, built in the same way, give the same bytes: SOURCE_DATE_EPOCH, else the date of the last commit, else of the Makefile.
# The maintainer: DEBFULLNAME and DEBEMAIL, else the author of the last commit.
cd "$(dirname "$0")/.." || exit 1
version=$1 out=$2
[ $# = 2 ] || { echo "usage: packaging/deb.sh VERSION DIR" >&2; exit 2; }
die() { echo "make deb: $*" >&2; exit 1; }
for tool in dpkg-deb dpkg-shlibdeps strip gzip; do
	command -v $tool >/dev/null || die "there is no $tool; install dpkg-dev and binutils"
done

package=$out/simul_${version}_$(dpkg --print-architecture).deb
work=$out/deb
root=$PWD/$work/root
doc=$root/usr/share/doc/simul
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)}
export SOURCE_DATE_EPOCH
maintainer=$(git log -1 --format='%an <%ae>' 2>/dev/null)
[ -n "${DEBEMAIL-}" ] && maintainer="${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>"
[ -n "$maintainer" ] || die "set DEBFULLNAME and DEBEMAIL: the package names who made it"
umask 022
rm -rf "$work" && mkdir -p "$work/debian" || exit 1

make --no-print-directory -s install DESTDIR="$root" PREFIX=/usr ZSH_COMPLETION_DIR=/usr/share/zsh/vendor-completions \
	PKGCONFIG_DIR="/usr/lib/$(gcc -print-multiarch)/pkgconfig" || die "make install failed"
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/simul" || exit 1
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root"/usr/lib/simul/*.so* || exit 1
find "$root/usr/share/man" -type f -exec gzip -9n {} +

# The licence is the file copyright, in Debian's form; dpkg requires a compressed changelog.
rm "$doc/LICENSE"
sed 's/^$/./; s/^/ /' LICENSE | sed -n '/Permission is hereby/,$p' >"$work/licence"
{
	sed "/@LICENCE@/{r $work/licence
d}" packaging/copyright | sed "s|@COPYRIGHT@|$(sed -n 's/^Copyright (c) //p' LICENSE)|"
} >"$doc/copyright"
{
	printf 'simul (%s) unstable; urgency=medium\n\n  * Version %s.\n\n' "$version" "$version"
	printf ' -- %s  %s\n' "$maintainer" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$doc/changelog.gz"

# dpkg-shlibdeps requires a file debian/control in its working directory.
sed "s|@MAINTAINER@|$maintainer|" packaging/control >"$work/debian/control"
needed=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info root/usr/bin/simul root/usr/lib/simul/libsimul.so 2>"debian/log") ||
	{ cat "$work/debian/log" >&2; die "dpkg-shlibdeps failed"; }
needed=${needed#shlibs:Depends=}
[ -n "$needed" ] || die "dpkg-shlibdeps found nothing that simul depends on"
# package_of SONAME: the package of the installed library.
package_of() {
	local file owner
	file=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk -v s="$1" '$1 == s && /x86-64/ {print $NF; exit}')
	owner=$(dpkg -S "$file" "$(readlink -f "$file")" 2>/dev/null | sed 's/:.*//; 1q')
	[ -n "$owner" ] || die "no package has $1, which simul loads"
	echo "$owner"
}
# What simul only looks for (RTLD_NOLOAD) is a library of the program.
for soname in $(grep -rhE 'dlopen\("' preload | grep -v RTLD_NOLOAD | grep -oE 'dlopen\("[^"]+"' | sed 's/.*"\(.*\)"/\1/' | sort -u); do
	owner=$(package_of "$soname") || exit 1
	[[ ", $needed" == *", $owner "* || ", $needed," == *", $owner,"* ]] || needed+=", $owner"
done
recommended=$(package_of "$(grep -aoE 'libxml2\.so\.[0-9]+' "$root/usr/bin/simul" | head -n 1)") || exit 1

mkdir -p "$root/DEBIAN"
{
	sed -n '/^Package:/,$p' "$work/debian/control" | sed -e "s|@DEPENDS@|$needed|" -e "s|@RECOMMENDS@|$recommended|" \
		-e "s|^Package: .*|&\nVersion: $version|" -e "s|^Architecture: .*|Architecture: $(dpkg --print-architecture)|" |
		sed "/^Description:/i Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f 1)"
} >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -printf '%P\n' | LC_ALL=C sort | sed 's|^|usr/|' | xargs -d '\n' md5sum) >"$root/DEBIAN/md5sums"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --build "$root" "$package" >"$work/log" || { cat "$work/log" >&2; die "dpkg-deb failed"; }
echo "$package"
