# Sourced by the scripts that run fuzz targets.
# fuzz_target TARGET OPTION...: runs a target that `make fuzz` has built. Symbolizing is off, since it takes very long on some machines.
# -entropic=0: libFuzzer would spend more than half of the time on weighing what it keeps.
fuzz_target() {
	local target=$1
	shift
	ASAN_OPTIONS=symbolize=0:abort_on_error=1:detect_leaks=1:malloc_context_size=5:quarantine_size_mb=32:intercept_strstr=0 \
		UBSAN_OPTIONS=symbolize=0:halt_on_error=1:abort_on_error=1 \
		"build/fuzz/fuzz_$target" -print_funcs=0 -entropic=0 -timeout=30 -rss_limit_mb=4096 -artifact_prefix="build/fuzz/$target-" "$@" </dev/null
}

# unpack_corpus DIR: puts the inputs of tests/fuzz/corpus.tar.xz into DIR, a folder for each target.
unpack_corpus() { rm -rf "$1" && mkdir -p "$1" && tar -xJf tests/fuzz/corpus.tar.xz -C "$1"; }

# pack_corpus DIR: the opposite. The archive depends on nothing but names and contents.
pack_corpus() { tar -C "$1" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - . | xz -9e >tests/fuzz/corpus.tar.xz; }

# inputs_of ROOT TARGET: the folders in ROOT with inputs of a target. Those that read recordings share the inputs of `recording`.
inputs_of() {
	case $2 in
	html | json) echo "$1/recording" ;;
	esac
	[ ! -d "$1/$2" ] || echo "$1/$2"
}
