# A table with a signal, and a short fit of it that several tests look at.
signal <- function(n = 60, seed = 1) {
  set.seed(seed)
  d <- data.frame(a = rnorm(n), b = rnorm(n))
  d$y <- 10 + 3 * (sin(2 * d$a) + 0.5 * d$b) + rnorm(n, sd = 0.3)
  d
}

# The call as it is written, for what is looked up in the data, and for update().
short <- function(...) {
  given <- as.list(substitute(list(...)))[-1]
  run <- alist(sampler = "mh", draws = 100, warmup = 100, chains = 2, threads = 2)
  suppressWarnings(eval.parent(as.call(c(quote(ulisse), given, run))))
}

cached <- new.env()
fitted_signal <- function() {
  if (is.null(cached$fit)) cached$fit <- short(y ~ ., signal())
  cached$fit
}
