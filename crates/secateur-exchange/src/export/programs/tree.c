/* A decision tree for {{target}} ({{scheme}}), exported by secateur {{version}}. Do not edit: export again.
 *
 * A row is {{input count}} numbers, in the order of {{name}}_inputs. A missing value is NaN.
{{#lists}}
 * An input that takes values from a list gets the place of its value in that list, which {{name}}_code gives: -1 for one that the
 * tree has never seen.
{{/lists}}
{{#sent}}
 * Where a test says where rows without a value go, they go there.
{{/sent}}
 * A row without a value, or with one that the tree has never seen, goes down every branch in parts, and what the leaves say is added
 * up by their shares of the row.
 *
 *     double row[{{NAME}}_INPUTS] = { ... };
{{#classes}}
 *     double probabilities[{{NAME}}_CLASSES];
 *     int leaf, label = {{name}}_predict(row, probabilities, &leaf);
 *     puts({{name}}_classes[label]);
{{/classes}}
{{^classes}}
 *     int leaf;
 *     double value = {{name}}_predict(row, &leaf);
{{/classes}}
 *
 * C99 or C++; no memory is allocated, and any number of threads may call. Do not compile with -ffast-math: NaN must be seen.
 */
#include <stddef.h>
#include <string.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "missing values are NaN, which -ffast-math does not see"
#endif
/* Sums of parts have the same last bit everywhere when no product is fused with a sum. */
#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#define {{NAME}}_INPUTS {{input count}}
{{#classes}}
#define {{NAME}}_CLASSES {{class count}}
{{/classes}}

/* What the tree asks for. */
const char *const {{name}}_inputs[] = {
{{inputs}}    NULL
};

{{#classes}}
/* The classes. */
const char *const {{name}}_classes[] = {
{{class names}}    NULL
};

{{/classes}}
{{#lists}}
/* The values of every input that takes values from a list, one list after the other, and where each list begins. */
static const char *const {{name}}_values[] = {
{{values}}    NULL
};
static const size_t {{name}}_value_lengths[] = {
{{value lengths}}    0
};
static const int {{name}}_lists[] = {
{{lists}}};

{{/lists}}
{{#tests}}
/* Every node: its threshold or its place in the branches, its input (-1: a leaf; -2 - i: input i has a list; for
 * i of {{input count}} and more: whether input i - {{input count}} has a value), and its first child or, for a leaf, its number from left
 * to right. */
static const struct { double test; int input; int first; } {{name}}_nodes[] = {
{{nodes}}};

/* Every node: the place of its shares, how many branches it has, and the branch of rows without a value (-1: all of them). */
static const int {{name}}_shares_at[][3] = {
{{shares at}}};

/* The share of a row without a known value that each branch of a test gets. */
static const double {{name}}_shares[] = {
{{shares}}};

{{#lists}}
/* The branch of every value of a list; -1 where it has none. */
static const int {{name}}_branches[] = {
{{branches}}};

{{/lists}}
{{/tests}}
/* Every leaf, from left to right: its node in the model, its class. */
static const int {{name}}_leaves[][2] = {
{{leaves}}};

/* What every leaf says. */
static const double {{name}}_numbers[] = {
{{leaf numbers}}};

{{#costs}}
/* What mistakes cost: for every right class a line of predicted classes. */
static const double {{name}}_costs[] = {
{{cost matrix}}};

{{/costs}}
{{#lists}}
/* The place of a value (length bytes of UTF-8) in the list of an input; -1 for one that the tree has never seen. */
double {{name}}_code_of(int input, const char *text, size_t length) {
    int place;
    for (place = {{name}}_lists[input]; place < {{name}}_lists[input + 1]; place++)
        if ({{name}}_value_lengths[place] == length && memcmp({{name}}_values[place], text, length) == 0)
            return place - {{name}}_lists[input];
    return -1;
}

/* The same for a text that ends with a 0. */
double {{name}}_code(int input, const char *text) { return {{name}}_code_of(input, text, strlen(text)); }

{{/lists}}
{{#tests}}
/* The node at which a row ends that begins at a node: a leaf, or a test whose value is missing. */
static int {{name}}_way(const double *x, int at) {
    for (;;) {
        const int input = {{name}}_nodes[at].input;
        if (input >= 0) {
            const double value = x[input], test = {{name}}_nodes[at].test;
            if (value != value) {
                if ({{name}}_shares_at[at][2] < 0) return at;
                at = {{name}}_nodes[at].first + {{name}}_shares_at[at][2];
                continue;
            }
            at = {{name}}_nodes[at].first + (value >= test);
{{#known}}
        } else if (input < -1 - {{NAME}}_INPUTS) {
            const double value = x[-2 - {{NAME}}_INPUTS - input];
            at = {{name}}_nodes[at].first + (value != value);
{{/known}}
{{#lists}}
        } else if (input < -1) {
            const int list = -2 - input, count = {{name}}_lists[list + 1] - {{name}}_lists[list];
            const double value = x[list];
            int code, branch;
            if (value != value && {{name}}_shares_at[at][2] >= 0) {
                at = {{name}}_nodes[at].first + {{name}}_shares_at[at][2];
                continue;
            }
            if (!(value >= 0 && value < count)) return at;
            code = (int)value;
            branch = {{name}}_branches[(int){{name}}_nodes[at].test + code];
            if (branch < 0 || code != value) return at;
            at = {{name}}_nodes[at].first + branch;
{{/lists}}
        } else {
            return at;
        }
    }
}

{{#nested}}
/* The leaf of a row; -1 where a value is missing on its way. */
static int {{name}}_leaf(const double *x) {
{{tests}}}

{{/nested}}
{{#classes}}
/* The first of the classes that are best up to rounding. */
static int {{name}}_decide(const double *numbers) {
    int label;
{{#costs}}
    double risks[{{NAME}}_CLASSES], least = 0, limit;
    int actual;
    for (label = 0; label < {{NAME}}_CLASSES; label++) {
        risks[label] = 0;
        for (actual = 0; actual < {{NAME}}_CLASSES; actual++)
            risks[label] += numbers[actual] * {{name}}_costs[actual * {{NAME}}_CLASSES + label];
        if (label == 0 || risks[label] < least) least = risks[label];
    }
    limit = least + 1e-10 * least;
    for (label = 0; label < {{NAME}}_CLASSES - 1; label++)
        if (risks[label] <= limit) break;
{{/costs}}
{{^costs}}
    double largest = numbers[0], enough;
    for (label = 1; label < {{NAME}}_CLASSES; label++)
        if (numbers[label] > largest) largest = numbers[label];
    enough = largest - 1e-10 * largest;
    for (label = 0; label < {{NAME}}_CLASSES - 1; label++)
        if (numbers[label] >= enough) break;
{{/costs}}
    return label;
}

{{/classes}}
/* What the leaves say, from left to right, each by its share of the row; the leaf with the largest share. */
static int {{name}}_in_parts(const double *x, double *numbers) {
    struct { int node; double share; } waiting[{{most parts}}], part;
    int count = 1, heaviest = 0, place;
    double most = 0;
    for (place = 0; place < {{width}}; place++) numbers[place] = 0;
    waiting[0].node = 0;
    waiting[0].share = 1;
    while (count > 0) {
        int node, leaf;
        part = waiting[--count];
        node = {{name}}_way(x, part.node);
        if ({{name}}_nodes[node].input != -1) {
            const int first = {{name}}_nodes[node].first;
            int branch;
            for (branch = {{name}}_shares_at[node][1] - 1; branch >= 0; branch--) {
                const double share = part.share * {{name}}_shares[{{name}}_shares_at[node][0] + branch];
                if (share > 0) {
                    waiting[count].node = first + branch;
                    waiting[count++].share = share;
                }
            }
            continue;
        }
        leaf = {{name}}_nodes[node].first;
        if (part.share > most) {
            heaviest = leaf;
            most = part.share;
        }
        for (place = 0; place < {{width}}; place++) {
            const double said = part.share * {{name}}_numbers[leaf * {{width}} + place];
            numbers[place] += said;
        }
    }
    return heaviest;
}

{{/tests}}
{{#classes}}
/* The place of the predicted class in {{name}}_classes. The probability of every class and the leaf (its node in the model) are
 * written to where the pointers lead, unless they are NULL. */
int {{name}}_predict(const double *x, double *probabilities, int *leaf) {
{{#tests}}
{{#nested}}
    int at = {{name}}_leaf(x), place;
    if (at < 0) {
{{/nested}}
{{^nested}}
    int at = {{name}}_way(x, 0), place;
    if ({{name}}_nodes[at].input == -1) {
        at = {{name}}_nodes[at].first;
    } else {
{{/nested}}
        double numbers[{{NAME}}_CLASSES];
        at = {{name}}_in_parts(x, numbers);
        if (probabilities) memcpy(probabilities, numbers, sizeof numbers);
        if (leaf) *leaf = {{name}}_leaves[at][0];
        return {{name}}_decide(numbers);
    }
{{/tests}}
{{^tests}}
    const int at = 0;
    int place;
    (void)x;
{{/tests}}
    if (probabilities)
        for (place = 0; place < {{NAME}}_CLASSES; place++)
            probabilities[place] = {{name}}_numbers[(size_t)at * {{NAME}}_CLASSES + place];
    if (leaf) *leaf = {{name}}_leaves[at][0];
    return {{name}}_leaves[at][1];
}

/* The same for rows that stand one after the other. Every pointer but the first may be NULL. */
void {{name}}_predict_many(const double *rows, size_t count, int *labels, double *probabilities, int *leaves) {
    size_t row;
    for (row = 0; row < count; row++) {
        double *said = probabilities ? probabilities + row * {{NAME}}_CLASSES : NULL;
        const int label = {{name}}_predict(rows + row * {{NAME}}_INPUTS, said, leaves ? leaves + row : NULL);
        if (labels) labels[row] = label;
    }
}
{{/classes}}
{{^classes}}
/* The predicted number. The leaf (its node in the model) is written to where the pointer leads, unless it is NULL. */
double {{name}}_predict(const double *x, int *leaf) {
{{#tests}}
{{#nested}}
    int at = {{name}}_leaf(x);
    if (at < 0) {
{{/nested}}
{{^nested}}
    int at = {{name}}_way(x, 0);
    if ({{name}}_nodes[at].input == -1) {
        at = {{name}}_nodes[at].first;
    } else {
{{/nested}}
        double number;
        at = {{name}}_in_parts(x, &number);
        if (leaf) *leaf = {{name}}_leaves[at][0];
        return number;
    }
{{/tests}}
{{^tests}}
    const int at = 0;
    (void)x;
{{/tests}}
    if (leaf) *leaf = {{name}}_leaves[at][0];
    return {{name}}_numbers[at];
}

/* The same for rows that stand one after the other. The last pointer may be NULL. */
void {{name}}_predict_many(const double *rows, size_t count, double *values, int *leaves) {
    size_t row;
    for (row = 0; row < count; row++)
        values[row] = {{name}}_predict(rows + row * {{NAME}}_INPUTS, leaves ? leaves + row : NULL);
}
{{/classes}}
