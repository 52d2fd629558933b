package dev.medley.data.batch;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.dataset.SampleSource;
import dev.medley.data.order.Permutation;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.Purpose;
import dev.medley.data.shard.SampleKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads samples of a user's own source. A random split is a permutation of the indices, of which
 * the first are for training.
 */
final class CustomReader implements SampleReader {
    private final SampleSource source;
    private final Permutation split;
    private final boolean isMixed;
    private final long first;

    private CustomReader(SampleSource source, PreparedData data, long first) {
        this.source = source;
        this.first = first;
        this.isMixed = data.trainSamples() > 0 && data.spec().split().kind() == SplitKind.RANDOM;
        long size = data.trainSamples() + data.validationSamples();
        this.split = new Permutation(isMixed ? size : 0, Seeds.of(data.seed(), Purpose.SPLIT));
    }

    static CustomReader train(SampleSource source, PreparedData data) {
        return new CustomReader(source, data, 0);
    }

    static CustomReader validation(SampleSource source, PreparedData data) {
        return new CustomReader(source, data, data.trainSamples());
    }

    @Override
    public void read(SampleKey sample, BatchBuffers batch, int row) {
        long place = first + sample.index();
        List<ByteBuffer> inputs = new ArrayList<>();
        for (int i = 0; i < batch.target(); i++) {
            inputs.add(room(batch, i, row));
        }
        long index = isMixed ? split.at(place) : place;
        ByteBuffer target = room(batch, batch.target(), row);
        try {
            source.read(index, inputs, target);
        } catch (ConfigException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new ConfigException(
                    ("data.class=%s: its read(%d, ...) failed: %s; there is room for inputs"
                                    + " of %s bytes and a target of %d")
                            .formatted(
                                    source.getClass().getName(),
                                    index,
                                    e,
                                    inputs.stream().map(ByteBuffer::capacity).toList(),
                                    target.capacity()),
                    e);
        }
    }

    private static ByteBuffer room(BatchBuffers batch, int field, int row) {
        int bytes = batch.bytesPerSample(field);
        return batch.bytes(field).slice(row * bytes, bytes).order(ByteOrder.nativeOrder());
    }
}
