# Draws for the package posterior, and leave-one-out for the package loo.

# (iterations, chains, variables): quantities in the units of the data, then parameters.
draws_array <- function(object) {
  found <- core_draws(pointer_of(object))
  draws <- c(found$quantities, found$parameters)
  array(unlist(draws), dim = c(dim(draws[[1]]), length(draws)),
        dimnames = list(iteration = NULL, chain = NULL, variable = names(draws)))
}

as_draws_array.ulisse <- function(x, ...) posterior::as_draws_array(draws_array(x))
as_draws_df.ulisse <- function(x, ...) posterior::as_draws_df(posterior::as_draws_array(draws_array(x)))
as_draws.ulisse <- function(x, ...) as_draws_array.ulisse(x)

leave_one_out <- function(object, draws = 500, method = "auto", seed = 1, threads = 0)
  core_loo(pointer_of(object), draws, method, seed, threads)

loo.ulisse <- function(x, draws = 500, method = "auto", seed = 1, threads = 0, ...) {
  found <- leave_one_out(x, draws, method, seed, threads)
  loo::loo(found$log_density, r_eff = found$r_eff, ...)
}

evidence <- function(fit, draws = 1000, seed = 1, threads = 0) core_evidence(pointer_of(fit), draws, seed, threads)
