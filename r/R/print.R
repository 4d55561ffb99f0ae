# What a fit says of itself.

described <- function(values) c(mean = mean(values), sd = stats::sd(values), quantile(values, c(0.05, 0.5, 0.95)))

print.ulisse <- function(x, digits = 4, ...) {
  cat("Gaussian-process regression of", x$about_data$target, "on", paste(x$about_data$features, collapse = ", "), "\n")
  cat("kernel ", x$settings$kernel, "; ", x$about_data$rows, " rows; ", x$about$chains, " chains of ", x$about$draws, " draws by ", x$about$sampler,
      "\n\n", sep = "")
  quantities <- core_draws(pointer_of(x))$quantities
  print(round(t(vapply(quantities, described, numeric(5))), digits))
  if (length(x$findings) > 0) cat("\n", paste(strwrap(x$findings, exdent = 2), collapse = "\n"), "\n", sep = "")
  invisible(x)
}

summary.ulisse <- function(object, ...) {
  json <- jsonlite::fromJSON(core_summary_json(pointer_of(object)), simplifyVector = TRUE, simplifyDataFrame = FALSE)
  rows <- function(part) as.data.frame(do.call(rbind, lapply(json[[part]], function(row) unlist(row[vapply(row, is.numeric, NA)]))))
  structure(list(quantities = rows("quantities"), parameters = rows("parameters"), findings = json$findings, warnings = json$warnings,
                 text = core_summary_text(pointer_of(object))), class = "summary.ulisse")
}

print.summary.ulisse <- function(x, ...) {
  cat(x$text)
  invisible(x)
}
