/* Mutex, condition variable and semaphore of SDL, two threads.
 * build: gcc -g -O1 -pthread -o sdl sdl.c $(pkg-config --cflags --libs sdl2)
 */
#include "two.h"
#include <SDL2/SDL.h>
#undef main
static SDL_mutex *m;
static SDL_cond *c;
static SDL_sem *s;
static int n;
static int f(void *a)
{
	SDL_LockMutex(m);
	n++;
	SDL_CondSignal(c);
	SDL_UnlockMutex(m);
	SDL_SemPost(s);
	return 0;
}

int main()
{
	m = SDL_CreateMutex();
	c = SDL_CreateCond();
	s = SDL_CreateSemaphore(0);
	SDL_Thread *a = SDL_CreateThread(f, "a", 0), *b = SDL_CreateThread(f, "b", 0);
	SDL_LockMutex(m);
	while (n < 2)
		SDL_CondWait(c, m);
	SDL_UnlockMutex(m);
	SDL_SemWait(s);
	SDL_SemWait(s);
	SDL_WaitThread(a, 0);
	SDL_WaitThread(b, 0);
}
