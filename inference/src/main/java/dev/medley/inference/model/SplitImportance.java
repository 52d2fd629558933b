package dev.medley.inference.model;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.encoding.Encoding;
import dev.medley.trees.TreeGain;
import dev.medley.trees.TreeLearner;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Tells what columns are worth to a model of trees: how much the training loss fell by splits on
 * each (Breiman et al. 1984). Columns with many values are favoured; what the model would lose
 * without a column, {@code medley evaluate --importance} tells.
 *
 * @param gains the largest first
 */
public record SplitImportance(List<TreeGain> gains) {
    public SplitImportance {
        gains = gains.stream().sorted(Comparator.comparingDouble(g -> -g.gain())).toList();
    }

    /** Of a model's trees. */
    public static SplitImportance of(
            ModelSpec.Trees model, Encoding encoding, List<NamedSpan> weights) {
        try (TreeLearner learner =
                TreeModels.learner(model, encoding, new TreeLearner.Growing(1, 0, List.of()))) {
            learner.load(weights);
            return new SplitImportance(learner.gains());
        }
    }

    /** The table as a file for people. */
    public String csv() {
        double all = gains.stream().mapToDouble(TreeGain::gain).sum();
        StringBuilder text = new StringBuilder("feature,share_of_gain,gain,splits\n");
        for (TreeGain each : gains) {
            text.append(Coefficients.quoted(each.column()))
                    .append(
                            String.format(
                                    Locale.ROOT,
                                    ",%.4f,%.8g,%d\n",
                                    all > 0 ? each.gain() / all : 0,
                                    each.gain(),
                                    each.splits()));
        }
        return text.toString();
    }
}
