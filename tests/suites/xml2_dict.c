/* Two threads share an xmlDict.
 * build: gcc -g -O1 -pthread -o xml2_dict xml2_dict.c $(pkg-config --cflags --libs libxml-2.0)
 */
#include "two.h"
#include <libxml/parser.h>
#include <libxml/dict.h>
static xmlDictPtr d;
static void *f(void *a)
{
	xmlDictReference(d);
	xmlDictFree(d);
	return 0;
}

int main()
{
	xmlInitParser();
	d = xmlDictCreate();
	TWO(f);
	xmlDictFree(d);
	xmlCleanupParser();
}
