package dev.medley.inference.report;

import dev.medley.base.evaluation.ClusterResults;
import dev.medley.base.evaluation.ClusterResults.OfCluster;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.ReportPart;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers the cluster of each sample and its distance to the centre. Of some samples at equal
 * distances it gathers the features, too, of which silhouettes are computed (Rousseeuw 1987).
 *
 * @param samples of the whole evaluation
 * @param features of a sample
 */
record ClustersPart(long samples, int features) implements ReportPart {
    /** Silhouettes compare each sample with all others. */
    private static final int MOST_LOOKED_AT = 2000;

    private static final double MOST_PRODUCTS = 2e8;
    private static final int OF_SAMPLE = 2;

    private int stride() {
        double most = Math.min(MOST_LOOKED_AT, Math.sqrt(MOST_PRODUCTS / features));
        return (int) Math.max(1, Math.ceil(samples / Math.max(1, most)));
    }

    private int looked(int count) {
        return (count + stride() - 1) / stride();
    }

    @Override
    public int valuesOf(int count) {
        return OF_SAMPLE * count + features * looked(count);
    }

    @Override
    public double[] values(EvaluatedBlock block) {
        FloatBuffer outputs = block.outputs().data().buffer().asFloatBuffer();
        FloatBuffer inputs = block.inputs().get(0).data().buffer().asFloatBuffer();
        double[] values = new double[valuesOf(block.samples())];
        int at = 0;
        while (at < OF_SAMPLE * block.samples()) {
            values[at] = outputs.get(at++);
        }
        for (int i = 0; i < block.samples(); i += stride()) {
            for (int j = 0; j < features; j++) {
                values[at++] = inputs.get(i * features + j);
            }
        }
        return values;
    }

    @Override
    public List<EvaluationSection> sections(List<double[]> blocks) {
        Silhouettes silhouettes = new Silhouettes(features);
        List<double[]> sums = new ArrayList<>();
        for (double[] block : blocks) {
            int count = samplesOf(block.length);
            for (int i = 0; i < count; i++) {
                int cluster = (int) block[OF_SAMPLE * i];
                while (sums.size() <= cluster) {
                    sums.add(new double[2]);
                }
                sums.get(cluster)[0]++;
                sums.get(cluster)[1] += block[OF_SAMPLE * i + 1];
                if (i % stride() == 0) {
                    int from = OF_SAMPLE * count + features * (i / stride());
                    silhouettes.add(cluster, block, from);
                }
            }
        }
        double[][] means = silhouettes.means(sums.size());
        List<OfCluster> clusters = new ArrayList<>();
        for (int c = 0; c < sums.size(); c++) {
            double count = sums.get(c)[0];
            double distance = count > 0 ? sums.get(c)[1] / count : 0;
            Double own = means[c][1] > 0 ? Double.valueOf(means[c][0] / means[c][1]) : null;
            clusters.add(new OfCluster((long) count, distance, own));
        }
        long all = silhouettes.count();
        return List.of(new ClusterResults(samples, clusters, all, silhouettes.mean(means)));
    }

    /** Samples of a block with so many doubles. */
    private int samplesOf(int values) {
        int count = values / OF_SAMPLE;
        while (valuesOf(count) > values) {
            count--;
        }
        return count;
    }
}
