/* Load-time relocation; see patch.h. */
#include "preload/patch/patch.h"

#include "preload/rules.h"

const char *patch_reason_text(unsigned reason)
{
	static const char *const text[PATCH_REASONS] = {
		[PATCH_OK] = "",
		[PATCH_UNDECODED] = "an instruction that the decoder does not know",
		[PATCH_INTO_MIDDLE] = "a branch into the middle of an instruction",
		[PATCH_TRANSACTION] = "a hardware transaction",
		[PATCH_OVERLAP] = "it shares bytes with another function",
		[PATCH_TOO_FAR] = "no room for its new code within reach",
		[PATCH_UNSUPPORTED] = "an instruction that cannot be moved",
	};
	return reason < PATCH_REASONS ? text[reason] : "?";
}

bool patch_module_at(const void *addr, const struct patch_config *config)
{
	return false;
}

bool patch_trap(ucontext_t *uc)
{
	return false;
}

uint64_t patch_original(uint64_t pc)
{
	return pc;
}

bool patch_is_ours(uint64_t pc)
{
	return false;
}

void patch_to_original(ucontext_t *uc)
{
}
