package dev.medley.tenant.read;

/** Names the forms in which an extract is written. */
public enum ExtractFormat {
    PARQUET("FORMAT PARQUET, COMPRESSION ZSTD"),
    /** With a first line of names; what is missing is empty, an empty text is {@code ""}. */
    CSV("FORMAT CSV, HEADER true, DELIMITER ',', NULLSTR ''");

    private final String options;

    ExtractFormat(String options) {
        this.options = options;
    }

    String options() {
        return options;
    }

    /** The end of a file's name, with its point. */
    public String ending() {
        return this == PARQUET ? ".parquet" : ".csv";
    }
}
