/* Values of every kind of type, which one thread writes and another one reads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum state { IDLE, BUSY = 5, BROKEN = -1 };
enum mode { READ = 1, WRITE = 2, SHARED = 4 };
typedef volatile bool ready_flag;

struct item {
	int64_t id;
	struct item *next;
};
struct queue {
	enum state state;
	_Atomic bool open;
	double load;
	struct item *head;
	short level[3];
};
struct bits {
	unsigned kind : 3;
	signed depth : 4;
	unsigned closed : 1;
};
union either {
	int number;
	float fraction;
};

ready_flag ready;
_Atomic enum state state;
enum state before;
enum mode mode, odd;
char letter, line_end;
int8_t small;
uint8_t octet;
float third;
double tenth;
long double wide;
int64_t past;
uint64_t hash;
void *nothing = &nothing;
struct bits bits;
union either either;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *which;
struct item items[2];
struct queue *queue;
atomic_int done;

static void *writer(void *unused)
{
	ready = true;
	state = BUSY;
	before = BROKEN;
	mode = READ | SHARED;
	odd = 9;
	letter = 'x';
	line_end = '\n';
	small = -7;
	octet = 'x';
	third = 1.0f / 3;
	tenth = 0.1;
	wide = 2.25L;
	past = -5000000000;
	hash = 0x9e3779b97f4a7c15;
	nothing = NULL;
	bits = (struct bits){ 5, -2, 1 };
	either.fraction = 0.5f;
	which = &lock;
	queue->state = BUSY;
	queue->load = 1e-3;
	queue->open = true;
	queue->head->next = &items[1];
	queue->level[2] = 12;
	done = 1;
	return NULL;
}

int main(void)
{
	pthread_t t;
	double sum;

	queue = calloc(1, sizeof(*queue));
	queue->head = calloc(1, sizeof(*queue->head));
	pthread_create(&t, NULL, writer, NULL);
	sum = ready + state + before + mode + odd + letter + line_end + small + octet + third + tenth + wide + past + hash + (nothing != NULL) +
		*(volatile char *)&bits + either.number + (which != NULL);
	sum += queue->state + queue->load;
	sum += queue->open;
	sum += queue->head->next != NULL;
	sum += queue->level[2];
	assert(!done || sum == 0);
	pthread_join(t, NULL);
	return 0;
}
