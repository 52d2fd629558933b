package dev.medley.tensor.optimizer;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.tensor.layout.ParameterGroups;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run of neighbouring parameters that are updated alike, and so in one go.
 *
 * @param offset of the first element
 * @param count elements, gaps included
 * @param learningRate before the schedule
 * @param weightDecay of all of them
 * @param l1 penalty on the sizes of all of them; 0 for biases, which have one dimension
 */
record Run(long offset, long count, double learningRate, double weightDecay, double l1) {
    /** The trainable slots of a layout, merged where neighbours agree. */
    static List<Run> of(ParameterLayout layout, ParameterGroups groups, OptimizerSpec spec) {
        List<Run> runs = new ArrayList<>();
        boolean isOpen = false;
        for (Slot slot : layout.slots()) {
            if (slot.isTrainable()) {
                Run next =
                        new Run(
                                slot.offset(),
                                slot.count(),
                                groups.learningRate(slot.name(), spec.learningRate()),
                                groups.weightDecay(slot.name(), spec.weightDecay()),
                                slot.shape().size() > 1 ? spec.l1() : 0);
                Run last = isOpen ? runs.get(runs.size() - 1) : null;
                if (last != null && last.isAlike(next)) {
                    runs.set(runs.size() - 1, last.until(slot.end()));
                } else {
                    runs.add(next);
                }
            }
            isOpen = slot.isTrainable();
        }
        return runs;
    }

    /** The part of this run between two elements, as counted from the first of them; or none. */
    Optional<Run> within(long from, long to) {
        long begin = Math.max(offset, from);
        long end = Math.min(offset + count, to);
        return begin < end
                ? Optional.of(new Run(begin - from, end - begin, learningRate, weightDecay, l1))
                : Optional.empty();
    }

    /** As many elements further on. */
    Run movedBy(long elements) {
        return new Run(offset + elements, count, learningRate, weightDecay, l1);
    }

    private boolean isAlike(Run other) {
        return learningRate == other.learningRate
                && weightDecay == other.weightDecay
                && l1 == other.l1;
    }

    private Run until(long end) {
        return new Run(offset, end - offset, learningRate, weightDecay, l1);
    }
}
