package dev.medley.inference.metric;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.inference.metric.EvaluationBlocks.Soundness;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.Learner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Evaluates a learner on samples, block by block. Where a model's outputs for a sample are not
 * numbers, no metric is computed: the largest of them would be some class all the same.
 */
public final class Evaluator {
    private final EvaluationBlocks blocks;
    private final TargetKind kind;
    private final BlockSource source;

    /** Gives the samples from one index to before another. */
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

    /** The same evaluation of other samples, as many. */
    public Evaluator of(BlockSource other) {
        return new Evaluator(blocks, kind, other);
    }

    /** Evaluates all blocks here. */
    public Evaluation evaluate(Learner learner) {
        return evaluation(block -> values((int) block, learner::evaluate));
    }

    /**
     * What the evaluation of one block adds to the whole; see {@link EvaluationBlocks}. The learner
     * may keep what it knows of the block for the next time.
     */
    public double[] values(Learner learner, int block) {
        return values(block, batch -> learner.evaluate(batch, block));
    }

    private double[] values(int block, Function<Batch, BlockLoss> judge) {
        Batch batch = source.read(blocks.from(block), blocks.to(block));
        BlockLoss loss = judge.apply(batch);
        EvaluatedBlock evaluated =
                new EvaluatedBlock(
                        loss.outputs(),
                        batch.target(),
                        batch.weights(),
                        loss.lossSum(),
                        loss.weight(),
                        batch.samples(),
                        batch.inputs());
        return blocks.values(evaluated, soundness(evaluated, blocks.from(block)));
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

    /** Puts the values of all blocks together, whoever computed them. */
    public Evaluation evaluation(LongFunction<double[]> valuesOfBlock) {
        double[] all = new double[(int) blocks.values()];
        for (int block = 0; block < blocks.count(); block++) {
            double[] values = valuesOfBlock.apply(block);
            System.arraycopy(values, 0, all, (int) blocks.offset(block), values.length);
        }
        Soundness soundness = blocks.soundness(all);
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Metric metric : blocks.metrics()) {
            figures.put(
                    metric.name(),
                    soundness.unsound() > 0 ? Double.NaN : blocks.figure(metric, all));
        }
        boolean isSound = soundness.unsound() == 0;
        return new Evaluation(
                figures,
                isSound ? blocks.loss(all) : Double.NaN,
                isSound ? blocks.confusion(all) : List.of(),
                soundness.unsound(),
                soundness.first(),
                blocks.samples(),
                isSound ? blocks.sections(all) : Evaluation.NO_REPORT);
    }
}
