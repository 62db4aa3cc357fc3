#!/bin/bash
# --isolation rewind: executions that rewind their process give the same results and counts as executions in separate processes. Programs
# that change more than memory fall back, and the summary reports it.
#
#   tests/rewind.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite rewind
only=${1-}

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# shellcheck disable=SC2034
first=fork second=rewind
how_options() { options="--isolation $1 --jobs 1"; }
. tests/same.sh

# rewound MIN: at least MIN executions were rewound
rewound() { [ "$(value rewind rewound)" -ge "$1" ] || { echo "rewound: $(value rewind rewound), $(value rewind isolation_reason)"; return 1; }; }

# fell_back TEXT: they were not, for this reason
fell_back() {
	expect_eq isolation fork "$(value rewind isolation)" && grep -q "^isolation: fork: .*$1" "$dir/rewind.log" && return 0
	grep isolation "$dir/rewind.log"
	return 1
}

# count TRACES PROGRAM OPTIONS...: the search has TRACES executions and rewinds nearly all of them
count() {
	local traces=$1
	shift
	search rewind "$@" || return 1
	expect_eq executions "$traces" "$(value rewind executions)" && expect_eq "blocked executions" 0 "$(value rewind blocked)" || return 1
	[ "$(value rewind bugs.#)" != 0 ] || [ "$traces" -lt 10 ] || rewound $((traces - 8))
}

# ---- known counts ----

golden() {
	local name=$1 source=$2 defines=$3 sc=$4 tso=$5 pso=$6 prog=$work/bin/${1//\//_}
	of_many 10 "$name" || return 0
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	build "$prog" $defines tests/golden/"$source" || { run_case "$name compiles" false; return; }
	run_case "$name" count "$sc" "$prog"
	[ "$sc" -le 200 ] || return 0
	[[ $name == *deadlock* ]] && return 0
	run_case "$name shuffled" count "$sc" "$prog" --shuffle 7
	run_case "$name tso" same "$prog" --model tso
	run_case "$name pso" same "$prog" --model pso
}

litmus() {
	local name=$1 prog=$work/bin/$1 model strategy rest
	of_many 14 "litmus $name" || return 0
	build "$prog" "tests/litmus/$name/$name.c" || { run_case "$name compiles" false; return; }
	while read -r model strategy rest; do
		[[ $strategy != optimal || ! $model =~ ^(sc|tso|pso)(/both)?$ ]] || run_case "$name ${model%/*}" same "$prog" --model "${model%/*}"
	done <"tests/litmus/$name/$name.expect"
}

# ---- programs of this suite ----

ends() { same "$work/bin/ends $1" && expect_eq verdict complete "$(value rewind verdict)" && rewound $(($(value rewind executions) - 5)); }

fails() {
	same "$work/bin/fails $1" && expect_eq verdict bug "$(value rewind verdict)" && expect_eq bugs 1 "$(value rewind bugs.#)" &&
		expect_eq confirmed true "$(value rewind bugs.0.confirmed)" && rewound 2
}

# Only the first execution that fails ends its process.
refails() {
	same "$work/bin/refails $1" && expect_eq verdict bug "$(value rewind verdict)" &&
		rewound $(($(value rewind executions) - 10))
}

# shared_stack: the bugs are confirmed, and replay.
shared_stack() {
	same "$work/bin/stacks" && expect_eq confirmed true "$(value rewind bugs.0.confirmed)" || return 1
	simul_run replay --quiet --times 20 "$(echo "$dir"/rewind.out/*.simul)"
	expect_eq "exit status of the replay" 1 $?
}

# The output in a recording is that of one execution, with every isolation.
prints() {
	local how lines
	for how in exec fork rewind auto; do
		search $how "$work/bin/prints" || return 1
		expect_eq "bugs with $how" 1 "$(value $how bugs.#)" || return 1
		"$SIMUL" show --json "$dir"/$how.out/*.simul >"$dir/shown.json" && json "$dir/shown.json" output >"$dir/$how.shown" || return 1
		cmp "$dir/exec.shown" "$dir/$how.shown" || return 1
	done
	[ "$(value auto rewound)" -ge $(($(value auto executions) - 6)) ] || return 1
	grep -q "^2999 x*$" "$dir/auto.shown" && grep -q "^<1><1><0><0>$" "$dir/auto.shown" || { tail -3 "$dir/auto.shown"; return 1; }
	search auto "$work/bin/prints" --show-output || return 1
	lines=$(grep -c "^[0-9]* x*$" "$dir/auto.log")
	[ "$lines" = 2998 ] || { echo "$lines lines of the first execution"; return 1; } # the first has more before it, and one has "written" in its middle
	expect_eq "what is written past the buffer" 1 "$(grep -c "written$" "$dir/auto.log")" &&
		expect_eq "beginnings" 1 "$(grep -c "^before the first thread" "$dir/auto.log")" &&
		grep -q "^the end" "$dir/auto.log"
}

# auto, the default, rewinds; or forks, and says why.
auto_rewinds() {
	simul_run run --json "$dir/r.json" -- "$work/bin/ends" return >"$dir/log" 2>&1 || return 1
	grep -qx "isolation: rewind" "$dir/log" && expect_eq isolation rewind "$(json "$dir/r.json" isolation)" &&
		[ "$(json "$dir/r.json" rewound)" -ge $(($(json "$dir/r.json" executions) - 5)) ]
}

auto_forks() {
	local why=$1
	shift
	simul_run run --json "$dir/r.json" "$@" >"$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
	grep -q "^isolation: fork: .*$why" "$dir/log" || { grep isolation "$dir/log"; return 1; }
	expect_eq isolation fork "$(json "$dir/r.json" isolation)" && [[ $(json "$dir/r.json" isolation_reason) == *"$why"* ]]
}

# Only the output of one execution is kept: the failing one, or else the first.
output() {
	search rewind "$work/bin/fails exit" --show-output || return 1
	expect_eq "lines of the first execution" 1 "$(grep -c '^the order was' "$dir/rewind.log")" || return 1
	"$SIMUL" show "$dir"/rewind.out/*.simul >"$dir/shown" 2>&1
	[ "$(grep -c 'the order was' "$dir/shown")" -le 1 ]
}

deep() { same "$work/bin/deep" && expect_eq verdict complete "$(value rewind verdict)" && rewound 2; }
blocks() { same "$work/bin/blocks" && expect_eq verdict complete "$(value rewind verdict)" && rewound 5; }
many_threads() { same "$work/bin/many" --executions 40 && rewound 30; }
objects() { same "$work/bin/objects" && expect_eq verdict complete "$(value rewind verdict)" && rewound 20; }
older() { same "$work/bin/older $1" && expect_eq verdict complete "$(value rewind verdict)" && rewound 14; }

# The bug is confirmed, and it is the same crash as without rewinding (same).
older_use() {
	same "$work/bin/older use" && expect_eq kind crash "$(value rewind bugs.0.kind)" && expect_eq confirmed true "$(value rewind bugs.0.confirmed)" &&
		rewound 50
}

rust() {
	rustc -g -C opt-level=1 -o "$dir/stack" tests/rewind/stack.rs && same "$dir/stack" --executions 300 --own-locks explore && rewound 290
}

# few_files PROGRAM VERDICT HOW: the program compares numbers of descriptors, so it is started with the first three only.
few_files() (
	for fd in /proc/self/fd/*; do
		[ "${fd##*/}" -le 2 ] || eval "exec ${fd##*/}<&-"
	done
	same "$work/bin/$1 $3" </dev/null && expect_eq verdict "$2" "$(value rewind verdict)"
)
made_files_rewind() { few_files made_files "$@" && rewound 14; }
older_files() { few_files older_files complete "$1" && rewound 10; }
older_files_fall_back() { few_files older_files complete "$1" && fell_back "$2"; }
made_files_fall_back() { few_files made_files complete "$1" && fell_back "$2"; }
older_falls_back() { same "$work/bin/older $1" && expect_eq verdict complete "$(value rewind verdict)" && fell_back "$2"; }
falls_back() { same "$work/bin/kernel $1" && expect_eq verdict complete "$(value rewind verdict)" && fell_back "$2"; }
rewinds() { same "$work/bin/kernel $1" && expect_eq verdict complete "$(value rewind verdict)" && rewound 4; }
stays() { same "$work/bin/kernel $1" && expect_eq verdict complete "$(value rewind verdict)" && rewound 3; }

# A large memory in which each execution writes to other pages. The kernel reports these pages, unless no file
# descriptors are left for that. Where forks are faster, rewinding stops after 16 executions.
pages() {
	local least=60
	same "$work/bin/pages $1" && expect_eq verdict complete "$(value rewind verdict)" || return 1
	[[ "$(value rewind isolation_reason)" != *"write to little of much memory"* ]] || least=16
	[ "$(value rewind page_scan)" = missing ] || { expect_eq page_scan used "$(value rewind page_scan)" && rewound $least; }
}

pages_fall_back() { same "$work/bin/pages $1" && expect_eq verdict complete "$(value rewind verdict)" && fell_back "$2"; }

pages_missing() {
	( ulimit -n 512 && same "$work/bin/pages order" ) || return 1
	expect_eq verdict complete "$(value rewind verdict)" && expect_eq page_scan missing "$(value rewind page_scan)"
}

no_kernel_threads() {
	"$SIMUL" run --isolation rewind --threads kernel -- "$work/bin/long" >"$dir/log" 2>&1
	expect_eq "exit status" 2 $? && grep -q -- "--isolation rewind needs --threads fiber" "$dir/log"
}

# The processes of a program, oldest first.
processes() { pgrep -x "$(basename "$1")"; }

# kill_one -o or -n: kills the oldest process (the one at the checkpoint) or the newest (the execution) in the middle.
kill_one() {
	local prog=$dir/killed$1 pid victim n=0
	cp "$work/bin/long" "$prog" || return 1
	simul_run run --keep-going --isolation rewind --executions 60000 --output "$dir/out" --json "$dir/r.json" -- "$prog" >"$dir/log" 2>&1 &
	pid=$!
	while [ "$(processes "$prog" | wc -l)" -lt 2 ] && [ $((n++)) -lt 100 ]; do sleep 0.05; done
	sleep 0.4
	victim=$(pgrep "$1" -x "$(basename "$prog")")
	[ -n "$victim" ] && kill -KILL "$victim" || { echo "nobody to kill"; return 1; }
	wait $pid
}

# The search continues; the execution may be reported as a failure that cannot be confirmed. A process that dies while it changes
# the search ends the session with a message; then the test tries again.
killed() {
	local tries status
	for tries in 1 2 3 4 5; do
		kill_one "$1"
		status=$?
		grep -q "died while it accounted for it" "$dir/log" || break
	done
	[ $status = 0 ] || grep -q "unconfirmed failure" "$dir/log" || { cat "$dir/log"; return 1; }
	# If the search later needs the prefix that ended with the kill, the program appears nondeterministic.
	[[ $(json "$dir/r.json" reason) == *"not deterministic"* ]] || expect_eq executions 60000 "$(json "$dir/r.json" executions)" || return 1
	expect_eq isolation rewind "$(json "$dir/r.json" isolation)" &&
		[ "$(json "$dir/r.json" rewound)" -gt 1000 ] && [ -z "$(processes "$dir/killed$1")" ]
}

mkdir -p "$work/bin"
for p in ends fails refails prints stacks blocks deep kernel long made_files many older older_files pages; do
	build "$work/bin/$p" tests/rewind/$p.c || run_case "$p compiles" false
done
g++ -std=c++17 -g -O1 -pthread -o "$work/bin/objects" tests/rewind/objects.cc || run_case "objects compiles" false

for how in return exit _exit quick_exit pthread_exit threads; do new_case "ends by $how" ends $how; done
for how in assert abort crash divide overflow raise raise_abort exit _exit deadlock; do new_case "fails again by $how" refails $how; done
new_case "memory on the stack of a thread" shared_stack
new_case "prints" prints
new_case "auto rewinds" auto_rewinds
new_case "auto forks: files" auto_forks "open files" -- "$work/bin/kernel" open
new_case "auto forks: processes" auto_forks "start processes" -- "$work/bin/kernel" process
new_case "auto forks: kernel threads" auto_forks "kernel threads cannot be rewound" --threads kernel -- "$work/bin/ends" return
for how in crash abort exit deadlock; do new_case "fails by $how" fails $how; done
new_case output output
new_case "stacks" deep
new_case "130 threads" many_threads
new_case "malloc" blocks
new_case "C++ objects" objects
new_case "stays" stays nothing
new_case "falls back: file" falls_back file "change files"
new_case "falls back: open" falls_back open "open files"
new_case "falls back: closedir" falls_back closedir "close files"
for how in chdir umask processors policy limit name opendir; do new_case "rewinds: $how" rewinds $how; done
new_case "niceness" same "$work/bin/kernel nice"
new_case "rewinds: mmap" stays mmap
for how in unmap holes several replace refused again large file protect discard; do new_case "older mappings: $how" older $how; done
new_case "older mappings: use after unmap" older_use
for how in shared commit; do new_case "older mappings: $how" older_falls_back $how "change what is mapped"; done
for how in pipe pair eventfd dup read; do new_case "made files: $how" made_files_rewind complete $how; done
new_case "made files: block" made_files_rewind bug block
new_case "made files: older" made_files_rewind complete older
new_case "made files: over" made_files_fall_back over "open files"
if command -v rustc >/dev/null; then
	new_case "Rust" rust
else
	echo "Rust: not tested, since there is no rustc"
fi
new_case "falls back: process" falls_back process "start processes"
new_case "rewinds: pipe" rewinds pipe
for how in pipe pair eventfd timer epoll flags dup close; do new_case "older files: $how" older_files $how; done
for how in over device; do new_case "older files: $how" older_files_fall_back $how "open files"; done
new_case "older files: outside" older_files_fall_back outside "use pipes"
for how in order huge shared stack; do new_case "pages: $how" pages $how; done
new_case "pages: read" pages_fall_back read "open files"
for how in away protect; do new_case "pages: $how" pages $how; done
new_case "pages: move" pages_fall_back move "change what is mapped"
new_case "pages: process" pages_fall_back process "start processes"
new_case "pages: the kernel cannot tell" pages_missing
new_case "kernel threads are refused" no_kernel_threads
new_case "the execution's process is killed" killed -n
new_case "the first process is killed" killed -o

while IFS=$'\t' read -r name source defines sc tso pso _; do
	[ "$name" = name ] || [[ "golden $name" != *"$only"* ]] || golden "$name" "$source" "$defines" "$sc" "$tso" "$pso"
done <tests/golden/golden.tsv
for d in tests/litmus/*/; do
	[[ "litmus $d" != *"$only"* ]] || litmus "$(basename "$d")"
done
for src in tests/run/*.c tests/run/*.cc; do
	case $src in
	*/heap_same.c) continue ;; # its executions take a quarter of a second each
	*/many_threads.c) continue ;; # and these
	*/heap_fork.c) continue ;; # threads of its child, which run freely, decide how long the warm-up takes
	esac
	of_many 8 "run $src" && new_case "run $(basename "$src")" plain_program "$src"
done
for d in demos/*/; do
	of_many 3 "demo $d" && new_case "demo $(basename "$d")" demo "$(basename "$d")"
done
finish
