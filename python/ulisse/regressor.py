"""A regressor with scikit-learn's conventions."""

from __future__ import annotations

import json
import os
import warnings

import numpy as np

from . import _core, arguments
from .columns import Columns, columns_of_fit, inputs_of, known_noise, noise_column
from .progress import Progress
from .results import FitWarning, Results
from .scikit_learn import BaseEstimator, RegressorMixin, check_is_fitted, check_random_state, validate_data

def _default_names(count: int) -> list[str]:
    return [f"x{i + 1}" for i in range(count)]


def _seed(random_state) -> int:
    """A seed of ours, from any of scikit-learn's or numpy's kinds of random state."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(2**31 - 1))
    arguments.check(random_state=random_state)
    return int(random_state)


class GPRegressor(Results, RegressorMixin, BaseEstimator):
    """Gaussian-process regression whose covariance parameters are sampled, not optimised.

    ``fit`` draws from the posterior over signal variance, inverse squared length scales and noise variance of an exact
    Gaussian process; ``predict`` averages over the draws. Inputs and target are standardised unless told otherwise.

    Parameters
    ----------
    kernel : "rbf", "matern12", "matern32" or "matern52"; with "-ard" for one length scale an input. Or a sum of products of
        these on some inputs, such as ``"matern32(lon,lat) + periodic(day,365.25)*rbf(day)"``, by the names of a DataFrame's
        columns, or x1, x2, ...
    trend : None, "constant", "linear" (all inputs), the name of an input or a list of names: a linear function with
        coefficients that are integrated out, with a prior sd of ``trend_scale`` on standardised columns.
    sampler : "auto", "mh", "nuts", "ulisse" or "sgld". The first two are exact and for up to some thousand rows, "ulisse" is
        for more; "auto" chooses by measured cost.
    chains : how many.
    draws, warmup : how many, of each chain. ``warmup=None`` is the sampler's own. ``draws=None`` begins with the sampler's own and, where
        steps are exact, goes on until each parameter has ``ess`` effective samples.
    ess : effective samples, bulk and tail, that chains go on for, beyond ``draws`` where that is given; None is 1000 for exact steps and
        ``draws=None``, else no such goal.
    max_draws : of each chain, where ``ess`` is not reached before; None is 20 times the draws at first, 4 times above 1000 rows.
    priors : such as ``{"tau": "gamma(1,1)", "lambda": "lognormal(-2,1)"}``, or of ``lengthscale`` (``lengthscale.x1`` with
        "-ard"), ``noise_sd`` and ``signal_sd``; wide lognormal ones for the others.
    fixed : values that are not sampled, such as ``{"noise_sd": 0.1}``.
    prior_units : of what ``priors`` and ``fixed`` say: "standardised", or "data" for the units of X and y.
    standardise : z-score inputs and target.
    predict_draws : posterior draws that a prediction averages over, spread over all chains.
    settings : further settings by their names in ``fit.json``, such as ``{"sgld": {"early_stop": 0.1}}``.
    preset : "default", or "paper" for the paper's settings and priors of "sgld" and "mh"; ``draws`` and ``chains`` stand above it.
    categories : names, or places, of columns of X whose numbers are levels of a category; texts are categories anyway.
    threads, memory : cores to use (0: all) and bytes that matrices may use (0: half of the machine's).
    time_limit : seconds of sampling, 0 for none; a fit that is cut short warns.
    progress : show how far it is; None shows it in terminals and notebooks only.
    random_state : an int gives the draws of ``ulisse fit --seed`` with that number, and with the same ``--draws``: the
        default of the command line is ``--seed 1``.

    Attributes
    ----------
    quantities_ : dict of arrays (chains, draws) in the data's own units: signal_sd, noise_sd, a length scale for each input,
        and the coefficients of the trend, trend.intercept (where all inputs are 0), trend.x1, ...
    summary_quantities_ : mean, sd, quantiles, effective sample sizes and R-hat of each of these: a DataFrame where pandas is
        there.
    draws_ : dict of arrays (chains, draws) of sigma, tau and lambda, for standardised data where they are standardised.
    summary_ : as summary_quantities_, of each of these parameters.
    warnings_ : what looks wrong, in words; ``fit`` warns of them, too.
    findings_ : the same as data: of each a dict of code, values, parameters and remedies.
    certificate_ : of draws of a surrogate: a dict whose ``limit`` says how far they may be from the posterior, in its sd; else None.
    n_features_in_, feature_names_in_ : as in scikit-learn.

    Examples
    --------
    >>> import numpy as np, ulisse
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 2))
    >>> y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=60)
    >>> model = ulisse.GPRegressor(draws=100, random_state=0).fit(X, y)
    >>> sorted(model.draws_)
    ['lambda', 'sigma', 'tau']
    >>> model.draws_["tau"].shape
    (4, 100)
    >>> list(model.quantities_)
    ['signal_sd', 'noise_sd', 'lengthscale.1', 'lengthscale.2']
    >>> mean, sd = model.predict(X[:3], return_std=True)
    >>> mean.shape, bool((sd > 0).all())
    ((3,), True)
    >>> low, high = model.predict(X[:3], quantiles=[0.05, 0.95]).T
    >>> bool((low < mean).all() and (mean < high).all())
    True
    """

    def __init__(self, kernel="rbf", sampler="auto", chains=4, draws=None, warmup=None, priors=None, standardise=True, predict_draws=100,
                 settings=None, threads=0, memory=0, time_limit=0, progress=None, random_state=0, trend=None, trend_scale=10.0, fixed=None,
                 prior_units="standardised", categories=None, ess=None, max_draws=None, preset="default"):
        self.kernel = kernel
        self.sampler = sampler
        self.chains = chains
        self.draws = draws
        self.ess = ess
        self.max_draws = max_draws
        self.warmup = warmup
        self.priors = priors
        self.standardise = standardise
        self.predict_draws = predict_draws
        self.settings = settings
        self.categories = categories
        self.threads = threads
        self.memory = memory
        self.time_limit = time_limit
        self.progress = progress
        self.random_state = random_state
        self.trend = trend
        self.trend_scale = trend_scale
        self.fixed = fixed
        self.prior_units = prior_units
        self.preset = preset

    # ---- Fitting

    def fit(self, X, y, noise_sd=None):
        """Draws from the posterior given a table of inputs and a target for each row. Ctrl-C ends it; the draws so far are kept.

        ``noise_sd``: the known measurement error of each row, a standard deviation in the units of y, which is added to lambda.
        Texts of a data frame are categories, its dates become days since the first.
        """
        target = getattr(y, "name", None)  # of a pandas Series
        self._columns = Columns.of(X, self.categories)
        X = self._columns.encode(X)
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64, ensure_min_samples=2)
        if y.dtype.kind not in "biuf":
            raise ValueError(f"y must be numbers, and has {arguments.shown(y.flat[0])}")
        self._check_arguments()
        overrides = self._overrides()
        names = list(getattr(self, "feature_names_in_", _default_names(X.shape[1])))
        if not isinstance(target, str) or not target or target in names:
            target = "y" if "y" not in names else "target"
        noise = known_noise(noise_sd, len(y))
        columns = self._columns.described([str(name) for name in names], target)
        progress = Progress(self.progress, self.draws)
        try:
            fit = _core.fit(X, y, columns, np.empty(0) if noise is None else noise, self._model(), bool(self.standardise), self.sampler,
                            self.preset, overrides, int(self.threads), int(self.memory), float(self.time_limit), progress)
        except KeyboardInterrupt:
            self._keep(progress.fit)
            raise
        finally:
            progress.close()
        self._take(fit)
        for text in self.warnings_:
            warnings.warn(text, FitWarning, stacklevel=2)
        return self

    def _check_arguments(self) -> None:
        names = ("kernel", "sampler", "chains", "standardise", "predict_draws", "threads", "memory", "time_limit", "trend_scale",
                 "prior_units", "priors", "fixed", "settings", "preset")
        arguments.check(**{name: getattr(self, name) for name in names})
        arguments.check(**self._counts())

    def _counts(self) -> dict:
        """Those that are given."""
        counts = {name: getattr(self, name) for name in ("draws", "warmup", "ess", "max_draws")}
        return {name: value for name, value in counts.items() if value is not None}

    def _trend_names(self) -> list[str]:
        if self.trend is None:
            return []
        names = [self.trend] if isinstance(self.trend, str) else self.trend
        if isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names):
            return list(names)
        raise TypeError(f'trend must be None, "constant", "linear" or names of inputs, and is {arguments.shown(self.trend)}')

    def _model(self) -> _core.ModelOptions:
        return _core.ModelOptions(self.kernel, arguments.assignments(self.priors), arguments.assignments(self.fixed), self.prior_units,
                                  self._trend_names(), float(self.trend_scale))

    def _overrides(self) -> str:
        """As JSON."""
        settings = self.settings or {}
        arguments.require_one(self, settings, {n: n for n in ("chains", "draws", "warmup", "ess", "max_draws")} | {"seed": "random_state"})
        wanted = {"chains": int(self.chains), "seed": _seed(self.random_state)}
        wanted.update({name: int(value) for name, value in self._counts().items()})
        wanted.update(settings)
        try:
            return json.dumps(wanted, default=arguments.plain, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError(f"settings must hold finite numbers, texts and dicts of these, and are {arguments.shown(self.settings)}") from None

    def _take(self, fit: _core.Fit, way_out: str = "give it more time_limit") -> None:
        self._fit = fit
        self.files_ = fit.files()
        self.draws_ = fit.draws()
        self.quantities_ = fit.quantities()
        self.summary_json_ = json.loads(fit.summary())
        self.warnings_ = self.summary_json_["notes"] + self.summary_json_["warnings"]
        self.findings_ = self.summary_json_["findings"]
        self.certificate_ = (self.summary_json_["setup"] or {}).get("certificate")
        if not self.draws_:
            raise RuntimeError(f"there are no draws: the fit ended in its warm-up; {way_out}")
        self.sampler_ = self.summary_json_["sampler"]

    def __getstate__(self):
        # The library's own object is made again from the files when it is needed.
        return {name: value for name, value in super().__getstate__().items() if name != "_fit"}

    def _fitted(self) -> _core.Fit:
        check_is_fitted(self, "draws_")
        self._fit = getattr(self, "_fit", None) or _core.load_fit(self.files_)
        return self._fit

    # ---- Predictions

    def predict(self, X, return_std=False, return_cov=False, quantiles=None, latent=False, noise_sd=None, new_levels=False):
        """Means of the predictive distribution at the rows of X, averaged over the posterior.

        With ``return_std`` also its standard deviations, with ``return_cov`` the covariance matrix of all rows; ``quantiles``
        gives an array of (rows, quantiles) instead. ``latent`` leaves the noise out; ``noise_sd`` is what is known of each row's, beyond
        lambda's. ``new_levels`` predicts levels of a category that the fit has not seen, each as one like no other.
        """
        if return_std and return_cov:
            raise RuntimeError("at most one of return_std and return_cov can be asked for")
        if quantiles is not None and (return_std or return_cov):
            raise RuntimeError("quantiles come alone, without return_std or return_cov")
        arguments.check(latent=latent, new_levels=new_levels)
        X = self._new_points(X, noise_sd, new_levels)
        found = self._fitted().predict(X, self._levels(quantiles), self.predict_draws, latent, 0, False, "auto", self.memory, 1, self.threads)
        if quantiles is not None:
            return found["quantiles"]
        if return_std:
            return found["mean"], found["sd"]
        if return_cov:
            return found["mean"], self._fitted().covariance(X, self.predict_draws, latent, "auto", self.memory, self.threads)
        return found["mean"]

    def sample_y(self, X, n_samples=1, random_state=0, new_levels=False):
        """Joint samples of the function at the rows of X, without noise: an array of (rows, samples)."""
        arguments.check(n_samples=n_samples, new_levels=new_levels)
        X = self._new_points(X, None, new_levels)
        found = self._fitted().predict(X, [], self.predict_draws, True, n_samples, False, "auto", self.memory, _seed(random_state), self.threads)
        return found["samples"]

    def _new_points(self, X, noise_sd, new_levels) -> np.ndarray:
        """The columns of the fit: without those that were constant, and with what is known of the noise."""
        check_is_fitted(self, "draws_")
        arguments.check(predict_draws=self.predict_draws, memory=self.memory, threads=self.threads)
        X = validate_data(self, self._columns.encode(X, new_levels), reset=False, dtype=np.float64)
        about = json.loads(self.files_["fit.json"])["data"]
        noise = known_noise(noise_sd, len(X))
        if noise is not None and noise_column(about) is None:
            raise ValueError("noise_sd is given, and the fit knew nothing of its rows' noise")
        return columns_of_fit(X, noise, about)

    @staticmethod
    def _levels(quantiles) -> list[float]:
        levels = [] if quantiles is None else [float(level) for level in np.atleast_1d(quantiles)]
        if all(0 < level < 1 for level in levels):
            return levels
        raise ValueError("quantiles lie between 0 and 1")

    # ---- Folders that the command line reads and writes

    @classmethod
    def load(cls, folder) -> GPRegressor:
        """A fitted regressor from a folder that ``save`` or ``ulisse fit`` wrote."""
        folder = os.fspath(folder)
        if not os.path.exists(os.path.join(folder, "fit.json")):
            raise FileNotFoundError(f"{folder}: there is no fit.json, so this is no fit's folder")
        fit = _core.load_fit(folder)
        about = json.loads(fit.description())
        settings = about["settings"]
        goal = {key: settings[key] for key in ("ess", "max_draws") if settings.get("max_draws")}
        inner = {key: value for key, value in settings.items() if isinstance(value, dict)}  # of the sampler
        model = cls(kernel=settings["kernel"], sampler=settings["sampler"], chains=settings["chains"], draws=settings["draws"],
                    warmup=settings["warmup"], priors=arguments.assigned(settings["priors"]), fixed=arguments.assigned(settings.get("fixed", [])),
                    prior_units=settings.get("prior_units", "standardised"), standardise=settings["standardise"], settings=inner or None,
                    random_state=settings["seed"], trend=settings.get("trend") or None, trend_scale=settings.get("trend_scale", 10.0),
                    preset=settings.get("preset", "default"), **goal)
        model._take(fit, f"'ulisse fit --resume --out {folder}' goes on with it")
        names = inputs_of(about["data"])
        model._columns = Columns.of_fit(about["data"])
        model.n_features_in_ = len(names)
        if names != _default_names(len(names)):
            model.feature_names_in_ = np.array(names, dtype=object)
        for text in model.warnings_:
            warnings.warn(text, FitWarning, stacklevel=2)
        return model

    # ---- scikit-learn's hooks

    def _more_tags(self):
        return {"requires_y": True, "non_deterministic": False}
