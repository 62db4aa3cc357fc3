# The cost of an observed access that is not an event, with both sensors: sourced by run.sh.
begin sensor 4
compile private bench/private.c
compile private.t bench/private.c -fsanitize=thread
rm -f $dir/s.*
for ((i = 0; ; i++)); do
	turn $i || break
	$dir/private $dir/s.now 20000000 && cat $dir/s.now >>$dir/s.native || fail "private fails"
	for kind in private private.t; do
		seconds 1 -- $dir/$kind $dir/s.now 5000000 >/dev/null || exit 1
		cat $dir/s.now >>$dir/s.$kind
	done
done
native=$(median <$dir/s.native)
for kind in private private.t; do
	what="patched"
	[ $kind = private.t ] && what="-fsanitize=thread"
	row "one access to private memory under simul, $what" "$(median <$dir/s.$kind)" ns "$(calc "$(median <$dir/s.$kind) / $native")" "the native one"
done
