package dev.medley.data.batch;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.CustomData;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.dataset.SampleSource;
import dev.medley.data.encoding.CustomEncoding;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.image.Augmentation;
import dev.medley.data.image.ImageDecoder;
import dev.medley.data.order.EpochOrder;
import dev.medley.data.order.PlacedEpoch;
import dev.medley.data.order.PlacedOrder;
import dev.medley.data.order.SampleOrder;
import dev.medley.data.order.SampleRange;
import dev.medley.data.order.ShardCut;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.BlockCache;
import dev.medley.data.shard.BlockLayout;
import dev.medley.data.shard.BlockOrigin;
import dev.medley.data.shard.HeldSets;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.table.TableDecoder;
import dev.medley.data.table.labelled.LabelledTextDecoder;
import dev.medley.data.table.series.SequenceDecoder;
import dev.medley.data.table.series.SeriesDecoder;
import dev.medley.data.text.TextDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Serves a prepared set to a worker: batches for its shares of the steps, and validation samples in
 * index order. Decoded blocks are kept in the heap up to {@code data.cache.memory}, and never more
 * than half of the heap.
 *
 * <p>Thread: the owner's; the streams have a thread each.
 */
public final class TrainingData implements AutoCloseable {
    private final PreparedData data;
    private final long seed;
    private final Clock clock;
    private final BlockCache cache;
    private final @Nullable SampleSource source;
    private final SampleReader validation;
    private final BatchBuffers[] validationBuffers;
    private final BufferPool pool;
    private int turn;

    /**
     * Where training samples are.
     *
     * @param epoch whose samples the first epoch of a stream takes; null where every worker takes
     *     any
     * @param readsAhead whether the stream's ranges are those of one worker, whose blocks are read
     *     before they are needed
     */
    public record Places(@Nullable PlacedEpoch epoch, boolean readsAhead) {
        /** Every worker takes any sample. */
        public static final Places NONE = new Places(null, true);
    }

    private TrainingData(PreparedData data, long seed, Clock clock, BlockCache cache) {
        this.data = data;
        this.seed = seed;
        this.clock = clock;
        this.cache = cache;
        this.source =
                data.encoding() instanceof CustomEncoding custom
                        ? CustomData.make(custom.source())
                        : null;
        this.validation = validationReader();
        this.pool = new BufferPool(data.signature());
        this.validationBuffers =
                new BatchBuffers[] {
                    new BatchBuffers(data.signature()), new BatchBuffers(data.signature())
                };
    }

    /**
     * Opens what {@link dev.medley.data.dataset.Datasets#prepare} made.
     *
     * @param seed of the run; the order of samples and augmentation are drawn from it
     * @throws ConfigException if a user's own source cannot be made, or the prepared files are gone
     */
    public static TrainingData open(PreparedData data, long seed, Clock clock) {
        return open(data, seed, clock, BlockOrigin.NONE);
    }

    /** The same of a set whose blocks are not all on this machine. */
    public static TrainingData open(PreparedData data, long seed, Clock clock, BlockOrigin origin) {
        long limit =
                Math.min(data.spec().cache().memoryBytes(), Runtime.getRuntime().maxMemory() / 2);
        BlockCache cache = new BlockCache(data.path(), limit, origin, HeldSets.of(data.folder()));
        try {
            openFiles(data, cache);
        } catch (IOException e) {
            throw unreadable(data.path(), e);
        }
        return new TrainingData(data, seed, clock, cache);
    }

    /**
     * Bytes that each sample of a batch takes in memory: a stream holds several batches.
     *
     * @param ahead batches that may be ready before they are asked for
     */
    public static long bytesPerSample(Signature signature, int ahead) {
        return BatchBuffers.bytesPerSample(signature) * PrefetchedStream.held(ahead);
    }

    /** The same where a share is held as it is; see {@link #held}. */
    public static long heldBytesPerSample(Signature signature) {
        return BatchBuffers.bytesPerSample(signature);
    }

    /** A {@link ConfigException} says how many workers can hold {@code samples} in equal shares. */
    public static void requireHeld(Signature signature, long samples, int workers) {
        HeldShare.require(signature, (samples + workers - 1) / workers, samples);
    }

    /** Samples of one epoch. */
    public long trainSamples() {
        return data.trainSamples();
    }

    /** Samples of one evaluation. */
    public long validationSamples() {
        return data.validationSamples();
    }

    /**
     * Batches for steps {@code firstStep}, {@code firstStep + 1} and so on.
     *
     * @param rangeOfStep the positions that this worker takes of a step; may be empty, may differ
     *     in length; called once a step, on the stream's thread
     * @param firstStep the step of the first batch
     * @param ahead batches that may be ready before they are asked for, at least 1
     */
    public BatchStream train(LongFunction<SampleRange> rangeOfStep, long firstStep, int ahead) {
        return train(Places.NONE, rangeOfStep, firstStep, ahead);
    }

    /** The same where samples may have a place. */
    public BatchStream train(
            Places places, LongFunction<SampleRange> rangeOfStep, long firstStep, int ahead) {
        BlockLayout layout = data.train().layout();
        PlacedEpoch placed = places.epoch();
        LongFunction<EpochOrder> orders =
                epoch ->
                        placed == null || epoch < placed.epoch()
                                ? new SampleOrder(layout, seed, epoch)
                                : new PlacedOrder(layout, seed, placed.of(epoch));
        BatchAssembler assembler =
                new BatchAssembler(layout.samples(), orders, trainReader(), places.readsAhead());
        return new PrefetchedStream(assembler, rangeOfStep, firstStep, ahead, pool, clock);
    }

    /**
     * The same for steps that take all samples: a share is read once, in the order in which its
     * samples lie, and held until it changes.
     */
    public BatchStream held(LongFunction<SampleRange> rangeOfStep, long firstStep) {
        BatchAssembler assembler =
                new BatchAssembler(
                        trainSamples(), epoch -> EpochOrder.AS_IT_LIES, trainReader(), false);
        return new HeldShare(assembler, rangeOfStep, firstStep, data.signature(), clock);
    }

    /**
     * Batches of the first {@code samples} training samples, as they lie: for who wants any, of as
     * few blocks as can be.
     */
    public BatchStream any(int samples) {
        long to = Math.min(samples, trainSamples());
        BatchAssembler assembler =
                new BatchAssembler(
                        trainSamples(), epoch -> EpochOrder.AS_IT_LIES, trainReader(), false);
        return new PrefetchedStream(
                assembler, step -> new SampleRange(0, 0, to), 1, 1, pool, clock);
    }

    /**
     * Batches of training samples from one index to before another, as they lie.
     *
     * @param atOnce samples of a batch; the last may have fewer
     */
    public BatchStream asItLies(long from, long to, int atOnce) {
        BatchAssembler assembler =
                new BatchAssembler(
                        trainSamples(), epoch -> EpochOrder.AS_IT_LIES, trainReader(), true);
        return new PrefetchedStream(
                assembler,
                batch ->
                        new SampleRange(
                                0,
                                Math.min(to, from + (batch - 1) * atOnce),
                                Math.min(to, from + batch * atOnce)),
                1,
                1,
                pool,
                clock);
    }

    /**
     * Validation samples {@code from} to before {@code to}, in index order and without
     * augmentation. The batch is valid until the second call after this one.
     */
    public Batch validation(long from, long to) {
        if (from < 0 || to < from || to > validationSamples()) {
            throw new IndexOutOfBoundsException(
                    "validation samples %d to %d of %d".formatted(from, to, validationSamples()));
        }
        BatchBuffers buffers = validationBuffers[turn];
        turn = 1 - turn;
        int samples = Math.toIntExact(to - from);
        buffers.reserve(samples);
        for (int row = 0; row < samples; row++) {
            validation.read(new SampleKey(0, from + row), buffers, row);
        }
        return buffers.batch(samples);
    }

    /** The shards of the training samples that are on this machine, where samples have a place. */
    public List<Integer> shardsHere() {
        List<Integer> here = new ArrayList<>();
        if (source != null || data.spec().placement() == Placement.EVERYWHERE) {
            return here;
        }
        ShardFile train = data.train();
        ShardCut cut = ShardCut.of(train.layout());
        try {
            for (int shard = 0; shard < cut.count(); shard++) {
                boolean isHere = true;
                for (long block = cut.firstBlock(shard, train.layout());
                        isHere && block < cut.endBlock(shard, train.layout());
                        block++) {
                    isHere = cache.isHere(train, block);
                }
                if (isHere) {
                    here.add(shard);
                }
            }
        } catch (IOException e) {
            throw unreadable(cache.folder(), e);
        }
        return here;
    }

    /** Decoded bytes in memory now. */
    public long residentBytes() {
        return cache.residentBytes();
    }

    /** Blocks read from disk so far. */
    public long blockReads() {
        return cache.reads();
    }

    @Override
    public void close() {
        if (source != null) {
            source.close();
        }
        try {
            cache.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was prepared is gone, cut short or on a bad disk: the user's files, not a bug. */
    static ConfigException unreadable(Path folder, IOException e) {
        if (HeldSets.isHeld(folder.toString())) {
            return new ConfigException("rows cannot be read: " + e.getMessage(), e);
        }
        String reason =
                e instanceof NoSuchFileException gone
                        ? Path.of(gone.getFile()).getFileName() + " is gone"
                        : String.valueOf(e.getMessage());
        return new ConfigException(
                "the prepared data in %s cannot be read: %s; leave this folder alone while a run goes"
                                .formatted(folder, reason)
                        + " on, check its disk, then use medley train --resume, which prepares anew"
                        + " what is missing",
                e);
    }

    private static void openFiles(PreparedData data, BlockCache cache) throws IOException {
        if (data.format() == DataFormat.CUSTOM) {
            return;
        }
        if (data.trainSamples() > 0) {
            BlockLayout layout = data.train().layout();
            cache.open(data.train(), ShardCut.of(layout).blocks(layout));
        }
        if (data.validationSamples() > 0) {
            cache.open(data.validation(), Integer.MAX_VALUE);
        }
    }

    /** Reads samples of the training split, in the order of the shards. */
    public SampleReader trainReader() {
        if (source != null) {
            return CustomReader.train(source, data);
        }
        Augmentation augmentation = Augmentation.of(data.spec().image(), seed);
        return new ShardReader(data.train(), cache, decoder(data.encoding(), augmentation));
    }

    private SampleReader validationReader() {
        return source != null
                ? CustomReader.validation(source, data)
                : new ShardReader(data.validation(), cache, decoder(data.encoding()));
    }

    /**
     * What decodes stored samples of an encoding, as they are.
     *
     * @throws IllegalStateException for data of a user's own source, of which none are stored
     */
    public static RecordDecoder decoder(Encoding encoding) {
        return decoder(encoding, Augmentation.NONE);
    }

    private static RecordDecoder decoder(Encoding encoding, Augmentation augmentation) {
        if (encoding instanceof TextEncoding text) {
            return new TextDecoder(text);
        } else if (encoding instanceof ImageEncoding image) {
            return new ImageDecoder(image, augmentation);
        } else if (encoding instanceof SeriesEncoding series) {
            return new SeriesDecoder(series);
        } else if (encoding instanceof SequenceEncoding sequence) {
            return new SequenceDecoder(sequence);
        } else if (encoding instanceof LabelledTextEncoding texts) {
            return new LabelledTextDecoder(texts);
        } else if (encoding instanceof TableEncoding table) {
            return new TableDecoder(table);
        }
        throw new IllegalStateException("no stored samples for " + encoding);
    }
}
