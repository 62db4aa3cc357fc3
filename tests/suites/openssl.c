/* Two threads make sessions of one SSL_CTX.
 * build: gcc -g -O1 -pthread -o openssl openssl.c -lssl -lcrypto
 */
#include "two.h"
#include <openssl/evp.h>
#include <openssl/ssl.h>
static SSL_CTX *c;
static void *f(void *a)
{
	SSL *s = SSL_new(c);
	assert(s);
	SSL_free(s);
	return 0;
}

int main()
{
	c = SSL_CTX_new(TLS_method());
	assert(c);
	TWO(f);
	SSL_CTX_free(c);
}
