/* A thread prints to a stream that another thread holds by flockfile: it waits. simul once let it print at once, so it missed the deadlock, and said
 * `complete` after one trace. With "free" the thread that holds the stream does not wait for the other one.
 * check: bug kind=deadlock replays=3 : -- printf
 * check: bug kind=deadlock : -- fputs
 * check: bug kind=deadlock : -- getc
 * check: bug kind=deadlock : -- try
 * check: complete traces=1 : -- own
 * check: complete traces=1 : -- unused
 * check: complete never=data_race : -- free
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static sem_t printed;
static const char *how;

static void *print(void *arg)
{
	if (!strcmp(how, "getc"))
		getc(stdin);
	else if (!strcmp(how, "fputs"))
		fputs("text\n", stdout);
	else
		printf("%d\n", 1);
	sem_post(&printed);
	return arg;
}

int main(int argc, char **argv)
{
	FILE *f;
	pthread_t t;

	how = argv[1];
	f = strcmp(how, "getc") ? stdout : stdin;
	pthread_create(&t, NULL, print, NULL);
	if (!strcmp(how, "own"))
		f = stderr;
	if (!strcmp(how, "try")) {
		while (ftrylockfile(f))
			return 0;
	} else if (strcmp(how, "unused")) {
		flockfile(f);
	}
	fputs("mine", strcmp(how, "getc") ? f : stderr);
	if (strcmp(how, "free") && strcmp(how, "own") && strcmp(how, "unused"))
		sem_wait(&printed);
	if (strcmp(how, "unused"))
		funlockfile(f);
	pthread_join(t, NULL);
	return 0;
}
