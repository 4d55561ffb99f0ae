# Predictions, and what follows from them.

predict.ulisse <- function(object, newdata, interval = NULL, type = c("response", "latent"), samples = 0, quantiles = NULL, draws = 100,
                           noise_sd = NULL, new_levels = FALSE, method = "auto", components = FALSE, seed = 1, threads = 0, ...) {
  type <- match.arg(type)
  if (!is.null(interval) && !(is.numeric(interval) && length(interval) == 1 && interval > 0 && interval < 1))
    stop("interval must be a probability such as 0.9", call. = FALSE)
  x <- if (missing(newdata) || is.null(newdata)) training_points(object, noise_sd) else new_points(object, newdata, noise_sd, new_levels)
  complete <- stats::complete.cases(x)
  levels <- if (is.null(interval)) numeric() else c((1 - interval) / 2, (1 + interval) / 2)
  found <- core_predict(pointer_of(object), x[complete, , drop = FALSE],
                        list(draws = draws, quantiles = c(levels, quantiles), latent = type == "latent", samples = samples, components = components,
                             method = method, seed = seed, threads = threads))
  place <- function(values) replace(rep(NA_real_, nrow(x)), complete, values)
  if (samples > 0) {
    out <- matrix(NA_real_, nrow(x), samples)
    out[complete, ] <- found$samples
    return(out)
  }
  out <- data.frame(mean = place(found$mean), sd = place(found$sd))
  if (!is.null(interval)) {
    out$lower <- place(found$quantiles[, 1])
    out$upper <- place(found$quantiles[, 2])
  }
  for (q in seq_along(quantiles)) out[[paste0("q", format(100 * quantiles[q]))]] <- place(found$quantiles[, length(levels) + q])
  for (part in names(found$components)) {
    out[[paste0(part, ".mean")]] <- place(found$components[[part]]$mean)
    out[[paste0(part, ".sd")]] <- place(found$components[[part]]$sd)
  }
  out
}

# The rows of the fit.
training_points <- function(object, noise_sd = NULL) {
  if (is.null(object$frame)) stop("a fit that was read from a folder needs newdata", call. = FALSE)
  table <- table_of_frame(object$frame)
  x <- table$x[, match(columns_of(object)$features, table$features), drop = FALSE]
  if (!is.null(noise_sd)) x[, columns_of(object)$features == noise_column(columns_of(object))] <- noise_sd
  x
}

fitted.ulisse <- function(object, ...) stats::napredict(object$na.action, predict(object, ...)$mean)

residuals.ulisse <- function(object, type = c("response", "loo"), ...) {
  type <- match.arg(type)
  if (is.null(object$frame)) stop("a fit that was read from a folder has no residuals: use predict()", call. = FALSE)
  y <- as.numeric(model.response(object$frame))
  mean <- if (type == "loo") leave_one_out(object, ...)$mean else predict(object, ...)$mean
  stats::naresid(object$na.action, y - mean)
}

formula.ulisse <- function(x, ...) formula(x$terms)
