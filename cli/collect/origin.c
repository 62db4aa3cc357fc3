#include "cli/collect/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "recorder/format/recording_file.h"

#define KEY_BYTES 32
#define BLOCK SHA256_BLOCK_LENGTH
#define MAC SHA256_DIGEST_LENGTH
#define DIGEST_SHOWN 16 /* hexadecimal digits of a keyed digest */

/* ---- the key ---- */

/* Returns the directory of the key, malloc()ed, created if missing; NULL without a home directory. */
static char *key_directory(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	struct passwd *user;
	char *dir;

	if (!home || home[0] != '/') {
		user = getpwuid(geteuid());
		home = user ? user->pw_dir : NULL;
	}
	if (state && state[0] == '/')
		dir = xasprintf("%s/simul", state);
	else if (home && home[0] == '/')
		dir = xasprintf("%s/.local/state/simul", home);
	else
		return NULL;
	for (char *slash = strchr(dir + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(dir, 0700); /* a failure shows when the key is opened */
		*slash = '/';
	}
	mkdir(dir, 0700);
	return dir;
}

/* Creates the key. It appears under its name as a whole or not at all. Another process may create it first. */
static void make_key(const char *path)
{
	unsigned char key[KEY_BYTES];
	char *fresh = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(fresh, O_CLOEXEC); /* mode 0600 */

	if (fd >= 0) {
		if (getrandom(key, sizeof(key), 0) == sizeof(key) && write(fd, key, sizeof(key)) == sizeof(key) && !fsync(fd))
			(void)!link(fresh, path);
		close(fd);
		unlink(fresh);
	}
	free(fresh);
}

/* Checks that no other user can read the key or could have created it. */
static bool is_private(int fd, const char *path, char *why, size_t size)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		text_set(why, size, "%s is not a regular file", path);
	else if (st.st_uid != geteuid())
		text_set(why, size, "%s belongs to another user", path);
	else if (st.st_mode & 077)
		text_set(why, size, "%s can be read or written by others", path);
	else
		return true;
	return false;
}

static bool read_key(unsigned char key[KEY_BYTES], bool make, char *why, size_t size)
{
	char *dir = key_directory(), *path = dir ? xasprintf("%s/key", dir) : NULL;
	bool good = false;
	int fd = -1;

	text_set(why, size, "there is no home directory to hold the key that signs recordings");
	for (int i = 0; path && fd < 0 && i < 2; i++) {
		fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			text_set(why, size, "%s cannot be opened: %s", path, strerror(errno));
		if (fd < 0 && errno == ENOENT && make && i == 0)
			make_key(path);
		else
			break;
	}
	if (fd >= 0 && is_private(fd, path, why, size)) {
		good = read(fd, key, KEY_BYTES) == KEY_BYTES;
		if (!good)
			text_set(why, size, "%s is damaged; remove it", path);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	free(dir);
	return good;
}

/* ---- the message authentication code ---- */

static void hmac(const unsigned char key[KEY_BYTES], const char *text, size_t size, unsigned char mac[MAC])
{
	unsigned char pad[BLOCK];
	SHA2_CTX sha;

	for (size_t i = 0; i < BLOCK; i++)
		pad[i] = 0x36 ^ (i < KEY_BYTES ? key[i] : 0);
	SHA256Init(&sha);
	SHA256Update(&sha, pad, sizeof(pad));
	SHA256Update(&sha, (const unsigned char *)text, size);
	SHA256Final(mac, &sha);
	for (size_t i = 0; i < BLOCK; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	SHA256Init(&sha);
	SHA256Update(&sha, pad, sizeof(pad));
	SHA256Update(&sha, mac, MAC);
	SHA256Final(mac, &sha);
}

static char *hexadecimal(const unsigned char *bytes, size_t n)
{
	char *text = xcalloc(2 * n + 1, 1);

	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return text;
}

/* Identifies the machine, since several machines may share home directories. Empty if the file is missing. */
static void machine(char *id, size_t size)
{
	int fd = open("/etc/machine-id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, id, size - 1);

	id[n > 0 ? n : 0] = 0;
	if (fd >= 0)
		close(fd);
}

/* Returns the code of the recording without its origin, malloc()ed. `sign`: creates the key if there is none. NULL: see `why`. */
static char *code_of(const struct recording *r, bool sign, char *why, size_t size)
{
	struct recording plain = *r;
	unsigned char key[KEY_BYTES], mac[MAC];
	char id[64], *text, *whole;
	size_t n;

	if (!read_key(key, sign, why, size))
		return NULL;
	plain.origin = NULL;
	text = recording_format(&plain, &n);
	machine(id, sizeof(id));
	whole = xcalloc(n + sizeof(id), 1);
	memcpy(whole, text, n);
	memcpy(whole + n, id, strlen(id));
	hmac(key, whole, n + strlen(id), mac);
	free(whole);
	free(text);
	return hexadecimal(mac, MAC);
}

void origin_sign(struct recording *r)
{
	char why[256];

	free(r->origin);
	r->origin = NULL;
	r->origin = code_of(r, true, why, sizeof(why));
}

/* Compares two codes in a time that does not depend on where they differ. */
static bool same(const char *a, const char *b)
{
	unsigned char differs = 0;

	if (strlen(a) != strlen(b))
		return false;
	for (size_t i = 0; a[i]; i++)
		differs |= (unsigned char)(a[i] ^ b[i]);
	return !differs;
}

bool origin_is_ours(const struct recording *r, char *why, size_t size)
{
	char *code;
	bool ours;

	if (!r->origin) {
		text_set(why, size, "it is not signed");
		return false;
	}
	code = code_of(r, false, why, size);
	ours = code && same(code, r->origin);
	if (code && !ours)
		text_set(why, size, "another user or another machine made it, or it was changed since");
	free(code);
	return ours;
}

char *origin_digest(const char *text)
{
	unsigned char key[KEY_BYTES], mac[MAC];
	char why[256];

	if (!read_key(key, true, why, sizeof(why)))
		return NULL;
	hmac(key, text, strlen(text), mac);
	return hexadecimal(mac, DIGEST_SHOWN / 2);
}
