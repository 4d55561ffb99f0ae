# Universal kriging of log zinc with a trend in sqrt(dist), by gstat, fold by fold: the variogram is fitted to the other nine.
# Writes mean and variance of each row.

suppressMessages({library(sp); library(gstat)})
files <- commandArgs(trailingOnly = TRUE)
table <- read.csv(files[1])
coordinates(table) <- ~ x + y
result <- data.frame(mean = numeric(nrow(table)), variance = numeric(nrow(table)))
for (fold in unique(table$fold)) {
  train <- table[table$fold != fold, ]
  test <- table[table$fold == fold, ]
  sample <- variogram(logzinc ~ sqrtdist, train)
  model <- suppressWarnings(fit.variogram(sample, vgm(0.15, "Exp", 300, 0.05)))
  kriged <- krige(logzinc ~ sqrtdist, train, test, model, debug.level = 0)
  result[table$fold == fold, ] <- data.frame(kriged$var1.pred, kriged$var1.var)
}
write.csv(result, files[2], row.names = FALSE)
