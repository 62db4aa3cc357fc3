/* The files of a finding: its recording, the standard input beside it, and copies of the files that the failing execution changed. */
#ifndef SIMUL_FINDING_FILES_H
#define SIMUL_FINDING_FILES_H

#include "cli/bugs/finding.h"

struct search;

/* Signs the recording and writes it to a file of its own in --output, never over another bug's. Returns the file's name, malloc()ed; NULL:
   writing failed, and one message was printed. */
char *finding_write(const struct search *search, struct recording *r);

/* With --keep-files: runs the recorded schedule once more and copies the files that it leaves. Prints what was copied. */
void finding_keep_files(const struct search *search, const struct finding *f);

#endif
