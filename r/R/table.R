# From data frames to the numbers that the library takes, and back to the columns of a fit.

# The names of the inputs of a model frame: what the formula leaves, each a variable of its own.
input_labels <- function(terms) {
  labels <- attr(terms, "term.labels")
  if (length(labels) == 0) stop("the formula names no inputs", call. = FALSE)
  if (any(attr(terms, "order") > 1))
    stop("'", labels[attr(terms, "order") > 1][1], "' joins inputs: name each by itself; the kernel says how they act together",
         call. = FALSE)
  if (!is.null(attr(terms, "offset"))) stop("offsets are not known here: subtract it from the target", call. = FALSE)
  labels
}

plain_name <- function(label) gsub("^`|`$", "", label)

is_category <- function(values) is.factor(values) || is.character(values)
is_date <- function(values) inherits(values, "Date") || inherits(values, "POSIXct")

# Days, of a day or of a time in UTC.
days <- function(values) if (inherits(values, "Date")) as.numeric(values) else as.numeric(values) / 86400

# One column as numbers: `levels` and `first_day` are those of the fit, or NULL where this is the table that is fitted.
encode_column <- function(values, name, levels = NULL, first_day = NULL, new_levels = FALSE) {
  if (is.matrix(values)) stop("'", name, "' has several columns: give each of them a name", call. = FALSE)
  if (is_category(values) || length(levels) > 0) return(encode_levels(as.character(values), name, levels, new_levels))
  if (is_date(values)) {
    origin <- if (is.null(first_day) || !nzchar(first_day)) floor(min(days(values), na.rm = TRUE)) else as.numeric(as.Date(first_day))
    return(list(values = days(values) - origin, levels = character(), first_day = format(as.Date(origin, origin = "1970-01-01"))))
  }
  if (!is.numeric(values) && !is.logical(values)) stop("'", name, "' is neither numbers, dates nor categories", call. = FALSE)
  list(values = as.numeric(values), levels = character(), first_day = "")
}

# Places 0, 1, ... in the order in which levels first come.
encode_levels <- function(values, name, levels, new_levels) {
  if (is.null(levels)) levels <- unique(values[!is.na(values)])
  all <- if (new_levels) unique(c(levels, values[!is.na(values)])) else levels
  unknown <- setdiff(values[!is.na(values)], all)
  if (length(unknown) > 0)
    stop("'", name, "' has the level '", unknown[1], "', which the fit has not seen; new_levels = TRUE takes it for one like no other",
         call. = FALSE)
  list(values = match(values, all) - 1, levels = levels, first_day = "")
}

# The table of a fit from its model frame.
table_of_frame <- function(frame) {
  y <- model.response(frame)
  if (!is.numeric(y) || is.matrix(y)) stop("the target must be one column of numbers", call. = FALSE)
  labels <- input_labels(attr(frame, "terms"))
  columns <- lapply(labels, function(label) encode_column(frame[[plain_name(label)]], plain_name(label)))
  x <- vapply(columns, function(column) column$values, numeric(nrow(frame)))
  x <- matrix(x, nrow = nrow(frame))
  levels <- lapply(columns, `[[`, "levels")
  first_days <- vapply(columns, `[[`, "", "first_day")
  features <- plain_name(labels)
  noise <- frame[["(noise_sd)"]]
  if (!is.null(noise)) {
    if (!is.numeric(noise)) stop("noise_sd must be numbers", call. = FALSE)
    x <- cbind(x, noise, deparse.level = 0)
    levels <- c(levels, list(character()))
    first_days <- c(first_days, "")
    features <- c(features, unused_name("noise_sd", features))
  }
  list(x = x, y = as.numeric(y), features = features, target = names(frame)[1], noise = if (is.null(noise)) 0L else ncol(x),
       levels = if (any(lengths(levels) > 0)) levels else list(),
       first_days = if (any(nzchar(first_days))) first_days else character())
}

unused_name <- function(name, taken) if (name %in% taken) unused_name(paste0(name, "_"), taken) else name

# In the form of the fit's column: a variance where that has them.
known_noise <- function(noise_sd, rows, about) {
  sd <- rep_len(if (is.null(noise_sd)) 0 else noise_sd, rows)
  if (identical(about$known_noise$kind, "variance")) sd^2 else sd
}

# What fit.json says of the columns of a fit, those that were constant left out.
columns_of <- function(object) object$about_data

# New points as the fit's columns, a row with NA where an input is missing.
new_points <- function(object, newdata, noise_sd, new_levels) {
  about <- columns_of(object)
  frame <- if (is.null(object$terms)) as.data.frame(newdata)
           else model.frame(delete.response(object$terms), newdata, na.action = na.pass, xlev = NULL)
  noise <- noise_column(about)
  columns <- lapply(about$features, function(name) {
    if (identical(name, noise)) return(known_noise(noise_sd, nrow(frame), about))
    if (is.null(frame[[name]])) stop("the new data have no column '", name, "'", call. = FALSE)
    encode_column(frame[[name]], name, unlist(about$levels[[name]]), about$first_days[[name]], new_levels)$values
  })
  if (!is.null(noise_sd) && is.null(noise)) stop("noise_sd is given, and the fit knew nothing of its rows' noise", call. = FALSE)
  matrix(unlist(columns), nrow = nrow(frame))
}

# The column with what is known of each row's noise, or NULL.
noise_column <- function(about) about$known_noise$column
