#include "cli/base/secrets.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define LONG_WORD 20 /* no natural word has this many characters with upper case, lower case and digits mixed */

static bool has_any(const char *name, const char *const *parts)
{
	for (; *parts; parts++)
		if (strstr(name, *parts))
			return true;
	return false;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static bool name_is_secret(const char *entry, size_t n)
{
	static const char *const parts[] = {"TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "API_KEY", "APIKEY", "PRIVATE", "AUTH",
		"COOKIE", "ACCESS_KEY", "_DSN", "CONNECTION_STRING", "WEBHOOK", NULL};
	char name[256];

	if (n >= sizeof(name))
		return true; /* too long to examine: assume a secret */
	for (size_t i = 0; i < n; i++)
		name[i] = (char)toupper((unsigned char)entry[i]);
	name[n] = 0;
	if (has_any(name, parts) || ends_with(name, "_KEY") || !strcmp(name, "KEY") || ends_with(name, "_PASS") || ends_with(name, "_PW"))
		return true;
	return ends_with(name, "PWD") && strcmp(name, "PWD") && strcmp(name, "OLDPWD");
}

/* Matches "scheme://user:password@host" and "scheme://token@host". */
static bool has_userinfo(const char *value)
{
	for (const char *p = value; (p = strstr(p, "://")); p += 3)
		if (p[3 + strcspn(p + 3, "/?#@ ")] == '@')
			return true;
	return false;
}

/* Matches the prefixes of tokens that services document for leak scanners, and PEM keys. */
static bool has_known_form(const char *value)
{
	static const char *const starts[] = {"ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "ASIA", "eyJ",
		"-----BEGIN", NULL};

	for (size_t i = 0; starts[i]; i++)
		if (!strncmp(value, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static bool is_random_word(const char *value)
{
	bool upper = false, lower = false, digit = false;
	size_t n = 0;

	for (; value[n]; n++) {
		unsigned char c = (unsigned char)value[n];

		if (!isalnum(c) && !strchr("+_=-", c))
			return false;
		upper |= isupper(c) != 0;
		lower |= islower(c) != 0;
		digit |= isdigit(c) != 0;
	}
	return n >= LONG_WORD && upper && lower && digit;
}

bool secret_looks(const char *entry)
{
	size_t n = strcspn(entry, "=");
	const char *value = entry[n] ? entry + n + 1 : "";

	return name_is_secret(entry, n) || has_userinfo(value) || has_known_form(value) || is_random_word(value);
}
