package dev.medley.store.checkpoint;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The manifest of a checkpoint: its step, its data files and its small state. Written last: a
 * folder without it is no checkpoint.
 *
 * @param formatVersion of this layout
 * @param shards its data files
 */
record Manifest(
        int formatVersion,
        long step,
        int epoch,
        int planVersion,
        long wallMillis,
        List<Shard> shards,
        JsonNode extra) {
    static final int FORMAT_VERSION = 1;

    Manifest {
        shards = List.copyOf(shards);
    }

    /** One safetensors file, and how to know that it is whole. */
    record Shard(String file, long bytes, String xxh64) {}
}
