/*
 * Words that are used like locks (sched/lock_words.h), on traces made by hand: a line of text for each. "1c" is an operation of T0.1 on the word; the values that it finds
 * follow from the operations before. Letters: c compare-and-swap from 0 to 1; x exchange to 1, s to 2; r exchange to 0; z store of 0, o of 1; a adds 1, d subtracts 1; l load;
 * w futex wait, v woken; y yield; e something else (an event without this word); C and L: c and l on another word; t: c at another place; k: c at a node of a known lock.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sched/await.h"
#include "sched/lock_words.h"
#include "sched/memory.h"

enum { MOST = 64, WORD = 3, OTHER = 4, SITE = 100 };

static struct lock_words words;
static struct await_table known;
static struct event event[MOST];
static int32_t value[2]; /* of the word, and of the other word */

static uint32_t print_of(int32_t v)
{
	return memory_fingerprint(&v, sizeof v);
}

static void change(struct event *e, int32_t *v, int32_t to)
{
	e->kind = EV_RMW;
	e->mode[0] = M_WRITE;
	*v = to;
}

static struct event make(thread_id t, char what)
{
	bool other = what == 'C' || what == 'L';
	int32_t *v = &value[other];
	struct event e = { .thread = t, .kind = EV_LOAD, .mode = { M_READ }, .obj = { OBJECT_MEMORY | (other ? OTHER : WORD) }, .span = 3 << 4, .seq = print_of(*v), .pc = SITE + (uint64_t)what };
	switch (what) {
	case 'c': case 'C': case 'k': case 't':
		change(&e, v, *v ? *v : 1);
		e.result = (int32_t)print_of(0);
		if (e.seq != print_of(0)) {
			e.mode[0] = M_READ;
			e.flags |= EVF_FAILED;
		}
		if (what == 'k') {
			struct await_node lock = { .state = 1, .pc = e.pc, .size = 4, .expected = print_of(0), .what = EV_RMW | AWAIT_LOCK };
			e.flags |= EVF_AWAIT;
			e.result = (int32_t)await_node(&known, &lock);
		}
		break;
	case 'x': change(&e, v, 1); break;
	case 's': change(&e, v, 2); break;
	case 'r': change(&e, v, 0); break;
	case 'a': change(&e, v, *v + 1); break;
	case 'd': change(&e, v, *v - 1); break;
	case 'z': case 'o':
		change(&e, v, what == 'o');
		e.kind = EV_STORE;
		break;
	case 'w':
		e.kind = EV_FUTEX_WAIT;
		e.mode[0] = M_ENQ;
		e.obj[1] = e.obj[0];
		e.obj[0] = 9;
		break;
	case 'v': case 'y': case 'e':
		e.kind = what == 'v' ? EV_FUTEX_WOKEN : what == 'y' ? EV_YIELD : EV_MUTEX_LOCK;
		e.obj[0] = what == 'y' ? 0 : 9;
		break;
	default: assert_true(what == 'l' || what == 'L');
	}
	return e;
}

/* Adds an execution, in which the word is 0 at first. */
static void run(const char *text)
{
	struct trace trace = { .event = event, .await = &known, .threads = 10 };
	value[0] = value[1] = 0;
	for (; *text; text += *text == ' ') {
		assert_true(trace.n < MOST && text[0] >= '0' && text[0] <= '9');
		event[trace.n++] = make((thread_id)(text[0] - '0'), text[1]);
		text += 2;
	}
	lock_words_see(&words, &trace);
}

static int empty(void **state)
{
	memset(&words, 0, sizeof words);
	memset(&known, 0, sizeof known);
	return 0;
}

static bool like_lock(void)
{
	for (uint32_t i = 0; i < words.n; i++)
		if (words.word[i].lo >> 4 == WORD)
			return lock_words_like_lock(&words, i);
	return false;
}

static uint64_t at(char what)
{
	for (uint32_t i = 0; i < words.sites; i++)
		if (words.site[i] == SITE + (uint64_t)what)
			return UINT64_C(1) << i;
	return 0;
}

static void expect(bool is, const char *text)
{
	empty(NULL);
	run(text);
	if (like_lock() != is)
		fail_msg("%s: %s", text, is ? "is like a lock" : "is no lock");
}

static void locks(void **state)
{
	expect(true, "1c 1z 2c 2z 1c 1z");
	expect(true, "1c 2c 2y 2c 1z 2c 2z 1c");                     /* spins and yields */
	expect(true, "1c 2c 2l 2l 1r 2l 2c 2r 1c");                  /* loads while it is taken */
	expect(true, "1c 2c 2s 2w 1r 2v 2s 2r 1c");                  /* a futex lock */
	expect(true, "1c 2c 3c 3s 3w 2s 2w 1r 3v 3s 3e 3r 2v 2s 2r 1c"); /* the holder does other things */
	expect(true, "1c 2c 2s 2w 1d 1z 2v 2s 2z 1c");               /* given back in two steps */
	expect(true, "0z 1c 1z 2c 2z 3c 3z 3l");                     /* initialised */
	expect(true, "1x 1r 2x 2x 2r 1x");                           /* the holder's exchange of 1 to 1 changes nothing */
}

static void no_locks(void **state)
{
	expect(false, "");
	expect(false, "1c 1z 1c 1z 1c 1z 1l");                /* one thread only */
	expect(false, "1c 1z 2l 2e");                         /* once only */
	expect(false, "1c 1z 2c 2z 1c 2c 2e 1z 1c");          /* a try-lock */
	expect(false, "1c 1z 2c 2z 1c 2c 2C 1z 1c");          /* it goes on to another word */
	expect(false, "1c 1z 2c 2z 1c 2l 2e 1z 1c");          /* a try-lock that looks first */
	expect(false, "1c 1z 2c 2z 1c 2z 1c 1z 1c");          /* given back by another thread */
	expect(false, "1c 1z 2c 2z 1c 2r 1c 1z 1c");          /* the same, by an exchange */
	expect(false, "1a 1d 2a 2d 1a 2a 2e 2d 1d 1a");       /* a count */
	expect(false, "1c 1z 2c 2z 1c 2a 2e 2d 1d 1a");       /* readers count in it */
	expect(false, "1c 1z 2c 2z 1o 1e 2l 2e");             /* also a flag */
	expect(false, "1c 1z 2c 2z 1o 1e 2c");                /* set by a store */
	expect(false, "1c 2c 2e 1e");                         /* once */
	expect(false, "1a 1e 2a 2L 3a 3L");                   /* tickets */
	expect(false, "1c 1a 2c 2a 1c");                      /* a sequence counter */
	expect(false, "1c 1z 2c 2z 1c 1c");                   /* the holder tries to take it again */
	expect(false, "1c 1z 2c 2z 1k 1z 2k 2z 1k");          /* already taken as a lock */
	expect(false, "1l 2o 1l 1z 2l 2o 1l");                /* messages */
}

static void counterexamples_are_for_good(void **state)
{
	run("1c 1z 2c 2z 1c 1z");
	run("1c 2c 2y 2c 1z 2c 2z 1c");
	assert_true(like_lock());
	run("1c 2c 2e");
	assert_false(like_lock());
	run("1c 1z 2c 2z 1c 1z 2c 2z 1c");
	assert_false(like_lock());
	assert_int_equal(words.doubtful, at('c'));
	assert_int_equal(words.executions, 4);
}

/* A try-lock that fails before the thread takes the lock. In the code of a lock, only threads that wait come to the second compare-and-swap. */
static void tried_before(void **state)
{
	expect(true, "1c 1z 2c 2z 1c 2c 2t 2t 1z 2t 2z 1c");
	expect(false, "1c 1z 2c 2z 1c 2t 2c 1z 2c 2z 1c");
	run("1t 1z 1t");
	run("1c 2c 2t 1z 2t 2z 1c 1z");
	assert_false(like_lock());
}

/* No execution shows that the last holder gives it back. Other executions show it of another thread. */
static void executions_add_up(void **state)
{
	run("1c 1z 2c 2z");
	assert_false(like_lock());
	run("2c 2z 1c 1z");
	assert_true(like_lock());
}

static void sites_where_threads_waited(void **state)
{
	run("1c 1z 2c 2z 1c 1z");
	assert_true(like_lock());
	assert_int_equal(words.waited, 0);
	run("1c 2c 2y 2C");
	assert_int_equal(words.waited, 0); /* it did something else */
	assert_int_equal(words.doubtful, at('c'));
	empty(NULL);
	run("1c 2c 2s 2w 1r 2v 2s 2r 1c");
	assert_int_equal(words.waited, at('c'));
	assert_int_equal(words.doubtful, 0);
	assert_int_equal(words.sites, 1); /* the exchange is no site */
}

/* Words that do not fit are not known to be locks, so their sites are doubtful. */
static void no_room(void **state)
{
	struct trace trace = { .event = event, .n = 1, .threads = 2 };
	for (uint32_t i = 0; i < LOCK_WORDS; i++) {
		event[0] = make(1, 'x');
		event[0].obj[0] = OBJECT_MEMORY | (100 + i);
		lock_words_see(&words, &trace);
	}
	assert_int_equal(words.n, LOCK_WORDS);
	assert_int_equal(words.doubtful, 0);
	run("1c 1z 2c 2z 1c");
	assert_false(like_lock());
	assert_int_equal(words.doubtful, at('c'));
	empty(NULL);
	for (uint32_t i = 0; i < LOCK_SITES + 1; i++) {
		assert_int_equal(words.full, 0);
		event[0] = make(1, 'c');
		event[0].pc = 1000 + i;
		lock_words_see(&words, &trace);
	}
	assert_int_equal(words.full, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(locks, empty),
		cmocka_unit_test_setup(no_locks, empty),
		cmocka_unit_test_setup(counterexamples_are_for_good, empty),
		cmocka_unit_test_setup(tried_before, empty),
		cmocka_unit_test_setup(executions_add_up, empty),
		cmocka_unit_test_setup(sites_where_threads_waited, empty),
		cmocka_unit_test_setup(no_room, empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
