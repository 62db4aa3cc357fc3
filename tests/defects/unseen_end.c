/* A thread ends the process with status 0 before the other threads can fail. It calls a function of libc that it finds in the
 * table of symbols, so no hook runs. simul once took such an end for an execution that passed.
 * check: incomplete says=ended_in_a_way_that_simul_did_not_see : -- 0
 * check: incomplete says=ended_in_a_way_that_simul_did_not_see : --isolation exec -- 0
 * check: bug kind=exit : -- 3
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static atomic_int x, y;
static long (*past_hooks)(long, ...);
static int status;

static void *first(void *unused)
{
	atomic_store(&x, 1);
	past_hooks(SYS_exit_group, status);
	return (void *)(long)atomic_load(&y);
}

static void *second(void *unused)
{
	atomic_store(&y, 1);
	return (void *)(long)atomic_load(&x);
}

/* Returns the function of libc of that name, which it must define. */
static void *in_libc(const char *name)
{
	const struct link_map *libc;
	const ElfW(Sym) *symbol = NULL;
	const char *names = NULL;

	dlinfo(dlopen("libc.so.6", RTLD_NOW), RTLD_DI_LINKMAP, &libc);
	for (const ElfW(Dyn) *d = libc->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_SYMTAB)
			symbol = (const ElfW(Sym) *)d->d_un.d_ptr;
		else if (d->d_tag == DT_STRTAB)
			names = (const char *)d->d_un.d_ptr;
	while (strcmp(names + symbol->st_name, name) != 0)
		symbol++;
	return (void *)(libc->l_addr + symbol->st_value);
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	void *r, *s;

	status = argc > 1 ? atoi(argv[1]) : 0;
	past_hooks = (long (*)(long, ...))in_libc("syscall");
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, &r);
	pthread_join(b, &s);
	if (r && s)
		abort();
	return 0;
}
