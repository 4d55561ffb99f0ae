# Usage: Rscript read_named_csv.R FOLDER...
#
# Reads the chain files of fits whose columns have words behind a point, as docs/reference/formats.md says, by read.csv and the
# package posterior, and compares names, chains and values with the files. rstan must refuse them: once it reads them, the
# docs can say so. Says what differs and exits with 1.

header <- function(file) strsplit(grep("^lp__", readLines(file), value = TRUE)[1], ",")[[1]]

for (folder in commandArgs(trailingOnly = TRUE)) {
  files <- list.files(folder, "^chain_[0-9]+[.]csv$", full.names = TRUE)
  chains <- lapply(files, read.csv, comment.char = "#", check.names = FALSE)
  draws <- posterior::bind_draws(lapply(chains, posterior::as_draws_df), along = "chain")
  values <- posterior::as_draws_array(draws)
  summary <- posterior::summarise_draws(draws)
  refused <- inherits(try(suppressWarnings(rstan::read_stan_csv(files)), silent = TRUE), "try-error")
  stopifnot(
    "names" = identical(posterior::variables(draws), header(files[1])),
    "words behind points" = any(grepl("[.][A-Za-z]", posterior::variables(draws))),
    "chains" = posterior::nchains(draws) == length(files) && length(files) > 1,
    "R-hat" = is.finite(summary$rhat[summary$variable == "lambda"]),
    "rstan refuses" = refused)
  for (chain in seq_along(files)) stopifnot("values" = all(unclass(values)[, chain, ] == as.matrix(chains[[chain]])))
  cat(sprintf("%s: posterior reads %d chains of %d draws of %s\n", basename(folder), length(files),
              posterior::niterations(draws), paste(posterior::variables(draws)[-(1:7)], collapse = ", ")))
}
