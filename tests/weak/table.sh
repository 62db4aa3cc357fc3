# The table of programs (table1.tsv) and how they are built: sourced by tests/weak.sh and bench/weak.sh, from the top directory.

weak_rows() { sed '/^#/d; /^program\t/d' tests/weak/table1.tsv; }

# weak_build PROGRAM FENCE DEFINES OUT COMPILER FLAGS...
weak_build() {
	local program=$1 fence=$2 defines=$3 out=$4 level libs=
	shift 4
	case $fence in -) level=0 ;; tso) level=1 ;; pso) level=2 ;; *) echo "fence $fence?"; return 1 ;; esac
	[ "$defines" = - ] && defines=
	case $program in apr_*) libs=$(pkg-config --cflags --libs apr-1) || return 1 ;; esac
	# shellcheck disable=SC2086
	"$@" -g -pthread -DFENCE=$level $defines -o "$out" "tests/weak/$program.c" $libs
}

# weak_options PROGRAM: the options of simul run for it
weak_options() {
	case $1 in apr_*) echo "--patch libapr-1.so*" ;; esac
}
