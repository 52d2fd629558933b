package dev.medley.spark.rows;

import dev.medley.data.shard.HeldSets;
import dev.medley.data.shard.HeldSets.RecordHolder;
import dev.medley.data.shard.ShardFile;
import dev.medley.spark.cluster.HeldData;
import dev.medley.spark.rows.EncodedPart.Chunk;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Reads the encoded rows of a DataFrame: those of this executor, those of another one, which are
 * kept here from then on, or, where an executor was lost with its rows, those of the partition that
 * is computed and encoded anew.
 *
 * <p>Thread: any, once a task has entered.
 */
final class HeldRows implements HeldData, RecordHolder {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(HeldRows.class);

    /** The file of the rows to learn from; that of the others has another name. */
    static final String TRAIN = "train";

    private final String name;
    private final Blocks set;
    private final int recordBytes;
    private final Index train;
    private final Index validation;
    private final Encode encode;
    private final RDD<InternalRow> source;
    private final Partition[] partitions;
    private transient volatile @Nullable TaskContext task;

    /** Blocks of this process whose bytes were checked. */
    private transient volatile @Nullable Set<Integer> sound;

    /** Tasks of this process that use a set, by its name. */
    private static final Map<String, Integer> TASKS = new ConcurrentHashMap<>();

    /** Says where the rows of one purpose are. */
    static final class Index implements Serializable {
        private static final long serialVersionUID = 1L;

        private final boolean isTrain;

        /** Of each chunk, and the number of all rows. */
        private final long[] firstRow;

        private final int[] blocks;
        private final int[] partition;
        private final int[] checks;

        private Index(boolean isTrain, int chunks) {
            this.isTrain = isTrain;
            this.firstRow = new long[chunks + 1];
            this.blocks = new int[chunks];
            this.partition = new int[chunks];
            this.checks = new int[chunks];
        }

        static Index of(List<EncodedPart> parts, boolean isTrain) {
            int count = 0;
            for (EncodedPart part : parts) {
                count += (isTrain ? part.train() : part.validation()).size();
            }
            Index index = new Index(isTrain, count);
            int at = 0;
            for (EncodedPart part : parts) {
                List<Chunk> chunks = isTrain ? part.train() : part.validation();
                for (int i = 0; i < chunks.size(); i++, at++) {
                    index.firstRow[at + 1] = index.firstRow[at] + chunks.get(i).rows();
                    index.blocks[at] = Encode.block(part.partition(), isTrain, i);
                    index.partition[at] = part.partition();
                    index.checks[at] = chunks.get(i).check();
                }
            }
            return index;
        }

        long rows() {
            return firstRow[blocks.length];
        }

        int chunkOf(long row) {
            int found = Arrays.binarySearch(firstRow, row);
            return found >= 0 ? found : -found - 2;
        }
    }

    HeldRows(
            int number,
            Blocks set,
            int recordBytes,
            List<EncodedPart> parts,
            Encode encode,
            RDD<InternalRow> source) {
        this.name = "spark-" + number;
        this.set = set;
        this.recordBytes = recordBytes;
        this.train = Index.of(parts, true);
        this.validation = Index.of(parts, false);
        this.encode = encode;
        this.source = source;
        this.partitions = source.partitions();
    }

    Index train() {
        return train;
    }

    Index validation() {
        return validation;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void enter(TaskContext under) {
        task = under;
        TASKS.merge(name(), 1, Integer::sum);
        HeldSets.hold(name(), this);
    }

    @Override
    public void leave() {
        if (TASKS.merge(name(), -1, (have, less) -> have + less == 0 ? null : have + less)
                == null) {
            HeldSets.forget(name());
        }
    }

    @Override
    public byte[] block(ShardFile file, long block) throws IOException {
        Index index = file.name().equals(TRAIN) ? train : validation;
        byte[] bytes = new byte[file.blockBytes(block)];
        long row = block * file.layout().blockSamples();
        int at = 0;
        while (at < bytes.length) {
            int chunk = index.chunkOf(row);
            int offset = Math.toIntExact((row - index.firstRow[chunk]) * recordBytes);
            long end = (index.firstRow[chunk + 1] - index.firstRow[chunk]) * recordBytes;
            int length = (int) Math.min(bytes.length - at, end - offset);
            copy(index, chunk, offset, bytes, at, length);
            at += length;
            row += length / recordBytes;
        }
        return bytes;
    }

    private void copy(Index index, int chunk, int offset, byte[] into, int at, int length)
            throws IOException {
        Blocks blocks = set;
        int block = index.blocks[chunk];
        if (isSound(index, chunk, blocks) && blocks.copyFromHere(block, offset, into, at, length)) {
            return;
        }
        byte[] fetched = blocks.fetched(block);
        if (fetched != null && Encode.check(fetched, fetched.length) == index.checks[chunk]) {
            blocks.alone().put(block, fetched);
            sound().add(block);
            System.arraycopy(fetched, offset, into, at, length);
            return;
        }
        anew(index, chunk);
        if (!blocks.copyFromHere(block, offset, into, at, length)) {
            throw new IOException(
                    "rows of partition %d are lost".formatted(index.partition[chunk]));
        }
    }

    /** Of this process alone: what another one checked it has not got. */
    private Set<Integer> sound() {
        Set<Integer> known = sound;
        if (known == null) {
            synchronized (this) {
                known = sound == null ? ConcurrentHashMap.newKeySet() : sound;
                sound = known;
            }
        }
        return known;
    }

    /** Whether a chunk is here, and is the one: another attempt of its task may have left one. */
    private boolean isSound(Index index, int chunk, Blocks blocks) {
        int block = index.blocks[chunk];
        if (sound().contains(block)) {
            return blocks.isHere(block);
        }
        byte[] bytes = blocks.here(block);
        if (bytes == null) {
            return false;
        }
        if (Encode.check(bytes, bytes.length) == index.checks[chunk]) {
            sound().add(block);
            return true;
        }
        blocks.drop(block);
        return false;
    }

    /** Computes the partition of a chunk again; its rows have to be the same. */
    private synchronized void anew(Index index, int chunk) throws IOException {
        Blocks blocks = set;
        if (isSound(index, chunk, blocks)) {
            return; // Another thread did it.
        }
        int partition = index.partition[chunk];
        TaskContext under = task;
        if (under == null) {
            throw new IOException("no task of this process computes rows anew");
        }
        LOG.info("the rows of partition {} were lost with an executor: computed anew", partition);
        TaskContext before = TaskContext.get();
        TaskContext$.MODULE$.setTaskContext(under);
        Map<Integer, byte[]> made = new HashMap<>();
        try {
            EncodedPart part =
                    encode.of(
                            partition,
                            CollectionConverters.asJava(
                                    source.iterator(partitions[partition], under)),
                            made::put);
            requireSame(train, part);
            requireSame(validation, part);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // Spark's are checked, and not declared.
            throw new IOException(
                    ("partition %d was lost with its executor and cannot be computed anew in"
                         + " another one (%s): cache, checkpoint() or write the DataFrame before"
                         + " training")
                            .formatted(partition, e.getMessage()),
                    e);
        } finally {
            if (before == null) {
                TaskContext$.MODULE$.unset();
            } else {
                TaskContext$.MODULE$.setTaskContext(before);
            }
        }
        for (Map.Entry<Integer, byte[]> each : made.entrySet()) {
            blocks.put(each.getKey(), each.getValue());
            sound().add(each.getKey());
        }
    }

    private static void requireSame(Index index, EncodedPart part) throws IOException {
        List<Chunk> now = index.isTrain ? part.train() : part.validation();
        int at = 0;
        for (int i = 0; i < index.blocks.length; i++) {
            if (index.partition[i] != part.partition()) {
                continue;
            }
            if (at >= now.size() || now.get(at).check() != index.checks[i]) {
                throw changed(part.partition());
            }
            at++;
        }
        if (at != now.size()) {
            throw changed(part.partition());
        }
    }

    private static IOException changed(int partition) {
        return new IOException(
                ("partition %d was lost with its executor, and its rows are others when they are"
                     + " computed anew: cache(), checkpoint() or write the DataFrame first, or give"
                     + " it a fixed order")
                        .formatted(partition));
    }

    @Override
    public boolean isHere(ShardFile file, long block) {
        Index index = file.name().equals(TRAIN) ? train : validation;
        long from = block * file.layout().blockSamples();
        long to = from + file.layout().samplesOf(block) - 1;
        Blocks blocks = set;
        for (int chunk = index.chunkOf(from); chunk <= index.chunkOf(to); chunk++) {
            if (!blocks.isHere(index.blocks[chunk])) {
                return false;
            }
        }
        return true;
    }
}
