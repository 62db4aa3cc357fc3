#!/bin/bash
# The patcher (preload/patch/) on the programs of tests/patch/cases/, built in many ways: with a sensor that only counts
# (tests/patch/count.c) they must print the same as natively. `full` adds third-party programs (real.sh).
#
#   tests/patch.sh [full|quick] [NAME...]      NAME: a build such as gcc-O2-pie, or a program such as sqlite3; default
#                                              all (quick: a few builds)
. "$(dirname "$0")/lib.sh"
suite "${SUITE_NAME:-patch}"

COUNT=${COUNT:-$TOOLS/libpatchcount.so}
mode=${SUITE_MODE:-full}
case ${1-} in
full | quick) mode=$1; shift ;;
esac
cases=$top/tests/patch/cases

# The torture program of one language: its cases, a table of them, a library to load.
# build LANGUAGE CC FLAGS...
build() {
	local lang=$1 cc=$2 f cxx
	shift 2
	mkdir -p "$dir/$lang"
	for f in "$cases"/*."$lang"; do
		[ "$f" = "$cases/main.c" ] || echo "X($(basename "${f%.*}"))"
	done >"$dir/$lang/torture_cases.h"
	set -- "$@" -D_GNU_SOURCE -I"$dir/$lang" -rdynamic -pthread -w -Wl,-z,execstack
	if [ "$lang" = c ]; then
		"$cc" -std=gnu17 "$@" -o "$dir/torture_c" "$cases"/*.c "$cases"/*.S -lm -ldl || return 1
	else
		[ "$cc" = gcc ] && cxx=g++ || cxx=$cc++
		"$cc" -std=gnu17 "$@" -c -o "$dir/main.o" "$cases/main.c" || return 1
		"$cxx" -std=c++20 "$@" -o "$dir/torture_cc" "$cases"/*.cc "$dir/main.o" -ldl || return 1
	fi
	[ -f "$dir/plugin.so" ] || "$cc" -O1 -g -shared -fPIC -o "$dir/plugin.so" tests/patch/plugin.c
}

# value KEY: prints the value of KEY in the last line that the counting library wrote
value() { sed -n "\$s/.* $1=\([0-9]*\).*/\1/p" "$dir/count"; }

# first_difference NATIVE COUNTED: prints the first case in which they differ, and the difference
first_difference() {
	cmp -s "$1" "$2" && return 0
	echo "the first difference is in case: $(diff "$1" "$2" | awk '/^[<>]/ {exit} {split($1, a, /[,acd]/); print a[1]; exit}' |
		xargs -I{} sed -n '1,{}p' "$1" | grep '^== ' | tail -n 1)"
	diff "$1" "$2" | head -n 10
	return 1
}

# counted NAME LANGUAGE [VARIABLE=VALUE...]: runs with the library; the same output, a line with accesses and no complaints.
counted() {
	local name=$1 prog=./torture_$2 status
	shift 2
	rm -f "$dir/count"
	( cd "$dir" && ulimit -c 0 && within 60 env "$@" PATCHCOUNT_LIBS="$libs" PATCHCOUNT_OUT="$dir/count" LD_PRELOAD="$COUNT" \
		"$prog" >"$name.out" 2>"$name.err" </dev/null )
	status=$?
	if ! first_difference "$dir/native.out" "$dir/$name.out" || [ $status != 0 ]; then
		echo "command: cd $dir; $* PATCHCOUNT_LIBS=$libs LD_PRELOAD=$COUNT $prog"
		echo "exit status $status; last case: $(grep '^== ' "$dir/$name.out" | tail -n 1)"
		tail -n 5 "$dir/$name.err"
		return 1
	fi
	[ -s "$dir/count" ] || { echo "nothing was counted"; return 1; }
	cat "$dir/count"
	[ "$(value accesses)" -gt "${least:-1000}" ] || { echo "hardly any access was seen"; return 1; }
	[ "$(value complaints)" = 0 ] || { echo "a call of the sensor was wrong ($*)"; return 1; }
	[ "$(value refused)" = 0 ] || { echo "a module was refused"; return 1; }
	# each signal handler that returns into original code is one; more would be slow
	[ "$(value traps)" -lt 2000 ] || { echo "patched code is entered at too many unforeseen places"; return 1; }
	case " $* " in
	*" PATCHCOUNT_SLOW="*) [ "$(value performed)" -gt 100 ] || { echo "the slow way was not taken"; return 1; } ;;
	esac
	printf '%s\t%s\t%s\n' "$build" "$prog $*" "$(cat "$dir/count")" >>"$work/counts"
}

torture() {
	local lang=$1 cc=$2 build=$3 libs=plugin.so
	shift 3
	build "$lang" "$cc" "$@" || return 1
	[[ $build == *stripped* ]] && strip "$dir/torture_$lang"
	( cd "$dir" && within 60 ./torture_"$lang" >native.out 2>native.err </dev/null ) || { echo "fails natively"; tail "$dir/native.err"; return 1; }
	grep -q '^== end' "$dir/native.out" || { echo "does not get to its end natively"; return 1; }
	counted plain "$lang" || return 1
	counted checked "$lang" PATCHCOUNT_CHECK=1 PATCHCOUNT_SLOW=7 PATCHCOUNT_FENCES=2 || return 1
	[[ $build == *stack* ]] && { counted stack "$lang" PATCHCOUNT_STACK=1 PATCHCOUNT_CHECK=1 PATCHCOUNT_SLOW=1 || return 1; }
	return 0
}

# If no code of a program can be patched, the library says so and the program runs unchanged.
no_unwind() {
	echo 'int x[9]; int main(int c, char **v) { for (int i = 0; i < 9; i++) x[i] += c; return x[3] + 6; }' >"$dir/p.c"
	gcc -O1 -Wl,--no-eh-frame-hdr -o "$dir/p" "$dir/p.c" || return 1
	PATCHCOUNT_OUT=$dir/count LD_PRELOAD=$COUNT "$dir/p"
	expect_eq "exit status" 7 $? && expect_eq refused 1 "$(value refused)" && grep "refusal=.*unwind table" "$dir/count"
}

# Seven kinds of full fence and one of release, 100 times each; they are hooked only on request.
fences() {
	local mode flags
	for flags in -O0 -O2 "-O2 -fno-omit-frame-pointer"; do
		# shellcheck disable=SC2086
		gcc -w -g $flags -o "$dir/p" tests/patch/fences.c || return 1
		for mode in "0 0 0" "1 600 600" "2 700 600"; do
			set -- $mode
			PATCHCOUNT_FENCES=$1 PATCHCOUNT_CHECK=1 PATCHCOUNT_SLOW=2 PATCHCOUNT_OUT=$dir/count LD_PRELOAD=$COUNT "$dir/p" ||
				{ echo "$flags, mode $1: exit status $?"; return 1; }
			expect_eq "fences, $flags, mode $1" "$2" "$(value fences)" && expect_eq "full fences" "$3" "$(value full_fences)" &&
				expect_eq complaints 0 "$(value complaints)" || { cat "$dir/count"; return 1; }
		done
	done
}

# one NAME LANGUAGES CC FLAGS...
one() {
	local name=$1 langs=$2 cc=$3 lang
	shift 3
	[ -n "$only" ] && [[ " $only " != *" $name "* ]] && return
	for lang in $langs; do
		run_case "$name $lang" torture "$lang" "$cc" "$name" "$@"
	done
}

# The table of builds: NAME LANGUAGES COMPILER FLAGS
builds() {
	one gcc-O2-pie "c cc" gcc -g -O2 -pie -fPIE
	one clang-O1-nopie "c" clang -g -O1 -no-pie -fno-pie
	[ -n "$only" ] || run_case fences fences
	[ $mode = quick ] && return
	local cc level
	for cc in gcc clang; do
		for level in 0 1 2 3 s; do
			of_many 10 "$cc-O$level" || continue
			[ $cc$level = gcc2 ] || one $cc-O$level-pie "$([[ $cc$level == @(gcc0|gccs|clang1|clang3) ]] && echo "c cc" || echo c)" $cc -g -O$level -pie -fPIE
			[ $cc$level = clang1 ] || one $cc-O$level-nopie "$([[ $cc$level == @(gcc1|gcc3|clang0|clang2) ]] && echo "c cc" || echo c)" $cc -g -O$level -no-pie -fno-pie
		done
		of_many 10 $cc-cet && one $cc-cet "c" $cc -g -O2 -fcf-protection=full -fPIE -pie
		of_many 10 $cc-stripped && one $cc-stripped "c" $cc -O2 -fPIE -pie
		of_many 10 $cc-stack && one $cc-stack "c" $cc -g -O1 -fPIE -pie
		of_many 10 $cc-native && one $cc-native "c" $cc -g -O3 -march=native
		of_many 10 $cc-frame-pointer && one $cc-frame-pointer "c" $cc -g -O2 -fno-omit-frame-pointer -fstack-protector-all
	done
	[ "${SUITE_MODE-}" = full ] || one gcc-cet-stripped "cc" gcc -O2 -fcf-protection=full -no-pie -fno-pie
	of_many 5 gcc-strings && one gcc-strings "c" gcc -g -O3 -minline-all-stringops -fno-plt
	of_many 5 gcc-large && one gcc-large "c" gcc -g -O2 -mcmodel=large -no-pie -fno-pie
	of_many 5 gcc-one-segment && one gcc-one-segment "c" gcc -g -O2 -Wl,-z,noseparate-code
	# only the functions in assembly, which have unwind information of their own, are seen
	of_many 5 gcc-no-unwind && least=500 one gcc-no-unwind "c" gcc -g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions
	of_many 5 gcc-sections && one gcc-sections "c" gcc -g -O2 -ffunction-sections -fno-jump-tables -fno-align-functions -Wl,--gc-sections
	of_many 5 gcc-stack-clash && one gcc-stack-clash "c" gcc -g -O2 -fstack-clash-protection -mno-red-zone -mforce-drap
	of_many 5 gcc-retpoline && one gcc-retpoline "c" gcc -g -O2 -mindirect-branch=thunk -mfunction-return=thunk -fcf-protection=none
	of_many 5 gcc-lto && one gcc-lto "c" gcc -g -O2 -flto=2 -fno-toplevel-reorder
	[ "${SUITE_MODE-}" = full ] || one gcc-non-call "cc" gcc -g -O2 -fnon-call-exceptions -DNON_CALL
	command -v ld.gold >/dev/null && of_many 5 gcc-gold && one gcc-gold "c" gcc -g -O2 -fuse-ld=gold
	command -v ld.lld >/dev/null && [ "${SUITE_MODE-}" != full ] && one clang-lld "cc" clang -g -O2 -fuse-ld=lld
	[ -n "$only" ] || run_case "no unwind information" no_unwind
}

only="$*"
[ -f "$COUNT" ] || { run_case "libpatchcount.so was built (make tools)" false; finish; }
builds
if [ $mode = full ]; then
	. tests/patch/real.sh
fi
finish
