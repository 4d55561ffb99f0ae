"""What a fitted regressor has to say."""

from __future__ import annotations

import os

import numpy as np

from . import arguments
from .loo import Loo
from .scikit_learn import check_is_fitted


class FitWarning(UserWarning):
    """What is wrong with a fit and what to do about it."""


class Results:
    """Of a regressor with draws: its summaries, its parts, and the folder of its fit."""

    @property
    def summary_(self):
        """A row for each parameter; a DataFrame where pandas is there, else a dict of dicts."""
        return self._summary_of("parameters")

    @property
    def summary_quantities_(self):
        """The same in the data's own units."""
        return self._summary_of("quantities")

    def _summary_of(self, part: str):
        check_is_fitted(self, "draws_")
        rows = self.summary_json_[part]
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame.from_dict(rows, orient="index")

    def to_dict(self) -> dict[str, np.ndarray]:
        """The draws, as arrays of (chains, draws)."""
        check_is_fitted(self, "draws_")
        return {name: values.copy() for name, values in self.draws_.items()}

    def to_arviz(self):
        """The draws as ArviZ's InferenceData."""
        import arviz

        return arviz.from_dict(posterior=self.to_dict())

    def predict_components(self, X) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Mean and standard deviation of each part of the function at the rows of X: of its "trend", and of each term of the
        kernel, "term.1", ..., which ``summary_json_["fitted"]["terms"]`` has as expressions.

        The means add up to the function's. Without a trend, "trend" is the mean of the target that standardising took off.
        """
        X = self._new_points(X, None, False)
        found = self._fitted().predict(X, [], self.predict_draws, True, 0, True, "auto", self.memory, 1, self.threads)
        return found["components"]

    def loo(self, draws=500, method="auto", evidence=0, random_state=0) -> Loo:
        """How well each row is predicted from all others: leave-one-out, by Pareto-smoothed importance sampling.

        ``draws`` of the posterior are used at most. ``method`` is "exact" (Cholesky), "neighbours" (solves, for many rows) or "auto".
        ``evidence`` is a number of proposals for the log evidence; 0: without it.
        """
        arguments.check(draws=draws, evidence=evidence, random_state=random_state)
        return Loo.of(self._fitted(), draws, method, evidence, self.memory, random_state, self.threads)

    def _keep(self, fit) -> None:
        """The draws of a fit that was interrupted, where there are any."""
        if fit is not None and fit.draws():
            self._take(fit)

    def save(self, folder) -> None:
        """Writes the folder that ``ulisse summary``, ``predict`` and ``report`` read."""
        check_is_fitted(self, "draws_")
        os.makedirs(folder, exist_ok=True)
        if os.listdir(folder):
            raise FileExistsError(f"{os.fspath(folder)}: the folder is not empty")
        for name, content in self.files_.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
