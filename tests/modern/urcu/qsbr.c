// The same with the flavour in which each thread says when it is quiescent.
// verdict: complete
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu-qsbr.h>

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
	rcu_register_thread();
	rcu_read_lock();
	struct config *c = rcu_dereference(current);
	assert(c->width == c->height);
	rcu_read_unlock();
	rcu_quiescent_state();
	rcu_unregister_thread();
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
