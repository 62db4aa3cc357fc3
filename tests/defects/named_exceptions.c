/* Things that simul does not explore, and of which the verdict once said nothing. It names them now, but only if several threads could have noticed.
 * check: complete says=except_for_instructions_that_read_and_write_memory_without_lock : -- bts
 * check: complete says=except_for_instructions_that_read_and_write_memory_without_lock : -- cmpxchg16b
 * check: complete never=except_for : -- bts_private
 * check: complete never=except_for : -- bts_locked
 * check: complete says=except_for_calls_of_libc's_open.memstream : -- memstream
 * check: complete says=except_for_calls_of_libc's_fmemopen.*named.exceptions.c.[0-9]+ : -- fmemopen
 * check: complete never=except_for : -- stdout
 * check: complete never=except_for : -- alternate
 * check: complete never=except_for : -- alternate_unused
 * check: complete says=async-signal-safe,_in_the_middle : -- unsafe_malloc
 * check: complete says=async-signal-safe,_in_the_middle : -- unsafe_printf
 * check: complete never=except_for : -- unsafe_handler_alone
 * check: complete never=except_for : -- unsafe_raised
 * check: complete says=except_for_calls_of_libc's_getpwuid : -- user
 */
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	_Alignas(16) long word[2];
} memory;

static char text[64], alternate[1 << 16];
static FILE *stream;
static char *buffer;
static void *volatile block;
static size_t bytes;
static const char *how;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void set_bit(long *word, long bit)
{
	__asm__ volatile("bts %1, %0" : "+m"(*word) : "r"(bit) : "cc");
}

static void handler(int sig)
{
	if (is("unsafe_malloc") || is("unsafe_handler_alone") || is("unsafe_raised"))
		free(block = malloc(100));
	if (is("unsafe_printf"))
		fprintf(stderr, "x");
}

static void *call(void *arg)
{
	long mine = 0, a = 0, d = 0;

	if (is("bts"))
		set_bit(memory.word, 3);
	if (is("user"))
		getpwuid(0);
	if (is("bts_locked"))
		__asm__ volatile("lock bts %1, %0" : "+m"(memory.word[0]) : "r"(3L) : "cc");
	if (is("bts_private"))
		set_bit(&mine, 3);
	if (is("cmpxchg16b"))
		__asm__ volatile("cmpxchg16b %0" : "+m"(memory), "+a"(a), "+d"(d) : "b"(1L), "c"(2L) : "cc");
	if (stream)
		fprintf(stream, "hello");
	if (is("unsafe_malloc") || is("unsafe_raised"))
		free(block = malloc(100));
	if (is("unsafe_raised"))
		raise(SIGUSR1);
	if (is("unsafe_printf"))
		fprintf(stderr, "y");
	return arg;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
	pthread_t t;

	how = argv[1];
	if (!strncmp(how, "alternate", 9))
		sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	if (is("memstream"))
		stream = open_memstream(&buffer, &bytes);
	if (is("fmemopen"))
		stream = fmemopen(text, sizeof(text), "w");
	if (is("stdout"))
		stream = stdout;
	pthread_create(&t, NULL, call, NULL);
	if (!strncmp(how, "unsafe", 6) && !is("unsafe_raised"))
		pthread_kill(t, SIGUSR1);
	if (is("alternate"))
		raise(SIGUSR1);
	if (!strncmp(how, "bts", 3))
		memory.word[0] |= 1;
	if (is("cmpxchg16b"))
		memory.word[1] = 1;
	pthread_join(t, NULL);
	return 0;
}
