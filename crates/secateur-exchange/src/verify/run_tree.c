/* Reads rows, asks the exported tree, writes its answers: the files that protocol.rs describes. */
#include "exported_tree.c"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *read_all(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    long length;
    void *bytes;
    if (!file) { fprintf(stderr, "%s cannot be read\n", name); exit(1); }
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    rewind(file);
    bytes = malloc(length ? (size_t)length : 1);
    if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) exit(1);
    fclose(file);
    *size = (size_t)length;
    return bytes;
}

static void write_all(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) exit(1);
}

int main(void) {
    const size_t count = ROWS;
    double *rows = malloc((count * @NAME@_INPUTS + 1) * sizeof *rows);
    int *leaves = malloc((count + 1) * sizeof *leaves);
    size_t row, size;
    int input;
    char name[64];
    for (input = 0; input < @NAME@_INPUTS; input++) {
        void *column;
        snprintf(name, sizeof name, "column-%d.bin", input);
        column = read_all(name, &size);
        if (LEVELS[input] == 0) {
            for (row = 0; row < count; row++) rows[row * @NAME@_INPUTS + input] = ((double *)column)[row];
        } else {
#ifdef HAS_LISTS
            char *at, *end, *texts;
            double *codes = malloc((LEVELS[input] + 1) * sizeof *codes);
            int level = 0;
            snprintf(name, sizeof name, "levels-%d.bin", input);
            texts = at = read_all(name, &size);
            for (end = texts + size; at < end; level++) {
                uint32_t length;
                memcpy(&length, at, 4);
                codes[level] = @name@_code_of(input, at + 4, length);
                at += 4 + length;
            }
            for (row = 0; row < count; row++) {
                const uint32_t code = ((uint32_t *)column)[row];
                rows[row * @NAME@_INPUTS + input] = code == UINT32_MAX ? NAN : codes[code];
            }
            free(codes);
            free(texts);
#endif
        }
        free(column);
    }
#ifdef @NAME@_CLASSES
    {
        int *labels = malloc((count + 1) * sizeof *labels);
        double *numbers = malloc((count * @NAME@_CLASSES + 1) * sizeof *numbers);
        FILE *names = fopen("names.bin", "wb");
        int label;
        @name@_predict_many(rows, count, labels, numbers, leaves);
        for (label = 0; label < @NAME@_CLASSES; label++) {
            const uint32_t length = (uint32_t)strlen(@name@_classes[label]);
            fwrite(&length, 4, 1, names);
            fwrite(@name@_classes[label], 1, length, names);
        }
        fclose(names);
        write_all("labels.bin", labels, count * sizeof *labels);
        write_all("numbers.bin", numbers, count * @NAME@_CLASSES * sizeof *numbers);
    }
#else
    {
        double *numbers = malloc((count + 1) * sizeof *numbers);
        @name@_predict_many(rows, count, numbers, leaves);
        write_all("numbers.bin", numbers, count * sizeof *numbers);
    }
#endif
    write_all("leaves.bin", leaves, count * sizeof *leaves);
    return 0;
}
