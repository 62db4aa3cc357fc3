/* Curl_multi_wakeup against curl_multi_poll.
 * build: gcc -g -O1 -pthread -o curl_share_dns curl_share_dns.c -lcurl
 */
#include "two.h"
#include <curl/curl.h>
static CURLM *m;
static void *f(void *a)
{
	curl_multi_wakeup(m);
	return 0;
}

int main()
{
	curl_global_init(0);
	m = curl_multi_init();
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	int n;
	curl_multi_poll(m, 0, 0, 100000, &n);
	pthread_join(t, 0);
	curl_multi_cleanup(m);
}
