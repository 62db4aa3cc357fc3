#include "preload/kernel/shared_pages.h"

#include "preload/base/maps.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/memory/aliases.h"
#include "preload/base/rules.h"

#define MOST 128u

/* Bytes of a file, and where they are mapped. No two homes have the same bytes of a file. */
struct home {
	uint64_t dev, ino, offset; /* as in struct mapping */
	uint64_t lo, hi;
	thread_id by; /* the thread that mapped it; NO_THREAD: before the checkpoint */
};

static struct home home[MOST];
bool pages_any;
static unsigned n_homes;

static bool is_of(const struct home *h, const struct home *file)
{
	return h->dev == file->dev && h->ino == file->ino;
}

static uint64_t end_of(const struct home *h)
{
	return h->offset + (h->hi - h->lo);
}

static void add_home(const struct home *h, uint64_t pc)
{
	if (n_homes < MOST)
		home[n_homes++] = *h;
	else
		except_from_now(EXCEPT_MAPPED_TWICE, pc);
}

/* Returns the home of the byte `offset` of the file; NULL: it has none. Sets *end to the end of the bytes for which that is true. */
static const struct home *home_of(const struct home *file, uint64_t offset, uint64_t *end)
{
	*end = UINT64_MAX;
	for (unsigned i = 0; i < n_homes; i++) {
		const struct home *h = &home[i];

		if (!is_of(h, file))
			continue;
		if (offset >= h->offset && offset < end_of(h)) {
			*end = end_of(h);
			return h;
		}
		if (h->offset > offset && h->offset < *end)
			*end = h->offset;
	}
	return NULL;
}

static void add(const struct home *new, bool ordered, uint64_t pc)
{
	for (uint64_t at = new->lo, to; at < new->hi; at = to) {
		uint64_t offset = new->offset + (at - new->lo), end;
		const struct home *h = home_of(new, offset, &end);
		uint64_t key = h ? h->lo + (offset - h->offset) : at;

		to = end - offset < new->hi - at ? at + (end - offset) : new->hi;
		if (h && !ordered && h->by != NO_THREAD && h->by != new->by)
			except_from_now(EXCEPT_MAPPED_TWICE, pc);
		if (!h)
			add_home(&(struct home){ new->dev, new->ino, offset, at, to, new->by }, pc);
		else if (key != at)
			alias_add(at, to, key);
		if (key != at && ctl_session->config.certify)
			ctl_refuse("the program maps memory at several addresses, which certificates do not know yet");
	}
	if (alias_lost)
		except_from_now(EXCEPT_MAPPED_TWICE, pc);
}

void pages_mapped(const struct mapping *m, uint64_t lo, uint64_t hi, bool ordered, uint64_t pc)
{
	struct home new = { m->dev, m->ino, m->offset + (lo - m->lo), lo, hi, ctl_past_checkpoint ? ctl_self() : NO_THREAD };

	pages_any = true;
	alias_remove(lo, hi);
	add(&new, ordered, pc);
}

bool pages_are(const struct mapping *m, uint64_t lo, uint64_t hi)
{
	struct home at = { .dev = m->dev, .ino = m->ino, .offset = m->offset + (lo - m->lo) };

	for (uint64_t end, key; lo < hi; lo = end) {
		uint64_t last, next = alias_run(lo, hi, &key);
		const struct home *h = home_of(&at, at.offset, &last);

		if (!h || key != h->lo + (at.offset - h->offset))
			return false;
		end = last - at.offset < next - lo ? lo + (last - at.offset) : next;
		at.offset += end - lo;
	}
	return true;
}

/* Removes the bytes of a home that lie in [lo, hi), and gives their other mappings a new home. */
static void leave(unsigned i, uint64_t lo, uint64_t hi, uint64_t pc)
{
	struct home old = home[i];
	struct alias a;

	home[i] = home[--n_homes];
	if (old.lo < lo)
		add_home(&(struct home){ old.dev, old.ino, old.offset, old.lo, lo, old.by }, pc);
	if (hi < old.hi)
		add_home(&(struct home){ old.dev, old.ino, old.offset + (hi - old.lo), hi, old.hi, old.by }, pc);
	lo = lo > old.lo ? lo : old.lo;
	hi = hi < old.hi ? hi : old.hi;
	if (!alias_has_keys(lo, hi))
		return;
	except_for(EXCEPT_MAPPED_TWICE, pc);
	struct alias taken[MOST];
	unsigned n = 0;

	while (n < MOST && alias_take(lo, hi, &a))
		taken[n++] = a;
	for (unsigned k = 0; k < n; k++)
		add(&(struct home){ old.dev, old.ino, old.offset + (taken[k].key - old.lo), taken[k].lo, taken[k].hi, old.by }, true, pc);
}

void pages_replaced(uint64_t lo, uint64_t hi, uint64_t pc)
{
	if (alias_remove(lo, hi))
		except_for(EXCEPT_MAPPED_TWICE, pc);
	for (unsigned i = 0; i < n_homes;) {
		if (home[i].lo < hi && lo < home[i].hi)
			leave(i, lo, hi, pc);
		else
			i++;
	}
}

bool pages_known(uint64_t addr)
{
	bool known = alias_key(addr) != addr;

	for (unsigned i = 0; i < n_homes; i++)
		known |= addr - home[i].lo < home[i].hi - home[i].lo;
	return known;
}
