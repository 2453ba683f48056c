"""Runs a command on a pseudo terminal and prints what it wrote and its exit code."""
import os
import pty
import sys

process, terminal = pty.fork()
if process == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
output = b""
while True:
    try:
        chunk = os.read(terminal, 4096)
    except OSError:  # Linux reports the end of a pseudo terminal as an error.
        break
    if not chunk:
        break
    output += chunk
_, status = os.waitpid(process, 0)
print(output.decode(), "exit code", os.waitstatus_to_exitcode(status))
