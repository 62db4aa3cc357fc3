# Shared functions of the benchmark: sourced by run.sh.

export SIMUL_TEST_LEAVE_FILES=1 # programs write figures to files, which simul would restore

fail() { echo "bench: $*" >&2; exit 1; }
json() { build/tests/json_get "$@" || fail "no result"; }
median() { sort -g | awk '{v[NR]=$1} END {if (!NR) exit 1; print (NR % 2) ? v[(NR+1)/2] : (v[NR/2] + v[NR/2+1]) / 2}'; }
column() { cut -d' ' -f"$1" "$2" | median; } # COLUMN FILE: its median
calc() { awk "BEGIN { printf \"%.6g\", $1 }"; }

# ---- time ----
# begin SECTION PERCENT: starts a section with this part of the whole time. turn N: whether its loop may run again after N
# iterations: at least once, then until the time is over, at most $repeat times.
now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }
begin() {
	section=$1
	ends=$(($(now_ms) + budget * 10 * $2))
}
turn() { [ "$1" = 0 ] || { [ "$1" -lt "$repeat" ] && [ "$(now_ms)" -lt $ends ]; }; }

# cpu_time CMD...: runs CMD, and sets cpu_seconds to its processor time (user and system), with that of the children that it waited for.
cpu_time() {
	local status TIMEFORMAT='%3U + %3S'
	{ time "$@" 2>&3; } 3>&2 2>$dir/cpu
	status=$?
	cpu_seconds=$(calc "$(cat $dir/cpu)")
	return $status
}

# ---- the table ----
# row NAME VALUE UNIT [RATIO OF [NOTE]]: adds a line to the table and to $dir/rows, the source of the JSON. "-" means empty.
# VALUE and RATIO are numbers, or VALUE is a word that says why there is no number.
row() {
	local name=$1 value=$2 unit=$3 ratio=${4:--} of=${5:--} note=${6:--} shown times="" tail=""
	shown=$value
	[[ $value =~ ^[0-9] && ! ($unit = - && $value =~ ^[0-9]+$) ]] && shown=$(awk -v v="$value" 'BEGIN { printf (v < 10 ? "%.2f" : v < 100 ? "%.1f" : "%.0f"), v }')
	[ "$unit" = - ] || shown+=" $unit"
	[[ $ratio =~ ^[0-9] ]] && times=$(awk -v r="$ratio" 'BEGIN { printf (r < 0.1 ? "x %.3f" : r < 10 ? "x %.2f" : "x %.1f"), r }')
	[ "$of" = - ] || tail="of $of"
	[ "$note" = - ] || tail+="${tail:+; }$note"
	printf '%-56s %22s %10s  %s\n' "$name" "$shown" "$times" "$tail"
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$section" "$name" "$value" "$unit" "$ratio" "$of" "$note" >>$dir/rows
}

# write_json FILE: all rows, and the machine.
write_json() {
	awk -F'\t' -v cpus="$(nproc)" -v kernel="$(uname -r)" -v load="$load_before" -v load_after="$(cut -d' ' -f1 /proc/loadavg)" \
		-v seconds="$(calc "($(now_ms) - $started) / 1000")" -v repeat="$repeat" '
		function text(s) { gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); return s == "-" ? "null" : "\"" s "\"" }
		function number(s) { return s ~ /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ ? s : "null" }
		BEGIN {
			printf "{ \"schema\": 1,\n  \"machine\": { \"processors\": %d, \"kernel\": %s, \"load_before\": %s, \"load_after\": %s },\n",
				cpus, text(kernel), number(load), number(load_after)
			printf "  \"seconds\": %s, \"repeat\": %d,\n  \"rows\": [", number(seconds), repeat
		}
		{
			note = $7
			if (number($3) == "null" && $3 != "-")
				note = note == "-" ? $3 : $3 "; " note
			printf "%s\n    { \"section\": %s, \"name\": %s, \"value\": %s, \"unit\": %s, \"ratio\": %s, \"of\": %s, \"note\": %s }",
				(NR > 1 ? "," : ""), text($1), text($2), number($3), text($4), number($5), text($6), text(note)
		}
		END { print "\n  ]\n}" }' $dir/rows >"$1" || fail "cannot write $1"
}

# ---- running simul ----
# search OPTIONS... -- PROGRAM...: the result is in $dir/r.json. Any bug is an error.
search() {
	local status
	rm -f $dir/r.json
	"$simul" run --strategy optimal --quiet --output $dir/out --json $dir/r.json "$@" >$dir/log 2>&1 </dev/null
	status=$?
	[ $status = 0 ] || { cat $dir/log >&2; fail "exit status $status: simul run $*"; }
}

# seconds EXECUTIONS OPTIONS... -- PROGRAM...: wall time of a search of this many executions
seconds() {
	local n=$1
	shift
	search --executions "$n" "$@"
	[ "$(json $dir/r.json executions)" = "$n" ] || fail "not $n executions: simul run $*"
	json $dir/r.json seconds
}

# per_execution FEW MANY ...: microseconds an execution; start-up and shutdown cancel out. (They are included if the machine was so busy that the
# larger search took less time.)
per_execution() {
	local few=$1 many=$2 a b
	shift 2
	a=$(seconds "$few" "$@") || exit 1
	b=$(seconds "$many" "$@") || exit 1
	calc "1e6 * ($b > $a ? ($b - $a) / ($many - $few) : $b / $many)"
}

# pace OPTIONS... -- PROGRAM...: "microseconds an execution, events an execution" of a search that is too large to end, from the difference
# between a longer and a shorter run (or from the longer one itself, if it did no more). A machine so busy that no execution ends
# gets more time.
pace() {
	local s n e ms=$pace_ms
	while :; do
		search --time "${ms}ms" "$@"
		s=$(json $dir/r.json seconds) n=$(json $dir/r.json executions) e=$(json $dir/r.json events)
		search --time "$((4 * ms))ms" "$@"
		awk -v s="$s" -v n="$n" -v e="$e" -v t="$(json $dir/r.json seconds)" -v m="$(json $dir/r.json executions)" -v f="$(json $dir/r.json events)" \
			'BEGIN {
				if (m <= n || t <= s) n = s = e = 0
				if (m == 0) exit 1
				printf "%.6g %.6g\n", (t - s) / (m - n) * 1e6, (f - e) / (m - n)
			}' && return
		((ms *= 4))
		((ms <= 5000)) || fail "no execution in $ms ms: simul run $*"
	done
}

# compile NAME SOURCE FLAGS...: $dir/NAME
compile() {
	local out=$dir/$1 source=$2
	shift 2
	gcc -O2 -g -pthread -D_GNU_SOURCE "$@" -o "$out" "$source" || exit 1
}

# Whether simul run has this option (with this value).
known() { "$simul" run --help | grep -qE -- "$1"; }
