#include "recorder/symbols/std_lock.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

#define MUTEX "Mutex"
#define RWLOCK "RwLock"

/* The parts of "<std::sync::mutex::Mutex<T>>::lock". */
struct method {
	char module[STD_LOCK_TEXT]; /* the last component of the path before the type: "mutex" */
	char type[STD_LOCK_TEXT];   /* "Mutex" */
	char name[STD_LOCK_TEXT];   /* "lock" */
};

/* Returns the length of text without what is in the last pair of brackets, which ends it; n if no bracket ends it. */
static size_t without_brackets(const char *text, size_t n)
{
	size_t depth = 0, i = n;

	while (i > 0) {
		char c = text[--i];
		depth += c == '>' && (i == 0 || text[i - 1] != '-');
		depth -= c == '<' && depth;
		if (!depth)
			return c == '<' ? i : n;
	}
	return n;
}

/* Cuts the last component off text[0..*n), and copies it. Returns whether it is a plain name. */
static bool cut_component(const char *text, size_t *n, char *out)
{
	size_t end = *n, begin = end;

	while (begin > 0 && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_'))
		begin--;
	if (begin == end || end - begin >= STD_LOCK_TEXT)
		return false;
	memcpy(out, text + begin, end - begin);
	out[end - begin] = '\0';
	*n = begin >= 2 && text[begin - 1] == ':' && text[begin - 2] == ':' ? begin - 2 : 0;
	return true;
}

/* Takes a function's name apart. Returns false if it is no method of a type of std, or one of a trait. */
static bool take_apart(const char *function, struct method *out)
{
	size_t n = strlen(function), k;

	k = without_brackets(function, n); /* arguments: wait::<...> */
	n = k < n && k > 2 && function[k - 1] == ':' ? k - 2 : k;
	if (!cut_component(function, &n, out->name) || !n)
		return false;
	if (function[0] == '<') {
		if (function[n - 1] != '>' || strstr(function, " as "))
			return false;
		function++;
		n -= 2;
	}
	n = without_brackets(function, n); /* Mutex<T> */
	return cut_component(function, &n, out->type) && isupper((unsigned char)out->type[0]) && n && cut_component(function, &n, out->module);
}

/* Returns whether it is a method of the object that has the word, in std's modules for futexes: `mutex::futex::Mutex`, `futex_rwlock::RwLock`. */
static bool has_word(const struct method *m)
{
	return symbols_begins(m->module, "futex");
}

static bool is_lock(const char *type)
{
	static const char *const types[] = { MUTEX, RWLOCK, "Condvar", "Once" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i], type))
			return true;
	return false;
}

static bool is_parker(const char *type)
{
	return !strcmp(type, "Parker");
}

bool std_lock_of(const struct rec_stack *stack, struct std_lock *out)
{
	struct method word = { .type = "" }, m, outermost = { .type = "" };

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < stack->n && !out->caller; i++) {
		const struct rec_frame *f = &stack->frame[i];

		if (f->flags & REC_FRAME_USER)
			out->caller = f;
		else if (f->function && symbols_rust_std(f->function) && take_apart(f->function, &m)) {
			if (!word.type[0] && has_word(&m))
				word = m;
			if (symbols_begins(f->function + (f->function[0] == '<'), "std::sync::"))
				outermost = m;
		}
	}
	if (!is_lock(word.type) && !is_parker(word.type))
		return false;
	if (is_parker(word.type)) {
		snprintf(out->kind, sizeof(out->kind), "park token");
		return true;
	}
	snprintf(out->kind, sizeof(out->kind), "%s", word.type);
	if (!strcmp(outermost.type, word.type)) {
		snprintf(out->method, sizeof(out->method), "%s", outermost.name);
	} else if (outermost.type[0] && !is_lock(outermost.type) && !strstr(outermost.type, "Guard")) {
		snprintf(out->kind, sizeof(out->kind), "%.20s of %.30s", word.type, outermost.type);
		snprintf(out->method, sizeof(out->method), "%s", outermost.name);
	}
	return true;
}

char *std_lock_expression(const struct std_lock *l, const char *binary)
{
	char line[512];

	return l->method[0] && symbols_source_line(l->caller, binary, line, sizeof(line)) ? symbols_receiver(line, l->method) : NULL;
}

char *std_lock_variable(const char *word)
{
	const char *last = NULL;

	for (const char *p = word; (p = strstr(p, ".inner.")); p++)
		last = p;
	return last && last > word ? xasprintf("%.*s", (int)(last - word), word) : NULL;
}

bool std_lock_is_held(const char *name)
{
	return !strncmp(name, MUTEX, strlen(MUTEX)) || !strncmp(name, RWLOCK, strlen(RWLOCK));
}
