// Two sections fill two halves of a report; after the construct both are there.
// verdict: complete
#include <assert.h>
#include <string.h>

struct report {
	char title[16];
	int pages;
};

int main(void)
{
	struct report report = {"", 0};
	int done = 0;
#pragma omp parallel sections num_threads(2) shared(report) reduction(+ : done)
	{
#pragma omp section
		{
			strcpy(report.title, "annual report");
			done++;
		}
#pragma omp section
		{
			for (int chapter = 1; chapter <= 3; chapter++)
				report.pages += chapter * 10;
			done++;
		}
	}
	assert(done == 2);
	assert(!strcmp(report.title, "annual report") && report.pages == 60);
	return 0;
}
