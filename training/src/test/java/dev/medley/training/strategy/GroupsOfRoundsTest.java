package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.rounds.LocalSteps;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What of a worker's own ends with a group whose rounds are its own steps. */
@Tag("unit")
class GroupsOfRoundsTest {
    private static final RoundSpec ROUND = RoundSpec.defaults(Kind.LOCAL_SGD);
    private static final OptimizerSpec ADAM = AsyncRank.optimizer(OptimizerSpec.Kind.ADAM, 0.01);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void momentsShouldStayInAGroupThatGoesOnAndEndWithItElse() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            one.play(1, 1 << 16, collective -> moments(one.group(1), collective));
        }
    }

    private static boolean moments(Group group, Collective collective) {
        try (AsyncRank rank =
                new AsyncRank(
                        group,
                        collective,
                        replica -> new LocalSteps(replica, replica.optimizer(ADAM), ROUND, 0))) {
            rank.round(1, AsyncRank.batches(0, 2), 2, List.of(2));
            List<Double> after = numbers(rank.strategy);
            assertThat(after).anyMatch(number -> number != 0);
            rank.strategy.continued(group, collective);
            assertThat(numbers(rank.strategy)).isEqualTo(after);
            rank.strategy.formed(group, collective);
            assertThat(numbers(rank.strategy)).containsOnly(0.0);
            return true;
        }
    }

    @Test
    void thoseOfASiteShouldBeATeamWhereTheyTakeStepsAsOne() {
        List<Member> members = new ArrayList<>();
        for (String site : List.of("a", "b", "a")) {
            int id = members.size();
            members.add(new Member(new WorkerId(id), "host", site, "127.0.0.1", 1 + id, "k"));
        }
        Group group = new Group(1, members);
        try (Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
                LocalSteps apart = new LocalSteps(replica, replica.optimizer(ADAM), ROUND, 0);
                LocalSteps together =
                        LocalSteps.ofSites(replica, replica.optimizer(ADAM), ROUND, 0)) {
            assertThat(apart.teams(group)).isEqualTo(SiteMap.apart(3));
            assertThat(together.teams(group)).isEqualTo(SiteMap.of(group));
            assertThat(apart.takesMomentsOf(together)).isTrue();
            assertThat(together.takesMomentsOf(apart)).as("mates have equal ones").isFalse();
        }
    }

    /** LibTorch's kernels differ from processor to processor: plain Java is equal everywhere. */
    @Test
    void membersWithUnlikeKernelsShouldAddInPlainJava() {
        try (Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
                Optimizer optimizer = replica.optimizer(ADAM)) {
            EveryStep steps = new EveryStep(new GradientRule(replica, optimizer, 0));
            steps.formed(kernels("one", "one"));
            assertThat(optimizer.arithmetic()).isEqualTo(Arithmetic.LIBTORCH);
            steps.formed(kernels("one", "other"));
            assertThat(optimizer.arithmetic()).isEqualTo(Arithmetic.STRICT);
            steps.continued(kernels("one", "one"), null);
            assertThat(optimizer.arithmetic()).isEqualTo(Arithmetic.LIBTORCH);
            steps.continued(kernels("one", "other"), null);
            assertThat(optimizer.arithmetic()).isEqualTo(Arithmetic.STRICT);
        }
    }

    private static Group kernels(String... keys) {
        List<Member> members = new ArrayList<>();
        for (String key : keys) {
            int id = members.size();
            members.add(new Member(new WorkerId(id), "host" + id, "", "127.0.0.1", 1 + id, key));
        }
        return new Group(1, members);
    }

    private static List<Double> numbers(Strategy strategy) {
        List<Double> numbers = new ArrayList<>();
        strategy.moments().stream()
                .filter(moment -> !moment.name().endsWith("step"))
                .forEach(
                        moment -> {
                            DoubleBuffer buffer = moment.data().buffer().asDoubleBuffer();
                            while (buffer.hasRemaining()) {
                                numbers.add(buffer.get());
                            }
                        });
        return numbers;
    }
}
