#!/bin/bash
# make install into a fresh root, and make deb: what is there works from there, and is all that should be.
. "$(dirname "$0")/lib.sh"
suite install

version=$("$SIMUL" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+')

# works_from BIN: simul there finds and replays a bug.
works_from() {
	gcc -g -pthread -o "$dir/prog" demos/lost_wakeup/prog.c || return 1
	"$1/simul" --version || { echo "simul --version failed"; return 1; }
	( cd "$dir" && timeout 60 "$1/simul" run --output "$dir/out" --json "$dir/r.json" -- ./prog )
	expect_eq "exit status" 1 $? && expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" || return 1
	timeout 60 "$1/simul" replay --quiet "$dir"/out/prog-1.simul
	expect_eq "exit status of replay" 1 $?
}

# Below PREFIX: a page for each command, for the file format, completion for both shells and the docs.
complete_set() {
	local root=$1 gz=$2 zsh=$3 c f
	for c in $("$SIMUL" --list-commands); do
		[ "$c" = help ] || [ -s "$root/share/man/man1/simul-$c.1$gz" ] || { echo "no man page simul-$c"; return 1; }
	done
	for f in share/man/man1/simul.1$gz share/man/man5/simul-recording.5$gz share/bash-completion/completions/simul "$zsh/_simul" \
		lib/simul/libsimul.so lib/simul/libtsan.so.2 lib/simul/libclang_rt.tsan-x86_64.so share/doc/simul/docs/format.md; do
		[ -s "$root/$f" ] || { echo "$f is missing"; return 1; }
	done
	for f in "$root"/share/man/man*/*; do
		gzip -cdf "$f" | grep -q "^\.TH .* \"simul $version\" " || { echo "$f does not tell the version $version in .TH (@VERSION@)"; return 1; }
		! gzip -cdf "$f" | grep '@[A-Z]*@' || { echo "$f has a mark that was not filled in"; return 1; }
	done
}

installed() {
	local root=$dir/root prefix=/opt/some\ where
	make --no-print-directory -s install DESTDIR="$root" PREFIX="$prefix" || return 1
	works_from "$root$prefix/bin" && complete_set "$root$prefix" '' share/zsh/site-functions || return 1
	expect_eq "version of pkg-config" "$version" \
		"$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig pkg-config --modversion simul)" || return 1
	expect_eq "library of pkg-config" "$prefix/lib/simul/libsimul.so" \
		"$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig pkg-config --variable=library simul)" || return 1
	make --no-print-directory -s uninstall DESTDIR="$root" PREFIX="$prefix" || return 1
	expect_eq "files left behind" "" "$(find "$root" -type f)"
}

# A Debian package, twice the same, with what it needs and nothing that is not the package's; simul runs from where it is unpacked.
package() {
	command -v dpkg-deb >/dev/null || { echo "there is no dpkg-deb"; return 77; }
	local deb p needed
	export SOURCE_DATE_EPOCH=1700000000 DEBEMAIL=someone@example.org DEBFULLNAME='Some One'
	mkdir -p "$dir/again"
	packaging/deb.sh "$version" "${dir#"$top"/}/again" && packaging/deb.sh "$version" "${dir#"$top"/}" || return 1
	deb=$dir/simul_${version}_amd64.deb
	cmp "$deb" "$dir/again/${deb##*/}" || return 1
	expect_eq version "$version" "$(dpkg-deb -f "$deb" Version)" && expect_eq architecture amd64 "$(dpkg-deb -f "$deb" Architecture)" &&
		expect_eq maintainer 'Some One <someone@example.org>' "$(dpkg-deb -f "$deb" Maintainer)" || return 1
	needed=", $(dpkg-deb -f "$deb" Depends), "
	# what it is linked with, and what it loads (patching, stacks)
	for p in libc6 libdw1 libelf1 libjansson4 libunwind8 libzydis4; do
		[[ $needed == *", $p"* ]] || { echo "it does not depend on $p, but on: $needed"; return 1; }
	done
	expect_eq "lines that are not root's" '' "$(dpkg-deb -c "$deb" | grep -v ' root/root ')" || return 1
	expect_eq "files outside /usr" '' "$(dpkg-deb -c "$deb" | awk '{print $6}' | grep -vE '^\./(usr/.*)?$')" || return 1
	dpkg-deb -x "$deb" "$dir/root" && works_from "$dir/root/usr/bin" && complete_set "$dir/root/usr" .gz share/zsh/vendor-completions || return 1
	[ -s "$dir/root/usr/lib/$(gcc -print-multiarch)/pkgconfig/simul.pc" ] || { echo "no simul.pc"; return 1; }
	grep -q '^License: Expat' "$dir/root/usr/share/doc/simul/copyright" &&
		grep -q 'WITHOUT WARRANTY' "$dir/root/usr/share/doc/simul/copyright" || { echo "the copyright is not whole"; return 1; }
	expect_eq changelog "simul ($version) unstable; urgency=medium" "$(gzip -cd "$dir/root/usr/share/doc/simul/changelog.gz" | head -n 1)" || return 1
	dpkg-deb -e "$deb" "$dir/control" && (cd "$dir/root" && md5sum --quiet -c "$dir/control/md5sums") || return 1
	expect_eq "files in md5sums" "$(find "$dir/root" -type f | wc -l)" "$(wc -l <"$dir/control/md5sums")" || return 1
	expect_eq "missing libraries" '' "$(ldd "$dir/root/usr/bin/simul" | grep 'not found')"
}

run_case "install, use, uninstall" installed
run_case "make deb" package
finish
