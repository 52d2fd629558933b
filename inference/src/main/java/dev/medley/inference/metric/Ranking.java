package dev.medley.inference.metric;

import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges the order of items for users, as a mean over the users who took something that they do not
 * have in training. Recall is the share of these items among the first k, of k where they are more;
 * NDCG lets an item in place p count 1 / log2(p + 1), as a share of the best order (Jarvelin and
 * Kekalainen 2002). Outputs of a sample are a score, the user, and the items before the sample's;
 * the last is below 0 where the user has it.
 */
final class Ranking implements Metric {
    private static final BlockValues PLACES = new Places();

    private final MetricSpec spec;

    Ranking(MetricSpec spec) {
        this.spec = spec;
    }

    /** The user and the place of each sample. */
    private static final class Places implements BlockValues {
        @Override
        public int valuesOf(int samples) {
            return 2 * samples;
        }

        @Override
        public double[] values(EvaluatedBlock block) {
            var outputs = block.outputs().data().buffer().asFloatBuffer();
            double[] values = new double[2 * block.samples()];
            for (int i = 0; i < block.samples(); i++) {
                values[2 * i] = outputs.get(3 * i + 1);
                values[2 * i + 1] = outputs.get(3 * i + 2);
            }
            return values;
        }
    }

    @Override
    public BlockValues source() {
        return PLACES;
    }

    @Override
    public int valuesOf(int samples) {
        return PLACES.valuesOf(samples);
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        return PLACES.values(block);
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public boolean isHigherBetter() {
        return true;
    }

    @Override
    public double figure(List<double[]> blocks) {
        Map<Double, Set<Double>> places = new TreeMap<>(); // A pair on two rows is one item.
        for (double[] block : blocks) {
            for (int i = 0; i < block.length; i += 2) {
                if (block[i + 1] >= 0) {
                    places.computeIfAbsent(block[i], user -> new TreeSet<>()).add(block[i + 1]);
                }
            }
        }
        double sum = 0;
        for (Set<Double> ofUser : places.values()) {
            sum += of(ofUser);
        }
        return sum / places.size();
    }

    private double of(Set<Double> places) {
        int most = Math.min(spec.top(), places.size());
        double found = 0;
        double best = 0;
        for (double place : places) {
            found += place < spec.top() ? gain(place) : 0;
        }
        for (int place = 0; place < most; place++) {
            best += gain(place);
        }
        return found / best;
    }

    private double gain(double place) {
        return spec.kind() == MetricKind.RECALL_AT ? 1 : Math.log(2) / Math.log(place + 2);
    }
}
