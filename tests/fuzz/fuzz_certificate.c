/* Any bytes as a certificate: read, and what was read is counted, written and made into a plan. With the checksum made right, too. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "enforce/certificate.h"
#include "enforce/plan_make.h"
#include "enforce/relax.h"
#include "tests/fuzz/lib_fuzz.h"

static char path[64], copy[80];

static void use(struct certificate *c)
{
	struct plan_options options = {.relaxed = true, .stall_ms = 1000};
	const char *why = "";
	struct certificate *again;
	char message[1024];
	int plan = plan_make(c, &options);

	INVARIANT(plan >= 0, "no memory for a plan");
	close(plan);
	certificate_constraints(c, c->certified);
	INVARIANT(!certificate_write(c, copy, &why), "cannot write %s: %s", copy, why);
	again = certificate_read(copy, message, sizeof(message));
	INVARIANT(again, "what was written cannot be read: %s", message);
	INVARIANT(relax_allowed(c, again, &why), "what was written is something else: %s", why);
	certificate_free(again);
}

static void try(const char *data, size_t size)
{
	struct certificate *c;
	char message[1024];
	int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);

	INVARIANT(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no room in /dev/shm");
	close(fd);
	c = certificate_read(path, message, sizeof(message));
	if (c)
		use(c);
	certificate_free(c);
}

static void remove_files(void)
{
	unlink(path);
	unlink(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char head[] = "simul certificate 2\n";
	char *text;
	size_t n = 0;

	if (!path[0]) {
		snprintf(path, sizeof(path), "/dev/shm/simul-fuzz-certificate-%d", (int)getpid());
		snprintf(copy, sizeof(copy), "%s.copy", path);
		atexit(remove_files);
	}
	try((const char *)data, size);
	text = malloc(size + sizeof(head) + 32);
	INVARIANT(text, "out of memory");
	n = sizeof(head) - 1;
	memcpy(text, head, n);
	memcpy(text + n, data, size);
	n += size;
	if (text[n - 1] != '\n')
		text[n++] = '\n';
	n += (size_t)sprintf(text + n, "end %016llx\n", (unsigned long long)certificate_digest(text, n));
	try(text, n);
	free(text);
	return 0;
}
