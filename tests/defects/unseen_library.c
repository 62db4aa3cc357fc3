/* A stack in a library that lies neither beside the program nor in its RUNPATH. The program fails if one thread pushes after the other has checked
 * whether the stack is empty. simul once called it complete, with one trace.
 * build: mkdir -p @DIR@/away && gcc -g -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/away/libaway.so && gcc -g -O1 -pthread @SRC@ @DIR@/away/libaway.so -o @OUT@
 * check: bug : --
 * long: bug replays=3 : --isolation exec --
 * long: bug : --model tso --
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
	struct node *next;
};
void away_push(struct node **stack, struct node *node);
int away_empty(struct node **stack);

#ifdef LIBRARY
void away_push(struct node **stack, struct node *node)
{
	node->next = *stack;
	*stack = node;
}

int away_empty(struct node **stack)
{
	return !*stack;
}
#else
static struct node *stack, node;
static int seen;

static void *push(void *unused)
{
	away_push(&stack, &node);
	return unused;
}

static void *look(void *unused)
{
	seen = !away_empty(&stack);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, push, NULL);
	pthread_create(&b, NULL, look, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(seen);
	return 0;
}
#endif
