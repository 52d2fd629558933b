package dev.medley.training.evaluation;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.inference.metric.Evaluator;
import dev.medley.inference.metric.Evaluator.BlockSource;
import dev.medley.tensor.model.Learner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a learner on the validation samples, together with the other members of its group: each
 * block belongs to one rank, its {@linkplain BlockOwners owner}. A rank writes its blocks' values
 * and zeros elsewhere, and the exchange's sum is the whole, exactly.
 */
public final class GroupEvaluator {
    private final EvaluationBlocks blocks;
    private final Evaluator evaluator;

    /** An evaluator of these blocks, of targets of this kind. */
    public GroupEvaluator(EvaluationBlocks blocks, TargetKind kind, BlockSource source) {
        this.blocks = blocks;
        this.evaluator = new Evaluator(blocks, kind, source);
    }

    /** Which member of a group evaluates what; {@code shares} of a step by rank. */
    public BlockOwners owners(Group group, List<Integer> shares) {
        List<WorkerId> members = group.members().stream().map(Member::worker).toList();
        return BlockOwners.of(blocks, members, shares);
    }

    /** What an evaluation gave, or the fault that ended it. */
    public sealed interface Result {
        /** It was done. */
        record Done(Evaluation evaluation) implements Result {}

        /** It ended in a fault. */
        record Ended(Fault fault) implements Result {}
    }

    /**
     * Evaluates with the group.
     *
     * @param owners of the blocks, the same on all ranks
     * @param offsetBytes where the values lie in the collective's memory
     */
    public Result evaluate(
            Learner learner,
            Collective collective,
            BlockOwners owners,
            StepTag tag,
            long offsetBytes) {
        Span memory = collective.buffer().slice(offsetBytes, blocks.values() * Double.BYTES);
        memory.clear();
        for (int block = 0; block < blocks.count(); block++) {
            if (owners.isOf(block, collective.rank())) {
                put(memory, block, evaluator.values(learner, block));
            }
        }
        collective.begin(tag);
        collective.sum(offsetBytes, memory.bytes(), ElementType.FLOAT64);
        @Nullable Fault fault = collective.finish();
        return fault != null
                ? new Result.Ended(fault)
                : new Result.Done(evaluator.evaluation(block -> get(memory, block)));
    }

    /** Evaluates alone. */
    public Evaluation evaluate(Learner learner) {
        return evaluator.evaluate(learner);
    }

    private void put(Span memory, int block, double[] values) {
        slice(memory, block).buffer().asDoubleBuffer().put(values);
    }

    private double[] get(Span memory, long block) {
        double[] values = new double[blocks.valuesOf((int) block)];
        slice(memory, (int) block).buffer().asDoubleBuffer().get(values);
        return values;
    }

    private Span slice(Span memory, int block) {
        return memory.slice(
                blocks.offset(block) * Double.BYTES, (long) blocks.valuesOf(block) * Double.BYTES);
    }
}
