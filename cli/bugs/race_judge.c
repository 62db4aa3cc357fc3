#include "cli/bugs/race_judge.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/proc_text.h"
#include "cli/collect/process_access.h"
#include "cli/segment/segment.h"
#include "recorder/symbols/symbols.h"

/* Reads the names again if the program has loaded a library. */
static void read_names(struct race_judge *judge, pid_t pid)
{
	char *maps = proc_text_maps(pid);

	if (judge->maps && maps && !strcmp(judge->maps, maps)) {
		free(maps);
		return;
	}
	race_judge_free(judge);
	judge->maps = maps;
	judge->symbols = maps ? symbols_open(maps) : NULL;
}

bool race_judge(struct race_judge *judge, const struct segment *seg, pid_t pid)
{
	struct session_races *races = segment_races(seg);
	bool own = false;

	read_names(judge, pid);
	for (uint32_t i = 0; i < races->n && i < SESSION_RACES; i++) {
		const struct session_race *race = &races->race[i];

		if (!race->process[0][0] || race->judged != RACE_NOT_JUDGED)
			continue;
		own = process_race_access(race, judge->symbols) == ACCESS_OWN;
		break;
	}
	free(races);
	return own;
}

void race_judge_free(struct race_judge *judge)
{
	symbols_close(judge->symbols);
	free(judge->maps);
	*judge = (struct race_judge){NULL, NULL};
}
