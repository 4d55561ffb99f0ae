"""Tables drawn from the model itself, kernel rbf."""

import numpy

# Beyond it the covariance matrix takes too much memory, and the signal is a sum of so many waves: nearly Gaussian, with the same covariance.
EXACT_ROWS = 30000
WAVES = 2000


def exact_target(x, theta, source):
    sigma, tau, noise = theta
    n = len(x)
    squares = (x**2).sum(axis=1)
    k = x @ x.T
    k *= -2
    k += squares[:, None]
    k += squares[None, :]
    numpy.maximum(k, 0, out=k)
    k *= -tau
    numpy.exp(k, out=k)
    k *= sigma
    k[numpy.diag_indices(n)] = sigma + noise
    return numpy.linalg.cholesky(k) @ source.normal(size=n)


def target_of_waves(x, theta, source):
    sigma, tau, noise = theta
    frequencies = numpy.sqrt(2 * tau) * source.normal(size=(x.shape[1], WAVES))
    phases = source.uniform(0, 2 * numpy.pi, size=WAVES)
    amplitudes = numpy.sqrt(2 * sigma / WAVES) * source.normal(size=WAVES)
    signal = numpy.concatenate([numpy.cos(rows @ frequencies + phases) @ amplitudes for rows in numpy.array_split(x, 100)])
    return signal + numpy.sqrt(noise) * source.normal(size=len(x))


def simulate(path, n, d, theta, seed):
    """Writes n rows of d standard normal inputs and a target with (sigma, tau, lambda) = theta."""
    source = numpy.random.default_rng(seed)
    x = source.normal(size=(n, d))
    y = (exact_target if n <= EXACT_ROWS else target_of_waves)(x, theta, source)
    names = [f"x{j}" for j in range(d)] + ["y"]
    numpy.savetxt(path, numpy.column_stack([x, y]), delimiter=",", fmt="%.12g", header=",".join(names), comments="")
