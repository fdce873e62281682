"""Reading a file with pandas or PyArrow: `with` says which."""

from common import call, tell, timed


def main():
    _, file, options = call()
    threads = int(options.get("threads", 1))
    # What the first call would import is not the time to read.
    import pyarrow
    import pyarrow.csv
    import pyarrow.dataset
    import pyarrow.parquet

    if options["with"] == "pandas":
        import pandas

        read = pandas.read_parquet if file.endswith(".parquet") else lambda f: pandas.read_csv(f, na_values="?")
        seconds, table = timed(lambda: read(file))
        return tell(seconds=seconds, rows=len(table))
    pyarrow.set_cpu_count(threads)
    if file.endswith(".parquet"):
        read = lambda: pyarrow.parquet.read_table(file, use_threads=threads > 1)
    else:
        how = pyarrow.csv.ConvertOptions(null_values=["?", ""], strings_can_be_null=True)
        read = lambda: pyarrow.csv.read_csv(file, pyarrow.csv.ReadOptions(use_threads=threads > 1), convert_options=how)
    seconds, table = timed(read)
    tell(seconds=seconds, rows=table.num_rows)


main()
