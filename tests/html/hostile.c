/* A program that prints markup, and bytes that are no text, and whose failure has them in its message.
   </script><script>document.title='owned'</script> <!-- */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	n++; /* </script><img src=x onerror="document.title='owned'"> */
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	printf("</pre></script><script>document.title='owned'</script><!-- \"quotes\" & &lt; \\u003c \xff\xfe \033[31m \xe2\x80\xae turned\n");
	printf("{{{DATA}}} {{{REPORT}}}\n");
	pthread_join(t, NULL);
	assert(n == 2 && "</script><script>document.title='owned'</script>");
	return 0;
}
