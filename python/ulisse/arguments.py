"""What arguments may be, by their names: a sentence for each that cannot be, before the library sees it.

Its own complaint about a type would print every argument, and with them whole tables.
"""

from __future__ import annotations

import inspect
import math
import typing

import numpy as np

from . import _core

_YEAR = 366 * 86400  # seconds


def shown(value) -> str:
    """On one line, and cut when long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _text(name: str, value) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, and is {shown(value)}")


def _flag(name: str, value) -> None:
    if not isinstance(value, (bool, np.bool_, int, np.integer)) or value not in (0, 1):
        raise TypeError(f"{name} must be True or False, and is {shown(value)}")


def _whole(least: int, most: int, unit: str = "") -> typing.Callable:
    def check(name: str, value) -> None:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < least:
            raise ValueError(f"{name} must be a whole number{unit} of at least {least}, and is {shown(value)}")
        if value > most:
            raise ValueError(f"{name} must be at most {most}, and is {shown(value)}")

    return check


def _number(above: float | None = None, most: float = math.inf) -> typing.Callable:
    """Above a limit, or 0 and more."""
    wanted = "a number of 0 or more" if above is None else f"a number above {above:g}"

    def check(name: str, value) -> None:
        fits = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool) and math.isfinite(value)
        if not fits or value < 0 or (above is not None and value <= above):
            raise ValueError(f"{name} must be {wanted}, and is {shown(value)}")
        if value > most:
            raise ValueError(f"{name} must be at most {most:g}, and is {shown(value)}")

    return check


def _dict(example: str) -> typing.Callable:
    def check(name: str, value) -> None:
        if value is not None and not hasattr(value, "items"):
            raise ValueError(f"{name} must be a dict such as {example}, and is {shown(value)}")

    return check


_iterations = _whole(0, 10**9)
_RULES: dict[str, typing.Callable] = {
    **dict.fromkeys(["kernel", "sampler", "prior_units", "backend", "truncation", "probe_kind", "preset"], _text),
    **dict.fromkeys(["standardise", "latent", "shift_in_float", "new_levels"], _flag),
    **dict.fromkeys(["warmup", "rank", "max_iterations", "ess", "max_draws"], _iterations),
    **dict.fromkeys(["draws", "predict_draws"], _whole(1, 10**9)),
    **dict.fromkeys(["estimates", "repeats", "n_samples"], _whole(1, 10**6)),
    "evidence": _whole(0, 10**6),
    **dict.fromkeys(["tolerance", "absolute_tolerance", "product_tolerance", "shift"], _number()),
    "priors": _dict('{"tau": "gamma(1,1)"}'),
    "fixed": _dict('{"noise_sd": 0.1}'),
    "settings": _dict('{"warmup": 500}'),
    "chains": _whole(1, 1000),
    "probes": _whole(1, 10**5),
    "q": _number(above=0),
    "memory": _whole(0, 2**62, ", in bytes,"),
    "random_state": _whole(0, 2**63 - 1),
    "seed": _whole(0, 2**63 - 1),
    "threads": _whole(0, _core.most_threads()),
    "time_limit": _number(most=_YEAR),
    "trend_scale": _number(above=0),
}


def require_one(owner, settings: dict, arguments: dict[str, str]) -> None:
    """Throws ValueError for a setting that an argument, which is not its default, says too. `arguments`: by settings."""
    defaults = inspect.signature(type(owner)).parameters
    for key, argument in arguments.items():
        if key in settings and getattr(owner, argument) != defaults[argument].default:
            raise ValueError(f'{argument} is an argument, and settings has "{key}" too: give one of them')


def plain(value):
    """Numbers of numpy as Python's, which json knows."""
    return value.item() if isinstance(value, np.generic) else value


def assignments(assigned: dict | None) -> list[str]:
    """Priors and fixed values as ``--prior`` and ``--fix`` have them."""
    return [f"{name}={plain(value)}" for name, value in (assigned or {}).items()]


def assigned(texts: list[str]) -> dict | None:
    """The inverse; names of inputs may have an equals sign, and what follows none."""
    return dict(text.rsplit("=", 1) for text in texts) or None


def check(**arguments) -> None:
    """Throws TypeError or ValueError, in one sentence, for the first argument that cannot be what it is."""
    for name, value in arguments.items():
        _RULES[name](name, value)
