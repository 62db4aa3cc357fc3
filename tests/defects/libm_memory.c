/* Functions of libm that write to memory of the program, or to signgam. Their code is not patched, so simul did not see these writes: it said `complete`
 * after one trace. The other thread looks before or after the call.
 * build: gcc -g -O1 -fno-builtin -pthread
 * libs: -lm
 * check: complete traces=2 says=data_race : -- sincos
 * check: complete traces=2 says=data_race : -- sincosf
 * check: complete traces=2 says=data_race : -- remquo
 * check: complete traces=2 says=data_race : -- frexp
 * check: complete traces=2 says=data_race : -- modfl
 * check: complete traces=2 says=data_race : -- lgamma_r
 * check: complete traces=2 says=data_race : -- nan
 * check: complete traces=2 says=data_race : -- fegetenv
 * check: complete traces=2 says=data_race : -- canonicalize
 * check: complete traces=2 says=signgam : -- signgam
 * check: complete traces=1 never=data_race : -- default
 */
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

static union {
	double d;
	float f;
	long double l;
	int i;
	char text[4];
	fenv_t env;
} memory;

static double one = 1, minus = -0.5;
static const char *how;

static void *call(void *arg)
{
	volatile double use = 0;
	double d;
	float f;

	if (!strcmp(how, "sincos"))
		sincos(one, &memory.d, &d);
	if (!strcmp(how, "sincosf"))
		sincosf((float)one, &f, &memory.f);
	if (!strcmp(how, "remquo"))
		use = remquo(7 * one, 2, &memory.i);
	if (!strcmp(how, "frexp"))
		use = frexp(8 * one, &memory.i);
	if (!strcmp(how, "modfl"))
		use = (double)modfl(2.5L * one, &memory.l);
	if (!strcmp(how, "lgamma_r"))
		use = lgamma_r(minus, &memory.i);
	if (!strcmp(how, "signgam"))
		use = lgamma(minus);
	if (!strcmp(how, "nan"))
		use = nan(memory.text);
	if (!strcmp(how, "fegetenv"))
		fegetenv(&memory.env);
	if (!strcmp(how, "canonicalize"))
		canonicalize(&memory.d, &one);
	if (!strcmp(how, "default"))
		fesetenv(FE_DFL_ENV);
	(void)use;
	return arg;
}

int main(int argc, char **argv)
{
	volatile int see;
	pthread_t t;

	how = argv[1];
	signgam = 0;
	pthread_create(&t, NULL, call, NULL);
	if (!strcmp(how, "nan"))
		memory.text[0] = '1';
	else
		see = strcmp(how, "signgam") ? memory.i : signgam;
	(void)see;
	pthread_join(t, NULL);
	return 0;
}
