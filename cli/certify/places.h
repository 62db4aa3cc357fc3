/* From addresses of a stopped process to places in its modules that mean the same in another process. */
#ifndef SIMUL_PLACES_H
#define SIMUL_PLACES_H

#include "enforce/certificate.h"

struct places;

/* The modules of a process, from the text of its /proc/PID/maps; `program` is its path. */
struct places *places_open(const char *maps, const char *program);
void places_close(struct places *p);

/* Bytes of a module's static memory, or its code. false: they lie elsewhere. The module is added to the certificate when it is new there. */
bool places_find(struct places *p, struct certificate *c, uint64_t addr, uint32_t size, struct cert_range *out);
/* The file name of the module that has the address; NULL: none has. */
const char *places_module(const struct places *p, uint64_t addr);

#endif
