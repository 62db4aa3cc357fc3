#!/bin/bash
# Files are restored however simul ends, and the files changed by a failing execution can be kept (--keep-files).
#
#   tests/files.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite files
only=${1-}
prog=$work/change
gcc -g -O1 -pthread -D_GNU_SOURCE -o "$prog" tests/files/change.c || run_case "change.c compiles" false

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# Lists names, modes, owners, times of files, links and contents; for marked files also the other times and extended attributes.
describe() { describe_marked; ( cd "$dir/tree" && find . -mindepth 1 \( -type f -printf '%p %m %U %G %T@ ' -exec sha1sum {} \; -o -printf '%p %m %U %G %l\n' \) | LC_ALL=C sort ); }

describe_marked() {
	( cd "$dir/tree" && python3 -c '
import os
for p in sorted([os.path.join(d, n) for d, s, f in os.walk(".") for n in s + f if "marked" in os.path.join(d, n)] + ["dangling"]):
    s = os.lstat(p)
    x = os.listxattr(p, follow_symlinks=False)
    print(p, s.st_mode, s.st_uid, s.st_gid, s.st_atime_ns, s.st_mtime_ns, [(n, os.getxattr(p, n, follow_symlinks=False)) for n in sorted(x)])' )
}

prepare() {
	mkdir "$dir/tree" && cd "$dir/tree" || return 1
	echo "the old content, which is rather long" >old && chmod 644 old && touch -d '2001-02-03 04:05:06.789' old || return 1
	echo moved >moved && echo gone >gone && chmod 400 gone && ln -s nowhere dangling || return 1
	mkdir marked && touch marked/inside marked-a marked-b && python3 -c '
import os
os.setxattr("marked-a", "user.kept", b"old")
os.setxattr("marked-a", "user.gone", b"it will be gone")
for p in ("dangling", "marked-a", "marked-b", "marked/inside", "marked"): # reading does not change an access time that is so far in the future
    os.utime(p, ns=(4000000000000000001, 1000000000000000002), follow_symlinks=False)' || return 1
	describe >"$dir/before"
}

unchanged() {
	describe >"$dir/after"
	diff "$dir/before" "$dir/after" || { echo "$1 left these differences"; return 1; }
}

# ends STATUS VERDICT OPTIONS... -- HOW: the program, run with HOW, ends the search with this status and verdict, and the files are as before
ends() {
	local status=$1 verdict=$2
	shift 2
	prepare || return 1
	[ "${!#}" = attributes ] && set -- "${@:1:$#-2}" "$prog" "${@:$#-1}" || set -- "${@:1:$#-1}" "$prog" "${!#}"
	show_cmd "$SIMUL run $*"
	simul_run run --output "$dir/out" --json "$dir/r.json" "$@" >"$dir/log" 2>&1
	expect_eq "exit status" "$status" $? || { tail -n 5 "$dir/log"; return 1; }
	[ "$verdict" = - ] || expect_eq verdict "$verdict" "$(json "$dir/r.json" verdict)" || return 1
	unchanged run || return 1
	! grep "cannot be restored" "$dir/log"
}

# interrupted SIGNAL TIMES: sends the signal in the middle of the search
interrupted() {
	local n=0 i pid
	prepare || return 1
	timeout -k 5 "$CASE_SECONDS" "$SIMUL" run --output "$dir/out" --json "$dir/r.json" -- "$prog" long >"$dir/log" 2>&1 &
	while [ ! -e made-a ] && [ $((n++)) -lt 400 ]; do sleep 0.02; done
	pid=$(pgrep -P $! -x simul)
	[ -n "$pid" ] || { echo "it does not run"; return 1; }
	for ((i = 0; i < $2; i++)); do kill -"$1" "$pid"; done
	wait $!
	unchanged "a search that got SIG$1"
}

# A search that is stopped, resumed and stopped again.
resumed() {
	local i
	prepare || return 1
	for i in 1 2; do
		simul_run run --output "$dir/out" --resume "$dir/state" --executions $((i * 30)) -- "$prog" long >"$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
		unchanged "part $i" || return 1
	done
}

recording() { simul_run run --output "$dir/out" "$@" -- "$prog" abort >"$dir/log" 2>&1; [ -f "$dir/out/change-1.simul" ]; }

replayed() {
	prepare && recording || return 1
	simul_run replay --times 3 "$dir/out/change-1.simul" >"$dir/log" 2>&1
	expect_eq "exit status of replay" 1 $? && unchanged replay || return 1
	simul_run minimize "$dir/out/change-1.simul" >"$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
	unchanged minimize
}

# are_kept DIR: DIR has the files of the failing execution, in which the second thread came first and one of the two wrote last
are_kept() {
	local at=$1/change-1$dir/tree f
	for f in made-a made-b dir/inside moved-away before; do [ -f "$at/$f" ] || { echo "no $f"; find "$1"; return 1; }; done
	[ ! -e "$at/gone" ] && [ ! -e "$at/moved" ] && expect_eq link old "$(readlink "$at/link")" && grep -q '^changed by ' "$at/old" &&
		expect_eq mode 600 "$(stat -c %a "$at/old")" && expect_eq moved moved "$(cat "$at/moved-away")"
}

kept() {
	prepare && recording --keep-files "$dir/kept" || return 1
	grep -q "7 files changed by the failing execution copied to $dir/kept/change-1" "$dir/log" || { cat "$dir/log"; return 1; }
	are_kept "$dir/kept" && unchanged run || return 1
	simul_run replay --keep-files "$dir/again" "$dir/out/change-1.simul" >"$dir/log" 2>&1
	expect_eq "exit status of replay" 1 $? && are_kept "$dir/again" && unchanged replay && diff -r --no-dereference "$dir/kept" "$dir/again"
}

for how in auto fork exec; do
	new_case "complete, $how" ends 0 complete --isolation $how -- return
	new_case "bug, $how" ends 1 bug --isolation $how -- abort
	new_case "bugs, goes on, $how" ends 1 bug --keep-going --isolation $how -- abort
	new_case "cut, $how" ends 0 incomplete --max-steps 200 --executions 5 --isolation $how -- spin
	new_case "executions, $how" ends 0 incomplete --executions 7 --isolation $how -- long
done
for how in auto fork exec; do
	new_case "attributes, complete, $how" ends 0 complete --isolation $how -- return attributes
	new_case "attributes, bug, $how" ends 1 bug --isolation $how -- abort attributes
	new_case "attributes, cut, $how" ends 0 incomplete --max-steps 200 --executions 5 --isolation $how -- spin attributes
done
new_case "attributes, time" ends 0 incomplete --time 1s --strategy optimal -- long attributes
new_case "attributes, a hang" ends 1 bug --hang-timeout 1s -- hang attributes
new_case "time" ends 0 incomplete --time 1s --strategy optimal -- long
new_case "a mapped file" ends 0 complete -- map
new_case "a mapped file, exec" ends 0 complete --isolation exec -- map
new_case "jobs" ends 0 complete --jobs 3 -- return
new_case "show-output" ends 0 complete --show-output -- return
new_case "crash before the first thread" ends 2 - -- crash
new_case "no threads" ends 2 - -- none
new_case "hang" ends 1 bug --hang-timeout 1s -- hang
new_case "Ctrl-C" interrupted INT 1
new_case "Ctrl-C twice" interrupted INT 2
new_case "SIGTERM" interrupted TERM 1
new_case "resume" resumed
new_case "replay and minimize" replayed
new_case "keep-files" kept
finish
