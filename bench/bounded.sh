# Bounded search (--strategy trust --preemptions K) on the programs of bench/bounded.tsv: sourced by run.sh.
#
# Buggy programs: the smallest K with which the bug is found, the preemptions that the execution needs, and the result of the default strategy in the same
# time. Safe programs: a search up to 2 preemptions, and a full search (optimal) in the same time; some with K = 0 only, from the command's start to its end.
# Then bench/bound_costs.sh.
# BOUNDED names another table to use instead; BOUNDED_LIMIT is the limit for one search in seconds (10).
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

# by_default NAME: the result of the default strategy in the same time
by_default() {
	bounded_search "$1"
	local bound samples
	samples=$(json $dir/r.json samples)
	in_words "by default "
	[ "$samples" = 0 ] || printf ', %s of them samples' "$samples"
	[ "$verdict" = bug ] || { printf ', not found'; return; }
	bound=$(json $dir/r.json bugs.0.bound)
	if [ "$bound" != null ]; then
		printf ', bound %s' "$bound"
	elif [ "$(json $dir/r.json bugs.0.samples)" != 0 ]; then
		printf ', by a sample'
	elif [ "$(json $dir/r.json bugs.0.count)" != 0 ]; then
		printf ', without a bound'
	else
		during_warm_up
	fi
}

# during_warm_up: prints a note if only warm-up executions before the search found the bug
during_warm_up() { [ "$(json $dir/r.json bugs.0.count)" != 0 ] || printf ', during warm-up'; }

buggy() {
	local name=$1 paper=$2 k found="" needs
	for k in 0 1 2 3 4 5 6 7 8; do
		bounded_search "$name" --strategy trust --preemptions $k
		[ "$verdict" = bug ] && { found=$k; break; }
	done
	case $paper in -) paper="the paper's tool times out" ;; *) paper="the paper finds it with $paper" ;; esac
	if [ -n "$found" ]; then
		needs=$(json $dir/r.json bugs.0.needs_preemptions)
		[ "$needs" = null ] && needs="" || needs=", that execution needs $needs"
		needs+=$(during_warm_up)
		row "$name: smallest bound" "$found" - - - "$paper; $(in_words "")$needs; $(by_default "$name")"
	else
		row "$name: smallest bound" "not found" - - - "$paper; bounds 0 to 8, $bounded_limit s each; $(by_default "$name")"
	fi
}

# safe NAME K
safe() {
	local name=$1 start value state
	start=${EPOCHREALTIME/./}
	bounded_search "$name" --strategy trust --preemptions "$2"
	value=$(calc "(${EPOCHREALTIME/./} - $start) / 1e6")
	[ "$verdict" != bug ] || fail "a bug in $name, which is safe"
	state=$(in_words "")
	[ "$verdict" != incomplete ] || state+=", not done"
	bounded_search "$name" --strategy optimal
	state+="; $(in_words "without a bound ")"
	[ "$verdict" != incomplete ] || state+=", not done"
	row "$name: up to $2 preemptions" "$value" s - - "$state"
}

while IFS=$'\t' read -r name source defines bound; do
	[[ $name != \#* && -n $name ]] || continue
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	compile "b_$name" "$source" -I bench/bounded -I tests/golden $defines
	case $bound in safe*) safe "$name" "${bound#safe}" ;; *) buggy "$name" "$bound" ;; esac
done <"${BOUNDED:-bench/bounded.tsv}"

# shellcheck disable=SC1091
[ -n "${BOUNDED-}" ] || . bench/bound_costs.sh
