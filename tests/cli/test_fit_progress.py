"""What a fit shows while one waits: in a terminal a line for each chain, redrawn in place; else plain lines."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time

import pytest

from conftest import EXECUTABLE

LONG = ["--target", "y", "--warmup", "50", "--draws", "100000000", "--time-limit", "4s"]
SAMPLERS = {
    "mh": ["--sampler", "mh", "--chains", "3"],
    "nuts": ["--sampler", "nuts", "--chains", "2"],
    "sgld": ["--sampler", "sgld", "--chains", "2", "--rank", "20"],
}


class Screen:
    """As much of a terminal as is needed here: it keeps lines and a cursor, and does not scroll."""

    def __init__(self, columns):
        self.columns, self.lines, self.row, self.column = columns, [""], 0, 0

    def feed(self, text):
        for piece in re.findall(r"\033\[\d*[A-Za-z]|\r|\n|[^\033\r\n]+", text):
            if piece == "\r":
                self.column = 0
            elif piece == "\n":
                self.row += 1
                self.lines += [""] * (self.row + 1 - len(self.lines))
            elif piece.startswith("\033["):
                self.control(int(piece[2:-1] or 1), piece[-1])
            else:
                assert self.column + len(piece) <= self.columns, "a line that wraps is not redrawn as a whole"
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[: self.column] + piece + line[self.column + len(piece):]
                self.column += len(piece)

    def control(self, count, letter):
        if letter == "A":
            assert self.row >= count
            self.row -= count
        elif letter == "J":
            self.lines = [*self.lines[: self.row], self.lines[self.row][: self.column]]
        else:
            raise AssertionError(f"the screen does not know {letter}")

    def shown(self):
        return [line for line in self.lines if line]


def in_terminal(arguments, rows=24, columns=200, interrupt_after=None):
    """Runs ulisse with standard error on a terminal. Returns every screen that was seen, the last one, and the
    process."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen([EXECUTABLE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    screen, screens, start = Screen(columns), [], time.monotonic()
    while True:
        try:
            text = os.read(master, 65536).decode()
        except OSError:  # the other end is closed
            break
        if not text:
            break
        screen.feed(text)
        screens.append(screen.shown())
        if interrupt_after is not None and len(screens) >= interrupt_after:
            process.send_signal(signal.SIGINT)
            interrupt_after = None
    os.close(master)
    process.stdout.read()
    process.wait(timeout=60)
    return screens, screen, process


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_terminal_has_a_line_for_each_chain_that_is_redrawn_and_goes_away(signal_table, tmp_path, sampler):
    screens, last, process = in_terminal(
        ["fit", signal_table, "--out", tmp_path / "fit", *LONG, *SAMPLERS[sampler]])
    assert process.returncode == 0
    chains = int(SAMPLERS[sampler][3])
    whole = [screen for screen in screens if len(screen) == chains + 1]
    assert len(whole) > 3 and whole[0] != whole[-1]
    assert max(map(len, screens)) == chains + 1, "lines were added, not redrawn"
    status, *lines = whole[-1]
    assert re.match(r"sampling, draw \d+ of 100000000, .* left, .* iterations/s a chain, R-hat .*, ESS (over )?\d+", status)
    for number, line in enumerate(lines, 1):
        assert line.startswith(f"  chain {number}: sampling, step ")
        assert ("noise ratio" in line and "products an iteration" in line) == (sampler == "sgld")
        assert ("acceptance" in line and "log density" in line) == (sampler != "sgld")
        assert ("gradients an iteration" in line) == (sampler == "nuts")
    assert last.shown() == [] and last.column == 0


def test_a_small_terminal_gets_what_fits(signal_table, tmp_path):
    screens, last, _ = in_terminal(
        ["fit", signal_table, "--out", tmp_path / "fit", *LONG, *SAMPLERS["mh"]], rows=4, columns=40)
    assert any(len(screen) == 3 for screen in screens)
    assert all(len(line) < 40 for screen in screens for line in screen)
    assert last.shown() == []


def test_an_interrupt_leaves_the_terminal_clean(signal_table, tmp_path):
    _, last, process = in_terminal(
        ["fit", signal_table, "--out", tmp_path / "fit", *LONG, *SAMPLERS["mh"]], interrupt_after=3)
    assert process.returncode == 130
    # A fast machine has made so many draws that it says how to see them, in place of their summary.
    assert [line for line in last.shown() if not line.startswith("interrupted; ulisse summary ")] == []


def test_elsewhere_there_are_plain_lines(ulisse, signal_table, tmp_path):
    result = ulisse.run("fit", signal_table, "--out", tmp_path / "fit", *LONG, *SAMPLERS["sgld"])
    assert "\033" not in result.stderr and "\r" not in result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("ulisse: after ")]
    assert lines and not any("chain 1" in line for line in lines)
    assert "iterations/s a chain" in lines[0] and "products an iteration" in lines[0]


def test_quiet_is_quiet_in_a_terminal(signal_table, tmp_path):
    screens, _, _ = in_terminal(
        ["fit", signal_table, "--out", tmp_path / "fit", "--quiet", *LONG, *SAMPLERS["mh"]])
    assert screens == []
