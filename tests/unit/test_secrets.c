/* Which texts are taken for secrets, in variables and in arguments, and what stays of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/secrets.h"

static const struct {
	const char *text, *masked;
} secret[] = {
	{"password=hunter3secret", "password=*************"},
	{"{\"password\":\"hunter3secret\"}", "{\"password\":\"*************\"}"},
	{"{\"user\": \"me\", \"db_password\" : \"a, b\", \"n\": 1}", "{\"user\": \"me\", \"db_password\" : \"****\", \"n\": 1}"},
	{"{\\\"password\\\":\\\"hunter\\\"}", "{\\\"password\\\":\\\"******\\\"}"},
	{"{'token': 12345}", "{'token': *****}"},
	{"Server=h;Pwd=hunter3secret", "Server=h;Pwd=*************"},
	{"Server=h;Pwd=hunter3;Port=4", "Server=h;Pwd=*******;Port=4"},
	{"host=h password=hunter3 port=5", "host=h password=******* port=5"},
	{"password='with space' port=5", "password='**********' port=5"},
	{"PASSWORD=a&b,c;d", "PASSWORD=*******"},
	{"Bearer hunter3secret.x", "Bearer ***************"},
	{"Authorization: Basic aHVudGVyMw==", "Authorization: ******************"},
	{"X-Header: Bearer hunter3secret", "X-Header: Bearer *************"},
	{"https://x/?api_key=hunter3secret", "https://x/?api_key=*************"},
	{"https://x/?a=1&token=hunter3&b=2#c", "https://x/?a=1&token=*******&b=2#c"},
	{"https://x/?access_token=hunter3", "https://x/?access_token=*******"},
	{"user:hunter3secret@host", "user:*************@host"},
	{"user:hunter3secret@host:5432/db", "user:*************@host:5432/db"},
	{"postgres://me:hunter3@db/x", "postgres://me:*******@db/x"},
	{"postgres://me:p@ss@db/x", "postgres://me:****@db/x"},
	{"https://longtokenofuser@host/", "https://***************@host/"},
	{"--password=hunter3", "--password=*******"},
	{"--proxy-pass=hunter3", "--proxy-pass=*******"},
	{"-Ddb.password=hunter3", "-Ddb.password=*******"},
	{"run --token=hunter3 --next", "run --token=******* --next"},
	{"key is ghp_0123456789abcdef", "key is ********************"},
	{"password: hunter3", "password: *******"},
	{"password=one user:two@host", "password=*** user:***@host"},
};

static const char *const plain[] = {
	"/usr/local/bin:/usr/bin:/bin", "/opt/openssl@3/bin:/opt/python@3.12/bin:/bin", "/run/token:/bin",
	"rs=0:di=01;34:ln=01;36:*.tar=01;31:*.zip=01;31", "user@host", "mailto:user@host", "https://git@github.com/x", "ssh://me@host:22/x", "a=b",
	"a=b;c=d", "C.UTF-8", "--gtest_filter=Token*:Password*", "--gtest_filter=FooBarTest.ReadsPassword2Times", "--seed=12345678901234567890",
	"token=", "token=1", "--token-count=25", "max_tokens=1000", "password=********", "user:****@host", "PWD=/home/x", "unexpected token: foo",
	"image:tag@sha256:0123456789abcdef", "12:30@noon", "--broken=yes", "secret=false", "bearer", "the bearer somebodyelse",
	"http://localhost:8080/path@2", "password-file=/etc/x", "--bypass=10", "compass=north", "sk-learn", "--auth=none", "-p", "",
	"https://x/?q=1&page=2", "key=value", "$PASSWORD", "password=$PASSWORD", "password=<yours>",
};

static void masks_secrets(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(secret) / sizeof(*secret); i++) {
		char *masked = secret_masked(secret[i].text), *again = secret_masked(masked), *entry = xasprintf("X=%s", secret[i].text);

		assert_string_equal(masked, secret[i].masked);
		assert_string_equal(again, masked);
		if (!secret_looks(entry))
			fail_msg("not taken for a secret: %s", entry);
		free(entry);
		free(masked);
		free(again);
	}
}

static void leaves_others(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		char *masked = secret_masked(plain[i]);

		assert_string_equal(masked, plain[i]);
		free(masked);
	}
}

static void keeps_variables(void **state)
{
	static const char *const entries[] = {"PATH=/usr/bin:/bin", "LS_COLORS=rs=0:di=01;34:*.tar=01;31", "MAILTO=user@host", "A=a=b", "PWD=/home/x",
		"OMP_PLACES={0:4}", "TZ=Europe/Berlin", "HOME=/home/x", "LANG=C.UTF-8", "JAVA_OPTS=-Xmx1g -Da=b"};

	(void)state;
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++)
		if (secret_looks(entries[i]))
			fail_msg("taken for a secret: %s", entries[i]);
	assert_true(secret_looks("MYTOKEN=x"));
}

static void masks_arguments(void **state)
{
	char *given[] = {"./x", "--password", "hunter3", "--verbose", "-token", "5", "--secret", "--other", "u:pw@h", "-pwd", "/tmp", NULL};
	const char *want[] = {"./x", "--password", "*******", "--verbose", "-token", "5", "--secret", "--other", "u:**@h", "-pwd", "/tmp"};
	char *other[] = {"y", "--password", "hunter4", "--verbose", "-token", "6", NULL};
	char **masked = secret_masked_arguments(given);
	size_t index;

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_string_equal(masked[i], want[i]);
	assert_null(masked[sizeof(want) / sizeof(*want)]);
	assert_true(secret_same_arguments(given, masked, NULL));
	assert_false(secret_same_arguments(masked, other, &index));
	assert_int_equal(index, 5);
	secret_free_list(masked);
}

static void masks_variables(void **state)
{
	char *given[] = {"A=b", "MY_TOKEN=hunter", "URL=http://a:b@c", NULL}, **masked = secret_masked_variables(given);

	(void)state;
	assert_string_equal(masked[0], "A=b");
	assert_string_equal(masked[1], "MY_TOKEN=******");
	assert_string_equal(masked[2], "URL=************");
	secret_free_list(masked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masks_secrets),
		cmocka_unit_test(leaves_others),
		cmocka_unit_test(keeps_variables),
		cmocka_unit_test(masks_arguments),
		cmocka_unit_test(masks_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
