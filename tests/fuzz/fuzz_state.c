/*
 * A damaged state of a search (--resume): read, checked, put into a segment. Nothing is run, and the program's files are not put back.
 *
 * Each input changes a state that this version of simul wrote: a search of three threads that use one mutex, a few executions old. So the
 * target always gets behind the checks of magic, format, layout and checksum. The first byte says how:
 *   0: the rest is the whole file.
 *   odd: edits, and the checksum is wrong, if anything changed.
 *   other: edits, and the checksum is made right.
 * An edit is an offset (4 bytes, little endian, modulo the size of the file), a count (1 byte, modulo EDIT_MOST, plus 1) and that many bytes.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/xalloc.h"
#include "cli/base/proc_text.h"
#include "cli/resume/resume_internal.h"
#include "cli/resume/resume_memory.h"
#include "cli/resume/saved_finding.h"
#include "cli/supervise/search.h"
#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"
#include "tests/fuzz/lib_fuzz.h"

#define MEMORY (UINT64_C(16) << 20) /* of the search */
#define EXECUTIONS 12
#define END 16 /* bytes of the last section: its kind and the checksum */
#define EDIT_MOST 24u

static const struct session_config config = {.mode = MODE_EXPLORE, .strategy = STRATEGY_OPTIMAL, .settings = {.max_steps = 400}, .hang_ns = 1};
static const char maps[] = "555555554000-555555555000 r-xp 00000000 00:00 0 /bin/true\n";
static const struct identity identity = {(char *)(uintptr_t)"simul\0x\0path\0/bin/true", 23}; /* the last byte ends the string */
static char path[64];
static char *base;
static size_t base_size;

static void begin_search(struct search *search)
{
	char why[1024];

	memset(search, 0, sizeof(*search));
	search->config = config;
	INVARIANT(segment_create(&search->seg, &config, MEMORY, 0, NULL, NULL, why, sizeof(why)), "%s", why);
}

/* Saves such a search as cli/resume/resume.c does, and reads the file. */
static void make_base(void)
{
	struct saved_finding finding = {.signature = 1, .execution = 1, .count = 1};
	struct state_totals totals = {.executions = EXECUTIONS};
	struct state_writer w;
	struct stat st;
	struct search search;
	int fd;

	begin_search(&search);
	fuzz_search(&search.seg, EXECUTIONS);
	INVARIANT(!state_begin(&w, path), "no room in /dev/shm");
	state_put(&w, SECTION_IDENTITY, identity.text, identity.size, NULL, 0);
	state_put(&w, SECTION_TOTALS, &totals, sizeof(totals), NULL, 0);
	state_put(&w, SECTION_LAYOUT, &search.seg.layout, sizeof(search.seg.layout), NULL, 0);
	state_put(&w, SECTION_MAPS, maps, sizeof(maps), NULL, 0);
	resume_memory_put(&search, &w);
	state_put(&w, SECTION_FINDING, &finding, sizeof(finding), "simul recording 8\n", 18);
	state_end(&w);
	INVARIANT(!state_commit(&w), "no room in /dev/shm");
	segment_close(&search.seg);
	fd = open(path, O_RDONLY);
	INVARIANT(fd >= 0 && !fstat(fd, &st), "the state is gone");
	base_size = (size_t)st.st_size;
	base = xcalloc(base_size, 1);
	INVARIANT(read(fd, base, base_size) == (ssize_t)base_size, "the state is cut off");
	close(fd);
}

static void try_finding(const char *data, size_t size)
{
	enum recording_error err;
	char message[256];

	if (size >= sizeof(struct saved_finding))
		recording_free(recording_parse(data + sizeof(struct saved_finding), size - sizeof(struct saved_finding), "fuzz", &err,
			message, sizeof(message)));
}

/* The sections that cli/resume/resume_load.c reads by functions that a test can call. */
static void try_sections(struct state_reader *file)
{
	enum state_section section;
	const void *part;
	size_t length;
	char why[1200];

	while (state_next(file, &section, &part, &length)) {
		if (section == SECTION_IDENTITY)
			identity_same(&identity, part, length, why, sizeof(why));
		else if (section == SECTION_MAPS && length && !((const char *)part)[length - 1])
			proc_text_same_addresses(part, maps, why, sizeof(why));
		else if (section == SECTION_FINDING)
			try_finding(part, length);
	}
}

/* Returns whether the state was loaded as a search. */
static bool try(const void *data, size_t size)
{
	struct state_reader file;
	struct search search;
	char why[1024];
	bool loaded;
	int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);

	INVARIANT(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no room in /dev/shm");
	close(fd);
	if (state_open(&file, path) != STATE_GOOD)
		return false;
	try_sections(&file);
	begin_search(&search);
	loaded = resume_memory_load(&search, &file, false, why, sizeof(why));
	state_close(&file);
	workers_end(&search.workers);
	segment_close(&search.seg);
	return loaded;
}

static void edit(char *file, const uint8_t *data, size_t size)
{
	while (size > 5) {
		size_t at = (data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16 | (size_t)data[3] << 24) % base_size;
		size_t n = data[4] % EDIT_MOST + 1;

		data += 5;
		size -= 5;
		if (n > size)
			n = size;
		if (n > base_size - at)
			n = base_size - at;
		memcpy(file + at, data, n);
		data += n;
		size -= n;
	}
}

static void remove_file(void)
{
	unlink(path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	snprintf(path, sizeof(path), "/dev/shm/simul-fuzz-%d", (int)getpid());
	atexit(remove_file);
	make_base();
	INVARIANT(try(base, base_size), "a state that was not changed is refused");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *file;

	if (!size)
		return 0;
	if (!data[0]) {
		try(data + 1, size - 1);
		return 0;
	}
	file = xcalloc(base_size, 1);
	memcpy(file, base, base_size);
	edit(file, data + 1, size - 1);
	if (data[0] % 2 == 0) {
		memset(file + base_size - END, 0, 8);
		memcpy(file + base_size - 8, &(uint64_t){state_checksum(file, base_size - END)}, 8);
	}
	try(file, base_size);
	free(file);
	return 0;
}
