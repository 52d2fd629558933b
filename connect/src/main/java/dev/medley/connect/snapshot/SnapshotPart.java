package dev.medley.connect.snapshot;

/**
 * Describes one Parquet file of a version.
 *
 * @param file its name below the folder
 * @param rows that it has, tombstones among them
 * @param bytes its length
 * @param checksum XXH64 of its bytes
 */
public record SnapshotPart(String file, long rows, long bytes, String checksum) {}
