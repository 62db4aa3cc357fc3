/* Open and close a decoder with two threads.
 * build: gcc -g -O1 -pthread -o dav1d dav1d.c -ldav1d
 */
#include "two.h"
#include <dav1d/dav1d.h>
int main()
{
	Dav1dSettings s;
	dav1d_default_settings(&s);
	s.n_threads = 2;
	s.max_frame_delay = 1;
	Dav1dContext *c;
	assert(!dav1d_open(&c, &s));
	dav1d_close(&c);
}
