/* A name for an object that does not depend on the order of first uses. */
#include "sched/world.h"

uint64_t world_object_name(const void *world, object_id o)
{
	struct object_info info;
	if (!world_object_info(world, o, &info))
		return 0;
	uint64_t h = (info.addr + ((uint64_t)info.kind << 58)) * UINT64_C(0x9e3779b97f4a7c15);
	h ^= h >> 32;
	return h ? h : 1;
}
