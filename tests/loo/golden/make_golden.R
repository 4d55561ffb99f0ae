# Writes log_density.csv and expected.csv: what R's loo says of a matrix of log densities.
#   Rscript make_golden.R        (loo 2.5.1, R 4.2.2)
# Two chains of 300 draws; a column for each row of a table: tails of all weights, correlated chains,
# a chain that is shifted, densities below the smallest double, and one that is constant.
suppressMessages(library(loo))
set.seed(1)
each <- 300
ar <- function(rho) c(replicate(2, as.vector(arima.sim(list(ar = rho), each)) * sqrt(1 - rho^2)))
m <- cbind(normal = -1 - 0.2 * ar(0.01), wide = -2 - 0.9 * ar(0.01), slow = -1 - 0.4 * ar(0.9),
           antithetic = -1 - 0.5 * ar(-0.7), heavy = -1.5 + 0.6 * log(runif(2 * each)),
           heavier = -1.5 + 1.3 * log(runif(2 * each)), shifted = -1 - 0.3 * ar(0.2) + rep(c(0, 0.4), each = each),
           tiny = -800 - 0.3 * ar(0.3), skewed = -0.5 * (2 + ar(0.5))^2, constant = rep(-1.25, 2 * each))
options(digits = 17)
m <- signif(m, 12)
write.csv(m, "log_density.csv", row.names = FALSE, quote = FALSE)
# Densities below the smallest double are 0 to relative_eff(), which takes any multiple of them.
r_eff <- relative_eff(exp(sweep(m, 2, apply(m, 2, max))), chain_id = rep(1:2, each = each))
r_eff[is.na(r_eff)] <- 1
found <- suppressWarnings(loo(m, r_eff = r_eff))
p <- as.data.frame(found$pointwise)
write.csv(data.frame(row = colnames(m), r_eff = r_eff, elpd = p$elpd_loo, p_loo = p$p_loo,
                     k = found$diagnostics$pareto_k),
          "expected.csv", row.names = FALSE, quote = FALSE)
total <- found$estimates
write.csv(data.frame(name = rownames(total), total), "totals.csv", row.names = FALSE, quote = FALSE)
