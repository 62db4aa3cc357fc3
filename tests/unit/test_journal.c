/* base/journal: undo restores the state of files, whatever was done in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/journal.h"

static struct journal *j;
static char root[64];
static unsigned complaints;

static void complain(void *ctx, const char *path, const char *why)
{
	complaints++;
}

static char *at(const char *name)
{
	static char paths[4][PATH_MAX];
	static unsigned next;
	char *p = paths[next++ % 4];

	snprintf(p, PATH_MAX, "%s/%s", root, name);
	return p;
}

static void put(const char *name, const char *text)
{
	int fd = open(at(name), O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void expect(const char *name, const char *text)
{
	char got[256] = "";
	int fd = open(at(name), O_RDONLY | O_NOFOLLOW);

	if (!text) {
		assert_int_equal(fd, -1);
		return;
	}
	assert_true(fd >= 0);
	assert_true(read(fd, got, sizeof(got) - 1) >= 0);
	close(fd);
	assert_string_equal(got, text);
}

static void undo(void)
{
	journal_undo(j, j->floor, complain, NULL);
}

static int setup(void **state)
{
	strcpy(root, "/tmp/test_journal.XXXXXX");
	j = malloc(JOURNAL_SIZE);
	journal_clear(j);
	complaints = 0;
	return mkdtemp(root) && j ? 0 : -1;
}

/* Each test must leave the folder empty. */
static int teardown(void **state)
{
	free(j);
	return rmdir(root);
}

static void created_files_go(void **state)
{
	journal_save(j, at("d"));
	assert_int_equal(mkdir(at("d"), 0700), 0);
	journal_save(j, at("d/f"));
	put("d/f", "x");
	journal_save(j, at("l"));
	assert_int_equal(symlink("nowhere", at("l")), 0);
	journal_save(j, at("p"));
	assert_int_equal(mkfifo(at("p"), 0600), 0);
	undo();
	assert_int_equal(complaints, 0);
	expect("d/f", NULL);
	assert_int_equal(access(at("d"), F_OK), -1);
}

static void content_mode_and_time_come_back(void **state)
{
	struct timespec old[2] = {{1000, 5}, {2000, 7}};
	struct stat before, after;

	put("f", "old content");
	assert_int_equal(chmod(at("f"), 0640), 0);
	assert_int_equal(utimensat(AT_FDCWD, at("f"), old, 0), 0);
	assert_int_equal(stat(at("f"), &before), 0);
	journal_save(j, at("f"));
	put("f", "new and longer content");
	chmod(at("f"), 0400);
	undo();
	expect("f", "old content");
	assert_int_equal(stat(at("f"), &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	assert_int_equal(after.st_mode, before.st_mode);
	assert_int_equal(after.st_mtim.tv_sec, 2000);
	assert_int_equal(after.st_mtim.tv_nsec, 7);
	journal_save(j, at("f"));
	unlink(at("f"));
	undo();
	expect("f", "old content");
	assert_int_equal(stat(at("f"), &after), 0);
	assert_int_equal(after.st_mode, before.st_mode);
	unlink(at("f"));
	assert_int_equal(complaints, 0);
}

static void attributes_come_back(void **state)
{
	struct timespec old[2] = {{4000000000, 5}, {2000, 7}}, other[2] = {{1, 1}, {2, 2}};
	struct stat before, after;
	char value[8] = "";

	put("f", "content");
	symlink("f", at("l"));
	assert_int_equal(chmod(at("f"), 0640), 0);
	assert_int_equal(setxattr(at("f"), "user.a", "1", 1, 0), 0);
	assert_int_equal(setxattr(at("f"), "user.b", "22", 2, 0), 0);
	assert_int_equal(utimensat(AT_FDCWD, at("f"), old, 0), 0);
	assert_int_equal(utimensat(AT_FDCWD, at("l"), old, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(lstat(at("f"), &before), 0);
	for (int removed = 0; removed < 2; removed++) {
		journal_attributes(j, at("f"));
		journal_attributes(j, at("l"));
		chmod(at("f"), 0400);
		setxattr(at("f"), "user.a", "other", 5, 0);
		removexattr(at("f"), "user.b");
		setxattr(at("f"), "user.c", "", 0, 0);
		utimensat(AT_FDCWD, at("f"), other, 0);
		utimensat(AT_FDCWD, at("l"), other, AT_SYMLINK_NOFOLLOW);
		if (removed) {
			journal_save(j, at("f"));
			unlink(at("f"));
		}
		undo();
		expect("f", "content");
		assert_int_equal(lstat(at("f"), &after), 0);
		assert_int_equal(after.st_mode, before.st_mode);
		assert_int_equal(after.st_mtim.tv_sec, 2000);
		assert_int_equal(after.st_mtim.tv_nsec, 7);
		assert_int_equal(after.st_atim.tv_sec, 4000000000);
		assert_int_equal(getxattr(at("f"), "user.a", value, sizeof(value)), 1);
		assert_int_equal(getxattr(at("f"), "user.b", value, sizeof(value)), 2);
		assert_memory_equal(value, "22", 2);
		assert_int_equal(getxattr(at("f"), "user.c", value, sizeof(value)), -1);
		assert_int_equal(lstat(at("l"), &after), 0);
		assert_int_equal(after.st_mtim.tv_nsec, 7);
	}
	unlink(at("f"));
	unlink(at("l"));
	assert_int_equal(complaints, 0);
	put("f", "");
	journal_attributes(j, at("f"));
	unlink(at("f"));
	undo();
	assert_int_equal(complaints, 1); /* the file is gone, and the journal has no record of the removal */
}

static void removed_things_come_back(void **state)
{
	char to[16] = "";

	mkdir(at("d"), 0750);
	symlink("here", at("d/l"));
	journal_save(j, at("d/l"));
	unlink(at("d/l"));
	journal_save(j, at("d"));
	rmdir(at("d"));
	journal_save(j, at("d"));
	put("d", "now a file");
	undo();
	assert_int_equal(readlink(at("d/l"), to, sizeof(to)), 4);
	assert_memory_equal(to, "here", 4);
	unlink(at("d/l"));
	assert_int_equal(rmdir(at("d")), 0);
	assert_int_equal(complaints, 0);
}

static void do_rename(const char *from, const char *to)
{
	journal_save(j, at(to));
	journal_rename(j, at(from), at(to), false);
	assert_int_equal(rename(at(from), at(to)), 0);
	journal_renamed(j);
}

static void renames_are_undone(void **state)
{
	put("a", "A");
	put("b", "B");
	mkdir(at("d"), 0700);
	put("d/x", "X");
	do_rename("a", "b");
	journal_save(j, at("a"));
	put("a", "another");
	journal_save(j, at("b"));
	put("b", "changed");
	do_rename("d", "e");
	journal_save(j, at("e/x"));
	put("e/x", "changed");
	do_rename("e/x", "a");
	undo();
	expect("a", "A");
	expect("b", "B");
	expect("d/x", "X");
	unlink(at("a"));
	unlink(at("b"));
	unlink(at("d/x"));
	assert_int_equal(rmdir(at("d")), 0);
	assert_int_equal(complaints, 0);
}

static void renamed_then_removed(void **state)
{
	mkdir(at("d"), 0700);
	put("d/x", "X");
	put("f", "F");
	do_rename("d", "e");
	do_rename("e/x", "e/y");
	do_rename("f", "g");
	journal_save(j, at("e/y"));
	unlink(at("e/y"));
	journal_save(j, at("e"));
	assert_int_equal(rmdir(at("e")), 0);
	journal_save(j, at("g"));
	unlink(at("g"));
	put("blocks the inode numbers", "");
	undo();
	expect("d/x", "X");
	expect("f", "F");
	expect("g", NULL);
	unlink(at("d/x"));
	unlink(at("f"));
	unlink(at("blocks the inode numbers"));
	assert_int_equal(rmdir(at("d")), 0);
	assert_int_equal(complaints, 0);
}

/* The process died after writing the note and before making the call. */
static void a_rename_that_did_not_happen(void **state)
{
	put("a", "A");
	put("b", "B");
	journal_save(j, at("b"));
	journal_rename(j, at("a"), at("b"), false);
	undo();
	expect("a", "A");
	expect("b", "B");
	unlink(at("a"));
	unlink(at("b"));
	assert_int_equal(complaints, 0);
}

static void an_exchange_is_undone(void **state)
{
	put("a", "A");
	put("b", "B");
	journal_rename(j, at("a"), at("b"), true);
	assert_int_equal(renameat2(AT_FDCWD, at("a"), AT_FDCWD, at("b"), RENAME_EXCHANGE), 0);
	undo();
	expect("a", "A");
	expect("b", "B");
	unlink(at("a"));
	unlink(at("b"));
	assert_int_equal(complaints, 0);
}

static void a_second_name_does_not_hide_a_change(void **state)
{
	put("a", "A");
	journal_save(j, at("b"));
	journal_link(j, at("b"));
	assert_int_equal(link(at("a"), at("b")), 0);
	journal_save(j, at("b"));
	put("b", "changed");
	undo();
	expect("a", "A");
	expect("b", NULL);
	unlink(at("a"));
	assert_int_equal(complaints, 0);
}

static void set_aside_and_back(void **state)
{
	put("kept", "before");
	journal_save(j, at("kept"));
	put("kept", "at the checkpoint");
	journal_save(j, at("made"));
	put("made", "M");
	do_rename("made", "moved");
	journal_save(j, at("d"));
	mkdir(at("d"), 0700);
	journal_save(j, at("d/f"));
	put("d/f", "F");
	journal_checkpoint(j);
	journal_save(j, at("kept"));
	put("kept", "by an execution");
	undo();
	expect("kept", "at the checkpoint");
	journal_set_aside(j, complain, NULL);
	expect("kept", "before");
	expect("moved", NULL);
	expect("made", NULL);
	assert_int_equal(access(at("d"), F_OK), -1);
	undo();
	expect("kept", "at the checkpoint");
	expect("moved", "M");
	expect("d/f", "F");
	journal_set_aside(j, complain, NULL);
	journal_undo(j, journal_whole(), complain, NULL); /* as the next process does after this one was killed */
	expect("kept", "before");
	expect("moved", NULL);
	unlink(at("kept"));
	assert_int_equal(complaints, 0);
}

static void large_files_are_complained_about_only_when_changed(void **state)
{
	put("big", "");
	assert_int_equal(truncate(at("big"), (off_t)JOURNAL_CONTENT + 1), 0);
	journal_save(j, at("big"));
	undo();
	assert_int_equal(complaints, 0);
	journal_save(j, at("big"));
	assert_int_equal(truncate(at("big"), 1), 0);
	undo();
	assert_int_equal(complaints, 1);
	unlink(at("big"));
}

static void full_journal_is_reported(void **state)
{
	char name[32];

	for (unsigned i = 0; i < JOURNAL_SIZE / 100; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		journal_save(j, at(name));
	}
	assert_true(j->lost > 0);
	undo();
	assert_int_equal(complaints, 1);
	assert_int_equal(j->lost, 0);
}

static void damage_stops_undo(void **state)
{
	put("a", "A");
	journal_save(j, at("a"));
	put("a", "B");
	((char *)j)[j->end.last + 40] ^= 1;
	undo();
	assert_int_equal(complaints, 1);
	expect("a", "B");
	j->end.last = UINT64_MAX / 2;
	undo();
	assert_int_equal(complaints, 2);
	unlink(at("a"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(created_files_go),
		TEST(content_mode_and_time_come_back), TEST(attributes_come_back),
		TEST(removed_things_come_back),
		TEST(renames_are_undone),
		TEST(renamed_then_removed),
		TEST(a_rename_that_did_not_happen),
		TEST(an_exchange_is_undone),
		TEST(a_second_name_does_not_hide_a_change),
		TEST(set_aside_and_back),
		TEST(large_files_are_complained_about_only_when_changed),
		TEST(full_journal_is_reported),
		TEST(damage_stops_undo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
