# rpart with its defaults on given folds: rpart_folds.R DATA.arff FOLDS TARGET COUNT OUT.csv. A line per row that is judged: its fold, the
# leaves, the CPU seconds, and the probabilities of all classes or the number.
suppressPackageStartupMessages({
    library(rpart)
    library(foreign)
})
told <- commandArgs(trailingOnly = TRUE)
table <- read.arff(told[1])
fold <- scan(told[2], quiet = TRUE)
target <- as.integer(told[3])
names(table) <- paste0("x", seq_along(table))
names(table)[target] <- "y"
classes <- is.factor(table$y)
# In the order of the file's header; read.arff sorts them.
if (classes) table$y <- factor(as.character(table$y), levels = readLines(paste0(told[1], ".classes")))
lines <- NULL
for (k in seq_len(as.integer(told[4])) - 1) {
    # It cannot predict with classes that no row has.
    train <- table[fold != k, ]
    if (classes) train$y <- droplevels(train$y)
    set.seed(1)
    begun <- sum(proc.time()[1:2])
    tree <- rpart(y ~ ., train, method = if (classes) "class" else "anova")
    seconds <- sum(proc.time()[1:2]) - begun
    leaves <- sum(tree$frame$var == "<leaf>")
    said <- as.matrix(predict(tree, table[fold == k, ], type = if (classes) "prob" else "vector"))
    if (classes) {
        all <- matrix(0, nrow(said), nlevels(table$y), dimnames = list(NULL, levels(table$y)))
        all[, colnames(said)] <- said
        said <- all
    }
    lines <- rbind(lines, cbind(k, leaves, seconds, unname(said)))
}
write.table(lines, told[5], sep = ",", row.names = FALSE, col.names = FALSE)
