test_that("a fit has draws, which posterior takes", {
  fit <- fitted_signal()
  skip_if_not_installed("posterior")
  draws <- posterior::as_draws_df(fit)
  expect_equal(posterior::ndraws(draws), 200)
  expect_equal(posterior::nchains(draws), 2)
  expect_true(all(c("signal_sd", "noise_sd", "lengthscale.1", "sigma", "tau", "lambda") %in% posterior::variables(draws)))
  expect_equal(as.vector(posterior::extract_variable(draws, "sigma"))[1:100],
               as.vector(posterior::as_draws_array(fit)[, 1, "sigma"]))
})

test_that("the same seed gives the same draws, and another one others", {
  again <- short(y ~ ., signal(), seed = 1)
  other <- short(y ~ ., signal(), seed = 2)
  expect_identical(ulisse:::core_draws(again$state$pointer), ulisse:::core_draws(fitted_signal()$state$pointer))
  expect_false(identical(ulisse:::core_draws(again$state$pointer), ulisse:::core_draws(other$state$pointer)))
})

test_that("the command line gives the same draws", {
  command <- Sys.getenv("ULISSE")
  skip_if(command == "", "ULISSE does not name the command line")
  folder <- withr::local_tempdir()
  table <- file.path(folder, "table.csv")
  data <- signal()
  write.csv(format(data, digits = 17), table, row.names = FALSE, quote = FALSE)
  system2(command, c("fit", table, "--target", "y", "--sampler", "mh", "--draws", "100", "--warmup", "100", "--chains", "2", "--quiet", "--out",
                     file.path(folder, "fit")), stdout = FALSE, stderr = FALSE)
  theirs <- suppressWarnings(load_ulisse(file.path(folder, "fit")))
  expect_identical(ulisse:::core_draws(ulisse:::pointer_of(theirs)), ulisse:::core_draws(ulisse:::pointer_of(fitted_signal())))
})

test_that("formulas choose, leave out and transform", {
  d <- signal()
  d$id <- seq_len(60)
  expect_equal(short(y ~ . - id, d)$about_data$features, c("a", "b"))
  logged <- short(log(y) ~ exp(a), d)
  expect_equal(logged$about_data$features, "exp(a)")
  expect_equal(logged$about_data$target, "log(y)")
  expect_equal(nrow(predict(logged, d[1:3, ])), 3)
  expect_error(short(y ~ a * b, d), "joins inputs")
  expect_error(short(y ~ 1, d), "names no inputs")
  expect_error(short(factor(y > 10) ~ a, d), "one column of numbers")
})

test_that("factors are categories and dates are days", {
  d <- signal()
  d$g <- factor(rep(c("x", "y", "z"), 20))
  d$day <- as.Date("2020-01-05") + seq_len(60)
  fit <- short(y ~ a + g + day, d, kernel = "rbf(a,day) + rbf(g)")
  expect_equal(fit$about_data$levels$g, c("x", "y", "z"))
  expect_equal(fit$about_data$first_days$day, "2020-01-06")
  new <- d[c(1, 60), ]
  expect_equal(predict(fit, new)$mean, predict(fit)$mean[c(1, 60)])
  new$g <- c("x", "w")
  expect_error(predict(fit, new), "'w', which the fit has not seen")
  expect_gt(predict(fit, new, new_levels = TRUE)$sd[2], predict(fit, d[60, ])$sd)
})

test_that("missing values go by na.action", {
  d <- signal()
  d$a[3] <- NA
  fit <- short(y ~ a + b, d)
  expect_equal(fit$about_data$rows, 59)
  expect_equal(length(residuals(fit)), 59)
  padded <- short(y ~ a + b, d, na.action = na.exclude)
  expect_equal(length(residuals(padded)), 60)
  expect_true(is.na(residuals(padded)[3]))
  expect_true(is.na(predict(fit, d)$mean[3]) && !anyNA(predict(fit, d)$mean[-3]))
  expect_error(short(y ~ a + b, d, na.action = na.fail), "missing")
})

test_that("trend, known noise, priors and fixed parameters arrive", {
  d <- signal()
  d$se <- 0.3
  fit <- short(y ~ a + b, d, trend = ~ b, noise_sd = se, priors = c(tau = "gamma(2,2)"), fixed = c(lambda = 1e-3))
  expect_true("trend.b" %in% fit$about$quantities)
  expect_equal(fit$about_data$known_noise$column, "noise_sd")
  expect_equal(fit$settings$fixed, "lambda=0.001")
  expect_true("tau=gamma(2,2)" %in% fit$settings$priors)
  expect_gt(predict(fit, d[1, ], noise_sd = 2)$sd, 1.9)
  expect_lt(predict(fit, d[1, ])$sd, 1)
  expect_equal(short(y ~ a, d, trend = ~ 1)$settings$trend, "constant")
  expect_error(short(y ~ a, d, trend = ~ b), "none of the inputs")
  expect_error(short(y ~ a, d, priors = c("gamma(1,1)")), "needs a name")
})

test_that("what the user can mend is said in the library's words", {
  expect_error(short(y ~ a, signal(), kernel = "rbff"), "rbf")
  expect_error(suppressWarnings(ulisse(y ~ a, signal(), draws = -1)), "draws")
  expect_error(ulisse(y ~ a, signal(), dras = 10), "dras")
})

test_that("update fits again with a change", {
  changed <- suppressWarnings(update(fitted_signal(), kernel = "matern32"))
  expect_equal(changed$settings$kernel, "matern32")
})
