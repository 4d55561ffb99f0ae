"""The package as the build made it: PYTHONPATH names its folder."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def table():
    """Inputs and a target with a signal and some noise."""
    source = np.random.default_rng(5)
    x = source.normal(size=(50, 2))
    return x, 10 + 3 * (np.sin(2 * x[:, 0]) + 0.5 * x[:, 1]) + 0.3 * source.normal(size=50)


@pytest.fixture(scope="session")
def fitted(table):
    import ulisse

    return ulisse.GPRegressor(sampler="mh", draws=200, warmup=100, random_state=3).fit(*table)
