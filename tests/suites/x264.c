/* Encode a frame of 32 x 128 with two slice threads.
 * build: gcc -g -O1 -pthread -o x264 x264.c -lx264
 */
#include "two.h"
#include <stdint.h>
#include <x264.h>
int main()
{
	x264_param_t p;
	x264_param_default_preset(&p, "ultrafast", "zerolatency");
	p.i_width = 32;
	p.i_height = 128;
	p.i_threads = 2;
	p.b_sliced_threads = 1;
	p.i_log_level = -1;
	x264_t *e = x264_encoder_open(&p);
	assert(e);
	x264_picture_t in, out;
	x264_picture_alloc(&in, X264_CSP_I420, 32, 128);
	memset(in.img.plane[0], 0, 32 * 128);
	memset(in.img.plane[1], 0, 1024);
	memset(in.img.plane[2], 0, 1024);
	in.i_pts = 0;
	x264_nal_t *n;
	int k;
	assert(x264_encoder_encode(e, &n, &k, &in, &out) > 0);
	x264_encoder_close(e);
}
