# The fit.

ulisse <- function(formula, data, kernel = "rbf", noise_sd = NULL, trend = NULL, priors = NULL, fixed = NULL, sampler = "auto",
                   chains = 4, draws = NULL, warmup = NULL, ess = NULL, seed = 1, ..., subset, na.action, standardise = TRUE,
                   prior_units = c("standardised", "data"), trend_scale = 10, preset = "default", threads = 0, memory = 0,
                   time_limit = 0, progress = FALSE) {
  call <- match.call()
  frame_call <- match.call(expand.dots = FALSE)
  wanted <- match(c("formula", "data", "subset", "noise_sd", "na.action"), names(frame_call), 0L)
  frame_call <- frame_call[c(1L, wanted)]
  frame_call[[1L]] <- quote(stats::model.frame)
  frame <- eval(frame_call, parent.frame())
  table <- table_of_frame(frame)
  model <- list(kernel = kernel, priors = assignments(priors, "priors"), fixed = assignments(fixed, "fixed"),
                prior_units = match.arg(prior_units), trend = trend_words(trend, table), trend_scale = trend_scale)
  settings <- c(list(chains = chains, seed = seed), list(draws = draws, warmup = warmup, ess = ess), list(...))
  settings <- settings[!vapply(settings, is.null, NA)]
  pointer <- core_fit(table, model, list(sampler = sampler, preset = preset, settings = settings, standardise = standardise,
                                         threads = threads, memory = memory, time_limit = time_limit, progress = progress))
  fit <- fit_object(pointer, call = call, terms = attr(frame, "terms"), na.action = attr(frame, "na.action"), frame = frame)
  if (fit$about$interrupted) warning("the fit was interrupted: it has the draws so far", call. = FALSE)
  if (fit$about$out_of_time) warning("the fit came to its time_limit: it has the draws so far", call. = FALSE)
  for (text in fit$about$notes) message(text)
  for (text in fit$findings) warning(text, call. = FALSE)
  fit
}

# What R keeps of a fit. The library's own object does not survive saveRDS(): its files do.
fit_object <- function(pointer, ...) {
  files <- core_files(pointer)
  json <- jsonlite::fromJSON(core_summary_json(pointer), simplifyVector = TRUE, simplifyDataFrame = FALSE)
  about <- jsonlite::fromJSON(rawToChar(files[["fit.json"]]), simplifyVector = TRUE, simplifyDataFrame = FALSE)
  structure(list(..., about = core_about(pointer), findings = json$warnings, about_data = about$data, settings = about$settings,
                 files = files, state = list2env(list(pointer = pointer), parent = emptyenv())), class = "ulisse")
}

# Made again from the files where R was started anew, which leaves a pointer to nothing.
pointer_of <- function(object) {
  if (core_is_null(object$state$pointer)) object$state$pointer <- core_load_files(object$files)
  object$state$pointer
}

# c(tau = "gamma(1,1)") -> "tau=gamma(1,1)"
assignments <- function(values, argument) {
  if (is.null(values)) return(character())
  if (is.null(names(values)) || any(!nzchar(names(values))))
    stop(argument, " needs a name for each value, as in ", argument, " = c(", if (argument == "priors") 'tau = "gamma(1,1)"' else "lambda = 0.01",
         ")", call. = FALSE)
  paste0(names(values), "=", vapply(values, format_value, ""))
}

format_value <- function(value) if (is.character(value)) value else format(value, digits = 17)

# ~ 1 -> "constant", ~ . -> "linear", ~ lat + lon -> these.
trend_words <- function(trend, table) {
  if (is.null(trend)) return(character())
  if (is.character(trend)) return(trend)
  if (!inherits(trend, "formula")) stop("trend must be a formula such as ~ lat, or names of inputs", call. = FALSE)
  if (identical(trend[[length(trend)]], quote(.))) return("linear")
  labels <- plain_name(attr(terms(trend), "term.labels"))
  unknown <- setdiff(labels, table$features)
  if (length(unknown) > 0) stop("trend names '", unknown[1], "', which is none of the inputs of the formula", call. = FALSE)
  if (length(labels) == 0) "constant" else labels
}

save_ulisse <- function(fit, folder) {
  core_save(pointer_of(fit), path.expand(folder))
  invisible(folder)
}

load_ulisse <- function(folder) {
  fit <- fit_object(core_load(path.expand(folder)), call = call("load_ulisse", folder))
  for (text in fit$findings) warning(text, call. = FALSE)
  fit
}

write_report <- function(fit, file = "report.html") {
  core_report(pointer_of(fit), path.expand(file))
  invisible(file)
}
