# Usage: Rscript read_stan_csv.R FOLDER...
#
# Reads the chain files of fits by rstan::read_stan_csv, and compares with the files read as plain
# tables: names, number of draws, warm-up, step size, times, the sampler's name, and every value; lp__
# must vary. Says what differs and exits with 1.

suppressPackageStartupMessages(library(rstan))
options(warn = 2)  # rstan warns where a file is not as it expects

# "tau.2" of a file is "tau[2]" in R.
in_r <- function(names) sub("\\.([0-9]+)$", "[\\1]", names)

comment <- function(lines, key) {
  line <- grep(paste0("^# ", key, " = "), lines, value = TRUE)
  trimws(sub("^[^=]*=", "", line))
}

for (folder in commandArgs(trailingOnly = TRUE)) {
  count <- length(list.files(folder, "^chain_[0-9]+\\.csv$"))
  files <- file.path(folder, sprintf("chain_%d.csv", seq_len(count)))
  fit <- read_stan_csv(files)
  tables <- lapply(files, read.csv, comment.char = "#")
  lines <- readLines(files[1])
  parameters <- names(tables[[1]])[-(1:7)]
  draws <- extract(fit, permuted = FALSE, inc_warmup = FALSE)  # (draws, chains, parameters and lp__)
  steps <- get_sampler_params(fit, inc_warmup = FALSE)
  stopifnot(
    "chains" = count > 1 && fit@sim$chains == count,
    "names" = identical(dimnames(draws)$parameters, c(in_r(parameters), "lp__")),
    "draws" = nrow(draws) == nrow(tables[[1]]) && nrow(draws) > 0,
    "announced draws" = as.integer(comment(lines, "num_samples")) == nrow(draws),
    "warm-up" = fit@sim$warmup == as.integer(comment(lines, "num_warmup")),
    "iterations" = fit@sim$iter == fit@sim$warmup + nrow(draws),
    "chain numbers" = all(sapply(fit@stan_args, function(a) a$chain_id) == seq_len(count)),
    "sampler" = grepl(paste0("drawn using ", comment(lines, "sampler_t"), " at"),
                      paste(capture.output(print(fit)), collapse = " ")),
    "NUTS is NUTS alone" = grepl("NUTS", comment(lines, "sampler_t")) ==
      (comment(lines, "algorithm") == "hmc"),
    "R-hat of lp__" = is.finite(summary(fit)$summary["lp__", "Rhat"]),
    "adaptation" = grepl("Step size = ", get_adaptation_info(fit)[[1]]),
    "times" = all(is.finite(get_elapsed_time(fit))))
  for (chain in seq_len(count)) {
    values <- as.matrix(tables[[chain]][, c(parameters, "lp__")])
    sampler <- as.matrix(tables[[chain]][, 2:7])
    stopifnot("values" = all(draws[, chain, ] == values),
              "values of the sampler" = all(steps[[chain]][, colnames(sampler)] == sampler))
  }
  cat(sprintf("%s: rstan reads %d chains of %d draws of %s\n", basename(folder), count, nrow(draws),
              paste(in_r(parameters), collapse = ", ")))
}
