package dev.medley.data.shard;

import dev.medley.data.encoding.Encoding;
import java.util.ArrayList;
import java.util.List;

/**
 * A data set that has been decoded.
 *
 * @param encoding fitted, or as given
 * @param train samples to learn from
 * @param validation samples to judge by
 * @param findings for people
 */
public record Ingested(
        Encoding encoding, ShardFile train, ShardFile validation, Findings findings) {
    /** The same set, about which one more sentence is told. */
    public Ingested noting(String sentence) {
        return new Ingested(encoding, train, validation, findings.noting(sentence));
    }

    /** The same set, about which one more warning is given. */
    public Ingested warning(String sentence) {
        return new Ingested(encoding, train, validation, findings.warning(sentence));
    }

    /**
     * What was found on the way.
     *
     * @param badRows rows left out because they could not be read
     * @param targets whether the files have the label, or there is none to have
     * @param classCounts training samples of every class; empty where there are no classes
     * @param sentences what was found, encoded and dropped
     * @param warnings what may make numbers wrong, and what to do about it
     */
    public record Findings(
            long badRows,
            boolean targets,
            List<Long> classCounts,
            List<String> sentences,
            List<String> warnings) {
        public Findings {
            classCounts = List.copyOf(classCounts);
            sentences = List.copyOf(sentences);
            warnings = List.copyOf(warnings);
        }

        /** Without warnings. */
        public Findings(
                long badRows, boolean targets, List<Long> classCounts, List<String> sentences) {
            this(badRows, targets, classCounts, sentences, List.of());
        }

        private Findings noting(String sentence) {
            List<String> all = new ArrayList<>(sentences);
            all.add(sentence);
            return new Findings(badRows, targets, classCounts, all, warnings);
        }

        private Findings warning(String sentence) {
            List<String> all = new ArrayList<>(warnings);
            all.add(sentence);
            return new Findings(badRows, targets, classCounts, sentences, all);
        }
    }
}
