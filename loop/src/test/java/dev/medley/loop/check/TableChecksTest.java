package dev.medley.loop.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.loop.check.CheckResult.Outcome;
import dev.medley.loop.check.ColumnFacts.Found;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks hold or not by the facts, and their sentence has both. */
@Tag("unit")
class TableChecksTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final long HOUR = 3_600_000L;

    @Test
    void shouldJudgeSharesOfNulls() {
        TableFacts facts = facts(Map.of("age", ColumnFacts.ofNulls(6)));
        judged(spec("nulls", "age", null, 0.05), facts, Outcome.FAILED, "6 of 100 rows (6.0 %)");
        judged(spec("nulls", "age", null, 0.06), facts, Outcome.PASSED, "at most 6.0 %");
        judged(spec("nulls", "age", null, null), facts, Outcome.FAILED, "at most 0");
        TableFacts none =
                new TableFacts(0, List.of(), NOW, Map.of("age", ColumnFacts.ofNulls(0)), Map.of());
        judged(spec("nulls", "age", null, 0.0), none, Outcome.UNJUDGED, "there are no rows");
    }

    @Test
    void shouldJudgeRanges() {
        TableFacts facts = facts(Map.of("age", numbers(-1.0, 90.5)));
        judged(spec("range", "age", 0.0, 120.0), facts, Outcome.FAILED, "between -1 and 90.5");
        judged(spec("range", "age", null, 120.0), facts, Outcome.PASSED, "anything and 120");
        judged(spec("range", "age", -1.0, 90.5), facts, Outcome.PASSED, "it may between");
        judged(
                spec("range", "age", 0.0, 1.0),
                facts(Map.of("age", ColumnFacts.ofNulls(100))),
                Outcome.UNJUDGED,
                "no numbers");
    }

    @Test
    void shouldJudgeVolumeByItsOwnSpread() {
        List<Long> steady =
                List.of(1000L, 1010L, 990L, 1005L, 1000L, 998L, 1003L, 1001L, 996L, 1002L);
        List<Long> wild = List.of(100L, 9000L, 800L, 3000L, 20000L, 50L, 1200L, 700L, 4000L, 90L);
        judged(volume(), volumes(600, steady), Outcome.FAILED, "600 rows; by the spread of 10");
        judged(volume(), volumes(1060, steady), Outcome.PASSED, "are usual");
        judged(volume(), volumes(600, wild), Outcome.PASSED, "are usual");
        judged(volume(), volumes(0, wild), Outcome.FAILED, "0 rows");
        judged(volume(), volumes(0, List.of(5L, 4L)), Outcome.UNJUDGED, "too few");
        List<Long> withOutage = List.of(1000L, 0L, 990L, 1005L, 1000L, 0L, 1003L, 1001L, 996L);
        judged(volume(), volumes(0, withOutage), Outcome.FAILED, "0 rows");
    }

    @Test
    void shouldRarelyFindUsualVolumesStrange() {
        RandomGenerator random = Seeds.generator(5);
        int strange = 0;
        for (int run = 0; run < 4000; run++) {
            double spread = 0.02 + 0.5 * random.nextDouble();
            List<Long> earlier =
                    LongStream.range(0, 7 + random.nextInt(30))
                            .map(i -> Math.round(5000 * Math.exp(spread * random.nextGaussian())))
                            .boxed()
                            .toList();
            long rows = Math.round(5000 * Math.exp(spread * random.nextGaussian()));
            VolumeRange range = VolumeRange.of(earlier, 0.01);
            strange += rows < range.least() || rows > range.most() ? 1 : 0;
        }
        assertThat(strange).isLessThan(80); // 2 %, where 1 % is meant.
    }

    @Test
    void shouldJudgeFreshnessAndSayThatAClockIsWrong() {
        CheckSpec check =
                new CheckSpec("freshness", List.of("at"), "warn", null, null, "26h", null, null);
        judged(check, times(NOW - 25 * HOUR), Outcome.PASSED, "is 25 h");
        judged(check, times(NOW - 27 * HOUR), Outcome.WARNED, "at most 26 h");
        judged(check, times(NOW + 2 * HOUR), Outcome.WARNED, "2 h in the future: a clock");
        judged(check, times(NOW + 30_000), Outcome.PASSED, "old");
        judged(check, times(null), Outcome.WARNED, "no time in any row");
    }

    @Test
    void shouldJudgeKeysReferencesAndValues() {
        ColumnFacts column =
                new ColumnFacts(
                        0,
                        null,
                        null,
                        null,
                        Map.of("basic", 90L, "premum", 9L, "x", 1L),
                        Map.of("plans.name", new Found(10, "premum")));
        TableFacts facts =
                new TableFacts(
                        100,
                        List.of(),
                        NOW,
                        Map.of("plan", column),
                        Map.of(List.of("plan"), new Found(97, "basic")));
        judged(
                new CheckSpec("unique", List.of("plan"), null, null, null, null, null, null),
                facts,
                Outcome.FAILED,
                "97 of 100 rows repeat an earlier row's plan, such as 'basic'");
        judged(
                new CheckSpec(
                        "referential", List.of("plan"), null, null, null, null, null, "plans.name"),
                facts,
                Outcome.FAILED,
                "10 rows have a plan that plans.name does not have, such as 'premum'");
        judged(
                new CheckSpec(
                        "allowed",
                        List.of("plan"),
                        "warn",
                        null,
                        null,
                        null,
                        List.of("basic", "premium"),
                        null),
                facts,
                Outcome.WARNED,
                "'premum' (9 rows; did they mean 'premium'?), 'x' (1 rows)");
    }

    @Test
    void shouldGuessMisspeltNames() {
        TableFacts facts = facts(Map.of("age", ColumnFacts.ofNulls(0)));
        judged(
                spec("nulls", "agee", null, 0.1),
                facts,
                Outcome.FAILED,
                "there is no column agee; did you mean age?");
        assertThatThrownBy(() -> spec("nuls", "age", null, 0.1).parsed())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no check nuls; did you mean nulls?");
        assertThatThrownBy(() -> spec("volume", "age", null, null).parsed())
                .hasMessageContaining("it has no use for columns [age]");
        assertThatThrownBy(() -> spec("range", "age", 3.0, 1.0).parsed())
                .hasMessageContaining("least 3.0 is above most 1.0");
        assertThatThrownBy(() -> spec("freshness", "age", null, null).parsed())
                .hasMessageContaining("it needs maxAge");
    }

    @Test
    void shouldReadAges() {
        for (String age : List.of("90s", "1.5 m", "2h", "1d")) {
            assertThat(freshness(age).mostAgeMillis()).isPositive();
        }
        assertThat(freshness("1.5m").mostAgeMillis()).isEqualTo(90_000);
        for (String age : List.of("", "h", "5", "-1h", "1 y", "1h30m", "1e9h", "NaNh")) {
            assertThatThrownBy(() -> freshness(age))
                    .as(age)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("such as 90s or 26h");
        }
    }

    private static DataCheck.Freshness freshness(String age) {
        return (DataCheck.Freshness)
                new CheckSpec("freshness", List.of("at"), null, null, null, age, null, null)
                        .parsed();
    }

    private static void judged(CheckSpec spec, TableFacts facts, Outcome outcome, String why) {
        CheckResult result = TableChecks.judge(spec.parsed(), facts);
        assertThat(result.why()).contains(why);
        assertThat(result.outcome()).as(result.why()).isEqualTo(outcome);
    }

    private static CheckSpec spec(
            String kind, String column, @Nullable Double least, @Nullable Double most) {
        return new CheckSpec(kind, List.of(column), null, least, most, null, null, null);
    }

    private static CheckSpec volume() {
        return new CheckSpec("volume", null, null, null, null, null, null, null);
    }

    private static TableFacts facts(Map<String, ColumnFacts> columns) {
        return new TableFacts(100, List.of(), NOW, columns, Map.of());
    }

    private static TableFacts volumes(long rows, List<Long> earlier) {
        return new TableFacts(rows, earlier, NOW, Map.of(), Map.of());
    }

    private static TableFacts times(@Nullable Long newest) {
        return facts(Map.of("at", new ColumnFacts(0, null, null, newest, Map.of(), Map.of())));
    }

    private static ColumnFacts numbers(double least, double most) {
        return new ColumnFacts(0, least, most, null, Map.of(), Map.of());
    }
}
