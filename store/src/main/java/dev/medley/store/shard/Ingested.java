package dev.medley.store.shard;

import dev.medley.store.encoding.Encoding;
import java.util.List;

/**
 * A set that has been decoded.
 *
 * @param encoding fitted, or as given
 * @param train samples to learn from
 * @param validation samples to judge by
 * @param findings for people
 */
public record Ingested(
        Encoding encoding, ShardFile train, ShardFile validation, Findings findings) {
    /**
     * What was found on the way.
     *
     * @param badRows rows left out because they could not be read
     * @param targets whether the files have the label
     * @param classCounts training samples of every class; empty where there are no classes
     * @param sentences what was found, encoded and dropped
     */
    public record Findings(
            long badRows, boolean targets, List<Long> classCounts, List<String> sentences) {
        public Findings {
            classCounts = List.copyOf(classCounts);
            sentences = List.copyOf(sentences);
        }
    }
}
