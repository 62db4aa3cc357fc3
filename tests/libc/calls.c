/* Threads that make calls of libc on state that libc keeps between calls. An outcome has what each call returned, and
 * what is there at the end. libc.py compares. */
#include "tests/lib/orders.h"

#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <math.h>
#include <search.h>
#include <syslog.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

extern double lgamma(double);
static char *end_of_data, *arguments[] = {"program", "-a", "-b", "-a", "x", NULL};

static char digit(long x)
{
	return x < 0 ? '-' : "0123456789abcdefghijklmnopqrstuvwxyz"[x % 36];
}

static char first(const char *text)
{
	return text && *text ? *text : '-';
}

static long made(void)
{
	struct tm tm = {.tm_year = 70, .tm_mday = 2};

	return mktime(&tm) / 3600;
}

static long named(void)
{
	struct tm tm = {.tm_year = 70, .tm_mday = 2};
	char text[20] = "";

	strftime(text, sizeof(text), "%Z", &tm);
	return text[0] ? text[0] - 'A' : -1;
}

static char searched(char *key, ACTION action)
{
	ENTRY entry = {key, key}, *found = hsearch(entry, action);

	return found ? '1' : '-';
}

static long variables(void)
{
	long k = 0;

	while (environ && environ[k])
		k++;
	return k;
}

static char perform(int t, char op)
{
	wchar_t wide;

	switch (op) {
	case 'a': return digit(rand());
	case 'b': return srand(1), '.';
	case 'c': return digit(random());
	case 'd': return srandom(7), '.';
	case 'g': return digit((long)(drand48() * 36));
	case 'h': return srand48(3), '.';
	case 'i': return digit(lrand48());
	case 'k': return digit(mrand48() & 0xffff);
	case 'l': return first(getenv("A"));
	case 'm': return digit(setenv("A", "x", 1));
	case 'n': return digit(setenv("A", "y", 0));
	case 'o': return digit(unsetenv("A"));
	case 'p': return digit(putenv("A=z"));
	case 'q': return digit(clearenv());
	case 'T': return digit(setenv("TZ", "BBB-3", 1));
	case 'U': return digit(setenv("TZ", "CCC", 1));
	case 't': return tzset(), '.';
	case 'v': return digit(made());
	case 'w': return digit(-timezone / 3600);
	case 'x': return digit(named());
	case '1': return digit(setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1);
	case '2': return digit(setlocale(LC_CTYPE, "C") ? 0 : -1);
	case '3': return digit(mbstowcs(&wide, "\xc3\xa9", 1) == (size_t)-1 ? -1 : wide);
	case '4': return digit(iswalpha(0xe9) != 0);
	case '5': return first(nl_langinfo(CODESET));
	case 'z': return digit((long)MB_CUR_MAX);
	case '6': return digit(getopt(5, arguments, "ab"));
	case '7': return digit(optind);
	case '8': return optind = 1, '.';
	case 'A': return searched("first", ENTER);
	case 'B': return searched("first", FIND);
	case 'C': return digit((long)mbrlen("\xc3", 1, NULL) + 3);
	case 'D': return digit((long)mbrlen("\xa9", 1, NULL) + 3);
	case 'E': return lgamma(-0.5), '.';
	case 'F': return lgamma(1.5), '.';
	case 'G': return digit(signgam + 1);
	case 'J': return digit(((char *)sbrk(16) - end_of_data) / 16);
	case 'K': return digit(((char *)sbrk(0) - end_of_data) / 16);
	case 'P': return digit(setlogmask(LOG_UPTO(LOG_ERR)));
	case 'Q': return digit(setlogmask(LOG_UPTO(LOG_DEBUG)));
	case '@': return first(textdomain("domain"));
	case '%': return first(textdomain(NULL));
	default: abort();
	}
}

static void prepare(void)
{
	clearenv();
	must(setenv("A", "a", 1) == 0 && setenv("TZ", "AAA-1", 1) == 0, "setenv");
	tzset();
	must(hcreate(8), "hcreate");
	end_of_data = sbrk(0);
	opterr = 0;
}

static void finish(int fd)
{
	char line[400];
	int at = 0;

	for (int t = 0; t < n; t++)
		at += sprintf(line + at, "%s ", results[t]);
	at += sprintf(line + at, "%c%c%c ", digit(rand()), digit(lrand48()), first(getenv("A")));
	at += sprintf(line + at, "%d %ld\n", optind, variables());
	must(write(fd, line, (size_t)at) == at, "write");
}
