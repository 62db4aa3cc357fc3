/* Memory that libc reads and writes for the program: strings that another thread changes at the same time, and buffers that libc fills. Such
 * programs were complete with one trace.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O2 -w -D_FORTIFY_SOURCE=2 -pthread
 * check: bug kind=assert says=name : -- snprintf
 * check: complete traces=2 never=data_race : -- snprintf_locked
 * check: complete says=data_race : -- fputs
 * check: complete says=data_race : -- printf
 * check: complete says=data_race : -- fwrite
 * check: complete says=data_race : -- sprintf_to
 * check: complete says=data_race : -- sscanf
 * check: complete says=data_race : -- sscanf_to
 * check: complete says=data_race : -- strtol
 * check: complete says=data_race : -- setenv
 * check: complete says=data_race : -- fgets
 * check: complete says=data_race : -- fread
 * check: complete says=data_race : -- getline
 * check: complete says=data_race : -- getcwd
 * check: complete says=data_race : -- strftime
 * check: complete says=data_race : -- stat
 * check: complete says=data_race : -- qsort
 * check: bug kind=assert : -- qsort_torn
 * check: complete says=data_race : -- read
 * check: complete says=data_race : -- pread
 * check: complete says=data_race : -- write
 * check: complete says=data_race : -- recv
 * check: complete says=data_race : -- clock_gettime
 * check: complete says=data_race : -- strsep
 * check: complete says=data_race : -- mbstowcs
 * check: complete traces=1 never=data_race : -- own
 * long: bug kind=assert : --model tso -- snprintf
 * long: complete says=data_race : --model tso -- fgets
 * long: complete says=data_race : --model pso -- sprintf_to
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *mode;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char name[256] = "1111111111111111111111111111111";
static int number[4] = {4, 3, 2, 1};
static FILE *in, *out;
static int end[2], pair[2];

static int is(const char *m)
{
	return !strcmp(mode, m);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *change(void *arg)
{
	if (is("snprintf")) {
		memset(name, '2', 16);
		memset(name + 16, '2', 15);
	} else if (is("snprintf_locked")) {
		pthread_mutex_lock(&lock);
		memset(name, '2', 31);
		pthread_mutex_unlock(&lock);
	} else if (is("qsort"))
		number[0] = 7;
	else if (is("qsort_torn"))
		{
		int last = number[3], first = number[0];
		assert(first + last == 5);
	}
	else if (!is("own"))
		name[0] = '2';
	return arg;
}

static void *use(void *arg)
{
	char text[64] = "", *p = text, *line = name;
	wchar_t wide[64];
	time_t t = 0;
	int n;

	if (is("snprintf")) {
		snprintf(text, sizeof(text), "%s", name);
		assert(text[0] == text[30] || text[0] == '1');
	} else if (is("snprintf_locked")) {
		pthread_mutex_lock(&lock);
		snprintf(text, sizeof(text), "[%d %s]", 3, name);
		pthread_mutex_unlock(&lock);
	} else if (is("fputs"))
		fputs(name, out);
	else if (is("printf"))
		fprintf(out, "%s %5.2f %.*s|%d\n", "a", 1.5, 3, name, 3);
	else if (is("fwrite"))
		fwrite(name, 1, 10, out);
	else if (is("sprintf_to"))
		sprintf(name, "%d", 17);
	else if (is("sscanf"))
		sscanf(name, "%d", &n);
	else if (is("sscanf_to"))
		sscanf("word 3", "%s %d", name, &n);
	else if (is("strtol"))
		strtol(name, NULL, 10);
	else if (is("setenv"))
		setenv("N", name, 1);
	else if (is("fgets"))
		fgets(name, sizeof(name), in);
	else if (is("fread"))
		fread(name, 4, 2, in);
	else if (is("getline")) {
		size_t room = 0;
		line = NULL;
		getline(&line, &room, in);
		p = name;
		room = sizeof(name);
		fseek(in, 0, SEEK_SET);
		getline(&p, &room, in);
	} else if (is("getcwd"))
		getcwd(name, sizeof(name));
	else if (is("strftime")) {
		struct tm tm;
		strftime(name, sizeof(name), "%Y", gmtime_r(&t, &tm));
	} else if (is("stat"))
		stat("/", (struct stat *)(void *)name);
	else if (is("qsort") || is("qsort_torn"))
		qsort(number, 4, sizeof(int), compare);
	else if (is("read"))
		read(end[0], name, sizeof(name));
	else if (is("pread"))
		pread(fileno(in), name, 4, 0);
	else if (is("write"))
		write(end[1], name, 4);
	else if (is("recv"))
		recv(pair[0], name, sizeof(name), 0);
	else if (is("clock_gettime"))
		clock_gettime(CLOCK_MONOTONIC, (struct timespec *)(void *)name);
	else if (is("strsep"))
		strsep(&line, ",");
	else if (is("mbstowcs"))
		mbstowcs(wide, name, 64);
	else if (is("own")) {
		char copy[64];
		snprintf(copy, sizeof(copy), "%s %d %f %Lf %c", name, 1, 2.0, 3.0L, 'x');
		assert(!strcmp(copy, "1111111111111111111111111111111 1 2.000000 3.000000 x"));
		assert(sscanf("5 six 7.5 [x]", "%d %s %lf [%[a-z]", &n, text, &(double){0}, copy) == 4 && n == 5 && !strcmp(text, "six") && !strcmp(copy, "x"));
		int own[3] = {3, 1, 2};
		qsort(own, 3, sizeof(int), compare);
		assert(own[0] == 1 && own[2] == 3);
		strcpy(copy, "a,b;c");
		line = copy;
		assert(!strcmp(strsep(&line, ","), "a") && !strcmp(strtok_r(line, ";", &p), "b") && !strcmp(strtok_r(NULL, ";", &p), "c") && !strtok_r(NULL, ";", &p));
		assert(fgets(copy, sizeof(copy), in) == copy && !strcmp(copy, "first line\n"));
		char dir[4096];
		assert(getcwd(dir, sizeof(dir)) == dir && strtol("12 ", &p, 10) == 12 && *p == ' ');
		assert(write(end[1], "ab", 2) == 2 && read(end[0], copy, 64) == 17 && !memcmp(copy, "some bytes waiab", 2));
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	mode = argv[1];
	in = tmpfile();
	fputs("first line\nsecond line\n", in);
	rewind(in);
	out = fopen("/dev/null", "w");
	assert(!pipe(end) && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	assert(write(end[1], "some bytes wait", 15) == 15 && write(pair[1], "some bytes wait", 15) == 15);
	pthread_create(&a, NULL, change, NULL);
	pthread_create(&b, NULL, use, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
