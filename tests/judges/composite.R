# Usage: Rscript composite.R TABLE STAN_FILE OUT CORES
#
# Samples the model of composite.stan on the table of composite.py by Stan's NUTS, 4 chains of 1000
# draws, and writes them to OUT: chain, and the parameters by ulisse's names.

suppressPackageStartupMessages(library(rstan))
# Debian's BH package has no headers of its own, and rstan looks for them there.
if (rstan_options("boost_lib") == "") rstan_options(boost_lib = "/usr/include")
arguments <- commandArgs(trailingOnly = TRUE)
table <- read.csv(arguments[1])
model <- stan_model(arguments[2])
fit <- sampling(model, c(list(n = nrow(table)), as.list(table)), chains = 4,
                cores = as.integer(arguments[4]), warmup = 400, iter = 1400, seed = 1, refresh = 200)
stans <- c("sigma[1]", "sigma[2]", "tau_space", "tau_circle", "tau_day", "lambda", "intercept", "slope")
draws <- extract(fit, stans, permuted = FALSE)  # (draws, chains, parameters)
rows <- lapply(1:4, function(chain) {
  own <- data.frame(chain, draws[, chain, ])
  names(own) <- c("chain", "sigma.1", "sigma.2", "tau.1", "tau.2.periodic_day", "tau.2.rbf_day", "lambda",
                  "trend.intercept", "trend.day")
  own
})
write.csv(do.call(rbind, rows), arguments[3], row.names = FALSE)
print(get_elapsed_time(fit))
