// The same with the flavour in which threads register themselves at first use.
// verdict: complete
// unfinished: when a reader is busy, the updater polls with a pause, of which two turns are tried
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu-bp.h>

struct config {
	int width, height;
};
static struct config *current;

static struct config *make(int size)
{
	struct config *c = malloc(sizeof *c);
	c->width = c->height = size;
	return c;
}

static void *look(void *unused)
{
	rcu_read_lock();
	struct config *c = rcu_dereference(current);
	assert(c->width == c->height);
	rcu_read_unlock();
	return unused;
}

int main(void)
{
	pthread_t reader;
	current = make(1);
	pthread_create(&reader, NULL, look, NULL);
	struct config *old = current;
	rcu_assign_pointer(current, make(2));
	synchronize_rcu();
	free(old);
	pthread_join(reader, NULL);
	free(current);
	return 0;
}
