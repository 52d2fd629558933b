package dev.medley.connect.snapshot;

import dev.medley.connect.table.TableSchema;

/**
 * Records what the columns were from a version on.
 *
 * @param number from 1 on
 * @param why what changed, in one sentence
 */
public record SchemaVersion(int number, TableSchema schema, String why) {}
