/*
 * Functions on bytes and strings work correctly, also on memory that threads share without a lock. Another thread writes all of it while
 * main reads it, so every byte is visible to the search. The checks run after the join.
 */
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

#define SIZE 5000 /* more than a page */

static char a[SIZE], b[SIZE], c[SIZE];
static wchar_t wa[64], wb[64];
static volatile size_t size = SIZE; /* so that all of these are calls */
static volatile int sum;

static void *writer(void *arg)
{
	memset(a, 'x', size);
	memset(b, 'x', size);
	memset(c, 'x', size);
	wmemset(wa, 1, size / 100);
	wmemset(wb, 1, size / 100);
	return NULL;
}

#define IS(e) do { if (!(e)) { fprintf(stderr, "line %d: %s\n", __LINE__, #e); abort(); } } while (0)

static char *put(char *to, const char *text)
{
	return memcpy(to, text, strlen(text) + size - SIZE + 1);
}

static void bytes(void)
{
	for (size_t i = 0; i < size; i++)
		a[i] = (char)(i * 7 % 251);
	memcpy(b, a, size);
	IS(!memcmp(a, b, size) && !bcmp(a, b, size));
	memmove(b + 10, b, size - 10);
	IS(!memcmp(b + 10, a, size - 10) && !memcmp(b, a, 10));
	memcpy(b, a, size);
	memmove(b, b + 300, size - 300);
	IS(!memcmp(b, a + 300, size - 300));
	IS(mempcpy(b, a, size) == b + size);
	b[4500] = (char)(b[4500] + 1);
	IS(memcmp(a, b, size) < 0 && memcmp(b, a, size) > 0 && !memcmp(a, b, 4500));
	IS(memchr(a, a[100], size) == a + 100 && !memchr(a, 0xff, size));
	IS(memrchr(a, a[4990], size) == a + 4990 && rawmemchr(a, a[250]) == a + 250);
	IS(memmem(a, size, a + 200, 60) == a + 200);
	IS(memccpy(c, a, a[99], size) == c + 100 && !memcmp(a, c, 100));
	IS(!memccpy(c, a, 0xff, size) && !memcmp(a, c, size));
	swab(a, c, 100);
	IS(c[0] == a[1] && c[1] == a[0] && c[98] == a[99]);
	memset(c, 5, size);
	IS(c[0] == 5 && c[SIZE - 1] == 5 && c[4096] == 5);
	bzero(c, size - 1);
	IS(!c[0] && !c[SIZE - 2] && c[SIZE - 1] == 5);
	explicit_bzero(c, size);
	bcopy(a, c, size);
	IS(!memcmp(a, c, size));
}

static void reading(void)
{
	put(a, "one, two; three");
	put(b, "one, two, three");
	IS(strlen(a) == 15 && strnlen(a, 4 + size - SIZE) == 4 && strnlen(a, size) == 15);
	IS(strchr(a, 't') == a + 5 && strrchr(a, 't') == a + 10 && !strchr(a, 'z') && strchr(a, 0) == a + 15);
	IS(index(a, ';') == a + 8 && rindex(a, 'e') == a + 14 && strchrnul(a, 'z') == a + 15);
	IS(strstr(a, "two") == a + 5 && !strstr(a, "four") && strcasestr(a, "THREE") == a + 10);
	IS(strspn(a, "neo") == 3 && strcspn(a, " ;") == 4 && strpbrk(a, ";,") == a + 3 && !strpbrk(a, "z"));
	IS(strcmp(a, b) > 0 && strcmp(b, a) < 0 && !strncmp(a, b, 8 + size - SIZE) && strncmp(a, b, size) > 0);
	put(b, "ONE, two; THREE");
	IS(!strcasecmp(a, b) && strcmp(a, b) && !strncasecmp(a, b, size) && strcoll(a, b));
	memset(c, 'y', 4500);
	c[4500] = 0;
	IS(strlen(c) == 4500 && strchr(c, 0) == c + 4500);
}

static void writing(void)
{
	put(a, "three blind mice");
	IS(strcpy(b, a) == b && !strcmp(a, b) && stpcpy(b, a) == b + 16);
	memset(b, 'q', size);
	IS(strncpy(b, a, 30 + size - SIZE) == b && !strcmp(a, b) && !b[29] && b[30] == 'q');
	IS(strncpy(b, "0123456789", 5 + size - SIZE) == b && !strncmp(b, "01234 ", 6));
	IS(stpncpy(b, a, 3 + size - SIZE) == b + 3 && stpncpy(b, a, 50 + size - SIZE) == b + 16);
	IS(strcat(b, " run") == b && !strcmp(b, "three blind mice run"));
	IS(strncat(b, " away and on", 5 + size - SIZE) == b && !strcmp(b, "three blind mice run away"));
	char *d = strdup(b), *e = strndup(b, 5 + size - SIZE);
	IS(!strcmp(d, b) && !strcmp(e, "three"));
	free(d);
	free(e);
	memset(c, 'y', 4500);
	c[4500] = 0;
	strcpy(a, c);
	IS(strlen(a) == 4500 && !memcmp(a, c, 4501));
}

static void wide(void)
{
	wcscpy(wa, L"wide words");
	IS(wcslen(wa) == 10 && wcsnlen(wa, 3 + size - SIZE) == 3 && wcschr(wa, L'w') == wa && wcsrchr(wa, L'w') == wa + 5);
	wmemcpy(wb, wa, 11 + size - SIZE);
	IS(!wcscmp(wa, wb) && !wmemcmp(wa, wb, 11 + size - SIZE) && wmemchr(wa, L'd', 11 + size - SIZE) == wa + 2);
	wcscat(wb, L" too");
	IS(!wcscmp(wb, L"wide words too") && wcscmp(wa, wb) < 0 && !wcsncmp(wa, wb, 10 + size - SIZE));
	IS(wcpcpy(wa, wb) == wa + 14);
	wmemmove(wa + 1, wa, 15 + size - SIZE);
	IS(!wcscmp(wa, L"wwide words too"));
}

int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, writer, NULL));
	sum = memcmp(a, b, size) + memcmp(b, c, size) + wmemcmp(wa, wb, size / 100);
	pthread_join(t, NULL);
	bytes();
	reading();
	writing();
	wide();
	return 0;
}
