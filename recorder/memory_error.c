/* Memory errors in words; see memory_error.h. */
#include "recorder/memory_error.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"

static const struct {
	const char *name, *text;
} words[MEMORY_ERRORS] = {
	[MEMORY_NONE] = { "none", "memory error" },
	[MEMORY_FREED] = { "use-after-free", "use after free" },
	[MEMORY_BEYOND] = { "overflow", "heap overflow" },
	[MEMORY_BEFORE] = { "underflow", "heap underflow" },
	[MEMORY_DOUBLE_FREE] = { "double-free", "double free" },
	[MEMORY_INVALID_FREE] = { "invalid-free", "invalid free" },
	[MEMORY_STACK] = { "dead-stack", "use of a dead stack frame" },
};

const char *memory_error_name(unsigned error)
{
	return error < MEMORY_ERRORS ? words[error].name : "?";
}

int memory_error_parse(const char *text)
{
	for (int i = 0; i < MEMORY_ERRORS; i++)
		if (!strcmp(text, words[i].name))
			return i;
	return -1;
}

const char *memory_error_text(unsigned error)
{
	return error < MEMORY_ERRORS ? words[error].text : "?";
}

static const char *path(const struct recording *r, thread_id t)
{
	return t < r->n_threads ? r->threads[t].path : "a thread";
}

static void put_bytes(FILE *f, uint64_t n)
{
	fprintf(f, "%llu byte%s", (unsigned long long)n, n == 1 ? "" : "s");
}

/* " allocated at a.c:10" */
static void put_origin(FILE *f, const struct recording *r, int i, const char *verb)
{
	char where[512];

	fprintf(f, "%s %s", path(r, r->failure.block.owner[i]), verb);
	rec_stack_where(&r->failure.block.stack[i], where, sizeof(where));
	if (where[0])
		fprintf(f, " at %s", where);
}

/* Prints "a block of 24 bytes that T0.1 allocated at a.c:10 and T0.2 freed at a.c:20" */
static void put_block(FILE *f, const struct recording *r)
{
	const struct rec_block *b = &r->failure.block;
	bool allocated = b->owner[0] != NO_THREAD, freed = b->owner[1] != NO_THREAD;

	fputs("a block of ", f);
	put_bytes(f, b->block_size);
	if (!allocated && !freed)
		return;
	fputs(" that ", f);
	if (allocated)
		put_origin(f, r, 0, "allocated");
	if (!freed)
		return;
	fputs(allocated ? " and " : "", f);
	put_origin(f, r, 1, b->error == MEMORY_DOUBLE_FREE ? "had freed" : "freed");
}

/* Writes where the access is relative to the block. */
static void put_place(FILE *f, const struct rec_block *b)
{
	if (b->addr < b->block) {
		put_bytes(f, b->block - b->addr);
		fputs(" before ", f);
	} else if (b->error == MEMORY_BEYOND && b->addr >= b->block + b->block_size) {
		if (b->addr > b->block + b->block_size) {
			put_bytes(f, b->addr - b->block - b->block_size);
			fputc(' ', f);
		} else {
			fputs("directly ", f);
		}
		fputs("behind the end of ", f);
	} else {
		if (b->addr > b->block) {
			put_bytes(f, b->addr - b->block);
			fputs(" into ", f);
		} else {
			fputs("at the beginning of ", f);
		}
	}
}

/* "a mutex" for an object that a call uses; NULL: the access is an ordinary one. */
static const char *object_text(unsigned kind)
{
	static const char *const text[OBJ_COUNT] = {
		[OBJ_MUTEX] = "a mutex",
		[OBJ_SPIN] = "a spin lock",
		[OBJ_COND] = "a condition variable",
		[OBJ_RWLOCK] = "a read-write lock",
		[OBJ_SEM] = "a semaphore",
		[OBJ_BARRIER] = "a barrier",
		[OBJ_ONCE] = "a one-time initialisation",
		[OBJ_FUTEX] = "a futex word",
	};

	return kind < OBJ_COUNT ? text[kind] : NULL;
}

static void put_access(FILE *f, const struct recording *r)
{
	const struct rec_block *b = &r->failure.block;
	const char *object = object_text(b->object);

	if (object) {
		fprintf(f, "%s uses %s", path(r, r->failure.thread), object);
	} else {
		fprintf(f, "%s %s ", path(r, r->failure.thread), b->write ? "writes" : "reads");
		put_bytes(f, b->size);
	}
	if (b->error == MEMORY_STACK) {
		fprintf(f, " %s a stack frame that %s has left", object ? "in" : "of",
			b->owner[0] == r->failure.thread ? "it" : path(r, b->owner[0]));
		return;
	}
	fputc(' ', f);
	put_place(f, b);
	put_block(f, r);
}

static void put_free(FILE *f, const struct recording *r)
{
	const struct rec_block *b = &r->failure.block;

	fprintf(f, "%s frees ", path(r, r->failure.thread));
	if (b->error == MEMORY_DOUBLE_FREE) {
		put_block(f, r);
	} else if (b->block) {
		fputs("an address ", f);
		put_place(f, b);
		put_block(f, r);
	} else {
		fputs("an address at which no block begins", f);
	}
}

char *memory_error_sentence(const struct recording *r)
{
	const struct rec_block *b = &r->failure.block;
	char *text = NULL;
	size_t size;
	FILE *f;

	if (r->failure.kind != BUG_MEMORY || !b->error)
		return NULL;
	f = open_memstream(&text, &size);
	INVARIANT(f, "out of memory");
	fprintf(f, "%s: ", memory_error_text(b->error));
	if (b->error == MEMORY_DOUBLE_FREE || b->error == MEMORY_INVALID_FREE)
		put_free(f, r);
	else
		put_access(f, r);
	INVARIANT(fclose(f) == 0, "out of memory");
	return text;
}
