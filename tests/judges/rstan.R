# Usage: Rscript rstan.R TABLE STAN_FILE OUT CORES
#
# Samples the model of gp.stan on a table, whose last column is the target, by Stan's NUTS, 4 chains of
# 2000 draws, and writes them to OUT: chain, sigma, tau, lambda.

suppressPackageStartupMessages(library(rstan))
# Debian's BH package has no headers of its own, and rstan looks for them there.
if (rstan_options("boost_lib") == "") rstan_options(boost_lib = "/usr/include")
arguments <- commandArgs(trailingOnly = TRUE)
table <- as.matrix(scale(read.csv(arguments[1])))  # by the sd with n - 1, as ulisse does
d <- ncol(table) - 1
data <- list(n = nrow(table), d = d, x = table[, 1:d], y = table[, d + 1])
model <- stan_model(arguments[2])
fit <- sampling(model, data, chains = 4, cores = as.integer(arguments[4]), warmup = 500,
                iter = 2500, seed = 1, refresh = 500)
draws <- extract(fit, c("sigma", "tau", "lambda"), permuted = FALSE)  # (draws, chains, parameters)
rows <- lapply(1:4, function(chain) data.frame(chain = chain, draws[, chain, ]))
write.csv(do.call(rbind, rows), arguments[3], row.names = FALSE)
print(get_elapsed_time(fit))
