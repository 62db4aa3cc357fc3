#!/bin/bash
# make install into a fresh root: what is installed works from there, is found by pkg-config, and goes away again.
. "$(dirname "$0")/lib.sh"
suite install

installed() {
	local root=$dir/root prefix=/opt/some\ where
	make --no-print-directory -s install DESTDIR="$root" PREFIX="$prefix" || return 1
	gcc -g -pthread -o "$dir/prog" demos/lost_wakeup/prog.c || return 1
	"$root$prefix/bin/simul" --version || { echo "simul --version failed"; return 1; }
	( cd "$dir" && timeout 60 "$root$prefix/bin/simul" run --output "$dir/out" --json "$dir/r.json" -- ./prog )
	expect_eq "exit status" 1 $? && expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" || return 1
	[ -s "$root$prefix/share/man/man1/simul.1" ] && [ -s "$root$prefix/share/man/man1/simul-stress.1" ] || { echo "no man page"; return 1; }
	expect_eq "version of pkg-config" "$("$root$prefix/bin/simul" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)" \
		"$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig pkg-config --modversion simul)" || return 1
	expect_eq "library of pkg-config" "$prefix/lib/simul/libsimul.so" \
		"$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig pkg-config --variable=library simul)" || return 1
	make --no-print-directory -s uninstall DESTDIR="$root" PREFIX="$prefix" || return 1
	expect_eq "files left behind" "" "$(find "$root" -type f)"
}

# The man page is well-formed, if there is anything here to tell.
man_page() {
	local page
	for page in docs/simul.1 docs/simul-stress.1; do
		[ -s $page ] || { echo "$page is missing"; return 1; }
		command -v groff >/dev/null || continue
		expect_eq "groff complains of $page" "" "$(groff -man -Tutf8 -ww $page 2>&1 >/dev/null)" || return 1
	done
}

run_case "install, use, uninstall" installed
run_case "man page" man_page
finish
