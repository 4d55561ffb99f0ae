# Writes R's tables co2 and meuse as CSV files into a folder.

folder <- commandArgs(trailingOnly = TRUE)[1]
write.csv(data.frame(year = as.numeric(time(co2)), co2 = as.numeric(co2)), file.path(folder, "co2.csv"), row.names = FALSE)

library(sp)
data(meuse)
set.seed(1)
table <- data.frame(x = meuse$x, y = meuse$y, sqrtdist = sqrt(meuse$dist), logzinc = log(meuse$zinc), fold = sample(rep(1:10, length.out = nrow(meuse))))
write.csv(table, file.path(folder, "meuse.csv"), row.names = FALSE)
