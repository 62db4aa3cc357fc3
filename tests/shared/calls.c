/* Threads that make calls on what they share besides memory. An outcome has what each call returned, and what is there at the end. shared.py compares. */
#include "tests/lib/orders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>

static int pair[2], memory, terminal;
static int file, copy, appending, constant, ends[2], event, log_file;
static FILE *log_stream, *at_end, *locked;

static char digit(long x)
{
	return x < 0 ? '-' : "0123456789abcdefghijklmnopqrstuvwxyz"[x % 36];
}

static char status(const char *path)
{
	struct stat st;
	return lstat(path, &st) ? '-' : S_ISDIR(st.st_mode) ? 'd' : S_ISLNK(st.st_mode) ? 'l' : digit(st.st_size);
}

/*
 * Without threads, a call on a descriptor may be two steps, as in the kernel. `(` and `)` before a letter: the number is looked up then. `%` after it:
 * the file is closed then, and the number is free before that.
 */
static int held[MOST], looked_up[MOST];

static void look_up(int t, int fd)
{
	looked_up[t] = fcntl(fd, F_DUPFD, 500);
}

/* Returns the descriptor that thread t uses. */
static int used(int t, int fd)
{
	return looked_up[t] ? looked_up[t] : fd;
}

static char done(int t, char result)
{
	if (looked_up[t] > 0)
		close(looked_up[t]);
	looked_up[t] = 0;
	return result;
}

static char close_number(int t, int fd)
{
	held[t] = strchr(ops[t], '%') ? fcntl(fd, F_DUPFD, 500) : -1;
	return digit(close(fd));
}

static int any(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Starts a process that runs this command. Returns its exit status. */
static long start(const char *command)
{
	char *argv[] = {"sh", "-c", (char *)command, NULL};
	int status = -1;
	pid_t pid;

	must(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0 && waitpid(pid, &status, 0) == pid, "posix_spawn");
	return WEXITSTATUS(status);
}

static char perform(int t, char op)
{
	struct dirent **list;
	struct rlimit limit = {64, RLIM_INFINITY};
	struct stat st;
	char text[4096] = "";
	long r;
	uint64_t count = 2;
	struct pollfd ready = {.events = POLLIN}, counted = {.fd = event, .events = POLLIN | POLLOUT};
	char letter = (char)('A' + t);
	struct termios settings;
	socklen_t size = sizeof(int);
	int on = 1, is = 0;

	switch (op) {
	case 'a': return digit(access("a", F_OK));
	case 'b': return digit(access("b", F_OK));
	case 'c': return digit((r = open("a", O_CREAT | O_EXCL | O_WRONLY, 0666)) < 0 ? -1 : 0);
	case 'o': return digit((r = open("a", O_RDONLY)) < 0 ? -1 : 0);
	case 'O': return digit((r = open("a", O_CREAT | O_WRONLY, 0666)) < 0 ? -1 : 0);
	case 'T': return digit((r = open("a", O_WRONLY | O_TRUNC)) < 0 ? -1 : 0);
	case 'u': return digit(unlink("a"));
	case 'r': return digit(rename("a", "b"));
	case 'R': return digit(rename("b", "a"));
	case 'l': return digit(link("a", "b"));
	case 's': return digit(symlink("a", "b"));
	case 'm': return digit(mkdir("a", 0777));
	case 'd': return digit(rmdir("a"));
	case 'i': return stat("a", &st) ? '-' : digit(st.st_size);
	case 't': return digit(truncate("a", 3));
	case 'h': return digit(chmod("a", 0711));
	case 'M': return stat("a", &st) ? '-' : digit(st.st_mode & 077);
	case 'n': return stat("a", &st) ? '-' : digit(st.st_nlink);
	case 'D': return digit(access("dir/in", F_OK));
	case 'E': return digit(rename("dir", "other"));
	case 'F': return digit(rename("other", "dir"));
	case 'w': return digit(write(file, "x", 1));
	case 'p': return digit(pwrite(file, "yz", 2, 1));
	case 'q': return pread(file, text, 3, 0) < 0 ? '-' : digit(text[0] + 2 * text[1] + 4 * text[2]);
	case 'k': return read(file, text, 1) < 0 ? '-' : digit(text[0]);
	case 'j': return digit(lseek(file, 0, SEEK_CUR));
	case 'z': return digit(lseek(file, 2, SEEK_SET));
	case 'I': return read(copy, text, 1) < 0 ? '-' : digit(text[0]);
	case 'J': return digit(lseek(copy, 1, SEEK_SET));
	case 'P': return digit(fputc(letter, log_stream));
	case 'X': return digit(fflush(log_stream));
	case 'Y': return pread(log_file, text, 3, 0) < 0 ? '-' : digit(text[0] + 2 * text[1] + 4 * text[2]);
	case 'Z': return rewind(log_stream), '.';
	case '7': return digit(ftell(log_stream));
	case '!': return digit(fflush(NULL));
	case '/': return digit(lseek(log_file, 0, SEEK_CUR));
	/* a stream without a buffer, of which each thread keeps the lock for two calls */
	case '|':
		flockfile(locked);
		r = putc_unlocked(letter, locked) + fputc(letter, locked);
		return funlockfile(locked), digit(r);
	case '>': return digit(fputc('x', locked));
	case '<':
		flockfile(locked);
		r = pread(fileno(locked), text, 4, 0);
		funlockfile(locked);
		return digit(r + text[0] + 2 * text[1] + 4 * text[2] + 8 * text[3]);
	case '#': return clearerr(at_end), '.';
	case '$': return digit(feof(at_end) + ferror(at_end));
	case 'A': return digit(write(appending, "ab", 2));
	case 'S': return fstat(file, &st) ? '-' : digit(st.st_size);
	case 'f': return digit(ftruncate(file, 1));
	case 'C': return digit(chdir("dir"));
	case 'B': return digit(chdir(".."));
	case 'g': return getcwd(text, sizeof(text)) && strlen(text) > 4 && !strcmp(text + strlen(text) - 4, "/dir") ? 'd' : '.';
	case 'U': return digit(umask(027));
	case 'V': return digit(umask(0));
	case 'L':
		r = scandir(".", &list, any, NULL);
		return digit(r);
	case 'x': return digit(close(constant));
	case 'v': return digit(pread(constant, text, 1, 0));
	/* which of several new numbers a thread gets is not explored */
	case 'e': return open("constant", O_RDONLY) < 0 ? '-' : '0';
	case 'y': return dup(file) < 0 ? '-' : '0';
	case '2': return dup2(file, constant) < 0 ? '-' : '0';
	case 'G': return digit(setrlimit(RLIMIT_NOFILE, &limit));
	case 'H': return getrlimit(RLIMIT_NOFILE, &limit) ? '-' : digit(limit.rlim_cur);
	case 'W': return digit(start("case $(pwd -P) in */dir) exit 1; esac"));
	case 'Q': return digit(start("test $(umask) = 0027"));
	case '3': return done(t, digit(write(used(t, ends[1]), &letter, 1)));
	case '4': return done(t, read(used(t, ends[0]), text, 1) < 0 ? '-' : text[0] ? text[0] : '0');
	case '5': return close_number(t, ends[1]);
	case '6':
		ready.fd = used(t, ends[0]);
		if (looked_up[t] < 0)
			ready.fd = 1000; /* closed: poll says so */
		return done(t, digit(poll(&ready, 1, 0) < 0 ? -1 : ready.revents));
	case '8': return done(t, digit(read(used(t, ends[0]), text, 2))); /* at most two bytes, of whichever threads */
	case '9': return close_number(t, ends[0]);
	case 'N':
		held[t] = strchr(ops[t], '%') ? fcntl(ends[1], F_DUPFD, 500) : -1;
		return digit(dup2(constant, ends[1]) < 0 ? -1 : 0);
	case '(': return look_up(t, ends[1]), 0;
	case ')': return look_up(t, ends[0]), 0;
	case '0': return digit(write(event, &count, sizeof(count)));
	case '1': return read(event, &count, sizeof(count)) < 0 ? '-' : digit((long)count);
	case 'K': return digit(poll(&counted, 1, 0) < 0 ? -1 : counted.revents);
	case '%': return close(held[t]), 0;
	case '+': return open("constant", O_RDONLY | O_CLOEXEC) < 0 ? '-' : '0';
	case '=': return digit(fcntl(file, F_SETFD, FD_CLOEXEC));
	case '_': return digit(fcntl(file, F_GETFD));
	case ':': return digit(setsockopt(pair[0], SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on)));
	case '^': return getsockopt(pair[0], SOL_SOCKET, SO_KEEPALIVE, &is, &size) ? '-' : digit(is);
	case ',': return digit(fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE));
	case '.': return digit(pwrite(memory, "m", 1, 0));
	case '{':
		if (tcgetattr(terminal, &settings))
			return '-';
		settings.c_cc[VMIN] = (cc_t)(3 + t);
		return digit(tcsetattr(terminal, TCSANOW, &settings));
	case '}': return tcgetattr(terminal, &settings) ? '-' : digit(settings.c_cc[VMIN]);
	case '@': {
		int ended = -1;
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		return digit(waitpid(pid, &ended, 0) == pid ? ended : -1);
	}
	default: abort();
	}
}

static void make(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0666);

	must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0, path);
}

static void prepare(void)
{
	must(chdir(directory) == 0 && mkdir("above", 0777) == 0 && chdir("above") == 0 && mkdir("higher", 0777) == 0 && chdir("higher") == 0 && mkdir("work", 0777) == 0 &&
		chdir("work") == 0 && mkdir("dir", 0777) == 0, directory);
	umask(0);
	make("a", "12345");
	make("file", "pqrs");
	make("constant", "c");
	make("dir/in", "");
	must(pipe2(ends, O_NONBLOCK) == 0 && (event = eventfd(0, EFD_NONBLOCK)) >= 0, "pipe2");
	signal(SIGPIPE, SIG_IGN);
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
	must((memory = memfd_create("memory", MFD_ALLOW_SEALING)) >= 0, "memfd_create");
	must((terminal = posix_openpt(O_RDWR)) >= 0, "posix_openpt");
	file = open("file", O_RDWR);
	appending = open("file", O_WRONLY | O_APPEND);
	constant = open("constant", O_RDONLY);
	copy = dup(file);
	log_file = open("log", O_CREAT | O_RDWR, 0666);
	log_stream = fdopen(log_file, "r+");
	at_end = fopen("constant", "r");
	locked = fopen("locked", "w+");
	must(locked && !setvbuf(locked, NULL, _IONBF, 0), "locked");
	must(log_stream && at_end && getc(at_end) == 'c' && getc(at_end) == EOF, "streams");
	must(file >= 0 && copy >= 0 && appending >= 0 && constant >= 0, "open");
}

static void finish(int fd)
{
	char line[400], text[64] = "", logged[64] = "", here[4096];
	int at = 0;

	for (int t = 0; t < n; t++)
		at += sprintf(line + at, "%s ", results[t]);
	int here_in_dir = getcwd(here, sizeof(here)) && strlen(here) > 4 && !strcmp(here + strlen(here) - 4, "/dir");

	if (here_in_dir)
		chdir("..");
	ssize_t got = pread(file, text, sizeof(text) - 1, 0);

	must(got >= 0 || errno == EBADF, "pread");
	must(fflush(log_stream) == 0 && pread(log_file, logged, sizeof(logged) - 1, 0) >= 0, "log");
	at += sprintf(line + at, "%c%c%c", status("a"), status("b"), status("other"));
	at += sprintf(line + at, "%c %s %03o ", here_in_dir ? 'd' : '.', text, umask(0));
	at += sprintf(line + at, "%ld [%s]\n", (long)lseek(file, 0, SEEK_CUR), logged);
	must(write(fd, line, (size_t)at) == at, "write");
}
