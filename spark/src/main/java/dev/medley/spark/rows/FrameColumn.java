package dev.medley.spark.rows;

import java.io.Serializable;

/**
 * A column that a model reads, as a DataFrame has it once it is {@linkplain FrameColumns
 * projected}.
 *
 * @param name as which the encoding knows it
 * @param kind what it holds
 * @param at its place in the projected row
 * @param element its place in the vector; 0 where it is no element of one
 */
record FrameColumn(String name, Kind kind, int at, int element) implements Serializable {
    enum Kind {
        /** A double; missing is null or NaN. */
        NUMBER,
        /** Seconds since 1970 as a double. */
        MOMENT,
        /** A string. */
        TEXT,
        /** One number of a vector. */
        ELEMENT,
        /** The bytes of an image's file. */
        IMAGE,
        /** The pixels of an image, as Spark's own source of images has them. */
        PIXELS
    }
}
