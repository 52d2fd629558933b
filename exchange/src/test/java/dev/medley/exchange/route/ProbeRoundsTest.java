package dev.medley.exchange.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.exchange.route.ProbeRounds.Pair;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Probes that do not disturb each other. */
@Tag("property")
class ProbeRoundsTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNeverPutAMachineOrTheWayOutOfASiteIntoTwoPairs(long seed) {
        List<Integer> siteOf = anySites(Seeds.generator(seed));
        for (ProbeRounds rounds : List.of(ProbeRounds.brief(siteOf), ProbeRounds.whole(siteOf))) {
            for (List<Pair> round : rounds.rounds()) {
                List<Integer> machines = new ArrayList<>();
                List<Integer> crossing = new ArrayList<>();
                for (Pair pair : round) {
                    machines.addAll(List.of(pair.one(), pair.other()));
                    int here = siteOf.get(pair.one());
                    int there = siteOf.get(pair.other());
                    crossing.addAll(here == there ? List.of() : List.of(here, there));
                }
                assertThat(machines).doesNotHaveDuplicates();
                assertThat(crossing).doesNotHaveDuplicates();
                assertThat(round).isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldProbeEveryPairOnceIfAllAreWantedAndEveryPairOfSitesIfFew(long seed) {
        List<Integer> siteOf = anySites(Seeds.generator(seed));
        int size = siteOf.size();
        Set<Set<Integer>> all = new HashSet<>();
        List<Pair> pairs =
                ProbeRounds.whole(siteOf).rounds().stream().flatMap(List::stream).toList();
        pairs.forEach(pair -> all.add(Set.of(pair.one(), pair.other())));
        assertThat(pairs).hasSize(size * (size - 1) / 2);
        assertThat(all).hasSameSizeAs(pairs);

        Set<Set<Integer>> sites = new HashSet<>();
        ProbeRounds brief = ProbeRounds.brief(siteOf);
        for (Pair pair : brief.rounds().stream().flatMap(List::stream).toList()) {
            int here = siteOf.get(pair.one());
            int there = siteOf.get(pair.other());
            assertThat(pair.one()).isNotEqualTo(pair.other());
            if (here != there) {
                sites.add(Set.of(here, there));
            }
        }
        int count = (int) siteOf.stream().distinct().count();
        assertThat(sites).hasSize(count * (count - 1) / 2);
        assertThat(brief.rounds().size()).isLessThanOrEqualTo(2 * (count + size));
    }

    @Test
    void shouldLeaveKnownWaysOut() {
        ProbeRounds rounds = ProbeRounds.whole(List.of(0, 0, 1)).only(pair -> pair.other() == 2);
        assertThat(rounds.rounds()).hasSize(2);
        assertThat(rounds.only(pair -> false).rounds()).isEmpty();
    }

    private static List<Integer> anySites(RandomGenerator random) {
        int count = 1 + random.nextInt(5);
        List<Integer> siteOf = new ArrayList<>(IntStream.range(0, count).boxed().toList());
        int more = random.nextInt(16);
        for (int i = 0; i < more; i++) {
            siteOf.add(random.nextInt(count));
        }
        return siteOf;
    }
}
