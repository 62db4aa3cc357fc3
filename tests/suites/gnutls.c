/* Two threads make sessions with shared credentials.
 * build: gcc -g -O1 -pthread -o gnutls gnutls.c -l:libgnutls.so.30
 */
#include "two.h"
#include <gnutls/gnutls.h>
static gnutls_certificate_credentials_t c;
static void *f(void *a)
{
	gnutls_session_t s;
	assert(!gnutls_init(&s, GNUTLS_CLIENT));
	gnutls_set_default_priority(s);
	gnutls_credentials_set(s, GNUTLS_CRD_CERTIFICATE, c);
	gnutls_deinit(s);
	return 0;
}

int main()
{
	gnutls_global_init();
	gnutls_certificate_allocate_credentials(&c);
	TWO(f);
	gnutls_certificate_free_credentials(c);
	gnutls_global_deinit();
}
