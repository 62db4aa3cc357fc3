#!/bin/bash
# make install into a fresh root, and make deb: the installed files work from there and are complete.
. "$(dirname "$0")/lib.sh"
suite install

version=$("$SIMUL" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+')

# works_from BIN: the simul in BIN finds and replays a bug.
works_from() {
	gcc -g -pthread -o "$dir/prog" demos/lost_wakeup/prog.c || return 1
	"$1/simul" --version || { echo "simul --version failed"; return 1; }
	( cd "$dir" && within 60 "$1/simul" run --output "$dir/out" --json "$dir/r.json" -- ./prog )
	expect_eq "exit status" 1 $? && expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" || return 1
	within 60 "$1/simul" replay --quiet "$dir"/out/prog-1.simul
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

# modes ROOT: everyone can read the files and directories in ROOT, and their owner can write them
modes() {
	expect_eq "modes that are wrong below $1" '' "$(find "$1" -mindepth 1 ! -type l \( -type d ! -perm 755 -o -type f ! -perm 644 ! -path '*/bin/*' \
		-o -path '*/bin/*' ! -perm 755 \))"
}

# fair_threads ROOT PREFIX: a program built with what pkg-config says runs, and is explored.
fair_threads() {
	local flags
	flags=$(PKG_CONFIG_PATH=$1$2/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$1 pkg-config --cflags --libs fthread) || return 1
	eval "gcc -g -o '$dir/fair' tests/fairthreads/pc-sfifo.c $flags" || return 1
	export LD_LIBRARY_PATH=$1$2/lib
	"$dir/fair" || return 1
	within 60 "$1$2/bin/simul" run --quiet --json "$dir/fair.json" -- "$dir/fair"
	expect_eq "FairThreads traces" 2 "$(json "$dir/fair.json" distinct_traces)"
}

installed() {
	local root=$dir/root prefix=/opt/some\ where
	(umask 077 && make --no-print-directory -s install DESTDIR="$root" PREFIX="$prefix") && modes "$root" || return 1
	works_from "$root$prefix/bin" && complete_set "$root$prefix" '' share/zsh/site-functions || return 1
	expect_eq "version of pkg-config" "$version" \
		"$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig pkg-config --modversion simul)" || return 1
	expect_eq "library of pkg-config" "$prefix/lib/simul/libsimul.so" \
		"$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig pkg-config --variable=library simul)" || return 1
	gcc -fsyntax-only -Wall -Werror -x c -include simul.h -I"$root$prefix/include" /dev/null || { echo "no simul.h"; return 1; }
	expect_eq "flags of pkg-config" "-I${prefix// /\\ }/include" \
		"$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig pkg-config --cflags simul | sed 's/ *$//')" || return 1
	fair_threads "$root" "$prefix" || return 1
	make --no-print-directory -s uninstall DESTDIR="$root" PREFIX="$prefix" || return 1
	expect_eq "files left behind" "" "$(find "$root" -type f)"
}

# by_dpkg DEB: dpkg installs DEB into a separate root, lists the right files and removes them again. Only root may do this.
by_dpkg() {
	local root=$dir/dpkg
	local dpkg=(dpkg --root="$root" --log=/dev/null --force-depends)
	[ "$(id -u)" = 0 ] || return 0
	mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers} && touch "$root"/var/lib/dpkg/{status,available} || return 1
	"${dpkg[@]}" -i "$1" >"$dir/dpkg.log" 2>&1 || { cat "$dir/dpkg.log"; return 1; }
	expect_eq "what dpkg --verify says" '' "$("${dpkg[@]}" --verify simul)" && modes "$root/usr" || return 1
	expect_eq "owners" root:root "$(find "$root/usr" -printf '%u:%g\n' | sort -u)" || return 1
	"$root/usr/bin/simul" stress --quiet --output "$dir/stress" -- "$dir/prog" >/dev/null
	expect_eq "exit status of what was installed" 1 $? || return 1
	! command -v man >/dev/null || expect_eq "pages that man finds" 1 "$(MANPATH=$root/usr/share/man man -w simul-stress 2>/dev/null | wc -l)" || return 1
	"${dpkg[@]}" -P simul >"$dir/dpkg.log" 2>&1 || { cat "$dir/dpkg.log"; return 1; }
	expect_eq "left behind by purging" '' "$(find "$root" -path "$root/var" -prune -o -mindepth 1 -print; find "$root/var" -name '*simul*')"
}

# The Debian package is equal when built twice, names its dependencies and has no other files; simul runs from where it is unpacked.
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
	# libraries that it is linked with, and libraries that it loads (patching, stacks)
	for p in libc6 libdw1 libelf1 libjansson4 libunwind8 libzydis4; do
		[[ $needed == *", $p"* ]] || { echo "it does not depend on $p, but on: $needed"; return 1; }
	done
	expect_eq recommended libxml2 "$(dpkg-deb -f "$deb" Recommends)" || return 1
	expect_eq "packages of libraries that it loads for some options" '' "$(grep -oE 'lib(xml2|pq5|icu|stdc)[^ ,]*' <<<"$needed")" || return 1
	# libraries of programs, which it only looks for
	expect_eq "packages of programs' libraries" '' "$(grep -oE 'lib(tbb|omp|gomp|glib)[^ ,]*' <<<"$needed")" || return 1
	expect_eq "lines that are not root's" '' "$(dpkg-deb -c "$deb" | grep -v ' root/root ')" || return 1
	expect_eq "files outside /usr" '' "$(dpkg-deb -c "$deb" | awk '{print $6}' | grep -vE '^\./(usr/.*)?$')" || return 1
	dpkg-deb -x "$deb" "$dir/root" && works_from "$dir/root/usr/bin" && complete_set "$dir/root/usr" .gz share/zsh/vendor-completions || return 1
	[ -s "$dir/root/usr/lib/$(gcc -print-multiarch)/pkgconfig/simul.pc" ] || { echo "no simul.pc"; return 1; }
	grep -q '^License: Expat' "$dir/root/usr/share/doc/simul/copyright" &&
		grep -q 'WITHOUT WARRANTY' "$dir/root/usr/share/doc/simul/copyright" || { echo "the copyright is not whole"; return 1; }
	expect_eq changelog "simul ($version) unstable; urgency=medium" "$(gzip -cd "$dir/root/usr/share/doc/simul/changelog.gz" | head -n 1)" || return 1
	dpkg-deb -e "$deb" "$dir/control" && (cd "$dir/root" && md5sum --quiet -c "$dir/control/md5sums") || return 1
	expect_eq "files in md5sums" "$(find "$dir/root" -type f | wc -l)" "$(wc -l <"$dir/control/md5sums")" || return 1
	expect_eq "missing libraries" '' "$(ldd "$dir/root/usr/bin/simul" | grep 'not found')" || return 1
	! command -v lintian >/dev/null || expect_eq "what lintian says" '' "$(lintian --fail-on none "$deb" 2>/dev/null)" || return 1
	by_dpkg "$deb"
}

run_case "install, use, uninstall" installed
run_case "make deb" package
finish
