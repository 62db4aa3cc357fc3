/* An entry of the journal (base/journal.h), and putting back what it says. For base/journal.c only. */
#ifndef SIMUL_JOURNAL_ENTRY_H
#define SIMUL_JOURNAL_ENTRY_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum entry_kind {
	ENTRY_ABSENT = 1,
	ENTRY_FILE,
	ENTRY_LARGE, /* a file whose content is not kept */
	ENTRY_DIRECTORY,
	ENTRY_SYMLINK,
	ENTRY_FIFO,
	ENTRY_ATTRIBUTES, /* of any of these: owner, mode, times; its content are the extended attributes */
	ENTRY_RENAME,   /* and everything below: saved states do not hold beyond these */
	ENTRY_EXCHANGE,
	ENTRY_LINK,
};

/* Followed by the path, the second text and the content, each text with its end; see text_of. */
struct entry {
	uint64_t prev;     /* offset of the next older one, 0 = none */
	uint64_t check;    /* of everything but the content, this field and the next */
	uint32_t done;     /* a rename that was noted has happened */
	uint32_t pad_;
	uint32_t kind;     /* enum entry_kind */
	uint32_t path_len; /* with the terminator */
	uint32_t more_len; /* of the second text: where a rename went, what a link says; 0 = none */
	uint32_t mode;     /* ENTRY_ATTRIBUTES: with the type */
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

/* Gives the path of a valid entry the state that the entry says. Returns NULL, or why it could not. */
const char *entry_put_back(struct entry *e);
/* Returns whether the rename happened. The process may have died before it, or after it and before it could note it. Then nothing was done
   since, and the file has the same inode. */
bool entry_happened(struct entry *e);

#endif
