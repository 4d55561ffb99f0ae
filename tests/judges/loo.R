# Compares loo.csv with what R's loo says of the matrix that ulisse loo --matrix wrote.
#   Rscript loo.R loo.csv matrix.csv
suppressMessages(library(loo))
files <- commandArgs(trailingOnly = TRUE)
ours <- read.csv(files[1])
matrix <- read.csv(files[2])
log_density <- as.matrix(matrix[, -1])
r_eff <- relative_eff(exp(sweep(log_density, 2, apply(log_density, 2, max))), chain_id = matrix$chain)
theirs <- suppressWarnings(loo(log_density, r_eff = r_eff))
compare <- function(name, a, b) {
  off <- max(abs(a - b) / pmax(1, abs(b)))
  cat(sprintf("%-10s largest difference %.1e\n", name, off))
  stopifnot(off < 1e-8)
}
compare("r_eff", ours$r_eff, unname(r_eff))
compare("elpd_loo", ours$elpd_loo, theirs$pointwise[, "elpd_loo"])
compare("p_loo", ours$p_loo, theirs$pointwise[, "p_loo"])
compare("looic", ours$looic, theirs$pointwise[, "looic"])
compare("k", ours$pareto_k, theirs$diagnostics$pareto_k)
print(theirs$estimates)
