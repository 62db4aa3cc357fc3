# What an access costs that is seen but is no event, by both sensors: sourced by run.sh.
gcc -O2 -g -pthread -o $dir/private bench/private.c && gcc -O2 -g -pthread -fsanitize=thread -o $dir/private.t bench/private.c || exit 1
rm -f $dir/s.*
for ((i = 0; i < repeat; i++)); do
	$dir/private $dir/s.now 20000000 && cat $dir/s.now >>$dir/s.native || fail "private fails"
	for kind in private private.t; do
		seconds 1 -- $dir/$kind $PWD/$dir/s.now 5000000 >/dev/null || exit 1
		cat $dir/s.now >>$dir/s.$kind
	done
done
native=$(median <$dir/s.native)
for kind in private private.t; do
	what="patched"
	[ $kind = private.t ] && what="-fsanitize=thread"
	row "one access to private memory under simul, $what" "$(median <$dir/s.$kind | xargs printf '%.1f ns')" \
		"$(median <$dir/s.$kind | awk -v n="$native" '{ printf "x %.1f", $1 / n }')" "(x: of the native one)"
done
