/* Two threads parse a document.
 * build: gcc -g -O1 -pthread -o xml2 xml2.c $(pkg-config --cflags --libs libxml-2.0)
 */
#include "two.h"
#include <libxml/parser.h>
static void *f(void *a)
{
	xmlDocPtr d = xmlReadMemory("<a><b/></a>", 11, "x", 0, 0);
	assert(d);
	xmlFreeDoc(d);
	return 0;
}

int main()
{
	xmlInitParser();
	TWO(f);
	xmlCleanupParser();
}
