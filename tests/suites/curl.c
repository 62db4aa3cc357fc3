/* Two transfers with a shared cookie jar.
 * build: gcc -g -O1 -pthread -o curl curl.c -lcurl
 */
#include "two.h"
#include <curl/curl.h>
static CURLSH *sh;
static pthread_mutex_t m[20];
static void lk(CURL *h, curl_lock_data d, curl_lock_access a, void *u)
{
	pthread_mutex_lock(&m[d]);
}

static void ul(CURL *h, curl_lock_data d, void *u)
{
	pthread_mutex_unlock(&m[d]);
}

static void *f(void *a)
{
	CURL *c = curl_easy_init();
	curl_easy_setopt(c, CURLOPT_SHARE, sh);
	curl_easy_setopt(c, CURLOPT_URL, "file:///dev/null");
	curl_easy_perform(c);
	curl_easy_cleanup(c);
	return 0;
}

int main()
{
	curl_global_init(0);
	for (int i = 0; i < 20; i++)
		pthread_mutex_init(&m[i], 0);
	sh = curl_share_init();
	curl_share_setopt(sh, CURLSHOPT_LOCKFUNC, lk);
	curl_share_setopt(sh, CURLSHOPT_UNLOCKFUNC, ul);
	curl_share_setopt(sh, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
	TWO(f);
	assert(!curl_share_cleanup(sh));
	curl_global_cleanup();
}
