"""What GPRegressor takes from scikit-learn, for who does not have it."""

from __future__ import annotations

import inspect

import numpy as np


class NotFittedError(ValueError, AttributeError):
    """Asked for what only a fit can know."""


def check_is_fitted(estimator, attribute: str) -> None:
    if not hasattr(estimator, attribute):
        raise NotFittedError(f"this {type(estimator).__name__} has not been fitted yet; call fit first")


def check_random_state(seed):
    if isinstance(seed, np.random.RandomState):
        return seed
    return np.random.RandomState(seed)


def validate_data(estimator, X, y=None, *, reset=True, dtype=np.float64, ensure_min_samples=1, **_):
    """Arrays of finite numbers, of the shapes that fit and predict want."""
    X = np.asarray(X, dtype=dtype)
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, not {X.ndim}")
    if X.shape[0] < ensure_min_samples:
        raise ValueError(f"X has {X.shape[0]} sample(s), and at least {ensure_min_samples} are needed")
    if not np.isfinite(X).all():
        raise ValueError("X has a value that is not finite")
    if reset:
        estimator.n_features_in_ = X.shape[1]
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(f"X has {X.shape[1]} features, but the fit had {estimator.n_features_in_}")
    if y is None:
        return X
    y = np.ravel(np.asarray(y, dtype=float))
    if y.shape[0] != X.shape[0]:
        raise ValueError(f"X has {X.shape[0]} rows and y {y.shape[0]}")
    if not np.isfinite(y).all():
        raise ValueError("y has a value that is not finite")
    return X, y


class BaseEstimator:
    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in inspect.signature(type(self).__init__).parameters if name != "self"}

    def set_params(self, **params):
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def __getstate__(self):
        return dict(self.__dict__)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_params().items())})"


class RegressorMixin:
    def score(self, X, y):
        """The coefficient of determination of the predicted means."""
        y = np.ravel(np.asarray(y, dtype=float))
        return 1 - np.sum((y - self.predict(X)) ** 2) / np.sum((y - y.mean()) ** 2)
