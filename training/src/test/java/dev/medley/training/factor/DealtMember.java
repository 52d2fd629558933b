package dev.medley.training.factor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.StepTag;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.model.FactorSpec.Feedback;
import dev.medley.base.model.FactorSpec.Solver;
import dev.medley.base.model.FactorSpec.Tables;
import dev.medley.exchange.Collective;
import dev.medley.tensor.factor.AlternatingSolver;
import dev.medley.tensor.factor.FactorLearner;
import dev.medley.tensor.factor.FactorSides;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A member of groups that factorise some ratings, of which one item has most. */
final class DealtMember {
    static final int USERS = 90;
    static final int ITEMS = 40;
    static final int RANK = 3;
    static final long ROW_BYTES = (RANK + 1) * (long) Float.BYTES;
    private static final int RATINGS = 600;

    private final FactorLearner learner;
    private final Strategy strategy;

    /** With tables in memory of its kind; blocks hold so many rows where they are dealt out. */
    DealtMember(Feedback feedback, Tables tables, int blockRows, SpanSource memory) {
        FactorSpec spec =
                FactorSpec.defaults()
                        .of("u", "i")
                        .withRank(RANK)
                        .by(Solver.ALS)
                        .with(feedback)
                        .holding(tables);
        Input codes =
                new Input(
                        "categories", ElementType.INT64, List.of(2), List.of(USERS + 1, ITEMS + 1));
        learner =
                new FactorLearner(
                        new ModelSpec.Factorization(spec),
                        new Signature(
                                List.of(codes), new Target(TargetKind.VALUE, 1, List.of(), 3, 1.4)),
                        new FactorSides(0, 1),
                        7,
                        1,
                        taker -> taker.accept(ratings()),
                        memory);
        AlternatingSolver solver = new AlternatingSolver(learner, taker -> taker.accept(ratings()));
        strategy =
                tables == Tables.DEALT
                        ? new DealtRounds(learner, solver, (int) (blockRows * ROW_BYTES))
                        : new AlternatingRounds(learner, solver);
    }

    /** Users take each third time the same item, some of them twice. */
    private static Batch ratings() {
        RandomGenerator random = Seeds.generator(11);
        HostArray codes = HostArray.allocate(ElementType.INT64, RATINGS, 2);
        HostArray labels = HostArray.allocate(ElementType.FLOAT32, RATINGS);
        LongBuffer pairs = codes.data().buffer().asLongBuffer();
        FloatBuffer stars = labels.data().buffer().asFloatBuffer();
        for (int i = 0; i < RATINGS; i++) {
            pairs.put(random.nextInt(USERS)).put(i % 3 == 0 ? 5 : random.nextInt(ITEMS));
            stars.put(1 + random.nextInt(5));
        }
        return new Batch(List.of(codes), labels, RATINGS);
    }

    /** A group begins after that step. */
    void join(Collective all, Group group, int epoch, long step, boolean isBehind) {
        int ranks = all.size();
        learner.bindOwn(all.buffer(), 0);
        strategy.planned(new Plan(epoch, Collections.nCopies(ranks, 4), 4, ""));
        strategy.formed(group, all);
        assertThat(
                        strategy.deal(
                                new StepTag(epoch, step, epoch),
                                isBehind
                                        ? dev.medley.training.strategy.Strategy.Standing.BEHIND
                                        : dev.medley.training.strategy.Strategy.Standing.CURRENT))
                .isNull();
    }

    /** Computes a step; what it lost, null where the group ended. */
    @Nullable StepLoss compute(Collective all, int epoch, long step) {
        all.begin(new StepTag(epoch, step, epoch));
        return strategy.compute(part(all, step), null, null);
    }

    /** Takes the step that was computed. */
    void apply(Collective all, long step) {
        strategy.update(part(all, step), null).run();
    }

    /** Takes the step back. */
    void discard() {
        strategy.discarded();
    }

    private static Part part(Collective all, long step) {
        List<Integer> one = Collections.nCopies(all.size(), 1);
        return new Part(step, all.rank(), 0, one, 4, batch -> 1);
    }

    String hash() {
        return learner.parameterHash();
    }

    boolean hasAll() {
        return strategy.hasAll();
    }

    long heldBytes() {
        return strategy.bytes();
    }
}
