#!/bin/bash
# Allowed dependencies between the parts, and banned words. Nine checks, each of which can run alone:
#
#   tests/layers.sh includes [ROOT]          every #include points in an allowed direction
#   tests/layers.sh symbols  [OBJECTS]       sched/ and explore/ objects call nothing but each other (downwards),
#                                            base/ and a few mem/str functions, and have no variables
#   tests/layers.sh exports  [LIB] [DEF]     the library exports exactly the MODEL and REFUSE lines of hooks.def, the DESCRIBED, PRINTF, SCANF
#                                            and UNSEEN lines of libc.def, and what tsan.def, header.def, systemc.def, pth.def and tbb.def list
#   tests/layers.sh order    [ROOT]          the folders of recorder/, preload/ and cli/ are rooms with an order: no file includes
#                                            one of a room that comes later
#   tests/layers.sh rooms    [OBJECTS]       the same for the objects of recorder/, preload/ and cli/: none refers to a function or variable
#                                            of a room that comes later
#   tests/layers.sh sides    [ROOT]          no file takes the other side of the session segment (base/session/sides.h) than its folder has
#   tests/layers.sh processor [ROOT]         code for a processor lies in folders of the processor
#   tests/layers.sh floats   [OBJECTS]       the code of the libraries in the program has no floating point
#   tests/layers.sh calls    [OBJECTS]       prints how many names each room uses from each other room; checks nothing
#   tests/words.sh                           no file has more banned words than before
#
# Without an argument all nine, on this tree; the last line is then "N passed, M failed".
# tests/layers_test.sh shows that each check fails when it should.
cd "$(dirname "$0")/.." || exit 1

# allowed DIR: what files in DIR may include, as an extended regular expression on the path in quotes.
allowed() {
	case $1 in
	base) echo '^base/' ;;
	sched) echo '^(sched|base)/' ;;
	explore) echo '^(explore|base)/|^sched/(strategy|event|ids|await|rc11|choice|step)\.h$' ;;
	preload) echo '^(preload|sched|base)/|^include/simul\.h$|^explore/(explore|config|shared/common)\.h$|^replay/forced\.h$' ;;
	preload/patch) echo '^(preload/patch|base)/|^preload/(accesses/mem|base/(sys|rules|lock_op))\.h$' ;;
	include) echo '^$' ;;
	recorder) echo '^(recorder|base)/|^sched/(event|choice|ids|memory|memory_order|await|robust|policy)\.h$' ;;
	replay) echo '^(replay|recorder|base)/|^sched/(strategy|event|ids|memory|memory_order|await|choice)\.h$' ;;
	fair) echo '^(fair/|include/(simul|fthread)\.h$)' ;;
	enforce) echo '^(enforce|base)/|^sched/(event|ids)\.h$|^preload/(accesses/mem|base/safe_read|memory/heap|patch/patch)\.h$|^preload/base/bytes\.def$' ;;
	cli) echo '^(cli|enforce|replay|recorder|preload|explore|sched|base)/' ;;
	demos) echo '^$' ;;
	esac
}

# What sched/ and explore/ may include of the system: types, limits, errno values and the mem/str functions.
pure_headers='^(stdbool|stddef|stdint|limits|errno|string|inttypes|stdarg|stdalign)\.h$'
# The only functions outside simul that they may call. The compiler inserts calls of the last ones.
pure_symbols='^(memcpy|memmove|memset|memcmp|strlen|strcmp|strncmp|check_failed|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)$'

# Lines "file:line: text" of every #include of DIR.
include_lines() {
	find "$1" -type f \( -name '*.[chS]' -o -name '*.cc' -o -name '*.def' \) -print0 |
		xargs -0 -r grep -nHE '^[[:space:]]*#[[:space:]]*include' | sort
}

check_includes() {
	local root=${1:-.} bad=0 seen=0 dir rule file line text at what
	cd "$root" || return 1
	for dir in base sched explore preload preload/patch include recorder replay enforce fair cli demos; do
		[ -d "$dir" ] || continue
		rule=$(allowed $dir)
		while IFS=: read -r file line text; do
			at=$file:$line
			seen=$((seen + 1))
			if [[ $text =~ \"([^\"]*)\" ]]; then
				what=${BASH_REMATCH[1]}
				# a demo may include only its own header beside it
				[ $dir = demos ] && [ -f "${file%/*}/$what" ] && [[ $what != */* ]] && continue
				[[ $what =~ $rule ]] && continue
				echo "$at: $dir/ must not include \"$what\""
				bad=1
			elif [[ $text =~ \<([^\>]*)\> ]]; then
				what=${BASH_REMATCH[1]}
				if [[ $what =~ ^(base|sched|explore|preload|recorder|replay|enforce|fair|cli|tests)/ ]]; then
					echo "$at: write \"$what\", not <$what>"
					bad=1
				elif [[ $dir == sched || $dir == explore ]] && ! [[ $what =~ $pure_headers ]]; then
					echo "$at: $dir/ is pure code and must not include <$what>"
					bad=1
				fi
			else
				echo "$at: cannot tell what this includes"
				bad=1
			fi
		done < <(include_lines "$dir")
	done
	[ $seen -gt 0 ] || { echo "no #include found in $root"; return 1; }
	return $bad
}

# Names that the objects of these folders define.
defined_in() { find "$@" -name '*.o' -print0 2>/dev/null | xargs -0 -r nm --defined-only -g 2>/dev/null | awk 'NF==3{print $3}'; }

check_symbols() {
	local objects=${1:-build/obj/release} bad=0 side dir known out
	for side in cli lib; do
		for dir in sched explore; do
			[ -n "$(find "$objects/$side/$dir" -name '*.o' 2>/dev/null)" ] || {
				echo "no objects in $objects/$side/$dir"
				bad=1
				continue
			}
			# sched may use itself and base; explore itself, base and the functions that the vocabulary
			# headers declare (which is what its includes let it name).
			known=$(defined_in "$objects/$side/base" "$objects/$side/sched" \
				$([ $dir = explore ] && echo "$objects/$side/explore"))
			out=$(find "$objects/$side/$dir" -name '*.o' -print0 | xargs -0 nm -A -u | awk -v pure="$pure_symbols" -v known="$known" '
				BEGIN { n = split(known, name, "\n"); for (i = 1; i <= n; i++) is_known[name[i]] = 1 }
				$NF !~ pure && !($NF in is_known) { print $1 " pure code refers to " $NF }'
				find "$objects/$side/$dir" -name '*.o' -print0 | xargs -0 nm -A -f sysv | awk -F'|' '
					{ gsub(/ /, "", $1); gsub(/ /, "", $4); gsub(/ /, "", $7); at = $1; sub(/:[^:]*$/, "", at); sub(/.*:/, "", $1) }
					$4 == "OBJECT" && $7 ~ /^\.(data|bss|tdata|tbss)/ && $7 !~ /^\.data\.rel\.ro/ {
						print at ": pure code has a variable: " $1 " (in " $7 ")" }')
			[ -z "$out" ] || { echo "$out"; bad=1; }
		done
	done
	return $bad
}

# The meaning of each kind of line in the lists.
lines_of_lists='#define MODEL(r, n, a) EXPORT n
#define REFUSE(r, n, a) EXPORT n
#define PASS(r, n, a)
#define ACCESS(n, s, f) EXPORT n
#define ACCESS_PC(n, s, f) EXPORT n
#define RANGE(n, f) EXPORT n
#define RANGE_PC(n, f) EXPORT n
#define ATOMIC(n, s, f, m) EXPORT n
#define NOTHING(n) EXPORT n
#define OTHER(n) EXPORT n
#define HEADER(n) EXPORT n
#define INTERPOSED(r, n, a, symbol) EXPORT symbol
#define TASKS(n, symbol) EXPORT symbol
#define ALLOCATES(n, symbol) EXPORT symbol
#define GIVES_BACK(n, symbol) EXPORT symbol
#define DESCRIBED(n, ...) EXPORT n
#define UNSEEN(n) EXPORT n'

check_exports() {
	local lib=${1:-build/libsimul.so} def=${2:-preload/base/hooks.def preload/base/libc.def preload/accesses/tsan.def preload/hooks/header.def preload/cooperative/systemc.def preload/cooperative/pth.def preload/hooks/tbb.def} want have diff
	# shellcheck disable=SC2086
	want=$({ echo "$lines_of_lists" && printf '#include "%s"\n' $def; } |
		gcc -E -P -x c -I. - | tr ' ' '\n' | awk 'prev=="EXPORT"{print} {prev=$0}' | LC_ALL=C sort) || return 1
	have=$(nm -D --defined-only "$lib" | awk '{sub(/@.*/,"",$NF); print $NF}' | LC_ALL=C sort -u) || return 1
	[ -n "$want" ] || { echo "$def lists nothing"; return 1; }
	[ -n "$have" ] || { echo "$lib exports nothing"; return 1; }
	diff=$(LC_ALL=C comm -3 <(echo "$want") <(echo "$have"))
	[ -z "$diff" ] && return 0
	LC_ALL=C comm -23 <(echo "$want") <(echo "$have") | sed "s|^|$lib does not export: |"
	LC_ALL=C comm -13 <(echo "$want") <(echo "$have") | sed "s|^|$lib exports, but $def does not list it: |"
	return 1
}

# Folders for one processor. Such a folder belongs to the room in which it lies.
processors='x86_64'

# The rooms, lowest first. Files that lie in the part itself are above all of them, unless the list contains `top`.
recorder_rooms='top format symbols order report json html'
preload_rooms='base failure memory control accesses patch modules kernel life hooks cooperative libc'
cli_rooms='base options segment target supervise collect bugs verdict resume doctor certify replay nightly/machines nightly/stress nightly/searches'

# Objects below $1/SIDE/PART; on this tree (no $1) only those whose source is there, since objects of moved files stay behind.
objects_of() {
	local objects=${1:-build/obj/release} o source
	find "$objects/$2/$3" -name '*.o' 2>/dev/null | sort | while IFS= read -r o; do
		source=${o#"$objects/$2/"}
		source=${source%.o}
		[ -n "$1" ] || [ -e "$source.c" ] || [ -e "$source.S" ] && echo "$o"
	done
}

# Lines "FROM-ROOM TO-ROOM OBJECT NAME" for each reference of an object of SIDE/PART to a name that another room of it defines. Names that
# libsimul.so exports are libc's: a reference to one is a call of libc.
references() {
	local objects=$1 side=$2 part=$3
	objects_of "$objects" "$side" "$part" | xargs -r readelf -sW | awk -v prefix="${objects:-build/obj/release}/$side/$part/" -v side="$side" \
		-v processors="/($processors)\$" '
		$1 == "File:" { object = $2; room = substr(object, length(prefix) + 1); if (!sub("/[^/]*$", "", room)) room = "top"; sub(processors, "", room) }
		$5 != "GLOBAL" && $5 != "WEAK" { next }
		$7 == "UND" { user[++n] = room; from[n] = object; name[n] = $8; next }
		side == "cli" || $6 == "HIDDEN" { owner[$8] = room }
		END { for (i = 1; i <= n; i++) if (name[i] in owner && owner[name[i]] != user[i]) print user[i], owner[name[i]], from[i], name[i] }'
}

# order_of PART: the rooms of PART, lowest first.
order_of() {
	local order=${1}_rooms
	[[ " ${!order} " == *" top "* ]] && echo "${!order}" || echo "${!order} top"
}

# The includes inside PART follow the order of its rooms.
includes_of() {
	local part=$1
	include_lines "$part" | awk -v order="$(order_of "$part")" -v part="$part" -v processors="/($processors)\$" '
		function room(path) {
			path = substr(path, length(part) + 2)
			if (!sub("/[^/]*$", "", path)) return "top"
			sub(processors, "", path)
			return path
		}
		BEGIN { n = split(order, name, " "); for (i = 1; i <= n; i++) level[name[i]] = i }
		match($0, "\"" part "/[^\"]*\"") {
			what = substr($0, RSTART + 1, RLENGTH - 2)
			file = $0; sub(":.*", "", file)
			from = room(file); to = room(what)
			if (!(from in level)) print file ": " part "/" from "/ has no place in the order of rooms"
			else if (!(to in level)) print file ": " part "/" to "/ has no place in the order of rooms"
			else if (level[to] > level[from]) print file ": " part "/" from "/ is below " part "/" to "/ and must not include \"" what "\""
			else next
			bad = 1
		}
		END { exit bad }'
}

check_order() {
	local part bad=0 seen=0
	cd "${1:-.}" || return 1
	for part in recorder preload cli; do
		[ -d "$part" ] || continue
		seen=1
		includes_of "$part" || bad=1
	done
	[ $seen = 1 ] || { echo "no rooms found in ${1:-.}"; return 1; }
	return $bad
}

# rooms_of PART OBJECTS SIDE: the references of PART follow the order of its rooms.
rooms_of() {
	local part=$1 order room bad=0 out
	order=$(order_of "$part")
	[ -n "$(objects_of "$2" "$3" "$part")" ] || { echo "no objects of $part/"; return 1; }
	while IFS= read -r room; do
		[[ " $order " == *" $room "* ]] && continue
		echo "$part/$room/ has no place in the order of rooms"
		bad=1
	done < <(objects_of "$2" "$3" "$part" | sed -E -e "s|^${2:-build/obj/release}/$3/$part/||" -e 's|^[^/]*$|top|' -e 's|/[^/]*$||' -e "s#/($processors)\$##" | sort -u)
	out=$(references "$2" "$3" "$part" | awk -v order="$order" -v part="$part" '
		BEGIN { n = split(order, room, " "); for (i = 1; i <= n; i++) level[room[i]] = i }
		level[$2] > level[$1] { print $3 ": " part "/" $1 "/ is below " part "/" $2 "/ and must not refer to " $4 }')
	[ -z "$out" ] || { echo "$out"; bad=1; }
	return $bad
}

check_rooms() {
	local bad=0
	rooms_of preload "${1-}" lib || bad=1
	rooms_of cli "${1-}" cli || bad=1
	rooms_of recorder "${1-}" cli || bad=1
	return $bad
}

# Files that may say on which side of the session segment they are: those of cli/ that write for targets that do not run, and a strategy that
# only the target uses.
side_files='^(cli/segment/[a-z_]*\.c|replay/forced\.c)$'

# The compiler reports a write to what the other side writes, because that is const. So no file may take the other side.
check_sides() {
	local file bad=0 dirs=()
	cd "${1:-.}" || return 1
	for file in base sched explore preload recorder replay enforce fair cli; do
		[ -d "$file" ] && dirs+=("$file")
	done
	[ ${#dirs[@]} -gt 0 ] && [ -n "$(find "${dirs[@]}" -name '*.[ch]' -print -quit)" ] || { echo "no files found in ${1:-.}"; return 1; }
	while IFS= read -r file; do
		[[ $file =~ $side_files ]] && continue
		echo "$file: must not choose its side of the session segment"
		bad=1
	done < <(grep -rlE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*(define|undef)[[:space:]]+(SIMUL_TARGET|SESSION_NO_TARGET_RUNS|BY_TARGET|BY_SUPERVISOR)\>' \
		"${dirs[@]}" | grep -vx base/session/sides.h | LC_ALL=C sort)
	return $bad
}

# Files outside the folders of processors that name one. The first two choose the folder. Programs include simul.h without the rest of simul,
# so it must have its few instructions itself, and compile on other processors too. This list only gets shorter.
processor_files='^(base/(processor|registers)\.h|include/simul\.h)$'

# What only code for a processor contains, as extended regular expressions. An assembler name of a function or variable stands behind its
# declaration; it is no code. So inline assembly is `volatile`, or stands at the beginning of a line or of a macro, or names a register.
processor_signs='(__asm__|\<asm)[[:space:]]+(__)?(volatile|goto|inline)\>'
processor_signs+='|^[[:space:]]*(__asm__|asm)\>|^#define[[:space:]]+[A-Za-z_]+(\([^)]*\))?[[:space:]]+(__asm__|asm)\>|\<register\>.*(__asm__|\<asm)\>'
processor_signs+='|\<REG_(R[0-9A-Z]+|EFL|ERR|CR2|TRAPNO)\>|\<gregs\>|\<greg_t\>'
processor_signs+='|\<__(x86_64|amd64|i386|aarch64|arm|riscv)(__)?\>|\<_mm[0-9]*_[a-z]|__builtin_(ia32|aarch64)|(cpuid|intrin)\.h>|Zydis\.h>'

check_processor() {
	local out dirs=() dir
	cd "${1:-.}" || return 1
	for dir in base sched explore preload include recorder replay enforce fair cli; do
		[ -d "$dir" ] && dirs+=("$dir")
	done
	[ ${#dirs[@]} -gt 0 ] && [ -n "$(find "${dirs[@]}" -name '*.[chS]' -print -quit)" ] || { echo "no files found in ${1:-.}"; return 1; }
	out=$(find "${dirs[@]}" -type f \( -name '*.[ch]' -o -name '*.def' \) -print0 | xargs -0 -r grep -nHE "$processor_signs"
		find "${dirs[@]}" -type f -name '*.S' -print0 | xargs -0 -r grep -LF .incbin | sed 's/$/:1: assembly/')
	out=$(awk -F: -v folders="/($processors)/" -v files="$processor_files" '$1 != "" && $1 !~ folders && $1 !~ files {
		print $1 ":" $2 ": code for a processor belongs in a folder of its own: " substr($0, length($1 $2) + 3) }' <<<"$out" | LC_ALL=C sort)
	[ -z "$out" ] && return 0
	echo "$out"
	return 1
}

# Names of functions of libgcc that calculate with floating point: __ltdf2, __fixunssfdi, __floatdidf, __extendsfdf2.
float_helpers='^__[a-z]+([hsdxt][fc][23]|[hsdxt]f[sdt]i|[sdt]i[hsdxt]f)$'

# Lines "FILE:NUMBER: name of a type" where a file says float or double outside comments and texts.
float_types() {
	awk 'FNR == 1 { comment = 0 }
		{
			line = $0; code = ""
			while (line != "") {
				if (comment) { if (!(at = index(line, "*/"))) break; line = substr(line, at + 2); comment = 0; continue }
				if (match(line, /^"([^"\\]|\\.)*"/) || match(line, /^\047([^\047\\]|\\.)*\047/)) { code = code " "; line = substr(line, RLENGTH + 1); continue }
				if (substr(line, 1, 2) == "//") break
				if (substr(line, 1, 2) == "/*") { comment = 1; line = substr(line, 3); continue }
				code = code substr(line, 1, 1); line = substr(line, 2)
			}
			if (match(code, /(^|[^A-Za-z0-9_])(float|double|_Float[0-9]+x?|__float(80|128))([^A-Za-z0-9_]|$)/))
				print FILENAME ":" FNR ": the libraries in the program are built without floating point, and must not use it"
		}' "$@"
}

# The libraries in the program use no vector registers, so the compiler refuses most calculations with floating point. Some it makes calls of
# functions that are not there (a comparison, a conversion to an integer), and an argument of printf it passes where nobody reads it.
check_floats() {
	local objects=${1:-build/obj/release} bad=0 out files
	files=$(find preload sched explore enforce/lib replay/forced.* replay/guided.* -name '*.[ch]' -not -path 'preload/standin/*')
	[ -z "${1-}" ] || files=$(find "$1" -name '*.[ch]')
	[ -n "$(find "$objects/lib" -name '*.o' -print -quit 2>/dev/null)" ] || { echo "no objects in $objects/lib"; return 1; }
	out=$(for part in base sched explore replay preload enforce; do objects_of "${1-}" lib $part; done | xargs -r nm -A -u |
		awk -v helpers="$float_helpers" '$NF ~ helpers { sub(/:$/, "", $1); print $1 ": must not calculate with floating point (" $NF ")" }')
	[ -z "$out" ] || { echo "$out"; bad=1; }
	# shellcheck disable=SC2086
	out=$([ -z "$files" ] || float_types $files)
	[ -z "$out" ] || { echo "$out"; bad=1; }
	return $bad
}

check_calls() {
	local part
	for part in preload:lib cli:cli recorder:cli; do
		references "${1-}" "${part#*:}" "${part%:*}" | awk -v part="${part%:*}" '{ print part "/" $1 " -> " part "/" $2 }'
	done | sort | uniq -c
}

case ${1-} in
includes | symbols | exports | order | rooms | sides | processor | floats | calls)
	check=$1
	shift
	check_"$check" "$@"
	exit
	;;
'') ;;
*) echo "usage: tests/layers.sh [includes|symbols|exports|order|rooms|sides|processor|floats|calls ...]" >&2; exit 2 ;;
esac

passed=0 failed=0
check_words() { tests/words.sh; }
for check in includes order symbols exports rooms sides processor floats words; do
	[[ "layers $check" == *"${FILTER-}"* ]] || continue
	if (check_$check) >build/layers.out 2>&1; then
		echo "ok layers: $check"
		passed=$((passed + 1))
	else
		echo "FAIL layers: $check"
		sed 's/^/    /' build/layers.out
		failed=$((failed + 1))
	fi
done
rm -f build/layers.out
echo "$passed passed, $failed failed"
[ $failed = 0 ]
