package dev.medley.tensor.factor;

import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.model.FactorSpec;
import dev.medley.tensor.table.FactorRows;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Finds the rows that samples touch. Of implicit feedback each sample is followed by items that are
 * drawn evenly, with the target 0: which, is a function of the seed, the step and the sample's
 * position, on whatever worker it is.
 *
 * <p>Has memory of its own: one owner.
 */
final class BatchReader {
    private final FactorRows rows;
    private final FactorSpec spec;
    private final FactorSides sides;
    private final Target target;
    private final long seed;
    private final int[] place;

    BatchReader(FactorRows rows, FactorSpec spec, FactorSides sides, Target target, long seed) {
        this.rows = rows;
        this.sides = sides;
        this.spec = spec;
        this.target = target;
        this.seed = seed;
        place = new int[rows.count() + 1];
        Arrays.fill(place, -1);
    }

    /** Samples that each of a batch becomes. */
    int times() {
        return spec.isImplicit() ? 1 + spec.negatives() : 1;
    }

    TouchedBatch read(Batch batch, long step, long position) {
        int samples = batch.samples() * times();
        int[] touched = new int[samples * rows.ofSample()];
        float[] numbers = new float[samples * rows.numbers()];
        float[] targets = new float[samples];
        float[] weights = new float[samples];
        rowsOf(batch, touched, numbers);
        FloatBuffer truths = floats(batch.target());
        HostArray counted = batch.weights();
        FloatBuffer counts = counted == null ? null : floats(counted);
        for (int s = 0; s < batch.samples(); s++) {
            int at = s * times();
            targets[at] = spec.isImplicit() ? 1 : unit(truths.get(s));
            float weight = counts == null ? 1 : counts.get(s);
            Arrays.fill(weights, at, at + times(), weight);
            if (spec.isImplicit()) {
                drawItems(touched, at, Seeds.generator(seed, step, position + s));
            }
        }
        return compact(touched, numbers, targets, weights);
    }

    /** A number as the network gives it; a class as it is. */
    private float unit(float truth) {
        return target.kind() == TargetKind.VALUE
                ? (float) ((truth - target.mean()) / target.deviation())
                : truth;
    }

    private void rowsOf(Batch batch, int[] touched, float[] numbers) {
        int each = rows.ofSample();
        LongBuffer codes =
                rows.categories() == 0
                        ? LongBuffer.allocate(0)
                        : last(batch).data().buffer().asLongBuffer();
        FloatBuffer features =
                rows.numbers() == 0 ? FloatBuffer.allocate(0) : floats(batch.inputs().get(0));
        for (int s = 0; s < batch.samples(); s++) {
            int at = s * times();
            for (int c = 0; c < rows.categories(); c++) {
                int code = (int) codes.get(s * rows.categories() + c);
                touched[at * each + c] = rows.first().get(c) + code;
            }
            for (int n = 0; n < rows.numbers(); n++) {
                touched[at * each + rows.categories() + n] = rows.firstNumber() + n;
                numbers[at * rows.numbers() + n] = features.get(s * rows.numbers() + n);
            }
        }
    }

    /** The user stays, and the items are others. */
    private void drawItems(int[] touched, int at, RandomGenerator random) {
        int users = sides.user();
        int items = sides.item();
        int known = rows.codes().get(items) - 1;
        for (int n = 1; n < times(); n++) {
            touched[(at + n) * 2 + users] = touched[at * 2 + users];
            touched[(at + n) * 2 + items] = rows.first().get(items) + random.nextInt(known);
        }
    }

    private TouchedBatch compact(int[] touched, float[] numbers, float[] targets, float[] weights) {
        int[] found = new int[touched.length + 1];
        int count = 0;
        for (int row : touched) {
            if (place[row] < 0) {
                place[row] = 0;
                found[count++] = row;
            }
        }
        found[count++] = rows.count();
        int[] distinct = Arrays.copyOf(found, count);
        Arrays.sort(distinct);
        for (int i = 0; i < distinct.length; i++) {
            place[distinct[i]] = i;
        }
        int[] places = new int[touched.length];
        for (int i = 0; i < touched.length; i++) {
            places[i] = place[touched[i]];
        }
        for (int row : distinct) {
            place[row] = -1;
        }
        return new TouchedBatch(distinct, places, numbers, targets, weights);
    }

    private static HostArray last(Batch batch) {
        return batch.inputs().get(batch.inputs().size() - 1);
    }

    private static FloatBuffer floats(HostArray array) {
        return array.data().buffer().asFloatBuffer();
    }
}
