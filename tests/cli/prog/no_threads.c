/* Creates no thread. With an argument: complains and exits with 3. */
#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc > 1) {
		fprintf(stderr, "no such test: %s\n", argv[1]);
		return 3;
	}
	puts("nothing to do");
	return 0;
}
