# Trees of rpart as JSON, and what rpart predicts with them: rpart_trees.json.
#
#     Rscript conformance/rpart_trees.R > conformance/rpart_trees.json
#
# Losses and priors, lists of values, missing values and numbers. Rows with a value missing are there for the program to be read; rpart
# sends them by surrogates, which are not taken over. Needs rpart only.
library(rpart)

# What jsonlite::toJSON(x, digits = NA) writes, for those who do not have it.
json <- function(x) {
  put <- function(parts, a, b) paste0(a, paste(unlist(parts), collapse = ","), b)
  text <- function(s) paste0('"', gsub('(["\\\\])', '\\\\\\1', s), '"')
  if (is.null(x)) "{}"
  else if (is.data.frame(x)) put(lapply(seq_len(nrow(x)), function(i) put(lapply(names(x), function(name) {
    col <- x[[name]]
    cell <- if (is.matrix(col)) json(col[i, ]) else sub("^.(.*).$", "\\1", json(col[i]))
    paste0(text(name), ":", cell) }), "{", "}")), "[", "]")
  else if (is.matrix(x)) put(lapply(seq_len(nrow(x)), function(i) json(x[i, ])), "[", "]")
  else if (is.list(x)) put(lapply(names(x), function(name) paste0(text(name), ":", json(x[[name]]))), "{", "}")
  else if (is.numeric(x)) put(ifelse(is.na(x), "null", format(unname(x), digits = 17, trim = TRUE, scientific = NA)), "[", "]")
  else put(ifelse(is.na(x), "null", text(as.character(x))), "[", "]")
}

tree <- function(fit) json(list(
  method = fit$method, target = as.character(fit$terms[[2]]),
  variables = attr(fit$terms, "term.labels"),
  frame = cbind(node = as.integer(row.names(fit$frame)), fit$frame),
  splits = cbind(data.frame(var = rownames(fit$splits)), fit$splits), csplit = fit$csplit,
  xlevels = attr(fit, "xlevels"), ylevels = attr(fit, "ylevels"), parms = fit$parms))

set.seed(3)
n <- 240
d <- data.frame(size = round(rnorm(n), 3), job = factor(sample(c("smith", "clerk", "nurse", "baker \"x\""), n, TRUE)), age = sample(18:80, n, TRUE))
score <- d$size + (d$job %in% c("smith", "nurse")) + d$age / 60 + rnorm(n, sd = 0.4)
two <- factor(ifelse(score > 1.5, "yes", "no"))
three <- factor(c("low", "middle", "high")[1 + (score > 0.8) + (score > 1.8)])
gappy <- d
gappy$size[sample(n, 30)] <- NA
gappy$job[sample(n, 30)] <- NA

case <- function(name, out, rows, ...) {
  table <- cbind(rows, out = out)
  fit <- rpart(out ~ ., table, cp = 0.005, ...)
  rows <- head(rows, 80)
  said <- predict(fit, rows)
  answers <- if (is.matrix(said)) unname(t(said)) else said
  labels <- if (is.matrix(said)) as.character(predict(fit, rows, type = "class")) else character(0)
  paste0('{"case":', sub("^.(.*).$", "\\1", json(name)), ',"text":', sub("^.(.*).$", "\\1", json(tree(fit))), ',"columns":', json(names(rows)),
         ',"rows":[', paste(lapply(seq_len(nrow(rows)), function(i) paste0("[", paste(unlist(lapply(rows, function(col)
           sub("^.(.*).$", "\\1", json(col[i])))), collapse = ","), "]")), collapse = ","), "]",
         ',"classes":', json(if (is.matrix(said)) colnames(said) else character(0)), ',"answers":', json(as.vector(answers)), ',"labels":', json(labels), "}")
}

loss <- matrix(c(0, 1, 6, 0), 2)
cases <- c(
  case("two classes", two, d), case("three classes", three, d), case("numbers", score, d),
  case("missing values", two, gappy), case("losses", two, d, parms = list(loss = loss)),
  case("priors", two, d, parms = list(prior = c(0.2, 0.8))),
  case("priors and losses", three, d, parms = list(prior = c(0.5, 0.2, 0.3), loss = matrix(c(0, 1, 2, 4, 0, 1, 3, 2, 0), 3))),
  case("weights", three, d, weights = 1 + (1:n) %% 3), case("one leaf", two, d, minsplit = 1000),
  case("only numbers", three, d[c("size", "age")]))
cat('{"made_with":"rpart ', as.character(packageVersion("rpart")), '","cases":[\n', paste(cases, collapse = ",\n"), "\n]}\n", sep = "")
