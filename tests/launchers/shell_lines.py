"""
Prints the shell lines of a file of a launcher, as one script: of a workflow of GitHub, a job of GitLab, or a Job of Kubernetes.

shell_lines.py FILE

Variables with a fixed value are set at the head of the script; those whose value is a secret or comes from the system must be set before. What a step does
without a shell (uses:) is left out. An unknown key of a job or step fails, so that nothing is left out unnoticed.
"""
import shlex
import sys

import yaml


def fail(text):
    sys.exit("%s: %s" % (sys.argv[1], text))


def known(where, what, keys):
    for key in what:
        if key not in keys.split():
            fail("%s has '%s', which this test does not know" % (where, key))


def assign(name, value):
    """Given by the launcher: what contains an expression of GitHub."""
    if "${{" not in str(value):
        print('export %s="%s"' % (name, str(value).replace('"', '\\"')))


def github(jobs):
    for job in jobs.values():
        known("the job", job, "strategy runs-on timeout-minutes container env steps")
        for name, value in job.get("env", {}).items():
            assign(name, value)
        for step in job["steps"]:
            known("a step", step, "name run uses with if")
            if "run" in step:
                print("# %s\n(set -e; %s\n) || exit" % (step.get("name"), step["run"]))


def gitlab(job):
    known("the job", job, "rules image parallel timeout variables cache before_script script after_script artifacts")
    for name, value in job.get("variables", {}).items():
        assign(name, value)
    print("(set -e\n%s\n)\nstatus=$?" % "\n".join(job.get("before_script", []) + job["script"]))
    print("\n".join(job.get("after_script", [])))
    print("exit $status")


def kubernetes(job):
    spec = job["template"]["spec"]
    known("the pod", spec, "restartPolicy containers")
    (container,) = spec["containers"]
    known("the container", container, "name image resources command args env")
    for variable in container["env"]:
        if "value" in variable:
            assign(variable["name"], variable["value"])
    print("exec " + shlex.join(container["command"] + container["args"]))


def main():
    with open(sys.argv[1]) as f:
        content = yaml.safe_load(f)
    if "jobs" in content:
        github(content["jobs"])
    elif content.get("kind") == "CronJob":
        kubernetes(content["spec"]["jobTemplate"]["spec"])
    else:
        (job,) = content.values()
        gitlab(job)


main()
