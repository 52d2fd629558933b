package dev.medley.spark.rows;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.table.TermSpec;
import dev.medley.base.text.Units;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.shard.HeldSets;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.Ingested.Findings;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.table.term.TermFit;
import dev.medley.data.token.Tokens;
import dev.medley.spark.cluster.HeldData;
import dev.medley.spark.rows.EncodedPart.Chunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the rows of a DataFrame for a run: draws some to fit an encoding on, then has every
 * executor encode the partitions that it has, and keep them. Nothing is written to a shared place.
 *
 * <p>Thread: the caller's.
 */
public final class FrameData implements PreparedRows {
    /**
     * Of an executor's heap, for blocks that a worker has at hand beside those that Spark keeps.
     */
    private static final int CACHE_PART = 8;

    private final PreparedData data;
    private final HeldRows rows;
    private final long missing;
    private final Blocks blocks;

    private FrameData(PreparedData data, HeldRows rows, long missing, Blocks blocks) {
        this.data = data;
        this.rows = rows;
        this.missing = missing;
        this.blocks = blocks;
    }

    /** Encodes in a task. */
    private static final class Body
            implements Function2<Integer, Iterator<InternalRow>, Iterator<EncodedPart>> {
        private static final long serialVersionUID = 1L;

        private final Encode encode;

        Body(Encode encode) {
            this.encode = encode;
        }

        @Override
        public Iterator<EncodedPart> call(Integer partition, Iterator<InternalRow> rows)
                throws IOException {
            return List.of(encode.of(partition, rows)).iterator();
        }
    }

    /**
     * Draws, fits and encodes: two passes over the DataFrame, which a user may want to cache.
     *
     * @param asked the data of the job, of which the files are not read
     * @param given tokens of a pretrained model; null where it has none
     * @param seed of the run
     * @throws dev.medley.base.ConfigException if columns or rows cannot be used
     */
    public static FrameData of(
            Dataset<?> frame,
            FrameColumns.Wanted wanted,
            DataSpec asked,
            @Nullable Tokens given,
            long seed) {
        FrameColumns.Projection projection = FrameColumns.find(frame, wanted);
        FrameColumns columns = projection.columns();
        RDD<InternalRow> source =
                ((org.apache.spark.sql.classic.Dataset<Row>) projection.together(frame))
                        .queryExecution()
                        .toRdd();
        JavaRDD<InternalRow> all = source.toJavaRDD();
        HeldOut heldOut = new HeldOut(columns.roles(), asked.split().validationFraction(), seed);
        Fit fit = columns.image() == null ? ofRows(all, columns, asked, heldOut, given) : null;
        Encoding encoding =
                fit == null ? FrameImages.look(all, columns, asked) : fit.made().encoding();
        RecordMaking making = new RecordMaking(encoding, FrameImages.resizes(asked));
        SparkContext spark = source.sparkContext();
        int set = spark.newRddId();
        // Ranked rows come out of a shuffle, whose files are lost with an executor.
        Blocks blocks = new Blocks(set, asked.group() == null ? 1 : 2);
        Encode encode = new Encode(blocks, columns, making, heldOut);
        boolean isHeld = false;
        try {
            List<EncodedPart> parts = all.mapPartitionsWithIndex(new Body(encode), false).collect();
            for (EncodedPart part : parts) {
                check(
                        part.trouble() == null,
                        "partition %d of the DataFrame: %s",
                        part.partition(),
                        part.trouble());
            }
            int recordBytes = making.open().recordBytes();
            HeldRows rows = new HeldRows(set, blocks, recordBytes, parts, encode, source);
            Fit fitted = fit == null ? Fit.ofImages(encoding, asked, parts) : fit;
            PreparedData data =
                    prepared(fitted, asked, recordBytes, parts, rows, cacheBytes(spark), seed);
            long missing = parts.stream().mapToLong(EncodedPart::missing).sum();
            isHeld = true;
            return new FrameData(data, rows, missing, blocks);
        } finally {
            if (!isHeld) {
                blocks.forget(false);
            }
        }
    }

    /**
     * What records are made by.
     *
     * @param made the encoding and what was found on the way
     * @param drawn rows that it was fitted on; 0 for all
     */
    private record Fit(Ingested made, int drawn) {
        static Fit ofImages(Encoding found, DataSpec asked, List<EncodedPart> parts) {
            ImageEncoding encoding = FrameImages.counted((ImageEncoding) found, asked, parts);
            String sentence =
                    "images, %d x %d %s, %d classes"
                            .formatted(
                                    encoding.height(),
                                    encoding.width(),
                                    encoding.channels() == 1 ? "grey" : "colour",
                                    encoding.classes().size());
            Findings findings = new Findings(0, true, List.of(), List.of(sentence));
            ShardFile none = ShardFile.ofRecords(HeldRows.TRAIN, 1, 0);
            return new Fit(new Ingested(encoding, none, none, findings), 0);
        }
    }

    /** Of numbers and texts: draws some rows, and fits as on a file with these. */
    private static Fit ofRows(
            JavaRDD<InternalRow> all,
            FrameColumns columns,
            DataSpec asked,
            HeldOut heldOut,
            @Nullable Tokens given) {
        long seed = heldOut.seed();
        TermSpec terms = asked.table().terms();
        boolean hasClasses =
                asked.label() != null && asked.group() == null && !asked.task().isNumber();
        RowSample sample =
                RowSample.of(all, columns, new RowSample.Wanted(hasClasses, terms.columns()), seed);
        check(sample.trouble() == null, "%s", sample.trouble());
        check(
                !columns.roles().isText() || !sample.classes().isEmpty() || sample.count() == 0,
                "labelCol=%s: has more than 1,000 different strings: index them (StringIndexer), or"
                        + " predict another column",
                asked.label());
        Map<String, TermFit> counted = FrameTerms.fit(all, columns, terms, heldOut);
        Ingested made = SampleFit.of(sample, columns, asked, counted, given, seed);
        return new Fit(made, sample.rows().size() < sample.count() ? sample.rows().size() : 0);
    }

    private static long cacheBytes(SparkContext spark) {
        return spark.conf().getSizeAsBytes("spark.executor.memory", "1g") / CACHE_PART;
    }

    private static PreparedData prepared(
            Fit fit,
            DataSpec asked,
            int recordBytes,
            List<EncodedPart> parts,
            HeldRows rows,
            long cacheBytes,
            long seed) {
        Encoding encoding = fit.made().encoding();
        Findings findings = fit.made().findings();
        long train = rows.train().rows();
        long validation = rows.validation().rows();
        check(
                train > 0,
                "no row is left to train on after validation: lower validationFraction, or mark"
                        + " fewer rows in validationIndicatorCol");
        check(
                asked.weight() == null
                        || parts.stream().mapToDouble(EncodedPart::trainWeight).sum() > 0,
                "all weights of the rows to train are 0: there is nothing to count");
        long[] counts = new long[parts.get(0).classCounts().size()];
        for (EncodedPart part : parts) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += part.classCounts().get(i);
            }
        }
        List<String> sentences = new ArrayList<>(findings.sentences());
        sentences.add(
                String.format(
                        Locale.ROOT,
                        "DataFrame of %,d rows to train and %,d to validate, %s encoded, on the"
                                + " executors%s",
                        train,
                        validation,
                        Units.bytes((double) (train + validation) * recordBytes),
                        fit.drawn() > 0
                                ? String.format(
                                        Locale.ROOT,
                                        "; fitted on %,d rows drawn of them",
                                        fit.drawn())
                                : ""));
        ShardFile trainFile =
                ShardFile.ofRecords(HeldRows.TRAIN, recordBytes, train).forMemory(cacheBytes);
        return new PreparedData(
                PreparedData.VERSION,
                HeldSets.folder(rows.name()),
                spec(asked, cacheBytes),
                DataFormat.CSV,
                seed,
                hash(parts),
                new Ingested(
                        encoding,
                        trainFile,
                        ShardFile.ofRecords("validation", recordBytes, validation),
                        new Findings(
                                0,
                                encoding.signature().target().kind() != TargetKind.NONE,
                                Arrays.stream(counts).boxed().toList(),
                                sentences,
                                findings.warnings())));
    }

    private static DataSpec spec(DataSpec asked, long cacheBytes) {
        return asked.with(
                new CacheSpec(
                        Math.min(asked.cache().memoryBytes(), cacheBytes),
                        asked.cache().diskBytes()));
    }

    private static String hash(List<EncodedPart> parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (EncodedPart part : parts) {
                for (List<Chunk> chunks : List.of(part.train(), part.validation())) {
                    for (Chunk chunk : chunks) {
                        digest.update(
                                ByteBuffer.allocate(2 * Integer.BYTES)
                                        .putInt(chunk.rows())
                                        .putInt(chunk.check())
                                        .array());
                    }
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public PreparedData prepared() {
        return data;
    }

    @Override
    public HeldData rows() {
        return rows;
    }

    @Override
    public long missing() {
        return missing;
    }

    /** The executors keep them no longer. */
    @Override
    public void close() {
        blocks.forget(false);
    }
}
