/* From addresses of a stopped process to places in its modules and its heap that mean the same in another process. */
#ifndef SIMUL_PLACES_H
#define SIMUL_PLACES_H

#include "cli/collect/collect_heap.h"
#include "enforce/certificate.h"

struct places;

/* The modules of a process, from the text of its /proc/PID/maps, and where its heap has blocks below 4 GB. */
struct places *places_open(const char *maps, struct heap_low low);
void places_close(struct places *p);

/* Bytes of a module's static memory, its code, or the heap. false: they lie elsewhere. A module is added to the certificate when it is new there. */
bool places_find(struct places *p, struct certificate *c, uint64_t addr, uint32_t size, struct cert_range *out);
/* The file name of the module that has the address; NULL: none has. */
const char *places_module(const struct places *p, uint64_t addr);

#endif
