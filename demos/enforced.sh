#!/bin/bash
# Runs a program with a bug many times, alone and under a certificate, and compares failures and time.
#
#   demos/enforced.sh [RUNS]     (500 runs of each kind)
cd "$(dirname "$0")/.." || exit 1
simul=${SIMUL:-$PWD/build/simul}
runs=${1:-500}
dir=build/demos/enforced
prog=$dir/prog
rm -rf "$dir" && mkdir -p "$dir" || exit 1
say() { printf '%s\n' "$@"; }

# many COMMAND...: "failures seconds"
many() {
	local i failed=0 begun
	begun=$(date +%s%N)
	for ((i = 0; i < runs; i++)); do
		"$@" >/dev/null 2>&1 </dev/null || failed=$((failed + 1))
	done 2>/dev/null
	echo "$failed $((($(date +%s%N) - begun) / 1000000))"
}

say "" "== enforced: a program with a bug that cannot happen any more" "  \$ gcc -g -O1 -pthread -o $prog demos/enforced/prog.c"
gcc -g -O1 -pthread -o "$prog" demos/enforced/prog.c || exit 1
read -r failed alone <<<"$(many "$prog")"
say "    $failed of $runs runs fail"
say "  \$ simul certify -o $dir/prog.cert --executions 10 -- $prog"
"$simul" certify -o "$dir/prog.cert" --executions 10 --no-minimize --output "$dir" -- "$prog" >"$dir/certify.txt" 2>&1 </dev/null
grep '^certificate' "$dir/certify.txt" | sed 's/^/    /'
[ -f "$dir/prog.cert" ] || { cat "$dir/certify.txt"; exit 1; }
say "  \$ simul enforce $dir/prog.cert -- $prog"
read -r held with <<<"$(many "$simul" enforce "$dir/prog.cert" -- "$prog")"
say "    $held of $runs runs fail; $((with / runs)).$((with * 10 / runs % 10)) ms a run, $((alone / runs)).$((alone * 10 / runs % 10)) ms alone"
[ "$held" = 0 ]
