package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.source.Ways;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class SlowLinkTest {
    private static final double BOUND = 3;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void linksThatAreAsUsualShouldBeNobodysHoweverUnlikeTheyAre(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Ways ways = Ways.uneven(2 + random.nextInt(7), random);
        assertThat(judged(ways.seen(random), ways.seen(random)).workers()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theMachineWhoseLinkBecameSlowShouldBeNamed(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Ways ways = Ways.uneven(3 + random.nextInt(6), random);
        int machine = random.nextInt(ways.size());
        double times = 2 * BOUND + 200 * random.nextDouble();
        Ways slow =
                switch (random.nextInt(3)) {
                    case 0 -> ways.slowFrom(machine, times);
                    case 1 -> ways.slowTo(machine, times);
                    default -> ways.slow(machine, times);
                };
        assertThat(judged(ways.seen(random), slow.seen(random)).workers())
                .containsExactly(new WorkerId(machine + 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOrderOfMachinesShouldNotMatter(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Ways ways = Ways.uneven(2 + random.nextInt(7), random);
        Ways now = ways.seen(random);
        for (int i = 0; i < random.nextInt(3); i++) {
            now = now.slow(random.nextInt(ways.size()), 1 + 20 * random.nextDouble());
        }
        for (int i = 0; i < random.nextInt(5); i++) {
            now = now.without(random.nextInt(ways.size()), random.nextInt(ways.size()), 10);
        }
        List<Integer> order = new ArrayList<>(IntStream.range(0, ways.size()).boxed().toList());
        for (int i = order.size(); i > 1; i--) {
            Collections.swap(order, i - 1, random.nextInt(i));
        }
        assertThat(SlowLink.judge(known(ways), now.report(2, order), BOUND, SlowLink.Late.NONE))
                .isEqualTo(SlowLink.judge(known(ways), now.report(2), BOUND, SlowLink.Late.NONE));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aNetworkThatBecameSlowShouldBeNobodysLink(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Ways ways = Ways.uneven(2 + random.nextInt(7), random);
        Ways slow = ways.seen(random);
        for (int machine = 0; machine < ways.size(); machine++) {
            slow = slow.slowFrom(machine, 20);
        }
        assertThat(judged(ways, slow).workers()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSlowWayBetweenTwoShouldBeNeithersLink(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Ways ways = Ways.uneven(2 + random.nextInt(7), random);
        int one = random.nextInt(ways.size());
        int other = (one + 1 + random.nextInt(ways.size() - 1)) % ways.size();
        Ways slow = ways.without(one, other, 100).without(other, one, 100);
        assertThat(judged(ways, slow.seen(random)).workers()).isEmpty();
    }

    /** The second of two at a site is known by its way to the first alone. */
    @Test
    void ofMachinesThatMayBeItThatWithMostSlowWaysShouldBeNamed() {
        Ways ways = Ways.alike(4);
        Ways ofTheThird = ways.slow(2, 100).without(3, 2, 2);
        assertThat(
                        SlowLink.judge(known(ways), few(ofTheThird), BOUND, SlowLink.Late.NONE)
                                .workers())
                .containsExactly(new WorkerId(3));
        assertThat(
                        SlowLink.judge(
                                        known(ways),
                                        few(ways.slow(1, 100)),
                                        BOUND,
                                        SlowLink.Late.NONE)
                                .workers())
                .containsExactly(new WorkerId(2));
    }

    @Test
    void waysThatWereNotMeasuredShouldSayNothing() {
        PathRates usual = new PathRates(BOUND);
        usual.learn(few(Ways.alike(4)));
        assertThat(usual.usual(List.of(1), List.of(2))).isEqualTo(1e8);
        assertThat(usual.usual(List.of(2), List.of(3))).isZero();
    }

    /**
     * Two sites with two machines each, of which one pair is probed. Figures that only stand for
     * others are far from those that were measured.
     */
    private static LinkReport few(Ways of) {
        LinkReport all = of.report(2);
        List<List<LinkPath>> ways = new ArrayList<>();
        for (int from = 0; from < 4; from++) {
            List<LinkPath> row = new ArrayList<>();
            for (int to = 0; to < 4; to++) {
                boolean isProbed = from / 2 == to / 2 || from + to == 2;
                row.add(isProbed ? all.ways().get(from).get(to) : new LinkPath(0, 1, Origin.KEPT));
            }
            ways.add(row);
        }
        return new LinkReport(all.epoch(), all.workers(), ways, all.foundSites(), all.whySites());
    }

    @Test
    void shouldSayWhatTheLinkCarries() {
        Ways ways = Ways.alike(3);
        assertThat(judged(ways, ways.slowFrom(1, 100)).why())
                .isEqualTo("the link of worker-2 carries 1.00 MB/s out of it, 100 MB/s were usual");
        assertThat(judged(ways, ways.slowTo(1, 100)).why()).contains("1.00 MB/s to it");
    }

    /** 2 MB take 2 s over 1 MB/s, and 20 ms over 100 MB/s. */
    @Test
    void aLinkThatIsFastForWhatIsSentShouldNotBeNamed() {
        Ways ways = Ways.alike(3);
        Ways slow = ways.slowFrom(1, 100);
        assertThat(judged(ways, slow, new SlowLink.Late(2e6, 2e9)).workers()).hasSize(1);
        assertThat(judged(ways, slow, new SlowLink.Late(2e6, 19e9)).workers()).hasSize(1);
        assertThat(judged(ways, slow, new SlowLink.Late(2e6, 21e9)).workers()).isEmpty();
        assertThat(judged(ways, slow, new SlowLink.Late(2e4, 0.5e9)).workers()).isEmpty();
    }

    @Test
    void allWorkersOfAMachineShouldShareItsLink() {
        LinkReport before = of(1, 1e8);
        PathRates usual = new PathRates(BOUND);
        usual.learn(before);
        assertThat(SlowLink.judge(usual, of(2, 1e6), BOUND, SlowLink.Late.NONE).workers())
                .containsExactly(new WorkerId(1), new WorkerId(2));
    }

    /** Two workers on the first of three machines. */
    private static LinkReport of(int epoch, double ofTheFirst) {
        Ways ways = Ways.alike(3).slow(0, 1e8 / ofTheFirst);
        LinkReport report = ways.report(epoch);
        return new LinkReport(
                epoch,
                List.of(List.of(1, 2), List.of(3), List.of(4)),
                report.ways(),
                report.foundSites(),
                report.whySites());
    }

    private static SlowLink judged(Ways before, Ways now, SlowLink.Late late) {
        return SlowLink.judge(known(before), now.report(2), BOUND, late);
    }

    private static SlowLink judged(Ways before, Ways now) {
        return SlowLink.judge(known(before), now.report(2), BOUND, SlowLink.Late.NONE);
    }

    private static PathRates known(Ways ways) {
        PathRates usual = new PathRates(BOUND);
        usual.learn(ways.report(1));
        return usual;
    }
}
