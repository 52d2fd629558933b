package dev.medley.benchmarks.compute;

import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.random.RandomGenerator;

/** Supplies fixed random samples, four batches of them, drawn in a new order as the peer does. */
final class Samples {
    private static final int BATCHES = 4;

    private final HostArray inputs;
    private final HostArray targets;
    private final HostArray batchInputs;
    private final HostArray batchTargets;
    private final int[] order;
    private final int batch;

    private Samples(Task task) {
        batch = task.batch();
        int count = BATCHES * batch;
        Input input = task.signature().inputs().get(0);
        RandomGenerator random = Seeds.generator(1);
        inputs = input(input, count, random);
        batchInputs = HostArray.allocate(input.type(), shape(input.shape(), batch));
        TargetKind kind = task.signature().target().kind();
        boolean isValue = kind == TargetKind.VALUE;
        ElementType type = isValue ? ElementType.FLOAT32 : ElementType.INT64;
        List<Integer> shape = kind == TargetKind.TOKENS ? input.shape() : List.of();
        targets = HostArray.allocate(type, shape(shape, count));
        batchTargets = HostArray.allocate(type, shape(shape, batch));
        fill(targets, List.of(isValue ? 0 : task.signature().target().outputs()), random);
        order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
    }

    static Samples of(Task task) {
        return new Samples(task);
    }

    /** The next batch; its memory is used again for the one after it. */
    Batch batch(long step) {
        int at = (int) ((step - 1) % BATCHES);
        if (at == 0) {
            shuffle(Seeds.generator(1, step));
        }
        gather(inputs, batchInputs, at * batch);
        gather(targets, batchTargets, at * batch);
        return new Batch(List.of(batchInputs), batchTargets, batch);
    }

    private void shuffle(RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
    }

    private void gather(HostArray from, HostArray to, int first) {
        int rowBytes = (int) (to.data().bytes() / batch);
        if (rowBytes % Long.BYTES == 0 && rowBytes <= 64) {
            gatherLongs(from, to, first);
            return;
        }
        ByteBuffer source = from.data().buffer();
        ByteBuffer target = to.data().buffer();
        for (int i = 0; i < batch; i++) {
            target.put(i * rowBytes, source, order[first + i] * rowBytes, rowBytes);
        }
    }

    /** Short rows, for which a bulk copy each costs more than it moves. */
    private void gatherLongs(HostArray from, HostArray to, int first) {
        LongBuffer source = from.data().buffer().asLongBuffer();
        LongBuffer target = to.data().buffer().asLongBuffer();
        int width = target.remaining() / batch;
        for (int i = 0; i < batch; i++) {
            for (int k = 0; k < width; k++) {
                target.put(i * width + k, source.get(order[first + i] * width + k));
            }
        }
    }

    private static HostArray input(Input input, int count, RandomGenerator random) {
        HostArray array = HostArray.allocate(input.type(), shape(input.shape(), count));
        boolean isNumbers = input.cardinalities().isEmpty();
        fill(array, isNumbers ? List.of(0) : input.cardinalities(), random);
        return array;
    }

    /** Numbers where a bound is 0, else indices below the bounds in turn. */
    private static void fill(HostArray array, List<Integer> bounds, RandomGenerator random) {
        ByteBuffer bytes = array.data().buffer();
        for (int i = 0; bytes.hasRemaining(); i++) {
            int bound = bounds.get(i % bounds.size());
            if (array.type() == ElementType.FLOAT32) {
                bytes.putFloat((float) random.nextGaussian());
            } else {
                bytes.putLong(random.nextInt(bound));
            }
        }
    }

    private static long[] shape(List<Integer> sample, int count) {
        long[] shape = new long[sample.size() + 1];
        shape[0] = count;
        for (int i = 0; i < sample.size(); i++) {
            shape[i + 1] = sample.get(i);
        }
        return shape;
    }
}
