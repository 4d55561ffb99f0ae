# Usage: Rscript compare.R STAN_DRAWS FOLDER...
#
# Compares draws of rstan.R or composite.R with those of fits, for the logarithm of each parameter and for the
# coefficients of a trend, where the fits have them: means and standard deviations, with the Monte Carlo error of
# the difference, all in posterior standard deviations. Exits with 1 when one is off by more than 4.5 such
# errors: for 12 numbers, a false alarm in 10,000 runs.

suppressPackageStartupMessages(library(posterior))

arguments <- commandArgs(trailingOnly = TRUE)
table <- read.csv(arguments[1])
is_trend <- function(name) startsWith(name, "trend.")
on_scale <- function(name, x) if (is_trend(name)) x else log(x)
chain_files <- function(folder) list.files(folder, "^chain_[0-9]+\\.csv$", full.names = TRUE)
in_files <- names(read.csv(chain_files(arguments[2])[1], comment.char = "#", nrows = 1))
parameters <- Filter(function(p) !is_trend(p) || p %in% in_files, setdiff(names(table), "chain"))
stan <- lapply(parameters, function(p) sapply(split(on_scale(p, table[[p]]), table$chain), identity))

of_fit <- function(folder) {
  chains <- lapply(chain_files(folder), read.csv, comment.char = "#")
  lapply(parameters, function(p) sapply(chains, function(chain) on_scale(p, chain[[p]])))
}

worst <- 0
cat("| sampler | parameter | mean | sd | bulk ESS | R-hat | mean - Stan's | its error | sd - Stan's | its error |\n")
cat("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
line <- function(name, p, x, reference) {
  cat(sprintf("| %s | %s%s | %.4f | %.4f | %.0f | %.3f |", name, if (is_trend(p)) "" else "log ", p, mean(x), sd(x), ess_bulk(x), rhat(x)))
  if (is.null(reference)) return(cat(" | | | |\n"))
  unit <- sd(reference)
  off <- c(mean(x) - mean(reference), sd(x) - unit) / unit
  error <- sqrt(c(mcse_mean(x)^2 + mcse_mean(reference)^2, mcse_sd(x)^2 + mcse_sd(reference)^2)) / unit
  cat(sprintf(" %.3f | %.3f | %.3f | %.3f |\n", off[1], error[1], off[2], error[2]))
  worst <<- max(worst, abs(off / error))
}
for (i in seq_along(parameters)) line("Stan NUTS", parameters[i], stan[[i]], NULL)
for (folder in arguments[-1]) {
  draws <- of_fit(folder)
  for (i in seq_along(parameters)) line(paste("ulisse", basename(folder)), parameters[i], draws[[i]], stan[[i]])
}
cat(sprintf("\nlargest difference: %.1f Monte Carlo errors\n", worst))
quit(status = as.integer(worst > 4.5))
