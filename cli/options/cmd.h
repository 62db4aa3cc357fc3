/* The subcommands. argv[0] is the command's own name; each returns an exit code of base/exit_codes.h. */
#ifndef SIMUL_CMD_H
#define SIMUL_CMD_H

int cmd_run(int argc, char **argv);
int cmd_certify(int argc, char **argv);
int cmd_enforce(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_minimize(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_stress(int argc, char **argv);
int cmd_search(int argc, char **argv);
int cmd_work(int argc, char **argv);
int cmd_doctor(int argc, char **argv);

/* Returns the text of `simul --help`. */
const char *help_general(void);

#endif
