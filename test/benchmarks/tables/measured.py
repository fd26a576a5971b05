"""Runs a command on one core and says what it took: wall and processor seconds, peak memory, and which limit ended it.

    python measured.py PROCESSOR_SECONDS MEMORY_MIB CORE OUTPUT COMMAND...     (MEMORY_MIB 0: any; CORE -1: any)

One JSON line on standard output; what the command prints goes to the file OUTPUT, its errors to standard error.
"""

import json
import os
import resource
import signal
import sys
import time


def become(limit, memory, core, output, command):
    os.setsid()
    if core >= 0 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    if memory > 0:
        resource.setrlimit(resource.RLIMIT_AS, (memory * 2**20, memory * 2**20))
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), 1)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        os._exit(127)


def main():
    limit, memory, core, output, *command = sys.argv[1:]
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        become(int(limit), int(memory), int(core), output, command)
    for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(ending, lambda *_: os.killpg(child, signal.SIGKILL))
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    processor = usage.ru_utime + usage.ru_stime
    # the hard limit kills what does not heed the soft one
    by_limit = code == -signal.SIGXCPU or (code == -signal.SIGKILL and processor >= int(limit))
    print(
        json.dumps(
            {
                "wall": time.perf_counter() - started,
                "processor": processor,
                # kilobytes, but bytes on macOS
                "peakMiB": usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10),
                "code": code,
                "limited": "time" if by_limit else None,
            }
        )
    )


main()
