/* Two coroutines of a scheduler in the program itself, alone and beside two threads. The verdict must say that their order was the program's own:
 * once it was "complete" or "nothing to explore" without a word about them. A program that runs no coroutines gets no such words.
 * build: gcc -g -O1 -pthread
 * check: refused says=own_code_decides :
 * check: refused never=no_other_is_tried : -- none
 * check: complete traces=2 says=only_in_the_program.s_own_order : --strategy optimal -- beside
 * check: complete traces=2 says=only_in_the_program.s_own_order : --strategy optimal --isolation exec -- beside
 * check: complete traces=2 never=the_program.s_own_order : --strategy optimal -- threads
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>
static ucontext_t scheduler, coroutine[2];
static char stack[2][65536];
static int ran;
static atomic_int shared;
static void body(int which)
{
	for (int i = 0; i < 2; i++) {
		ran++;
		swapcontext(&coroutine[which], &scheduler);
	}
}
static void coroutines(void)
{
	for (int k = 0; k < 2; k++) {
		getcontext(&coroutine[k]);
		coroutine[k].uc_stack.ss_sp = stack[k];
		coroutine[k].uc_stack.ss_size = sizeof stack[k];
		coroutine[k].uc_link = &scheduler;
		makecontext(&coroutine[k], (void (*)(void))body, 1, k);
	}
	for (int i = 0; i < 4; i++)
		swapcontext(&scheduler, &coroutine[i % 2]);
}
static void *run(void *argument)
{
	shared = argument ? 1 : 2;
	return argument;
}
int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "alone";
	pthread_t t[2];
	if (!strcmp(what, "none"))
		return 0;
	if (!strcmp(what, "alone") || !strcmp(what, "beside"))
		coroutines();
	if (!strcmp(what, "alone"))
		return ran != 4;
	pthread_create(&t[0], NULL, run, NULL);
	pthread_create(&t[1], NULL, run, &ran);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	if (!strcmp(what, "beside"))
		coroutines();
	return 0;
}
