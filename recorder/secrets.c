#include "recorder/secrets.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

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

/* ---- secrets inside a text ---- */

#define LEAST_VALUE 2   /* a value of one byte is a number or a flag */
#define LEAST_BEARER 8  /* bytes of the shortest token after "Bearer" */
#define LEAST_USER 12   /* "scheme://x@host": a shorter x is the name of a user */

struct span {
	size_t at, length;
	size_t next; /* where the search for another one goes on */
};

static bool in_set(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || in_set(c, "_-.");
}

static bool is_word(const char *text, size_t n, const char *word)
{
	return n == strlen(word) && !strncasecmp(text, word, n);
}

static bool is_one_of(const char *text, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (is_word(text, n, *words))
			return true;
	return false;
}

/* Returns the length of the word for a secret with which text[0 .. n) ends, or 0. */
static size_t key_at_end(const char *text, size_t n)
{
	static const char *const words[] = {"password", "passwd", "passphrase", "pwd", "_pass", "-pass", ".pass", "secret", "token", "api_key",
		"api-key", "apikey", "access_key", "access-key", "accesskey", "secret_key", "secret-key", "secretkey", "private_key",
		"private-key", "privatekey", "accountkey", "credential", "credentials", "authorization", NULL};

	for (size_t i = 0; words[i]; i++) {
		size_t length = strlen(words[i]);

		if (n >= length && !strncasecmp(text + n - length, words[i], length))
			return length;
	}
	return 0;
}

/* Returns whether the value of a key can be a secret. */
static bool value_counts(const char *key, size_t key_length, const char *value, size_t n)
{
	static const char *const plain[] = {"true", "false", "none", "null", "nil", "yes", "no", "on", "off", NULL};

	if (n < LEAST_VALUE || strspn(value, "*") >= n || in_set(value[0], "$<") || is_one_of(value, n, plain))
		return false;
	return !(is_word(key, key_length, "pwd") && value[0] == '/'); /* the working directory */
}

/* Returns whether the value of a key ends before text[0], which may separate it from what follows. */
static bool value_ends(const char *text)
{
	const char *p = text;
	size_t name;

	if (!in_set(*p, "&;, \t"))
		return false;
	while (in_set(*p, "&;, \t"))
		p++;
	name = 0;
	while (in_name(p[name]))
		name++;
	return !*p || in_set(*p, "\"'") || (in_set(*text, " \t") && *p == '-') || (name && (p[name] == '=' || p[name] == ':') && !in_set(p[name + 1], "=") && p[name + 1]);
}

/* A value ends at its closing quote; without quotes, where another key or option starts. */
static size_t value_length(const char *value, const char *quote, size_t quote_length, bool json)
{
	size_t n = 0;

	if (quote_length) {
		while (value[n] && strncmp(value + n, quote, quote_length))
			n += value[n] == '\\' && value[n + 1] ? 2 : 1;
		return n;
	}
	while (value[n] && !in_set(value[n], "\"'\n\r") && !(json && in_set(value[n], "}],")) && !value_ends(value + n))
		n++;
	return n;
}

/* Handles the '=' or ':' at text[at]: a key before it, a value after it. */
static bool find_value(const char *text, size_t at, struct span *found)
{
	size_t end = at, key, quote, value;
	bool quoted;

	while (end && in_set(text[end - 1], " \t"))
		end--;
	key = end;
	while (end && in_set(text[end - 1], "\"'\\"))
		end--;
	quoted = end < key;
	key = key_at_end(text, end);
	if (!key)
		return false;
	if (text[at] == ':' && !quoted) {
		size_t before = end - key;

		while (before && in_name(text[before - 1]))
			before--;
		if (!in_set(text[at + 1], " \t") || (before && !in_set(text[before - 1], "\n\"'{,;[")))
			return false;
	}
	for (quote = at + 1; in_set(text[quote], " \t"); quote++)
		;
	value = quote + strspn(text + quote, "\\");
	value = in_set(text[value], "\"'") ? value + 1 : quote;
	found->at = value;
	found->length = value_length(text + value, text + quote, value - quote, quoted);
	return value_counts(text + end - key, key, text + value, found->length);
}

/* Handles the '@' at text[at] of "scheme://user:secret@host" or "scheme://secret@host", where the user starts at `start`. */
static bool find_in_url(const char *text, size_t start, size_t at, struct span *found)
{
	const char *colon;
	size_t end = at;

	for (size_t i = at; text[i] && !in_set(text[i], "/?# \t\n\"'"); i++)
		if (text[i] == '@')
			end = i;
	colon = memchr(text + start, ':', at - start);
	found->at = colon ? (size_t)(colon - text) + 1 : start;
	found->length = end - found->at;
	return found->length >= (colon ? 1 : LEAST_USER) && strspn(text + found->at, "*") < found->length;
}

/* Handles the '@' at text[at]. */
static bool find_before_at(const char *text, size_t at, struct span *found)
{
	static const char *const schemes[] = {"mailto", "sip", "sips", "xmpp", "acct", NULL};
	size_t start = at, user = 0;
	bool digits = true;

	while (start && !in_set(text[start - 1], " \t\n\"'/<>(),;=&|?#@"))
		start--;
	for (size_t i = at; i >= 3; i--) {
		if (!strncmp(text + i - 3, "://", 3))
			return find_in_url(text, i, at, found);
		if (in_set(text[i - 1], "/?# \t\n\"'"))
			break;
	}
	while (in_name(text[start + user]) || in_set(text[start + user], "%+")) {
		digits &= isdigit((unsigned char)text[start + user]) != 0;
		user++;
	}
	found->at = start + user + 1;
	if (!user || digits || text[start + user] != ':' || found->at >= at || (start && text[start - 1] == '/') ||
		is_one_of(text + start, user, schemes))
		return false;
	found->length = at - found->at;
	if (!isalnum((unsigned char)text[at + 1]) || !strncmp(text + at + 1, "sha256:", 7) || !strncmp(text + at + 1, "sha512:", 7))
		return false; /* the latter is the name of an image with its digest */
	return strspn(text + found->at, "*") < found->length;
}

/* Handles a word that starts at text[at]: a token in a form that its service documents, or a private key. */
static bool find_form(const char *text, size_t at, struct span *found)
{
	static const struct {
		const char *prefix;
		size_t least; /* bytes after it */
		bool digit;   /* one of them is a digit */
	} form[] = {{"ghp_", 10, false}, {"gho_", 10, false}, {"ghs_", 10, false}, {"ghu_", 10, false}, {"github_pat_", 10, false},
		{"glpat-", 10, false}, {"sk-", 20, true}, {"xoxb-", 10, false}, {"xoxp-", 10, false}, {"AKIA", 12, false}, {"ASIA", 12, false},
		{"eyJ", 16, false}};
	static const char start[] = "-----BEGIN";
	size_t n = strcspn(text + at, " \t\n\r\"'&;,/:=@?#)]}"), length;

	found->at = at;
	if (!strncmp(text + at, start, strlen(start)) && strstr(text + at, "PRIVATE KEY")) {
		found->length = strlen(text + at);
		return true;
	}
	for (size_t i = 0; i < sizeof(form) / sizeof(*form); i++) {
		length = strlen(form[i].prefix);
		if (strncmp(text + at, form[i].prefix, length) || n < length + form[i].least ||
			(form[i].digit && strcspn(text + at, "0123456789") >= n))
			continue;
		found->length = n;
		return true;
	}
	return false;
}

/* Handles "Bearer x", where B is text[at]. It starts the text or a value. */
static bool find_bearer(const char *text, size_t at, struct span *found)
{
	static const char word[] = "bearer ";
	size_t before = at;

	if (strncasecmp(text + at, word, strlen(word)))
		return false;
	while (before && in_set(text[before - 1], " \t"))
		before--;
	if (before && !in_set(text[before - 1], ":=\"',\n"))
		return false;
	found->at = at + strlen(word);
	found->length = 0;
	while (isalnum((unsigned char)text[found->at + found->length]) || in_set(text[found->at + found->length], "-._~+/="))
		found->length++;
	return found->length >= LEAST_BEARER;
}

/* Finds the first secret at or after text[from]. */
static bool find_from(const char *text, size_t from, struct span *found)
{
	for (size_t i = from; text[i]; i++) {
		bool starts_word = (!i || !in_name(text[i - 1])) && (isalpha((unsigned char)text[i]) || text[i] == '-');

		if (((text[i] == '=' || text[i] == ':') && find_value(text, i, found)) || (text[i] == '@' && find_before_at(text, i, found)) ||
			(starts_word && (find_form(text, i, found) || find_bearer(text, i, found)))) {
			found->next = found->at + found->length > i ? found->at + found->length : i + 1;
			return true;
		}
	}
	return false;
}

const char *secret_find(const char *text, size_t *length)
{
	struct span found;

	if (!find_from(text, 0, &found))
		return NULL;
	*length = found.length;
	return text + found.at;
}

bool secret_looks(const char *entry)
{
	size_t n = strcspn(entry, "="), length;
	const char *value = entry[n] ? entry + n + 1 : "";

	return name_is_secret(entry, n) || has_userinfo(value) || has_known_form(value) || is_random_word(value) || secret_find(value, &length);
}

/* ---- masking ---- */

char *secret_masked(const char *text)
{
	char *masked = xstrdup(text);
	struct span found;

	for (size_t from = 0; find_from(text, from, &found); from = found.next)
		memset(masked + found.at, '*', found.length);
	return masked;
}

/* Returns whether the argument is an option such as "--password", whose value is the next argument. */
static bool takes_secret(const char *argument)
{
	return argument[0] == '-' && !strpbrk(argument, "=: ") && key_at_end(argument, strlen(argument));
}

static char *masked_argument(const char *before, const char *argument)
{
	size_t key = before && takes_secret(before) ? key_at_end(before, strlen(before)) : 0, n = strlen(argument);
	char *masked = secret_masked(argument);

	if (key && argument[0] != '-' && value_counts(before + strlen(before) - key, key, argument, n))
		memset(masked, '*', n);
	return masked;
}

char **secret_masked_arguments(char *const *argv)
{
	size_t n = 0;
	char **masked;

	while (argv[n])
		n++;
	masked = xcalloc(n + 1, sizeof(*masked));
	for (size_t i = 0; i < n; i++)
		masked[i] = i ? masked_argument(i > 1 ? argv[i - 1] : NULL, argv[i]) : xstrdup(argv[i]);
	return masked;
}

char **secret_masked_variables(char *const *env)
{
	size_t n = 0;
	char **masked;

	while (env[n])
		n++;
	masked = xcalloc(n + 1, sizeof(*masked));
	for (size_t i = 0; i < n; i++) {
		size_t name = strcspn(env[i], "=");

		masked[i] = xstrdup(env[i]);
		if (env[i][name] && secret_looks(env[i]))
			memset(masked[i] + name + 1, '*', strlen(env[i]) - name - 1);
	}
	return masked;
}

void secret_free_list(char **list)
{
	for (char **at = list; *at; at++)
		free(*at);
	free(list);
}

bool secret_same_arguments(char *const *a, char *const *b, size_t *index)
{
	char **x = secret_masked_arguments(a), **y = secret_masked_arguments(b);
	size_t i = x[0] && y[0] ? 1 : 0;
	bool same;

	while (x[i] && y[i] && !strcmp(x[i], y[i]))
		i++;
	same = !x[i] && !y[i];
	if (index)
		*index = i;
	secret_free_list(x);
	secret_free_list(y);
	return same;
}
