"""Processor time of a fit by the stages that its line of progress names, as a table in CSV: `stage_times.py [--csv FILE] -- ulisse fit ...`."""

import argparse
import os
import pty
import re
import sys

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid):
    """User's and system's, of all threads."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def stage_of(line):
    """What is being done, without how far it is: "looking for the mode of all rows, 3 of at most 60 gradients done"."""
    words = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line).strip()
    words = re.split(r",|: round| from \d+ gradients", words)[0]
    return words if re.match(r"^[a-z][A-Za-z ,'0-9-]+$", words) else None


def run(command):
    """Seconds of each stage, in the order in which they began."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    stages, current, since, rest, text = {}, "reading the table", 0.0, "", []
    while True:
        try:
            data = os.read(terminal, 65536).decode(errors="replace")
        except OSError:
            break
        if not data:
            break
        now = processor_seconds(pid)
        stages[current] = stages.get(current, 0.0) + now - since
        since = now
        lines = re.split(r"[\r\n]+", rest + data)
        rest = lines[-1]
        text += lines
        for line in lines:
            current = stage_of(line) or current
    status, usage = os.wait4(pid, 0)[1:]
    stages[current] = stages.get(current, 0.0) + usage.ru_utime + usage.ru_stime - since
    return stages, usage, os.waitstatus_to_exitcode(status), text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", help="where the table goes, else to standard output")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    stages, usage, code, text = run(options.command)
    total = usage.ru_utime + usage.ru_stime
    lines = ["stage,processor_seconds"] + [f"{name},{seconds:.1f}" for name, seconds in stages.items()]
    lines += [f"all,{total:.1f}", f"peak_MB,{usage.ru_maxrss / 1000:.0f}"]
    if options.csv:
        with open(options.csv, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    else:
        print("\n".join(lines))
    if code != 0:
        sys.exit("\n".join(text[-20:]))


if __name__ == "__main__":
    main()
