/* An entry of the journal (base/journal.h), and functions that restore the state it records. For base/journal.c only. */
#ifndef SIMUL_JOURNAL_ENTRY_H
#define SIMUL_JOURNAL_ENTRY_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum entry_kind {
	ENTRY_ABSENT = 1,
	ENTRY_FILE,
	ENTRY_LARGE, /* a file whose content is not saved */
	ENTRY_DIRECTORY,
	ENTRY_SYMLINK,
	ENTRY_FIFO,
	ENTRY_ATTRIBUTES, /* owner, mode and times of a path of any type; the entry's content is the block of extended attributes */
	ENTRY_RENAME,   /* after this or one of the next two, a path may mean another file, which states saved earlier do not cover */
	ENTRY_EXCHANGE,
	ENTRY_LINK,
};

/* After this header come the path, the second text and the content. Each text ends with its terminator. */
struct entry {
	uint64_t prev;     /* offset of the next older entry; 0: there is none */
	uint64_t check;    /* checksum of the header from `kind` on, of `prev` and of the texts; not of the content */
	uint32_t done;     /* 1: the rename that this entry announces has happened */
	uint32_t pad_;
	uint32_t kind;     /* enum entry_kind */
	uint32_t path_len; /* bytes, including the terminator */
	uint32_t more_len; /* bytes of the second text, which is the new name of a rename or the target of a symbolic link; 0: there is none */
	uint32_t mode;     /* permission bits; in ENTRY_ATTRIBUTES also the file type */
	uint32_t uid, gid;
	uint64_t dev, ino, size;
	struct timespec atime, mtime, ctime;
};

static inline char *path_of(struct entry *e)
{
	return (char *)(e + 1);
}

static inline char *more_of(struct entry *e)
{
	return path_of(e) + e->path_len;
}

static inline char *content_of(struct entry *e)
{
	return more_of(e) + e->more_len;
}

static inline uint64_t content_size(const struct entry *e)
{
	return e->kind == ENTRY_FILE || e->kind == ENTRY_ATTRIBUTES ? e->size : 0;
}

/* Restores the state that a valid entry records. Returns NULL, or the reason why it failed. */
const char *entry_put_back(struct entry *e);
/* Returns whether the rename happened. If the process died before it could set `done`, it changed nothing afterwards: the rename happened
   exactly if the new name has the file's inode. */
bool entry_happened(struct entry *e);

#endif
