package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Balance;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of the shares where stragglers get less at once. */
@Tag("property")
class ShrinkingSharesTest {
    private static final double BOUND = 3;
    private static final int LATE_STEPS = 25;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** From the first steps on, when shares do not follow speeds yet, or later. */
    @ParameterizedTest
    @MethodSource("seeds")
    void onlyWhoIsLateShouldBeBlamedAndGetLess(long seed) {
        World world = World.of(seed);
        RandomGenerator random = Seeds.generator(seed, 1);
        boolean isEarly = random.nextBoolean();
        world.steps(isEarly ? 3 : 3 + random.nextInt(30));
        int slow = isEarly ? world.fastest() : random.nextInt(world.size());
        double times = BOUND * (1.1 + 2 * random.nextDouble());
        boolean wasBlamed = false;
        for (int i = 0; i < LATE_STEPS; i++) {
            boolean isLate = i < 3 || random.nextInt(3) > 0;
            world.step(rank -> rank == slow && isLate ? times : 1);
            List<Integer> before = world.shares();
            String why = String.valueOf(world.plans.wish(world.step));
            boolean isBlamed = why.contains("at once");
            if (isBlamed) {
                assertThat(why).startsWith("worker-%d took ".formatted(slow + 1));
                assertThat(isLate || wasBlamed).as("%s, but not in this step", why).isTrue();
            }
            boolean isGranted = random.nextBoolean(); // A group may take some steps more.
            if (isGranted) {
                world.granted();
            }
            wasBlamed = isBlamed && !isGranted;
            if (isBlamed && isGranted) {
                assertThat(world.shares().get(slow)).as(why).isLessThan(before.get(slow));
            }
            assertThat(world.shares().stream().mapToInt(s -> s).sum()).isEqualTo(world.batch);
            assertThat(world.shares()).allMatch(share -> share >= 1 && share <= world.batch);
        }
    }

    /** Shares that are nearer to the speeds waited while a machine was late, and it is well now. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aStepInTimeShouldBlameNobodyForThoseBefore(long seed) {
        World world = World.of(seed);
        int slow = world.slowest();
        for (int i = 0; i < 9; i++) {
            double times = i < 6 ? 1 : 2 * BOUND;
            world.step(rank -> rank == slow ? times : 1);
            world.plans.wish(world.step); // It is not granted yet.
        }
        world.granted();
        for (int i = 0; i < 2; i++) {
            world.step(rank -> 1);
            assertThat(String.valueOf(world.granted())).doesNotContain("at once");
        }
    }

    /** However the steps scatter, and however often one of five takes long. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingShouldChangeAtOnceWhereNobodyIsLateAgainAndAgain(long seed) {
        World world = World.of(seed);
        RandomGenerator random = Seeds.generator(seed, 2);
        world.steps(6);
        int[] lastPause = new int[world.size()];
        for (int i = 5; i < 30; i++) {
            int now = i;
            world.step(
                    rank -> {
                        boolean isPause = now - lastPause[rank] > 2 && random.nextInt(4) == 0;
                        lastPause[rank] = isPause ? now : lastPause[rank];
                        return isPause ? 3 * BOUND : 0.7 + 0.6 * random.nextDouble();
                    });
            assertThat(String.valueOf(world.granted())).doesNotContain("at once");
        }
    }

    /** Speeds and lateness belong to machines, whatever rank each of them has. */
    @ParameterizedTest
    @MethodSource("seeds")
    void ranksShouldNotMatter(long seed) {
        World world = World.of(seed);
        RandomGenerator random = Seeds.generator(seed, 3);
        List<Integer> order = new ArrayList<>();
        for (int machine = 0; machine < world.size(); machine++) {
            order.add(random.nextInt(machine + 1), machine);
        }
        World other = world.inOrder(order);
        int slow = random.nextInt(world.size());
        double times = BOUND * (1.4 + 2 * random.nextDouble());
        int before = 0;
        for (int i = 0; i < 30; i++) {
            double now = i < 20 ? 1 : times;
            before = i == 20 ? world.shares().get(slow) : before;
            world.step(rank -> rank == slow ? now : 1);
            other.step(rank -> order.get(rank) == slow ? now : 1);
            boolean isChange = world.granted() != null;
            assertThat(other.granted() != null).isEqualTo(isChange);
            assertThat(other.shares()).isEqualTo(order.stream().map(world.shares()::get).toList());
            assertThat(world.shares().get(slow)).isLessThan(i < 22 ? world.batch : before);
        }
    }

    /** How many times as long as usual a rank takes. */
    @FunctionalInterface
    private interface Times {
        double of(int rank);
    }

    /** Machines of unlike speeds, and the shares that they have. */
    private static final class World {
        private static final double ALPHA_NS = 1e5;

        private final int batch;
        private final List<Double> nsOfASample;
        private final BalancedPlan plans;
        private Plan plan;
        private int version;
        private long step;

        private World(int batch, List<Double> nsOfASample) {
            this.batch = batch;
            this.nsOfASample = nsOfASample;
            this.plans =
                    new BalancedPlan(
                                    new SharePlan(batch, 1, List.of()),
                                    Balance.of(batch),
                                    Long.MAX_VALUE)
                            .shrinking(BOUND);
            this.plan = form();
        }

        static World of(long seed) {
            RandomGenerator random = Seeds.generator(seed);
            int size = 2 + random.nextInt(5);
            return new World(
                    size * (16 + random.nextInt(100)),
                    IntStream.range(0, size)
                            .mapToObj(i -> 1e5 * Math.pow(20, random.nextDouble()))
                            .toList());
        }

        /** The same machines, none of which has taken a step. */
        World inOrder(List<Integer> machines) {
            return new World(batch, machines.stream().map(nsOfASample::get).toList());
        }

        int size() {
            return nsOfASample.size();
        }

        int fastest() {
            return nsOfASample.indexOf(nsOfASample.stream().min(Double::compare).orElseThrow());
        }

        int slowest() {
            return nsOfASample.indexOf(nsOfASample.stream().max(Double::compare).orElseThrow());
        }

        List<Integer> shares() {
            return plan.shares();
        }

        void steps(int count) {
            for (int i = 0; i < count; i++) {
                step(rank -> 1);
                granted();
            }
        }

        void step(Times times) {
            Map<WorkerId, Measured> measured = new HashMap<>();
            for (int rank = 0; rank < size(); rank++) {
                int share = shares().get(rank);
                double ns = times.of(rank) * (ALPHA_NS + share * nsOfASample.get(rank));
                measured.put(new WorkerId(rank + 1), Measured.alone(share, (long) ns));
            }
            plans.stepped(++step, measured);
        }

        /** Why there are other shares from now on; null if nothing was wished for. */
        @Nullable String granted() {
            String why = plans.wish(step);
            if (why != null) {
                plan = form();
            }
            return why;
        }

        private Plan form() {
            version++;
            return plans.plan(Groups.of(version, size()), version, step);
        }
    }
}
