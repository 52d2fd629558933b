package dev.medley.exchange.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cheapest way by the model, and a sentence why. */
@Tag("property")
class ChoiceTest {
    private static final Set<Scheme> ALL = EnumSet.allOf(Scheme.class);
    private static final SiteMap TWO_BY_TWO = new SiteMap(List.of(List.of(0, 1), List.of(2, 3)));
    private static final SiteMap THREE_BY_TWO =
            new SiteMap(List.of(List.of(0, 1), List.of(2, 3), List.of(4, 5)));

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    @Test
    void shouldTakeLeadersForSmallSlicesAndSharesForLarge() {
        LinkFigures figures = LinkFigures.assumed();
        assertThat(Choice.of(200, TWO_BY_TWO, figures, ALL).scheme()).isEqualTo(Scheme.LEADERS);
        assertThat(Choice.of(200, THREE_BY_TWO, figures, ALL).scheme()).isEqualTo(Scheme.LEADERS);
        assertThat(Choice.of(1 << 20, TWO_BY_TWO, figures, ALL).scheme()).isEqualTo(Scheme.SHARES);
        assertThat(Choice.of(1 << 20, THREE_BY_TWO, figures, ALL).scheme())
                .isEqualTo(Scheme.SHARES);
    }

    /** Twice 8 nodes, 400 MB, 10 Gbit/s and 0.2 ms inside, 1 Gbit/s and 50 ms between: 3.9 s. */
    @Test
    void shouldExpectWhatTheFormulaGives() {
        LinkFigures figures =
                new LinkFigures(
                        200_000,
                        1_250_000_000,
                        50_000_000,
                        125_000_000,
                        LinkFigures.Origin.ASSUMED,
                        LinkFigures.Origin.ASSUMED);
        SiteMap sites =
                new SiteMap(
                        List.of(
                                List.of(0, 1, 2, 3, 4, 5, 6, 7),
                                List.of(8, 9, 10, 11, 12, 13, 14, 15)));
        Choice choice = Choice.of(400_000_000, sites, figures, ALL);
        assertThat(choice.scheme()).isEqualTo(Scheme.SHARES);
        assertThat(choice.expectedNs() / 1e9).isBetween(3.2, 3.9);
        assertThat(choice.why())
                .contains("hierarchical", "50.0 ms (assumed)", "125.0 MB/s (assumed)");
        assertThat(Choice.costNs(Scheme.RING, 400_000_000, sites, figures) / 1e9)
                .isBetween(6.0, 7.5);
    }

    /** A ring is worth it only where links inside a site are no better than those between. */
    @Test
    void shouldTakeTheRingWhenAllLinksAreAlike() {
        SiteMap sites = new SiteMap(List.of(List.of(0, 1, 2), List.of(3)));
        LinkFigures alike =
                new LinkFigures(
                        100_000,
                        125_000_000,
                        100_000,
                        125_000_000,
                        LinkFigures.Origin.ASSUMED,
                        LinkFigures.Origin.ASSUMED);
        assertThat(Choice.of(64 << 20, sites, alike, ALL).scheme()).isEqualTo(Scheme.RING);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNeverExpectMoreThanOfAnyOtherScheme(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        SiteMap sites = CutTest.anySites(random);
        LinkFigures figures =
                LinkFigures.assumed()
                        .measuring(random.nextInt(1_000_000), random.nextInt(200_000_000));
        long bytes = random.nextLong(1L << random.nextInt(1, 32));
        Choice choice = Choice.of(bytes, sites, figures, ALL);
        for (Scheme scheme : Scheme.values()) {
            assertThat(choice.expectedNs())
                    .isLessThanOrEqualTo((long) Choice.costNs(scheme, bytes, sites, figures));
        }
        assertThat(choice).isEqualTo(Choice.of(bytes, sites, figures, ALL));
        assertThat(Choice.of(bytes, sites, figures, Set.of(Scheme.RING)).scheme())
                .isEqualTo(Scheme.RING);
    }

    @Test
    void shouldDeriveLatenciesFromTheRoundTripsOfAll() {
        List<String> rows =
                List.of(
                        RoundTrips.say(new long[] {0, 300_000, 41_000_000, 40_500_000}),
                        RoundTrips.say(new long[] {900_000, 0, 44_000_000, 40_000_000}),
                        RoundTrips.say(new long[] {42_000_000, 41_000_000, 0, 200_000}),
                        RoundTrips.say(new long[] {41_000_000, 41_000_000, 250_000, 0}));
        LinkFigures figures = RoundTrips.heard(rows).figures(TWO_BY_TWO, LinkFigures.assumed());
        assertThat(figures.insideLatencyNs()).isEqualTo(150_000);
        assertThat(figures.betweenLatencyNs()).isEqualTo(20_000_000);
        assertThat(figures.latencies()).isEqualTo(LinkFigures.Origin.MEASURED);
    }

    @Test
    void shouldDescribeItselfInWords() {
        Routing routing =
                new Routing(
                        THREE_BY_TWO, LinkFigures.assumed(), Set.of(Scheme.LEADERS, Scheme.SHARES));
        assertThat(routing.description())
                .startsWith(" in 3 sites: hierarchical from ")
                .contains("through one process of each site below", "20.0 ms", "assumed");
        SiteMap one = new SiteMap(List.of(List.of(0, 1)));
        assertThat(new Routing(one, LinkFigures.assumed(), ALL).description()).isEmpty();
    }
}
