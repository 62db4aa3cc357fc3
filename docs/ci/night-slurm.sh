#!/bin/bash
# A night on 16 machines for Slurm: sbatch docs/ci/night-slurm.sh, in a directory that all nodes have at the same path, with the tests in build/.
# Change the lines with a "<-". The database is one that all nodes can reach (docs/howto-machines.md); its password is in ~/.pgpass.
#SBATCH --job-name=simul-night
#SBATCH --array=1-16
#SBATCH --cpus-per-task=8
#SBATCH --time=2:30:00
#SBATCH --output=night-%A-%a.log
: "${SIMUL_URL:=postgresql://ci@db.example.com/simul}" # <-
cd "$SLURM_SUBMIT_DIR" || exit
# Elements of the array may start late: one that starts after the end of the night reports its results, and begins no other one.
exec simul stress --night "slurm-$SLURM_ARRAY_JOB_ID" --jobs "$SLURM_CPUS_PER_TASK" --time 2h --search "$SIMUL_URL" \
	--junit "night-$SLURM_ARRAY_TASK_ID.xml" --output "night-$SLURM_ARRAY_TASK_ID" -- build/*_test # <-
