/* Encode a VP8 frame of 32 x 64 with two threads.
 * build: gcc -g -O1 -pthread -o vpx vpx.c -lvpx -lm
 */
#include "two.h"
#include <vpx/vpx_encoder.h>
#include <vpx/vp8cx.h>
int main()
{
	vpx_codec_enc_cfg_t g;
	vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &g, 0);
	g.g_w = 32;
	g.g_h = 64;
	g.g_threads = 2;
	vpx_codec_ctx_t c;
	assert(!vpx_codec_enc_init(&c, vpx_codec_vp8_cx(), &g, 0));
	vpx_image_t im;
	vpx_img_alloc(&im, VPX_IMG_FMT_I420, 32, 64, 1);
	memset(im.img_data, 0, 32 * 64 * 3 / 2);
	assert(!vpx_codec_encode(&c, &im, 0, 1, 0, VPX_DL_REALTIME));
	vpx_codec_destroy(&c);
}
