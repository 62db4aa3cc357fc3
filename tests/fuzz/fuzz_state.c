/* Any bytes as the state of a search (--resume): read, checked, put into a segment. With their checksum made right, too. Nothing is run. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/segment/segment.h"
#include "cli/segment/segment_keep.h"
#include "cli/base/proc_text.h"
#include "cli/resume/state_file.h"
#include "cli/resume/state_identity.h"
#include "explore/explore.h"
#include "recorder/format.h"
#include "recorder/xalloc.h"
#include "tests/fuzz/lib_fuzz.h"

#define MEMORY (UINT64_C(16) << 20)
#define HEAD 24 /* of the file */

static char path[64];

static void try_finding(const char *text, size_t size)
{
	enum recording_error err;
	char message[256];

	recording_free(recording_parse(text, size, "fuzz", &err, message, sizeof(message)));
}

/* As cli/resume/resume.c takes the sections. */
static void take(struct segment *seg, enum state_section section, const char *data, size_t size)
{
	struct identity now = {(char *)(uintptr_t)"simul\0x\0path\0/bin/true\0", 24};
	char why[1200];
	uint64_t off;

	switch (section) {
	case SECTION_IDENTITY:
		identity_same(&now, data, size, why, sizeof(why));
		break;
	case SECTION_MAPS:
		if (size && !data[size - 1])
			proc_text_same_addresses(data, "555555554000-555555555000 r-xp 00000000 00:00 0 /bin/true\n", why, sizeof(why));
		break;
	case SECTION_FINDING:
		if (size > 296)
			try_finding(data + 296, size - 296);
		break;
	case SECTION_MEMORY:
		if (size < 16)
			break;
		memcpy(&off, data + 8, sizeof(off));
		segment_put(seg, off, data + 16, size - 16);
		break;
	default:
		break;
	}
}

static void try(const void *data, size_t size)
{
	struct session_config config = {.mode = MODE_EXPLORE, .strategy = STRATEGY_OPTIMAL, .max_steps = 1000, .hang_ns = 1};
	struct state_reader file;
	enum state_section section;
	struct segment seg;
	struct explore_stats stats;
	const void *part;
	size_t length;
	char why[1024];
	int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);

	INVARIANT(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no room in /dev/shm");
	close(fd);
	if (state_open(&file, path) != STATE_GOOD)
		return;
	INVARIANT(segment_create(&seg, &config, MEMORY, 0, NULL, NULL, why, sizeof(why)), "%s", why);
	while (state_next(&file, &section, &part, &length))
		take(&seg, section, part, length);
	state_close(&file);
	segment_go_on(&seg, &config, true);
	segment_stats(&seg, &stats);
	segment_close(&seg);
}

/* The sum of state_file.c. */
static uint64_t sum(const char *data, size_t size)
{
	uint64_t s = 0, word;

	for (; size >= 8; size -= 8, data += 8) {
		memcpy(&word, data, 8);
		s = (s ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		s ^= s >> 32;
	}
	return s;
}

static void remove_file(void)
{
	unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy;

	if (!path[0]) {
		snprintf(path, sizeof(path), "/dev/shm/simul-fuzz-%d", (int)getpid());
		atexit(remove_file);
	}
	try(data, size);
	if (size < HEAD + 16 || size % 8)
		return 0;
	copy = xcalloc(size, 1);
	memcpy(copy, data, size);
	memset(copy + size - 16, 0, 8);
	memcpy(copy + size - 8, &(uint64_t){sum(copy, size - 16)}, 8);
	try(copy, size);
	free(copy);
	return 0;
}
