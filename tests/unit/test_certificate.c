/* Certificates that are written and read again. The reader keeps a place once, and every place exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "enforce/certificate.h"
#include "sched/event.h"
#include "tests/unit/lib_seed.h"

#define EVENTS 5000
#define LONGEST 12
static uint64_t seed = 1;
static char place[EVENTS][LONGEST + 1]; /* of each event; "-": none */

static unsigned rnd(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % n;
}

/* Bytes that the file must escape or that end a word, among ordinary ones. They are rare, so most places are plain. */
static char letter(void)
{
	static const char rare[] = "\"\\\n\t\r \x01\x7f\xff-#;";

	return rnd(20) ? (char)('a' + rnd(3)) : rare[rnd(sizeof(rare) - 1)];
}

static void choose_places(void)
{
	for (unsigned i = 0; i < EVENTS; i++) {
		unsigned n = rnd(LONGEST) + 1;

		if (i && !rnd(2)) { /* one that was there before */
			memcpy(place[i], place[rnd(i)], sizeof(place[i]));
			continue;
		}
		for (unsigned k = 0; k < n; k++)
			place[i][k] = letter();
		place[i][n] = '\0';
	}
}

static struct certificate *make(void)
{
	struct certificate *c = certificate_new();

	c->written_by = xstrdup("0");
	c->program = xstrdup("/p");
	c->build_id = xstrdup("00");
	c->input = xstrdup(NO_INPUT);
	c->argv = xcalloc(2, sizeof(*c->argv));
	c->argv[0] = xstrdup("p");
	c->processors = 1;
	c->strategy = xstrdup("optimal");
	c->executions = 1;
	c->certified = EVENTS;
	c->settings.late_exit = 1;
	c->threads = xcalloc(1, sizeof(*c->threads));
	c->n_threads = 1;
	c->events = xcalloc(EVENTS, sizeof(*c->events));
	for (; c->n_events < EVENTS; c->n_events++) {
		const char *text = place[c->n_events];
		struct cert_event *e = &c->events[c->n_events];

		e->kind = EV_YIELD;
		e->k = (uint32_t)c->n_events;
		e->where = strcmp(text, "-") ? certificate_place(c, text, strlen(text)) : NULL;
	}
	return c;
}

static void expect_places(const struct certificate *c)
{
	assert_int_equal(c->n_events, EVENTS);
	for (size_t i = 0; i < EVENTS; i++)
		if (strcmp(place[i], "-"))
			assert_string_equal(c->events[i].where, place[i]);
		else
			assert_null(c->events[i].where);
}

static void places(void **state)
{
	char path[] = "/tmp/simul-certificate-XXXXXX", message[512] = "";
	int fd = mkstemp(path);
	const char *why = "";

	assert_true(fd >= 0);
	close(fd);
	choose_places();
	memcpy(place[0], "-", 2);
	struct certificate *made = make();
	expect_places(made);
	assert_int_equal(certificate_write(made, path, &why), 0);
	struct certificate *c = certificate_read(path, message, sizeof(message));
	assert_string_equal(message, "");
	assert_non_null(c);
	expect_places(c);
	certificate_free(made);
	certificate_free(c);
	unlink(path);
}

/* The same place of two events is one text, also in another order of places. */
static void one_copy(void **state)
{
	struct certificate *c = certificate_new();
	const char *a = certificate_place(c, "queue.c:88", 10), *b = certificate_place(c, "queue.c:889", 11);

	assert_string_equal(a, "queue.c:88");
	assert_string_equal(b, "queue.c:889");
	assert_ptr_equal(certificate_place(c, "queue.c:88 and more", 10), a);
	assert_ptr_equal(certificate_place(c, "queue.c:889", 11), b);
	assert_int_equal(c->places.n, 2);
	certificate_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(one_copy),
	};

	seed = test_seed(seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
