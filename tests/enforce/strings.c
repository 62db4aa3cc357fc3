/* The reader fails to wait until the words are written: by functions on strings and bytes, to static memory, the heap
   and a stack. */
#define _GNU_SOURCE
#include <wchar.h>
#include "window.h"
static char text[40] = "an old text of thirty-two bytes..";
static wchar_t wide[12] = L"old";
static char *block, *local;

static void *write_all(void *a)
{
	window(1);
	strcpy(text, "one");
	strcat(text, " two three four five six");
	stpcpy(block, "key=value");
	strncat(strncpy(local, "abc", 8), "defgh", 2);
	wcscat(wcscpy(wide, L"wide "), L"words");
	return a;
}

static void *read_all(void *a)
{
	char copy[40], *again;
	size_t n = strlen(text);

	assert(n == 27 && !strcmp(text, "one two three four five six"));
	assert(strstr(text, "four") == text + 14 && strrchr(text, 's') == text + 24);
	assert(strpbrk(text, "xyz") == text + 26);
	assert(strspn(text, "eno ") == 4 && strcspn(text, "t") == 4 && !strcoll(text, "one two three four five six"));
	assert(strchr(block, '=') == block + 3 && memchr(block, 'v', 10) == block + 4);
	assert(!memcmp(block, "key=value", 10));
	assert(strchrnul(block, '#') == block + 9 && !strncmp(block, "keys", 3) && !strcasecmp(block, "KEY=value"));
	again = strdup(block);
	assert(!strcmp(strcpy(copy, local), "abcde") && !strcmp(again, "key=value"));
	free(again);
	assert(wcslen(wide) == 10 && wcschr(wide, L'w') == wide && wcsrchr(wide, L'w') == wide + 5);
	assert(memmem(block, 10, "=v", 2) == block + 3 && memrchr(block, 'e', 10) == block + 8);
	assert(strnlen(local, 3) == 3);
	return a;
}

int main(void)
{
	char on_stack[8] = "zz";

	local = on_stack;
	block = malloc(24);
	memset(block, 'o', 23);
	block[23] = 0;
	return run_two(write_all, read_all);
}
