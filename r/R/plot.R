# The function, traces, pairs of parameters, residuals.

plot.ulisse <- function(x, which = c("function", "traces", "pairs", "residuals"), interval = 0.9, points = 100, ...) {
  which <- match.arg(which)
  switch(which, "function" = plot_function(x, interval, points, ...), traces = plot_traces(x, ...),
         pairs = pairs(as.data.frame(lapply(core_draws(pointer_of(x))$quantities, as.vector)), pch = ".", ...),
         residuals = plot_residuals(x, ...))
  invisible(x)
}

# The middle of a column: the median, or the level that most rows have.
typical <- function(values) {
  if (is_category(values)) return(names(which.max(table(as.character(values)))))
  if (is_date(values)) return(median(values))
  median(as.numeric(values))
}

# Along one input, the others as they typically are; the data with it where there is no other input.
plot_function <- function(object, interval, points, ...) {
  if (is.null(object$frame)) stop("a fit that was read from a folder has no data frame to plot", call. = FALSE)
  inputs <- plain_name(input_labels(object$terms))
  shown <- Filter(function(name) !is_category(object$frame[[name]]), inputs)
  old <- par(mfrow = grDevices::n2mfrow(length(shown)))
  on.exit(par(old))
  for (name in shown) plot_along(object, name, inputs, interval, points, ...)
}

plot_along <- function(object, name, inputs, interval, points, ...) {
  values <- object$frame[[name]]
  at <- seq(min(values), max(values), length.out = points)
  table <- table_of_frame(object$frame)
  features <- columns_of(object)$features
  if (!name %in% features) return(invisible())
  x <- matrix(0, points, length(features), dimnames = list(NULL, features))
  for (feature in setdiff(features, noise_column(columns_of(object)))) {
    column <- table$x[, match(feature, table$features)]
    known <- unlist(columns_of(object)$levels[[feature]])
    x[, feature] <- if (feature == name) seq(min(column), max(column), length.out = points)
                    else if (length(known) > 0) match(typical(object$frame[[feature]]), known) - 1 else median(column)
  }
  found <- core_predict(pointer_of(object), x, list(draws = 100, quantiles = c((1 - interval) / 2, (1 + interval) / 2), latent = TRUE,
                                                    samples = 0, components = FALSE, method = "auto", seed = 1, threads = 0))
  y <- as.numeric(model.response(object$frame))
  alone <- length(inputs) == 1
  plot(range(at), range(found$quantiles, if (alone) y), type = "n", xlab = name, ylab = columns_of(object)$target, ...)
  polygon(c(at, rev(at)), c(found$quantiles[, 1], rev(found$quantiles[, 2])), border = NA, col = adjustcolor("steelblue", 0.3))
  lines(at, found$mean, col = "steelblue", lwd = 2)
  if (alone) points(values, y, pch = 20, cex = 0.6)
}

plot_traces <- function(object, ...) {
  quantities <- core_draws(pointer_of(object))$quantities
  old <- par(mfrow = grDevices::n2mfrow(length(quantities)))
  on.exit(par(old))
  for (name in names(quantities))
    matplot(quantities[[name]], type = "l", lty = 1, xlab = "draw", ylab = name, col = hcl.colors(object$about$chains, "Dark 3"), ...)
}

# Of each row given all others, in standard deviations.
plot_residuals <- function(object, ...) {
  found <- leave_one_out(object)
  y <- as.numeric(model.response(object$frame))
  standardised <- (y - found$mean) / found$sd
  old <- par(mfrow = c(1, 2))
  on.exit(par(old))
  plot(found$mean, standardised, xlab = "predicted from all other rows", ylab = "residual / sd", pch = 20, ...)
  abline(h = c(-2, 0, 2), lty = c(3, 1, 3))
  qqnorm(stats::qnorm(pmin(pmax(found$below, 1e-12), 1 - 1e-12)), main = "", ylab = "residual, as a normal score", pch = 20)
  abline(0, 1)
}
