package dev.medley.training.gossip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.Part;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Running statistics of a gossip's member, which a border shows as those of all. */
@Tag("real")
class GossipStatisticsTest {
    private static final int SIDE = 4;
    private static final int SAMPLES = 6;
    private static final int ROUNDS = 3;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** What the loop writes at a border is the mean of all, which may have been made long ago. */
    @Test
    void shouldBeThoseOfItsOwnBatchesWhateverABorderShows() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            List<String> left =
                    one.playWithPosts(1, 1 << 16, alone -> after(one.group(1), alone, false));
            List<String> changed =
                    one.playWithPosts(2, 1 << 16, alone -> after(one.group(2), alone, true));
            assertThat(changed).isEqualTo(left);
        }
    }

    private static String after(Group group, Collective alone, boolean isChangedAtBorders) {
        try (Replica replica = replica()) {
            assertThat(replica.buffers().bytes()).isPositive();
            GossipSteps gossip =
                    new GossipSteps(
                            replica,
                            replica.optimizer(OptimizerSpec.defaults(OptimizerSpec.Kind.SGD)),
                            new GossipSteps.Settings(1, 7, 0));
            try (gossip) {
                ExchangeLayout layout =
                        new ExchangeLayout(
                                replica.layout().type(),
                                replica.layout().gradientBytes(),
                                replica.buffers().bytes(),
                                1,
                                0);
                replica.bindGradients(alone.buffer().slice(0, layout.gradientBytes()));
                Buckets buckets = new Buckets(replica, alone, layout, Long.MAX_VALUE, 0);
                gossip.formed(group, alone);
                for (int step = 1; step <= ROUNDS; step++) {
                    round(gossip, buckets, step);
                    if (isChangedAtBorders && step < ROUNDS) {
                        replica.buffers().clear();
                    }
                }
                return SpanHash.of(List.<Span>of(replica.buffers(), replica.parameters()));
            }
        }
    }

    private static void round(GossipSteps gossip, Buckets buckets, int step) {
        Part part = new Part(step, 0, 0, List.of(1), SAMPLES, i -> 1);
        buckets.begin(new StepTag(1, step, 1));
        Feed feed = new One();
        StepLoss loss = Objects.requireNonNull(gossip.compute(part, feed, buckets));
        buckets.conclude(loss, 0);
        assertThat(gossip.whileSummed(() -> null, feed, buckets)).isTrue();
        assertThat(buckets.finish()).isNull();
        gossip.update(part, buckets.tail()).run();
    }

    private static Replica replica() {
        Signature pictures =
                new Signature(
                        List.of(
                                new Input(
                                        "picture",
                                        ElementType.FLOAT32,
                                        List.of(1, SIDE, SIDE),
                                        List.of())),
                        new Target(TargetKind.VALUE, 1, List.of()));
        return Replica.build(
                new ModelSpec.Cnn(List.of(2), 3, List.of(3), true, 0),
                LossSpec.auto(),
                List.of(),
                pictures,
                ReplicaOptions.of(1, Precision.FP32));
    }

    /** The same batch each time. */
    private static final class One implements Feed {
        @Override
        public Batch next() {
            HostArray pictures = HostArray.allocate(ElementType.FLOAT32, SAMPLES, 1, SIDE, SIDE);
            for (int i = 0; i < SAMPLES * SIDE * SIDE; i++) {
                pictures.data().buffer().asFloatBuffer().put(i, i % 7);
            }
            HostArray target = HostArray.allocate(ElementType.FLOAT32, SAMPLES);
            return new Batch(List.of(pictures), target, SAMPLES);
        }

        @Override
        public boolean isWanted() {
            return true;
        }
    }
}
