/* Threaded logging, two threads.
 * build: gcc -g -O1 -pthread -o qb_rb qb_rb.c -lqb
 */
#include "two.h"
#include <qb/qbdefs.h>
#include <qb/qblog.h>
static void *f(void *a)
{
	qb_log(LOG_INFO, "x %ld", (long)a);
	return 0;
}

int main()
{
	qb_log_init("t", LOG_USER, LOG_INFO);
	qb_log_ctl(QB_LOG_SYSLOG, QB_LOG_CONF_ENABLED, QB_FALSE);
	qb_log_ctl(QB_LOG_STDERR, QB_LOG_CONF_ENABLED, QB_TRUE);
	qb_log_filter_ctl(QB_LOG_STDERR, QB_LOG_FILTER_ADD, QB_LOG_FILTER_FILE, "*", LOG_INFO);
	qb_log_thread_start();
	qb_log_ctl(QB_LOG_STDERR, QB_LOG_CONF_THREADED, QB_TRUE);
	TWO(f);
	qb_log_fini();
}
