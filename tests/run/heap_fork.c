/*
 * A child process uses the blocks that it inherited: it frees them, resizes them, and allocates more, also in threads of its own,
 * which simul does not control.
 */
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 200

static char *block[N];

static void *churn(void *arg)
{
	for (int i = (int)(long)arg; i < N; i += 2) {
		assert(malloc_usable_size(block[i]) >= (size_t)i + 1);
		block[i] = realloc(block[i], 5000);
		assert(block[i] && block[i][i] == (char)i);
		free(block[i]);
		block[i] = strdup("new");
	}
	return NULL;
}

static void *parent(void *arg)
{
	int status;
	pid_t pid = fork();

	assert(pid >= 0);
	if (!pid) {
		pthread_t t[2];

		for (long i = 0; i < 2; i++)
			assert(!pthread_create(&t[i], NULL, churn, (void *)i));
		for (int i = 0; i < 2; i++)
			pthread_join(t[i], NULL);
		for (int i = 0; i < N; i++) {
			assert(!strcmp(block[i], "new"));
			free(block[i]);
		}
		_exit(7);
	}
	assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7);
	return NULL;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < N; i++) {
		block[i] = malloc((size_t)i + 1);
		block[i][i] = (char)i;
	}
	assert(!pthread_create(&t, NULL, parent, NULL));
	pthread_join(t, NULL);
	for (int i = 0; i < N; i++)
		assert(block[i][i] == (char)i);
	churn((void *)0L);
	churn((void *)1L);
	return 0;
}
