#include "base/attributes.h"

#include <errno.h>
#include <string.h>
#include <sys/xattr.h>

#define MOST 65536 /* the kernel's limit on the bytes of all names of a file, and of one value */

/* The block is a sequence of attributes. Each is this header, the name with its terminator, and the value. */
struct head {
	uint32_t name_len, value_len;
};

static char scratch[MOST]; /* not on the stack: a thread's stack may be small */

bool attributes_any(const char *path)
{
	return llistxattr(path, NULL, 0) > 0;
}

static bool next(const char **from, const char *end, struct head *h, const char **name, const char **value)
{
	uint64_t left = (uint64_t)(end - *from);

	if (left < sizeof(*h))
		return false;
	memcpy(h, *from, sizeof(*h));
	left -= sizeof(*h);
	if (!h->name_len || h->name_len > left || h->value_len > left - h->name_len)
		return false;
	*name = *from + sizeof(*h);
	*value = *name + h->name_len;
	*from = *value + h->value_len;
	return !(*name)[h->name_len - 1];
}

int64_t attributes_read(const char *path, char *to, uint64_t room)
{
	ssize_t n = llistxattr(path, scratch, sizeof(scratch));
	uint64_t used = 0;

	if (n < 0)
		return errno == ENOTSUP ? 0 : -1;
	for (ssize_t i = 0; i < n;) {
		const char *name = scratch + i;
		struct head h = {.name_len = (uint32_t)strlen(name) + 1};
		ssize_t size;

		if (used + sizeof(h) + h.name_len > room)
			return -1;
		size = lgetxattr(path, name, to + used + sizeof(h) + h.name_len, room - used - sizeof(h) - h.name_len);
		if (size < 0)
			return -1;
		h.value_len = (uint32_t)size;
		memcpy(to + used, &h, sizeof(h));
		memcpy(to + used + sizeof(h), name, h.name_len);
		used += sizeof(h) + h.name_len + h.value_len;
		i += h.name_len;
	}
	return (int64_t)used;
}

static bool is_among(const char *wanted, const char *from, uint64_t size)
{
	const char *end = from + size, *name, *value;
	struct head h;

	while (next(&from, end, &h, &name, &value))
		if (!strcmp(name, wanted))
			return true;
	return false;
}

static const char *remove_others(const char *path, const char *from, uint64_t size)
{
	ssize_t n = llistxattr(path, scratch, sizeof(scratch));

	if (n < 0)
		return errno == ENOTSUP && !size ? NULL : strerrordesc_np(errno);
	for (const char *name = scratch; name < scratch + n; name += strlen(name) + 1)
		if (!is_among(name, from, size) && lremovexattr(path, name))
			return strerrordesc_np(errno);
	return NULL;
}

const char *attributes_put(const char *path, const char *from, uint64_t size)
{
	const char *end = from + size, *name, *value, *why = remove_others(path, from, size);
	struct head h;

	while (!why && next(&from, end, &h, &name, &value)) {
		ssize_t n = lgetxattr(path, name, scratch, sizeof(scratch));

		if (n == (ssize_t)h.value_len && !memcmp(scratch, value, h.value_len))
			continue;
		if (lsetxattr(path, name, value, h.value_len, 0))
			why = strerrordesc_np(errno);
	}
	return why;
}
