/* Converts addresses of a stopped process to places in its modules and its heap, which mean the same in another process. */
#ifndef SIMUL_ADDRESS_MAP_H
#define SIMUL_ADDRESS_MAP_H

#include "cli/collect/collect_heap.h"
#include "enforce/certificate.h"

struct address_map;

/* Lists the modules of a process, from the text of its /proc/PID/maps; `low`: where its heap has blocks below 4 GB. */
struct address_map *address_map_open(const char *maps, struct heap_low low);
void address_map_close(struct address_map *p);

/* Finds the bytes in the static memory or code of a module, which is added to the certificate if it is new there; or in the heap, in a
   mapping, or in memory that belongs to a thread. Returns false if they are in none of these. */
bool address_map_find(struct address_map *p, struct certificate *c, uint64_t addr, uint32_t size, struct cert_range *out);
/* Returns the file name of the module with that address; NULL: none has it. */
const char *address_map_module(const struct address_map *p, uint64_t addr);

/* The program's frames on the stack of thread `thread` of the certificate lie below hi, its thread-local variables below tls. */
void address_map_thread(struct address_map *p, uint32_t thread, uint64_t hi, uint64_t tls);
/* Returns whether something is mapped there. */
bool address_map_mapped(const struct address_map *p, uint64_t addr);

#endif
