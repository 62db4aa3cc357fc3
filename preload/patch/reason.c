/* The texts of patch_reason. They are in a separate file because the command needs them too. */
#include "preload/patch/patch.h"

#include "preload/base/rules.h"

const char *patch_reason_text(unsigned reason)
{
	static const char *const text[PATCH_REASONS] = {
		[PATCH_OK] = "",
		[PATCH_UNDECODED] = "an instruction that the decoder does not know",
		[PATCH_INTO_MIDDLE] = "a branch into the middle of an instruction",
		[PATCH_TRANSACTION] = "a hardware transaction",
		[PATCH_OVERLAP] = "it shares bytes with another function",
		[PATCH_TOO_FAR] = "no room for its new code within reach",
		[PATCH_UNSUPPORTED] = "an instruction that cannot be moved, or data among the code",
		[PATCH_NO_UNWIND] = "code without unwind information",
		[PATCH_FULL] = "the patcher's tables are full",
		[PATCH_DAMAGED] = "its unwind information is damaged",
	};
	return reason < PATCH_REASONS ? text[reason] : "?";
}
