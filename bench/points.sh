# The cost of a scheduling point at which the same thread continues: sourced by run.sh.
begin points 12
compile points bench/points.c
$dir/points "$dir/native" 100000 || fail "points fails natively"
rm -f $dir/points.*.ns
for ((i = 0; ; i++)); do
	turn $i || break
	for how in "optimal 2" "optimal 1" "random 2"; do
		read -r strategy executions <<<"$how"
		rm -f "$dir/p"; $dir/points "$dir/native" 100000 || fail "points fails natively"
		seconds "$executions" --strategy "$strategy" --isolation fork --max-steps 100000 -- $dir/points "$dir/p" 4000 >/dev/null || exit 1
		echo "$(cat $dir/p) $(calc "$(cat $dir/p) / $(cat $dir/native)")" >>"$dir/points.$strategy$executions.ns"
	done
done
for how in "optimal2 repeating a prefix" "optimal1 at first sight" "random2 random"; do
	read -r file words <<<"$how"
	row "a scheduling point, no switch, $words" "$(column 1 $dir/points.$file.ns)" ns "$(column 2 $dir/points.$file.ns)" \
		"a native lock or unlock" "< 100 ns wanted"
done

# A line by printf and the like, whose format says what they access.
compile printing bench/printing.c
rm -f $dir/printing.ns
for ((i = 0; ; i++)); do
	turn $i || break
	rm -f "$dir/p"; $dir/printing "$dir/native" 100000 || fail "printing fails natively"
	seconds 2 --strategy optimal --isolation fork -- $dir/printing "$dir/p" 20000 >/dev/null || exit 1
	echo "$(cat $dir/p) $(calc "$(cat $dir/p) / $(cat $dir/native)")" >>"$dir/printing.ns"
done
row "a line of printf" "$(column 1 $dir/printing.ns)" ns "$(column 2 $dir/printing.ns)" "a native one" "not an event"
