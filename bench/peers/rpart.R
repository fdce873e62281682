# Full trees by rpart, with folds or without: rpart.R FILE COLUMNS FOLDS. Surrogates and runner-up splits are switched off; rpart's
# depth ends at 30.
suppressPackageStartupMessages(library(rpart))
told <- commandArgs(trailingOnly = TRUE)
columns <- as.integer(told[2])
rows <- file.size(told[1]) / 8 / (columns + 1)
input <- file(told[1], "rb")
table <- as.data.frame(lapply(seq_len(columns), function(i) readBin(input, "double", rows)))
names(table) <- paste0("x", seq_len(columns) - 1)
table$class <- factor(readBin(input, "double", rows))
close(input)
how <- rpart.control(
    cp = 0, minsplit = 2, minbucket = 1, maxdepth = 30, xval = as.integer(told[3]),
    maxcompete = 0, maxsurrogate = 0, usesurrogate = 0
)
set.seed(1)
begun <- proc.time()[["elapsed"]]
tree <- rpart(class ~ ., table, method = "class", control = how)
seconds <- proc.time()[["elapsed"]] - begun
cat(sprintf('{"seconds": %.3f, "leaves": %d}\n', seconds, sum(tree$frame$var == "<leaf>")))
