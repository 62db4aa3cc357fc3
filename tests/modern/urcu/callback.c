// The old configuration is freed by call_rcu, in the worker thread of the library; rcu_barrier waits for it.
// verdict: complete
// unfinished: the worker of the library polls, and its queues are explored as code
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu.h>

struct config {
	int width, height;
	struct rcu_head head;
};
static struct config *current;

static struct config *make(int size)
{
	struct config *c = malloc(sizeof *c);
	c->width = c->height = size;
	return c;
}

static void retire(struct rcu_head *head)
{
	free(caa_container_of(head, struct config, head));
}

static void *look(void *unused)
{
	rcu_register_thread();
	rcu_read_lock();
	struct config *c = rcu_dereference(current);
	assert(c->width == c->height);
	rcu_read_unlock();
	rcu_unregister_thread();
	return unused;
}

int main(void)
{
	pthread_t reader;
	rcu_register_thread();
	current = make(1);
	pthread_create(&reader, NULL, look, NULL);
	struct config *old = current;
	rcu_assign_pointer(current, make(2));
	call_rcu(&old->head, retire);
	rcu_barrier();
	pthread_join(reader, NULL);
	free(current);
	rcu_unregister_thread();
	return 0;
}
