"""A table drawn from a model with everything: python3 composite.py OUT [ROWS].

Columns: east, north, day (in days), error (the known standard deviation of each row's noise) and y. y is
drawn from the model that tests/judges/composite.stan has, with a trend in day."""

import sys

import numpy


def simulate(path, n, seed=1):
    source = numpy.random.default_rng(seed)
    east, north = source.uniform(-1.7, 1.7, size=(2, n))
    day = numpy.sort(source.uniform(0, 3, size=n))
    error = source.uniform(0.05, 0.4, size=n)
    squares = (east[:, None] - east) ** 2 + (north[:, None] - north) ** 2
    days = day[:, None] - day
    a = numpy.sqrt(3 * 0.7 * squares)
    k = 1.2 * (1 + a) * numpy.exp(-a)
    k += 0.8 * numpy.exp(-1.5 * 4 * numpy.sin(numpy.pi * days) ** 2 - 0.15 * days**2)
    k[numpy.diag_indices(n)] += 0.05 + error**2
    y = 2 - 1.3 * day + numpy.linalg.cholesky(k) @ source.normal(size=n)
    numpy.savetxt(path, numpy.column_stack([east, north, day, error, y]), delimiter=",", fmt="%.12g",
                  header="east,north,day,error,y", comments="")


if __name__ == "__main__":
    simulate(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 150)
