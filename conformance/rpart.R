# What rpart answers: cost-complexity tables of full Gini and least-squares trees, with and without fixed folds.
#
#     Rscript conformance/rpart.R DATA_DIR conformance
#
# DATA_DIR holds classification/*.arff and regression/*.arff, the class or target last. Writes rpart_*.csv into the
# second argument. Needs Debian's r-base-core and r-cran-rpart.

library(rpart)

CLASSES <- c("iris", "glass", "pima-diabetes", "vehicle", "heart-statlog", "balance-scale", "ionosphere", "sonar",
             "segment", "liver-disorders", "wine", "new-thyroid", "tic-tac-toe", "kr-vs-kp")
NUMBERS <- c("abalone", "computer-hardware")
NUMBER_BUCKETS <- c(5, 20)
FOLDED <- c("iris", "glass", "pima-diabetes", "heart-statlog", "ionosphere", "computer-hardware")
# Rows are the true class, columns the predicted one, in the order the file declares the classes.
LOSSES <- list(c("heart-statlog", 1, 5), c("heart-statlog", 5, 1), c("pima-diabetes", 1, 3), c("pima-diabetes", 3, 1))
BUCKETS <- c(1, 2, 10)  # at 10 next to no two splits tie, at 1 and 2 many do
FOLDS <- 10

arff <- function(path) {
  lines <- readLines(path)
  head <- which(grepl("^@data", lines, ignore.case = TRUE))[1]
  attributes <- grep("^@attribute", lines[1:head], ignore.case = TRUE, value = TRUE)
  kinds <- sub("^@attribute +('[^']*'|[^ ]+) +", "", attributes, ignore.case = TRUE)
  rows <- lines[-(1:head)]
  rows <- rows[nzchar(trimws(rows)) & !startsWith(rows, "%")]
  cells <- do.call(rbind, strsplit(rows, ",", fixed = TRUE))
  stopifnot(ncol(cells) == length(kinds), !any(cells == "?"))
  columns <- lapply(seq_along(kinds), function(j) {
    if (!startsWith(kinds[j], "{")) return(as.numeric(cells[, j]))
    values <- trimws(strsplit(gsub("[{}]", "", kinds[j]), ",", fixed = TRUE)[[1]])
    stopifnot(all(cells[, j] %in% values))
    factor(cells[, j], levels = values)
  })
  names(columns) <- c(sprintf("x%d", seq_len(length(kinds) - 1)), "y")
  as.data.frame(columns)
}

load <- function(folder, name) {
  classes <- file.path(folder, "classification", paste0(name, ".arff"))
  if (file.exists(classes)) return(arff(classes))
  data <- arff(file.path(folder, "regression", paste0(name, ".arff")))
  data[vapply(data, is.numeric, TRUE)]  # the nominal columns of the regression sets are left out
}

grow <- function(data, minbucket, cp = 0, xval = 0, loss = NULL) {
  control <- rpart.control(cp = cp, minsplit = 2 * minbucket, minbucket = minbucket, xval = xval, maxsurrogate = 0,
                           usesurrogate = 0, maxcompete = 0, maxdepth = 30)
  method <- if (is.factor(data$y)) "class" else "anova"
  if (is.null(loss)) rpart(y ~ ., data, method = method, control = control)
  else rpart(y ~ ., data, method = method, control = control, parms = list(loss = loss, split = "gini"))
}

g <- function(x) sprintf("%.17g", x)
put <- function(table, folder, name) {
  write.csv(table, file.path(folder, name), row.names = FALSE, quote = FALSE)
}
folds <- function(data) (seq_len(nrow(data)) - 1) %% FOLDS + 1  # rpart wants the folds numbered from 1
table_of <- function(fit) as.data.frame(fit$cptable)

cptable <- function(data, name, minbucket) {
  fit <- grow(data, minbucket)
  t <- table_of(fit)
  root <- fit$frame$dev[1]
  data.frame(dataset = name, minbucket = minbucket, cp = g(t$CP), nsplit = t$nsplit, rel_error = g(t$`rel error`),
             root_risk = g(root), n = nrow(data))
}

full <- function(data, name, minbucket) {
  fit <- grow(data, minbucket, cp = -1)
  leaf <- fit$frame$var == "<leaf>"
  depth <- max(floor(log2(as.numeric(rownames(fit$frame)))))
  kept <- grow(data, minbucket)
  data.frame(dataset = name, minbucket = minbucket, leaves = sum(leaf), risk = g(sum(fit$frame$dev[leaf])),
             depth = depth, leaves_cp0 = sum(kept$frame$var == "<leaf>"), n = nrow(data))
}

# The weakest links of rpart's own full tree by the definition (CART, section 3.3): as long as there is a split, every
# node whose (risk as a leaf - risk of its leaves) / (its leaves - 1) is the smallest becomes a leaf. For comparison
# with the table rpart itself gives, which is not always this one.
weakest <- function(data, name, minbucket) {
  fit <- grow(data, minbucket, cp = -1)
  node <- as.numeric(rownames(fit$frame))
  own <- fit$frame$dev
  split <- fit$frame$var != "<leaf>"
  left <- match(2 * node, node)
  right <- match(2 * node + 1, node)
  deepest <- order(node, decreasing = TRUE)  # children have larger numbers than their parents
  steps <- list()
  alpha <- 0
  repeat {
    risk <- own
    leaves <- rep(1, length(node))
    for (i in deepest) if (split[i]) {
      risk[i] <- risk[left[i]] + risk[right[i]]
      leaves[i] <- leaves[left[i]] + leaves[right[i]]
    }
    link <- ifelse(split, (own - risk) / (leaves - 1), Inf)
    smallest <- min(link)
    if (smallest > alpha + 1e-9) {  # risks are whole numbers here: no two different links are that close
      steps[[length(steps) + 1]] <- data.frame(alpha = g(alpha), leaves = leaves[1], errors = risk[1])
      alpha <- smallest
    }
    if (!split[1]) break
    for (i in rev(deepest)) if (link[i] <= smallest + 1e-9) {  # the node and all below it
      below <- i
      while (length(below)) {
        inner <- below[split[below]]
        split[below] <- FALSE
        below <- c(left[inner], right[inner])
      }
    }
  }
  steps <- do.call(rbind, rev(steps))
  data.frame(dataset = name, minbucket = minbucket, steps, root_errors = own[1], n = nrow(data))
}

crossed <- function(data, name, minbucket) {
  t <- table_of(grow(data, minbucket, xval = folds(data)))
  data.frame(dataset = name, minbucket = minbucket, cp = g(t$CP), nsplit = t$nsplit, rel_error = g(t$`rel error`),
             xerror = g(t$xerror), xstd = g(t$xstd))
}

costly <- function(data, name, minbucket, first, second) {
  # first: the loss of calling a row of the first class the second; second: the other way round.
  loss <- matrix(c(0, second, first, 0), 2)
  fit <- grow(data, minbucket, xval = folds(data), loss = loss)
  t <- table_of(fit)
  data.frame(dataset = name, minbucket = minbucket, loss_first_as_second = first, loss_second_as_first = second,
             cp = g(t$CP), nsplit = t$nsplit, rel_error = g(t$`rel error`), xerror = g(t$xerror), xstd = g(t$xstd),
             root_risk = g(fit$frame$dev[1]), n = nrow(data))
}

main <- function(folder, out) {
  each <- function(names, what, buckets) {
    do.call(rbind, lapply(names, function(name) {
      data <- load(folder, name)
      do.call(rbind, lapply(buckets, function(b) what(data, name, b)))
    }))
  }
  put(each(CLASSES, cptable, BUCKETS), out, "rpart_cptable.csv")
  put(each(CLASSES, weakest, BUCKETS), out, "rpart_weakest_links.csv")
  put(each(NUMBERS, cptable, NUMBER_BUCKETS), out, "rpart_anova.csv")
  put(rbind(each(CLASSES, full, BUCKETS), each(NUMBERS, full, NUMBER_BUCKETS)), out, "rpart_full.csv")
  put(each(FOLDED, crossed, c(2, 10)), out, "rpart_xval.csv")
  put(do.call(rbind, lapply(LOSSES, function(case) {
    losses <- as.numeric(case[2:3])
    do.call(rbind, lapply(c(2, 10), function(b) costly(load(folder, case[1]), case[1], b, losses[1], losses[2])))
  })), out, "rpart_loss.csv")
}

main(commandArgs(TRUE)[1], commandArgs(TRUE)[2])
