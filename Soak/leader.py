"""What a shell is to one job: leads the session of the terminal on its
descriptors 0 to 2, starts the program in front, tells of it, and brings it
back to the front.

    leader.py COMMANDS REPORTS PROGRAM ARGUMENT…

Reads lines from descriptor COMMANDS (`fg`), writes lines to REPORTS: the pid,
`stopped`, `continued`, `ended STATUS`.
"""

import fcntl
import os
import signal
import sys
import termios

commands, reports = (int(word) for word in sys.argv[1:3])


def report(text):
    os.write(reports, f"{text}\n".encode())


def main():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # To take the terminal back from behind is a write from the background.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for number in (signal.SIGTTOU, signal.SIGINT, signal.SIGPIPE, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        os.execv(sys.argv[3], sys.argv[3:])
    # As a shell does when its terminal is gone.
    signal.signal(signal.SIGHUP, lambda *_: os.killpg(child, signal.SIGHUP))
    report(child)
    while True:
        _, status = os.waitpid(child, os.WUNTRACED | os.WCONTINUED)
        if os.WIFSTOPPED(status):
            os.tcsetpgrp(0, os.getpgrp())
            report("stopped")
            if not os.read(commands, 16):
                os.kill(child, signal.SIGKILL)
            os.tcsetpgrp(0, child)
            os.killpg(child, signal.SIGCONT)
        elif os.WIFCONTINUED(status):
            report("continued")
        else:
            report(f"ended {os.waitstatus_to_exitcode(status)}")
            return


main()
