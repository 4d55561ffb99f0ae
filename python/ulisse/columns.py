"""Inputs as people have them: texts and dates of data frames, as the numbers that the library takes."""

from __future__ import annotations

import numpy as np

from . import _core, arguments

_DAY = np.timedelta64(1, "D")


def _is_text(values: np.ndarray) -> bool:
    return values.dtype.kind in "OUS" and any(isinstance(value, (str, bytes)) for value in values.flat)


def _is_date(values: np.ndarray) -> bool:
    return values.dtype.kind == "M"


def level_name(value) -> str:
    """As the library names a level in its files: numbers in their shortest form, and no blanks around."""
    return _core.level_name(value.decode() if isinstance(value, bytes) else str(value))


def _column(X, j: int) -> np.ndarray:
    values = X.iloc[:, j] if hasattr(X, "iloc") else np.asarray(X)[:, j]
    return np.asarray(values)


def _is_missing(value) -> bool:
    return value is None or value is not value or (isinstance(value, str) and _core.is_missing(value))


class Columns:
    """What the columns of X are: levels of a category, first days of dates, or neither."""

    def __init__(self, levels: list[list[str]], first_days: list[str]):
        self.levels = levels
        self.first_days = first_days

    @classmethod
    def of(cls, X, categories) -> Columns:
        """Of a table that is fitted. categories: names or places of columns of numbers that are some, too."""
        table = X if hasattr(X, "iloc") else np.asarray(X)
        count = table.shape[1] if table.ndim == 2 else 0  # what is no table is refused by who takes it
        named = _places(X, categories, count)
        levels: list[list[str]] = [[] for _ in range(count)]
        first_days = [""] * count
        # What is plain numbers need not be looked at, column by column.
        if not named and getattr(table, "dtype", np.dtype(object)).kind in "biuf":
            return cls(levels, first_days)
        for j in range(count):
            values = _column(X, j)
            if j in named or _is_text(values):
                levels[j] = list(dict.fromkeys(level_name(value) for value in values if not _is_missing(value)))
            elif _is_date(values) and not np.isnat(values).all():
                first_days[j] = str(np.nanmin(values.astype("datetime64[D]")))
        return cls(levels, first_days)

    @classmethod
    def of_fit(cls, about: dict) -> Columns:
        """Of the table of a fit, by fit.json's "data"."""
        names = inputs_of(about)
        return cls([about.get("levels", {}).get(name, []) for name in names], [about.get("first_days", {}).get(name, "") for name in names])

    def described(self, names: list[str], target: str) -> _core.TableColumns:
        return _core.TableColumns(names, target, self.levels if any(self.levels) else [], self.first_days if any(self.first_days) else [])

    def any(self) -> bool:
        return any(self.levels) or any(self.first_days)

    def encode(self, X, new_levels: bool = False):
        """X with numbers alone: places of levels and days since the first; other columns as they are."""
        if not self.any():
            return X
        given = X
        X = X.copy() if hasattr(X, "iloc") else np.array(X, dtype=object)
        for j, (levels, first_day) in enumerate(zip(self.levels, self.first_days)):
            if levels:
                self._set(X, j, self._places_of(_column(given, j), levels, j, new_levels))
            elif first_day:
                self._set(X, j, self._days_of(_column(given, j), first_day))
        return X if hasattr(X, "iloc") else X.astype(float)

    @staticmethod
    def _set(X, j: int, values: np.ndarray) -> None:
        if hasattr(X, "iloc"):
            X.isetitem(j, values) if hasattr(X, "isetitem") else X.__setitem__(X.columns[j], values)
        else:
            X[:, j] = values

    def _places_of(self, values, levels: list[str], j: int, new_levels: bool) -> np.ndarray:
        places = {level: place for place, level in enumerate(levels)}
        found = np.empty(len(values))
        for i, value in enumerate(values):
            if _is_missing(value):
                found[i] = np.nan  # which is refused as in any other column
                continue
            name = level_name(value)
            if name not in places:
                if not new_levels:
                    known = ", ".join(levels[:8]) + (", ..." if len(levels) > 8 else "")
                    raise ValueError(f"column {j + 1} of X has the level {arguments.shown(name)}, which the fit has not seen; it knows "
                                     f"{known}; new_levels=True predicts it as one like no other")
                places[name] = len(places)
            found[i] = places[name]
        return found

    @staticmethod
    def _days_of(values, first_day: str) -> np.ndarray:
        if not _is_date(values):
            raise ValueError(f"a column of X has dates in the fit, and here {arguments.shown(values[0])}")
        days = (values.astype("datetime64[us]") - np.datetime64(first_day, "us")) / _DAY
        return np.where(np.isnat(values), np.nan, days)


def _places(X, categories, count: int) -> set[int]:
    names = [str(name) for name in X.columns] if hasattr(X, "columns") else []
    places = set()
    for category in categories or []:
        if isinstance(category, (int, np.integer)) and 0 <= category < count:
            places.add(int(category))
        elif str(category) in names:
            places.add(names.index(str(category)))
        else:
            raise ValueError(f"categories names {arguments.shown(category)}, which is no column of X")
    return places


def noise_column(about: dict) -> str | None:
    """The column with what is known of each row's noise, of fit.json's "data"."""
    return about.get("known_noise", {}).get("column")


def inputs_of(about: dict) -> list[str]:
    """Those that ``fit`` was given, of fit.json's "data"."""
    return [name for name in about.get("all_features", about["features"]) if name != noise_column(about)]


def columns_of_fit(X: np.ndarray, noise: np.ndarray | None, about: dict) -> np.ndarray:
    """The columns that the fit has: without those that were constant, and with what is known of the noise."""
    places = {name: j for j, name in enumerate(inputs_of(about))}
    known = np.zeros(len(X)) if noise is None else noise
    if about.get("known_noise", {}).get("kind") == "variance":
        known = known**2
    return np.column_stack([X[:, places[name]] if name in places else known for name in about["features"]])


def known_noise(noise_sd, rows: int) -> np.ndarray | None:
    """A standard deviation for each row, from one for all or one for each."""
    if noise_sd is None:
        return None
    values = np.asarray(noise_sd, dtype=float)
    if values.ndim == 0:
        values = np.full(rows, float(values))
    if values.shape != (rows,):
        raise ValueError(f"noise_sd must have a value for each of the {rows} rows, and has the shape {values.shape}")
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("noise_sd must be finite and not negative")
    return values
