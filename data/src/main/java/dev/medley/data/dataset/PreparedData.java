package dev.medley.data.dataset;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.Signature;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.shard.HeldSets;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.Ingested.Findings;
import dev.medley.data.shard.ShardFile;
import java.nio.file.Path;
import java.util.List;

/**
 * A prepared data set: decoded samples in a folder, and everything a worker needs to know about
 * them. A JSON-able value.
 *
 * @param version of this layout
 * @param folder where the decoded files are
 * @param spec as the user gave it
 * @param format what was found in the files
 * @param seed that random splits were drawn from
 * @param dataHash SHA-256 over the files' contents, in order, in hex: the provenance of a model
 * @param content the samples and their encoding
 */
public record PreparedData(
        int version,
        String folder,
        DataSpec spec,
        DataFormat format,
        long seed,
        String dataHash,
        Ingested content) {
    /** The layout that this version writes and reads. */
    public static final int VERSION = 6;

    /** What flows into a model of this data. */
    public Signature signature() {
        return content.encoding().signature();
    }

    /** The fitted encoding; part of a trained model. */
    public Encoding encoding() {
        return content.encoding();
    }

    /** Samples to learn from. */
    public ShardFile train() {
        return content.train();
    }

    /** Samples to judge by. */
    public ShardFile validation() {
        return content.validation();
    }

    /** The same, with more to say about it. */
    PreparedData noting(List<String> sentences) {
        Ingested noted = content;
        for (String sentence : sentences) {
            noted = noted.noting(sentence);
        }
        return new PreparedData(version, folder, spec, format, seed, dataHash, noted);
    }

    /** What was found, for people. */
    public Findings findings() {
        return content.findings();
    }

    /** Samples of one epoch. */
    public long trainSamples() {
        return train().samples();
    }

    /** Samples of one evaluation. */
    public long validationSamples() {
        return validation().samples();
    }

    /** Whether there are files to send: not of a user's own source, nor of rows that are held. */
    public boolean hasFiles() {
        return !folder.isEmpty() && !HeldSets.isHeld(folder);
    }

    /** Where the decoded files are. */
    public Path path() {
        return Path.of(folder);
    }

    /** The name that its files get on machines that they are sent to: equal for equal sets. */
    public String key() {
        // A path of the coordinator's machine, which may be of another kind than this one.
        return "data-"
                + folder.substring(1 + Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\')));
    }

    /** The same files in another folder, as on another machine. */
    public PreparedData at(String place) {
        return new PreparedData(version, place, spec, format, seed, dataHash, content);
    }

    /** The same set, about which one more sentence is told. */
    public PreparedData noting(String sentence) {
        return new PreparedData(
                version, folder, spec, format, seed, dataHash, content.noting(sentence));
    }

    /** The same set under other limits or in another place. */
    PreparedData in(Path place, DataSpec under) {
        Ingested windowed =
                new Ingested(
                        content.encoding(),
                        content.train().forMemory(under.cache().memoryBytes()),
                        content.validation(),
                        content.findings());
        return new PreparedData(version, place.toString(), under, format, seed, dataHash, windowed);
    }
}
