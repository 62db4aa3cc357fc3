#include "preload/files.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/sys.h"
#include "preload/rules.h"

#define MAX_FILES 64

static struct {
	int fd;
	bool captured; /* an unlinked file of the supervisor's: cut back to `at` */
	off_t at;
} files[MAX_FILES];
static unsigned n_files;
static bool remembered;

static void remember(int fd)
{
	struct stat st;
	if (n_files == MAX_FILES || sys_call2(SYS_fstat, fd, (long)&st) || !S_ISREG(st.st_mode))
		return;
	int flags = (int)sys_fcntl(fd, F_GETFL, 0);
	bool captured = (fd == 1 || fd == 2) && st.st_nlink == 0 && (flags & O_APPEND);
	if (!captured && (flags & O_APPEND))
		return;
	long at = captured ? st.st_size : sys_call3(SYS_lseek, fd, 0, SEEK_CUR);
	if (sys_failed(at))
		return;
	files[n_files].fd = fd;
	files[n_files].captured = captured;
	files[n_files].at = at;
	n_files++;
}

void files_remember(void)
{
	n_files = 0;
	for (int fd = 0; fd < 256; fd++)
		remember(fd);
	remembered = true;
}

void files_restore(void)
{
	if (!remembered)
		return;
	for (unsigned i = 0; i < n_files; i++) {
		struct stat st;
		if (!files[i].captured)
			sys_call3(SYS_lseek, files[i].fd, files[i].at, SEEK_SET);
		else if (!sys_call2(SYS_fstat, files[i].fd, (long)&st) && st.st_size != files[i].at)
			sys_call2(SYS_ftruncate, files[i].fd, files[i].at);
	}
}
