#include "cli/verdict/graphs_left.h"

#include "cli/base/say.h"
#include "explore/explore.h"

const char *graphs_left_text(uint32_t left, char *buf, size_t size)
{
	static const char *const why[] = {
		[GRAPHS_LONG - GRAPHS_LONG] = "an execution has too many events, as loops that wait make",
		[GRAPHS_THREADS -
			GRAPHS_LONG] = "the program has too many threads",
		[GRAPHS_STORES -
			GRAPHS_LONG] = "an access may read, or come after, more than 33 stores",
		[GRAPHS_SIZES -
			GRAPHS_LONG] =
			("the program has atomic accesses of more than 8 bytes, or accesses of several sizes to the "
			 "same bytes"),
		[GRAPHS_WAITS -
			GRAPHS_LONG] = "a thread waited in a loop, and nothing ended that",
		[GRAPHS_TIMED -
			GRAPHS_LONG] = "time ends a call of the library only where nothing else can happen",
		[GRAPHS_LOOP -
			GRAPHS_LONG] = "time ended many calls of one thread, as in a loop of timed waits",
	};

	buf[0] = 0;
	if (!left)
		return buf;
	text_set(buf, size, "samples instead of every execution graph: ");
	if (left >= GRAPHS_LONG && left - GRAPHS_LONG < sizeof(why) / sizeof(why[0]))
		text_add(buf, size, "%s", why[left - GRAPHS_LONG]);
	else
		text_add(buf, size, "the search over graphs does not know %s", event_kind_text(left - 1));
	return buf;
}
