#include "preload/life/lock_watch.h"

#include "explore/explore.h"
#include "preload/control/ctl.h"
#include "sched/lock_words.h"
#include "preload/base/rules.h"

#define MOST 256 /* executions of each search and each warm-up from which it learns: the first ones */

_Static_assert(sizeof(struct lock_words) == SESSION_LOCK_WORDS, "too little room for the words");

void lock_watch_see(void)
{
	struct session *s = ctl_session;
	if (s->config.mode == MODE_EXPLORE && s->config.settings.patch && !s->config.worker && explore_stats(ctl_segment(s->layout.explore_off))->executions < MOST)
		lock_words_see((struct lock_words *)s->lock_words, &ctl_trace);
}
