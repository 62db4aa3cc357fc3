#!/bin/bash
# tests/fuzz/regenerate.sh [SECONDS]: makes a new tests/fuzz/corpus.tar.xz, for a changed format or changed code: records seeds of this version, fuzzes each target for
# SECONDS (default 120; 0: not at all) from these and from the present corpus, and keeps a small set of inputs that reaches every edge that any of them
# reaches. Prints for each target the edges, features, files and bytes before and after. It takes some twenty minutes on two processors.
#
# A recording or certificate that simul wrote is called NAME.simul or NAME.cert, and tests/corpus.sh checks that simul still reads it. Other inputs have
# libFuzzer's names, the SHA-1 of their content. Those of an older format are tried with the new version on their first line, too.
#
#   SEEDS=DIR       takes seeds that tests/fuzz/seeds.py made before
#   OLD=DIR         takes this folder in place of what the archive has
cd "$(dirname "$0")/../.." || exit 1
. tests/fuzz/lib.sh
seconds=${1:-120} targets="recording html json certificate state rows"
work=build/fuzz/regenerate
make -j"$(nproc)" all $(printf 'build/fuzz/fuzz_%s ' $targets) || exit 1
rm -rf $work
mkdir -p $work
old=${OLD:-$work/old}
[ -n "${OLD-}" ] || unpack_corpus "$old" || exit 1
seeds=${SEEDS:-$work/seeds}
[ -d "$seeds" ] || tests/fuzz/seeds.py build/simul "$seeds" || exit 1
recording_version=$(sed -n 's/^#define RECORDING_VERSION //p' recorder/recording.h)
certificate_version=$(sed -n 's/^#define CERTIFICATE_VERSION //p' enforce/certificate.h)

# newer TARGET: copies of the old inputs, with the present version on their first line.
newer() {
	local f
	mkdir -p "$work/newer/$1"
	for f in $(find $(inputs_of "$old" "$1") -type f); do
		LC_ALL=C sed -e "1s/^simul recording [0-9]*$/simul recording $recording_version/" -e "1s/^simul certificate [0-9]*$/simul certificate $certificate_version/" \
			"$f" >"$work/newer/$1/$(basename "$f")"
	done
}

# kept TARGET FOLDER...: adds to $work/new/TARGET what reaches edges that nothing there, nor in the folder that it shares, reaches yet. Edges only:
# inputs that differ in how often they take an edge are many.
kept() {
	local target=$1 shared
	shift
	mkdir -p "$work/new/$target" "$work/merge"
	rm -rf "$work/merge"/*
	shared=$(inputs_of "$work/new" "$target" | grep -v "/$target$")
	[ -z "$shared" ] || cp "$shared"/* "$work/merge/"
	cp "$work/new/$target"/* "$work/merge/" 2>/dev/null
	ls "$work/merge" >"$work/had"
	fuzz_target "$target" -set_cover_merge=1 -use_counters=0 "$work/merge" "$@" >>"$work/$target.log" 2>&1 || { tail "$work/$target.log"; return 1; }
	ls "$work/merge" | grep -vxFf "$work/had" | sed "s|^|$work/merge/|" | xargs -r cp -t "$work/new/$target"
}

# one_of_each_kind: keeps the smallest recording of each kind of failure, whatever it reaches.
one_of_each_kind() {
	local kind smallest
	mkdir -p "$work/new/recording"
	for kind in $(grep -hx 'kind [a-z]*' "$seeds"/recording/*.simul | cut -d' ' -f2 | sort -u); do
		smallest=$(grep -lx "kind $kind" "$seeds"/recording/*.simul | xargs ls -S | tail -n 1)
		cp "$smallest" "$work/new/recording/$(sha1sum <"$smallest" | cut -d' ' -f1)"
	done
}

# named TARGET: gives inputs that are seeds the names of these.
named() {
	local f sum
	[ -d "$seeds/$1" ] || return 0
	for f in "$seeds/$1"/*; do
		sum=$(sha1sum <"$f")
		[ ! -e "$work/new/$1/${sum%% *}" ] || mv "$work/new/$1/${sum%% *}" "$work/new/$1/$(basename "$f")"
	done
}

numbers() { # ROOT TARGET
	local own=$1/$2
	[ -d "$own" ] || { echo "- - - -"; return; }
	tests/fuzz/edges.sh "$2" $(inputs_of "$1" "$2") | tr '\n' ' '
	find "$own" -type f | wc -l | tr '\n' ' '
	cat "$own"/* | wc -c
}

one_of_each_kind
for target in $targets; do
	newer "$target"
	mkdir -p "$work/found/$target"
	given="$(inputs_of "$seeds" "$target") $work/newer/$target $(inputs_of "$old" "$target")"
	[ "$seconds" = 0 ] || fuzz_target "$target" -max_total_time="$seconds" -max_len=8192 -reduce_inputs=1 "$work/found/$target" $given >"$work/$target.log" 2>&1 ||
		{ tail -n 40 "$work/$target.log"; exit 1; }
	[ ! -d "$seeds/$target" ] || kept "$target" "$seeds/$target" || exit 1
	kept "$target" "$work/newer/$target" "$work/found/$target" || exit 1
	kept "$target" $(inputs_of "$old" "$target") || exit 1
	before=$(numbers "$old" "$target")
	echo "$target: edges, features, files, bytes: before $before, after $(numbers "$work/new" "$target")"
	named "$target"
done
pack_corpus $work/new
