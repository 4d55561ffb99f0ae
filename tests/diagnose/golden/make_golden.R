# Usage: Rscript make_golden.R, in this folder; writes the .csv files next to it.
#
# The files were made by R 4.2.2, posterior 1.4.0 and coda 0.19-4 (Debian 12: r-base-core,
# r-cran-posterior, r-cran-coda). <name>.csv holds draws, a column for each chain; expected.csv has
# what R says of them, a line for each number. The draws are rounded, so that the files are small and
# every reader has the same ones.

suppressPackageStartupMessages({library(posterior); library(coda)})
options(warn = -1)  # posterior warns when it bounds an ESS
set.seed(20220817, kind = "Mersenne-Twister", normal.kind = "Inversion")

normal <- function(n, m) matrix(rnorm(n * m), n, m)
ar1 <- function(n, m, phi) {
  apply(normal(n, m), 2, function(e) {
    e[1] <- e[1] / sqrt(1 - phi^2)
    as.vector(filter(e, phi, method = "recursive"))
  })
}

draws <- list(
  good = 3 + 0.5 * normal(200, 4),
  slow = ar1(200, 4, 0.95),
  odd = 50 + ar1(151, 3, 0.5),
  shifted = sweep(normal(200, 4), 2, c(0, 0, 0, 1.5), "+"),
  scaled = sweep(normal(120, 4), 2, c(1, 1, 1, 4), "*"),
  cauchy = matrix(rcauchy(800), 200, 4),
  constant = matrix(0.1, 60, 4),
  one_constant = cbind(normal(100, 3), 0.25),
  all_stuck = matrix(rep(c(1, 2, 4), each = 60), 60, 3),
  single = ar1(200, 1, 0.6),
  antithetic = ar1(200, 4, -0.9),
  discrete = matrix(rpois(800, 2), 200, 4),
  binary = matrix(as.numeric(runif(400) < 0.02), 100, 4),
  infinite = replace(normal(60, 2), 17, Inf),
  missing = replace(normal(60, 2), 17, NaN),
  short3 = normal(3, 1),
  short4 = normal(4, 4),
  short5 = normal(5, 2),
  short6 = normal(6, 2),
  short7 = normal(7, 2),
  short11 = ar1(11, 3, 0.9),
  short13 = ar1(13, 1, -0.7),
  mirrored = normal(80, 1) %*% cbind(1, -1) + 0.3)  # variances are equal: no end of freedom for F
draws <- lapply(draws, signif, 6)

expected <- list()
expect <- function(name, quantity, value) {
  value <- as.vector(value)
  expected[[length(expected) + 1]] <<-
    data.frame(name, quantity, index = seq_along(value) - 1, value)
}

# A quantity that R refuses to compute is NA.
attempt <- function(value) tryCatch(value, error = function(e) NA)

chains <- function(x) as.mcmc.list(lapply(seq_len(ncol(x)), function(j) mcmc(x[, j])))

expect_scalars <- function(name, x) {
  expect(name, "mean", mean(x))
  expect(name, "sd", sd(x))
  probabilities <- c(0, 0.05, 0.1, 0.5, 0.75, 0.95, 1)
  expect(name, "quantiles", quantile2(x, probabilities))
  for (f in c("rhat_basic", "rhat", "ess_mean", "ess_bulk", "ess_tail", "mcse_mean", "mcse_sd")) {
    value <- get(f)(x)
    # Some 1e15 where a variance of chains that stand still is not zero, but rounding.
    expect(name, f, if (is.na(value) || value < 1e12) value else Inf)
  }
  expect(name, "ess_quantile", ess_quantile(x, probabilities))
  expect(name, "mcse_quantile", mcse_quantile(x, probabilities))
}

expect_psrf <- function(name, x) {
  for (discard in c(TRUE, FALSE)) {
    label <- if (discard) "half" else "all"
    factor <- attempt(gelman.diag(chains(x), autoburnin = discard, multivariate = FALSE)$psrf)
    expect(name, paste0("psrf_", label), rep_len(factor, 2))
    factor <- attempt(gelman.diag(chains(x), confidence = 0.8, autoburnin = discard,
                                  multivariate = FALSE)$psrf)
    expect(name, paste0("psrf_80_", label), rep_len(factor, 2))
  }
}

expect_path <- function(name, x, bins) {
  for (discard in c(TRUE, FALSE)) {
    label <- paste0("path_", if (discard) "half_" else "all_")
    path <- coda:::gelman.preplot(chains(x), bin.width = 10, max.bins = bins, confidence = 0.95,
                                  transform = FALSE, autoburnin = discard)
    expect(name, paste0(label, "last"), path$last.iter)
    expect(name, paste0(label, "estimate"), path$shrink[, 1, 1])
    expect(name, paste0(label, "upper"), path$shrink[, 1, 2])
  }
}

expect_series <- function(name, x) {
  y <- x[, ncol(x)]
  running <- function(f) sapply(seq_along(y), function(i) f(y[1:i]))
  expect(name, "running_mean", running(mean))
  expect(name, "running_sd", running(sd))
  expect(name, "acf", acf(y, lag.max = 60, plot = FALSE)$acf)
}

for (name in names(draws)) {
  expect_scalars(name, draws[[name]])
  expect_psrf(name, draws[[name]])
}
for (name in c("good", "slow", "shifted", "cauchy")) expect_path(name, draws[[name]], 50)
expect_path("odd", draws$odd, 7)
for (name in c("odd", "antithetic", "short11")) expect_series(name, draws[[name]])
expect("constant", "acf", acf(draws$constant[, 1], lag.max = 5, plot = FALSE)$acf)

# 17 digits give every double back; strtod reads nan and inf.
text <- function(value) tolower(ifelse(is.na(value), "nan", sprintf("%.17g", value)))
for (name in names(draws)) {
  x <- apply(draws[[name]], 2, function(column) tolower(sprintf("%.6g", column)))
  write.table(x, paste0(name, ".csv"), sep = ",", quote = FALSE, row.names = FALSE,
              col.names = paste0("chain", seq_len(ncol(x))))
}
expected <- do.call(rbind, expected)
expected$value <- text(expected$value)
write.csv(expected, "expected.csv", quote = FALSE, row.names = FALSE)
