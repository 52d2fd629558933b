package dev.medley.plan.efficiency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.plan.efficiency.Efficiency.Origin;
import dev.medley.plan.efficiency.Efficiency.OuterStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a table of any figures says of strategies and families that it does not know. */
@Tag("property")
class EfficiencyGuessesTest {
    /** Of two of them a third is never as far by ratio. */
    private static final int[] STEPS = {2, 3, 5, 7, 11, 13, 17, 29, 53, 101};

    private static final List<Compress> CODECS =
            List.of(Compress.NONE, Compress.BF16, Compress.INT8);
    private static final List<String> FAMILIES = List.of("cnn", "mlp", "transformer");

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    private static StrategySpec strategy(RandomGenerator random) {
        boolean isDiloco = random.nextInt(4) > 0;
        Kind kind = isDiloco ? Kind.DILOCO : Kind.LOCAL_SGD;
        RoundSpec round = RoundSpec.defaults(kind).every(STEPS[random.nextInt(STEPS.length)]);
        if (isDiloco && random.nextBoolean()) {
            round = round.streaming(new StreamSpec(2, 1));
        }
        if (isDiloco && random.nextBoolean()) {
            round = round.outer(1, 0.5);
        }
        return StrategySpec.defaults().as(kind.in(round), CODECS.get(random.nextInt(3)));
    }

    private static Efficiency figure(
            StrategySpec of, RandomGenerator random, @Nullable String family) {
        int seeds = random.nextInt(5);
        return new Efficiency(
                of.kind(),
                of.round().syncEvery(),
                of.compress(),
                0.1 + 1.5 * random.nextDouble(),
                seeds == 1 && random.nextBoolean() ? null : 0.5 * random.nextDouble(),
                seeds,
                "2026-11-21",
                seeds == 0 ? Origin.GUESSED : Origin.MEASURED,
                "in a test",
                of.round().stream(),
                family,
                OuterStep.of(of.round()));
    }

    /** Figures of drawn strategies, each once for each family that is asked for. */
    private static EfficiencyTable table(RandomGenerator random, List<@Nullable String> families) {
        List<Efficiency> entries = new ArrayList<>();
        entries.add(
                new Efficiency(
                        Kind.DATA_PARALLEL,
                        1,
                        Compress.NONE,
                        1,
                        0.0,
                        1,
                        "2026-11-21",
                        Origin.MEASURED,
                        "by definition",
                        StreamSpec.NONE,
                        null,
                        null));
        Set<StrategySpec> known = new HashSet<>();
        known.add(rounds(Kind.LOCAL_SGD));
        known.add(rounds(Kind.DILOCO));
        int more = random.nextInt(12);
        for (int i = 0; i < more; i++) {
            known.add(strategy(random));
        }
        for (StrategySpec strategy :
                known.stream().sorted(Comparator.comparing(Record::toString)).toList()) {
            List<@Nullable String> of = new ArrayList<>(families);
            of.removeIf(family -> of.size() > 1 && random.nextBoolean());
            of.forEach(family -> entries.add(figure(strategy, random, family)));
        }
        return new EfficiencyTable("", entries);
    }

    private static StrategySpec rounds(Kind kind) {
        return StrategySpec.defaults(kind).with(RoundSpec.defaults(kind).every(19));
    }

    private static EfficiencyTable shuffled(EfficiencyTable table, RandomGenerator random) {
        List<Efficiency> entries = new ArrayList<>();
        table.entries().forEach(e -> entries.add(random.nextInt(entries.size() + 1), e));
        return new EfficiencyTable("", entries);
    }

    private static boolean isOf(Efficiency entry, StrategySpec strategy) {
        return entry.kind() == strategy.kind()
                && entry.syncEvery() == strategy.round().syncEvery()
                && entry.compress() == strategy.compress()
                && entry.stream().equals(strategy.round().stream())
                && entry.outer().equals(OuterStep.of(strategy.round()));
    }

    private static double ratio(Efficiency entry, StrategySpec strategy) {
        double times = (double) entry.syncEvery() / strategy.round().syncEvery();
        return Math.max(times, 1 / times);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsNotInTheTableShouldBeAGuessByTheNearest(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<@Nullable String> any = new ArrayList<>();
        any.add(null);
        EfficiencyTable table = table(random, any);
        EfficiencyTable other = shuffled(table, random);
        for (int i = 0; i < 20; i++) {
            StrategySpec asked = strategy(random);
            Efficiency said = table.of(asked);
            assertThat(other.of(asked)).as("in another order").isEqualTo(said);
            assertThat(isOf(said, asked)).isTrue();
            Efficiency nearest =
                    table.entries().stream()
                            .filter(e -> e.value() == said.value())
                            .findFirst()
                            .orElseThrow();
            assertThat(nearest.kind()).isEqualTo(asked.kind());
            if (isOf(nearest, asked)) {
                assertThat(said).isEqualTo(nearest);
                Efficiency unusual = table.of(asked.with(asked.round().inBatchesOf(8)));
                assertThat(unusual.isGuess()).isTrue();
                assertThat(unusual.counted()).isLessThanOrEqualTo(nearest.counted());
                continue;
            }
            assertThat(table.entries()).noneMatch(e -> isOf(e, asked));
            assertThat(said.isGuess()).isTrue();
            assertThat(said.counted()).isLessThanOrEqualTo(Math.min(1, nearest.counted()));
            assertThat(table.entries())
                    .filteredOn(e -> e.kind() == asked.kind())
                    .filteredOn(e -> e.outer().equals(OuterStep.of(asked.round())))
                    .filteredOn(e -> e.stream().equals(asked.round().stream()))
                    .allMatch(e -> ratio(e, asked) >= ratio(nearest, asked));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aFamilyShouldGetItsOwnFiguresAndTheLeastOfOthersAsAGuess(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<@Nullable String> families = new ArrayList<>(FAMILIES);
        families.add(null);
        EfficiencyTable table = table(random, families);
        for (String family : FAMILIES) {
            EfficiencyTable of = table.of(family);
            assertThat(shuffled(table, random).of(family).entries())
                    .as("in another order")
                    .containsExactlyInAnyOrderElementsOf(of.entries());
            assertThat(of.of(family)).as("again").isEqualTo(of);
            for (Efficiency said : of.entries()) {
                List<Efficiency> known =
                        table.entries().stream().filter(e -> isAlike(e, said)).toList();
                Efficiency own = find(known, family);
                Efficiency all = find(known, null);
                if (own != null || all != null) {
                    assertThat(said).isEqualTo(own != null ? own : all);
                    continue;
                }
                assertThat(said.isGuess()).isTrue();
                assertThat(said.family()).isNull();
                assertThat(known).allMatch(e -> said.counted() <= e.counted());
                assertThat(known).anyMatch(e -> said.value() == e.value());
            }
        }
    }

    private static boolean isAlike(Efficiency one, Efficiency other) {
        return one.kind() == other.kind()
                && one.syncEvery() == other.syncEvery()
                && one.compress() == other.compress()
                && one.stream().equals(other.stream())
                && one.outer().equals(other.outer());
    }

    private static @Nullable Efficiency find(List<Efficiency> known, @Nullable String family) {
        return known.stream()
                .filter(e -> Objects.equals(e.family(), family))
                .findFirst()
                .orElse(null);
    }
}
