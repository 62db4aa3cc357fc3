/* The kernel keeps this state for each thread, and a thread changes it for itself alone: raw system calls for credentials, the working directory
 * after unshare, the personality, names, processors, priorities. As fibers all threads shared it: confirmed failures of correct programs. The
 * user, groups and capabilities need root; without it these programs change nothing.
 * check: complete never=except : -- user
 * check: complete says=threads._kernel : -- directory
 * check: complete says=threads._kernel : -- personality
 * check: complete says=threads._kernel : --show-output -- kept
 * check: complete : -- file_user
 * check: complete : -- capabilities
 * check: complete says=threads._kernel : -- slack
 * check: complete never=threads. : -- name
 * check: complete never=threads. : -- inherited
 * check: complete : -- processors
 * check: complete : -- handle
 * check: complete never=threads. : -- pinned
 * check: complete : -- priority
 * check: complete never=threads. : -- same
 * check: refused says=run_it_with_--threads_kernel : --isolation rewind -- directory
 * check: refused says=descriptors_of_its_own : -- descriptors
 * long: complete : --threads kernel -- user
 * long: complete : --threads kernel -- directory
 * long: complete : --jobs 2 -- directory
 */
#include <assert.h>
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int capset(void *, const void *);
int capget(void *, void *);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static const char *what;
static cpu_set_t allowed;

static int is(const char *name) { return !strcmp(what, name); }

static int processors(void)
{
	cpu_set_t set;

	assert(!(is("handle") ? pthread_getaffinity_np(pthread_self(), sizeof set, &set) : sched_getaffinity(0, sizeof set, &set)));
	return CPU_COUNT(&set);
}

static void pin(void)
{
	cpu_set_t set = allowed;

	for (int i = 0, seen = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set) && seen++)
			CPU_CLR(i, &set);
	assert(!(is("handle") ? pthread_setaffinity_np(pthread_self(), sizeof set, &set) : sched_setaffinity(0, sizeof set, &set)));
}

static int capabilities(const struct __user_cap_data_struct *set)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct all[2];

	if (set)
		return capset(&head, set);
	assert(!syscall(SYS_capget, &head, all));
	return __builtin_popcount(all[0].effective) + __builtin_popcount(all[1].effective);
}

/* Sets what is set already, as ZeroMQ and GLib do in new threads. */
static void set_again(void)
{
	unsigned long all[8]; /* struct sched_attr */
	pthread_t self = pthread_self();
	struct sched_param param;
	cpu_set_t set;
	int policy;

	assert(!pthread_getschedparam(self, &policy, &param) && !pthread_setschedparam(self, policy, &param));
	assert(!pthread_getaffinity_np(self, sizeof set, &set) && !pthread_setaffinity_np(self, sizeof set, &set));
	assert(!syscall(SYS_sched_getattr, 0, all, sizeof all, 0) && !syscall(SYS_sched_setattr, 0, all, 0));
	assert(!setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)));
}

static void *one(void *x)
{
	static const struct __user_cap_data_struct none[2];
	char name[16];

	if (is("user"))
		assert(!syscall(SYS_setresuid, -1, geteuid() ? geteuid() : 65534, -1));
	if (is("directory"))
		assert(!unshare(CLONE_FS) && !chdir("/usr"));
	if (is("personality"))
		personality(ADDR_COMPAT_LAYOUT);
	if (is("kept"))
		assert(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (is("file_user"))
		setfsuid(geteuid() ? geteuid() : 65534);
	if (is("capabilities"))
		assert(!capabilities(none));
	if (is("slack"))
		assert(!prctl(PR_SET_TIMERSLACK, 123456, 0, 0, 0));
	if (is("name")) {
		assert(!prctl(PR_SET_NAME, "other", 0, 0, 0) && !prctl(PR_GET_NAME, name, 0, 0, 0) && !strcmp(name, "other"));
		assert(!pthread_getname_np(pthread_self(), name, sizeof name) && !strcmp(name, "other"));
	}
	if (is("inherited"))
		assert(personality(0xffffffff) == ADDR_COMPAT_LAYOUT && !prctl(PR_GET_NAME, name, 0, 0, 0) && !strcmp(name, "first"));
	if (is("processors") || is("handle") || is("pinned"))
		pin();
	if (is("priority"))
		assert(nice(2) != -1 || !errno);
	if (is("same"))
		set_again();
	if (is("descriptors"))
		assert(!unshare(CLONE_FILES));
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return x;
}

int main(int argc, char **argv)
{
	char before[4096], after[4096], name[16] = "";
	pthread_t t;
	uid_t user = geteuid(), files;
	int persona, priority = getpriority(PRIO_PROCESS, 0), all, can, slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);

	what = argv[1];
	assert(!sched_getaffinity(0, sizeof allowed, &allowed));
	files = (uid_t)setfsuid(-1);
	if (is("inherited")) {
		personality(ADDR_COMPAT_LAYOUT);
		prctl(PR_SET_NAME, "first", 0, 0, 0);
	}
	persona = personality(0xffffffff);
	all = is("pinned") ? 0 : processors();
	can = capabilities(NULL);
	assert(getcwd(before, sizeof before));
	pthread_create(&t, NULL, one, NULL);
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	assert(n == 2 && geteuid() == user && personality(0xffffffff) == persona && getcwd(after, sizeof after) && !strcmp(before, after));
	assert((uid_t)setfsuid(-1) == files && capabilities(NULL) == can && !prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	assert(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) == slack);
	if (!is("pinned"))
		assert(processors() == all && getpriority(PRIO_PROCESS, 0) == priority);
	assert(!prctl(PR_GET_NAME, name, 0, 0, 0) && strcmp(name, "other"));
}
