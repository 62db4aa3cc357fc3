/* One thread writes an object, another one uses it by an access that compilers make only after they have announced the
 * others: it has no call of ThreadSanitizer. KIND is the access. Each is a data race. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define BY_VALUE 1
#define BY_VALUE_BIG 2
#define RESULT 3
#define RESULT_BIG 4
#define STRCPY 5
#define STPCPY 6
#define ZERO 7
#define SET 8
#define COMPARE 9
#define PRINT 10

struct three {
	int at[3];
};
struct nine {
	int at[9];
};

/* not static: the compiler would leave out writes that nobody reads */
struct three three, other_three = {{1, 2, 3}};
struct nine nine;
char text[32];
volatile int result;

int __attribute__((noinline)) sum(struct three x)
{
	return x.at[0] + x.at[2];
}

int __attribute__((noinline)) sum_big(struct nine x)
{
	return x.at[0] + x.at[8];
}

struct three __attribute__((noinline)) make(void)
{
	return (struct three){{1, 2, 3}};
}

struct nine __attribute__((noinline)) make_big(void)
{
	return (struct nine){{1, 2, 3}};
}

static void *write_it(void *arg)
{
	three.at[2] = 1;
	nine.at[8] = 1;
	text[3] = 'x';
	text[0] = 'y';
	return arg;
}

static void *use_it(void *arg)
{
	switch (KIND) {
	case BY_VALUE:
		result = sum(three);
		break;
	case BY_VALUE_BIG:
		result = sum_big(nine);
		break;
	case RESULT:
		three = make();
		break;
	case RESULT_BIG:
		nine = make_big();
		break;
	case STRCPY:
		strcpy(text, "abcde");
		break;
	case STPCPY:
		stpcpy(text, "abcdefgh");
		break;
	case ZERO:
		memset(text, 0, 8);
		break;
	case SET:
		memset(text, 1, 24);
		break;
	case COMPARE:
		result = memcmp(&three, &other_three, 4) && memcmp(text, "zzzzzzzz", 8);
		break;
	case PRINT:
		snprintf(text, sizeof(text), "abcdefg");
		break;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, write_it, NULL);
	pthread_create(&b, NULL, use_it, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
