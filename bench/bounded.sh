# Bounded search (--strategy trust --preemptions K) on the programs of bench/bounded.tsv: sourced by run.sh.
#
# Buggy ones: the smallest K with which the bug is found, and the same without a bound. As in any search with a bound, what is met on the way may
# need more preemptions than K. Safe ones: searched up to 2 preemptions, and without a bound for at least that long.
# BOUNDED names another table, BOUNDED_LIMIT the seconds for one search (10).
begin bounded 25
bounded_limit=${BOUNDED_LIMIT:-10}

# bounded_search NAME OPTIONS...: sets verdict, executions, seconds
bounded_search() {
	local name=$1 status
	shift
	rm -f $dir/r.json
	"$simul" run --quiet --no-minimize --isolation rewind --time "${bounded_limit}s" --output $dir/out --json $dir/r.json "$@" -- \
		"$dir/b_$name" >$dir/log 2>&1 </dev/null
	status=$?
	[ $status -le 1 ] || { cat $dir/log >&2; fail "exit status $status: simul run $* on $name"; }
	verdict=$(json $dir/r.json verdict) executions=$(json $dir/r.json executions) seconds=$(json $dir/r.json seconds)
}

# in_words WORD: "WORD 12 executions, 0.05 s"
in_words() { printf '%s%s execution%s, %.2f s' "$1" "$executions" "$([ "$executions" = 1 ] || echo s)" "$seconds"; }

# without_bound NAME: what the default strategy does in the same time
without_bound() {
	bounded_search "$1"
	in_words "without a bound "
	[ "$verdict" != incomplete ] || printf ', not done'
}

# by_samples NAME: what a sampling strategy does in the same time
by_samples() {
	bounded_search "$1" --strategy surw
	in_words "samples (surw) "
	[ "$verdict" = bug ] || printf ', not found'
}

buggy() {
	local name=$1 paper=$2 k found=""
	for k in 0 1 2 3 4 5 6 7 8; do
		bounded_search "$name" --strategy trust --preemptions $k
		[ "$verdict" = bug ] && { found=$k; break; }
	done
	case $paper in -) paper="the paper's tool times out" ;; *) paper="the paper finds it with $paper" ;; esac
	if [ -n "$found" ]; then
		row "$name: smallest bound" "$found" - - - "$paper; $(in_words ""); $(without_bound "$name")"
	else
		row "$name: smallest bound" "not found" - - - "$paper; bounds 0 to 8, $bounded_limit s each; $(without_bound "$name"); $(by_samples "$name")"
	fi
}

safe() {
	local name=$1 value state
	bounded_search "$name" --strategy trust --preemptions 2
	[ "$verdict" != bug ] || fail "a bug in $name, which is safe"
	value=$seconds state=$(in_words "")
	[ "$verdict" != incomplete ] || state+=", not done"
	row "$name: up to 2 preemptions" "$value" s - - "$state; $(without_bound "$name")"
}

while IFS=$'\t' read -r name source defines bound; do
	[[ $name != \#* && -n $name ]] || continue
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	compile "b_$name" "$source" -I bench/bounded $defines
	case $bound in safe) safe "$name" ;; *) buggy "$name" "$bound" ;; esac
done <"${BOUNDED:-bench/bounded.tsv}"
