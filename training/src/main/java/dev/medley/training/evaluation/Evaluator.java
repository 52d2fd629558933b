package dev.medley.training.evaluation;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.Replica;
import dev.medley.training.evaluation.EvaluationBlocks.Soundness;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a replica on the validation samples, together with the other members of its group: each
 * block belongs to one rank, its {@linkplain BlockOwners owner}. A rank writes its blocks' values
 * and zeros elsewhere, and the exchange's sum is the whole, exactly. Where a model's outputs for a
 * sample are not numbers, no metric is computed: the largest of them would be some class all the
 * same.
 */
public final class Evaluator {
    private final EvaluationBlocks blocks;
    private final TargetKind kind;
    private final BlockSource source;

    /** Gives the validation samples from one index to before another. */
    @FunctionalInterface
    public interface BlockSource {
        /** The samples, in order and as they are. */
        Batch read(long from, long to);
    }

    /** An evaluator of these blocks, of targets of this kind. */
    public Evaluator(EvaluationBlocks blocks, TargetKind kind, BlockSource source) {
        this.blocks = blocks;
        this.kind = kind;
        this.source = source;
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
            Replica replica,
            Collective collective,
            BlockOwners owners,
            StepTag tag,
            long offsetBytes) {
        Span memory = collective.buffer().slice(offsetBytes, blocks.values() * Double.BYTES);
        memory.clear();
        for (int block = 0; block < blocks.count(); block++) {
            if (owners.isOf(block, collective.rank())) {
                put(memory, block, values(replica, block));
            }
        }
        collective.begin(tag);
        collective.sum(offsetBytes, memory.bytes(), ElementType.FLOAT64);
        @Nullable Fault fault = collective.finish();
        return fault != null
                ? new Result.Ended(fault)
                : new Result.Done(evaluation(block -> get(memory, block)));
    }

    /** Evaluates alone. */
    public Evaluation evaluate(Replica replica) {
        return evaluation(block -> values(replica, (int) block));
    }

    private double[] values(Replica replica, int block) {
        Batch batch = source.read(blocks.from(block), blocks.to(block));
        BlockLoss loss = replica.evaluate(batch);
        EvaluatedBlock evaluated =
                new EvaluatedBlock(
                        loss.outputs(),
                        batch.target(),
                        batch.weights(),
                        loss.lossSum(),
                        loss.weight(),
                        batch.samples());
        double[] values = new double[blocks.valuesOf(block)];
        double[] besides = blocks.besides(evaluated, soundness(evaluated, blocks.from(block)));
        System.arraycopy(besides, 0, values, 0, besides.length);
        int at = besides.length;
        for (Metric metric : blocks.metrics()) {
            double[] part = metric.values(evaluated);
            System.arraycopy(part, 0, values, at, part.length);
            at += part.length;
        }
        return values;
    }

    private Soundness soundness(EvaluatedBlock block, long from) {
        long unsound = 0;
        long first = 0;
        for (int sample = block.samples() - 1; sample >= 0; sample--) {
            if (!SoundOutputs.areSound(kind, block, sample)) {
                unsound++;
                first = from + sample;
            }
        }
        return new Soundness(unsound, first);
    }

    private Evaluation evaluation(LongFunction<double[]> valuesOfBlock) {
        double[] all = new double[(int) blocks.values()];
        for (int block = 0; block < blocks.count(); block++) {
            double[] values = valuesOfBlock.apply(block);
            System.arraycopy(values, 0, all, (int) blocks.offset(block), values.length);
        }
        Soundness soundness = blocks.soundness(all);
        Map<String, Double> figures = new LinkedHashMap<>();
        for (int m = 0; m < blocks.metrics().size(); m++) {
            Metric metric = blocks.metrics().get(m);
            figures.put(
                    metric.name(),
                    soundness.unsound() > 0 ? Double.NaN : metric.figure(blocks.valuesFor(m, all)));
        }
        boolean isSound = soundness.unsound() == 0;
        return new Evaluation(
                figures,
                isSound ? blocks.loss(all) : Double.NaN,
                isSound ? blocks.confusion(all) : List.of(),
                soundness.unsound(),
                soundness.first(),
                blocks.samples());
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
