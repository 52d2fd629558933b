package dev.medley.base.job;

/** The format of the files that data is read from. */
public enum DataFormat {
    /** Found from the files' names and first bytes. */
    AUTO,
    CSV,
    PARQUET,
    JSONL,
    /** A label and pairs of index and value on each line. */
    LIBSVM,
    /** IDX images and labels, as MNIST is published; may be gzipped. */
    IDX,
    /** One folder a class, with PNG and JPEG files in it. */
    IMAGES,
    TEXT,
    /** A user's own {@code dev.medley.data.dataset.SampleSource}. */
    CUSTOM;

    /** Whether it holds rows with named columns. */
    public boolean isTable() {
        return this == CSV || this == PARQUET || this == JSONL || this == LIBSVM;
    }
}
