/*
 * Input that a program asks for by name: environment variables and the number of processors. What the program reads must equal what it read
 * when its certificate was made. What it does not read may differ.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/hash.h"
#include "enforce/lib/gate.h"
#include "enforce/lib/input.h"
#include "enforce/lib/real.h"

static uint64_t digest(const char *text)
{
	return hash_bytes(HASH_START, text, strlen(text));
}

#define MOST_INITIAL 4096

/* The variables with which the program began, "NAME=value". What the program sets itself is not compared. */
static const char *initial[MOST_INITIAL];
static size_t n_initial;
static bool too_many;

void input_init(void)
{
	while (environ && environ[n_initial] && n_initial < MOST_INITIAL) {
		initial[n_initial] = environ[n_initial];
		n_initial++;
	}
	too_many = environ && environ[n_initial];
}

/* Returns the value with which the program began; NULL: the variable was not set. */
static const char *initial_value(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < n_initial; i++)
		if (!strncmp(initial[i], name, n) && initial[i][n] == '=')
			return initial[i] + n + 1;
	return NULL;
}

static void check_variable(const char *name, const char *value)
{
	const struct plan_env *env = plan_at(gate_plan->env);

	if (!too_many && initial_value(name) != value)
		return; /* the program has changed the variable */
	for (uint32_t i = 0; i < gate_plan->n_env; i++) {
		if (strcmp(plan_text(env[i].name), name))
			continue;
		if (!env[i].hidden && (!value || digest(value) != env[i].digest))
			gate_diverge("the program reads the variable %s, which %s", name,
				value ? "has another value than when it was certified" : "was set when it was certified");
		return;
	}
	if (value && gate_plan->env_complete && !too_many && strncmp(name, "SIMUL_", 6))
		gate_diverge("the program reads the variable %s, which was not set when it was certified", name);
}

/* A variable whose value looked like a secret is not compared. */
EXPORT char *getenv(const char *name)
{
	char *value = REAL(getenv)(name);

	if (gate_plan && gate_ready)
		check_variable(name, value);
	return value;
}

EXPORT char *secure_getenv(const char *name)
{
	char *value = REAL(secure_getenv)(name);

	if (gate_plan && gate_ready)
		check_variable(name, value);
	return value;
}

static long check_processors(long n)
{
	if (gate_plan && gate_ready && n > 0 && (uint32_t)n != gate_plan->processors)
		gate_diverge("the program asks for the number of processors, which is %ld here, and was %u when it was certified", n,
			gate_plan->processors);
	return n;
}

EXPORT long sysconf(int name)
{
	long value = REAL(sysconf)(name);

	return name == _SC_NPROCESSORS_ONLN ? check_processors(value) : value;
}

EXPORT int get_nprocs(void)
{
	return (int)check_processors(REAL(get_nprocs)());
}
