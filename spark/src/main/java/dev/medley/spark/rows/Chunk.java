package dev.medley.spark.rows;

import java.io.Serializable;

/**
 * A chunk of some thousand encoded rows, which an executor keeps as one block.
 *
 * @param rows in it
 * @param check of its bytes (CRC-32C), so that rows that are computed anew are seen to be the same
 */
record Chunk(int rows, int check) implements Serializable {}
