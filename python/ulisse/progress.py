"""How far a fit has come, in a terminal or in a notebook."""

from __future__ import annotations

import math
import sys
import time


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    found = shell.get_ipython() if shell is not None else None
    return found is not None and found.__class__.__name__ == "ZMQInteractiveShell"


class Progress:
    """One line that overwrites itself, on standard error; silent for the first two seconds, and where nobody looks."""

    def __init__(self, wanted: bool | None, draws: int | None):
        self.shown = (sys.stderr.isatty() or _in_notebook()) if wanted is None else wanted
        self.total = draws
        self.start = self.last = time.monotonic()
        self.width = 0
        self.fit = None  # of a run that was interrupted, with the draws so far

    def __call__(self, words: str, iteration: int, draws: int, ess: float = math.nan, ess_goal: int = 0) -> None:
        now = time.monotonic()
        if not self.shown or now - self.start < 2 or now - self.last < 0.2:
            return
        self.last = now
        self._write(self._line(words, iteration, draws, now - self.start, "" if math.isnan(ess) else f", ess {ess:.0f} of {ess_goal}"))

    def _line(self, words: str, iteration: int, draws: int, seconds: float, enough: str) -> str:
        if iteration < 0:
            return f"ulisse: {words}, {seconds:.0f} s"
        if draws == 0:
            return f"ulisse: {words}, iteration {iteration}, {seconds:.0f} s"
        if not self.total or enough:
            return f"ulisse: {words}, {draws} draws a chain{enough}, {seconds:.0f} s"
        done = min(1.0, draws / self.total)
        bar = "#" * round(20 * done)
        return f"ulisse: {words} [{bar:<20}] {draws} of {self.total} draws a chain, {seconds:.0f} s"

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()
        self.width = len(line)

    def close(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
