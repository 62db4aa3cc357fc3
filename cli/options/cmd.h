/* The subcommands. argv[0] is the command's own name; each returns an exit code of base/exit_codes.h. */
#ifndef SIMUL_CMD_H
#define SIMUL_CMD_H

#define COMMAND(word, line) int cmd_##word(int argc, char **argv);
#include "cli/options/commands.def"
#undef COMMAND

/* Returns the text of `simul --help`. */
const char *help_general(void);

#endif
