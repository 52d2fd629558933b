package dev.medley.exchange.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.exchange.route.Cell;
import dev.medley.exchange.route.Cut;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Slice;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one rank sends to another is what that one expects of it, and all come to every sum. */
@Tag("property")
class LegsTest {
    private static final long BYTES = 1_000_000;

    static Stream<SiteMap> maps() {
        return Stream.of(
                SiteMap.apart(2),
                SiteMap.apart(3),
                SiteMap.apart(4),
                new SiteMap(List.of(List.of(0, 1, 2))),
                new SiteMap(List.of(List.of(0, 2), List.of(1, 3))),
                new SiteMap(List.of(List.of(0), List.of(1, 2, 4), List.of(3, 5))),
                new SiteMap(List.of(List.of(1, 3))));
    }

    @ParameterizedTest
    @MethodSource("maps")
    void bothEndsShouldKnowTheSame(SiteMap sites) {
        for (Scheme scheme : List.of(Scheme.SHARES, Scheme.LEADERS)) {
            List<Cell> cells = Cut.of(slice(), sites, scheme);
            List<Integer> ranks = sites.ranks().stream().flatMap(List::stream).toList();
            for (int one : ranks) {
                Legs ofOne = Legs.of(cells, sites, one);
                for (int other : ranks) {
                    List<Legs.Leg> there = ofOne.byPeer().get(other);
                    List<Legs.Leg> back = Legs.of(cells, sites, other).byPeer().get(one);
                    assertThat(there).hasSameSizeAs(back);
                    for (int strand = 0; strand < there.size(); strand++) {
                        assertThat(there.get(strand).upOut()).isEqualTo(back.get(strand).upIn());
                        assertThat(there.get(strand).downOut())
                                .isEqualTo(back.get(strand).downIn());
                    }
                }
                int here = sites.siteOf(one);
                assertThat(ofOne.owned())
                        .allMatch(cell -> cells.get(cell).owner(here) == one)
                        .hasSize((int) cells.stream().filter(c -> c.owner(here) == one).count());
            }
        }
    }

    /** A rank adds the whole sum of a cell itself, or is told it by exactly one other. */
    @ParameterizedTest
    @MethodSource("maps")
    void everyRankShouldComeToEveryWholeSumOnce(SiteMap sites) {
        List<Cell> cells = Cut.of(slice(), sites, Scheme.SHARES);
        for (List<Integer> site : sites.ranks()) {
            for (int rank : site) {
                Legs legs = Legs.of(cells, sites, rank);
                for (int cell = 0; cell < cells.size(); cell++) {
                    int index = cell;
                    boolean isAddedHere =
                            legs.owned().contains(cell)
                                    && cells.get(cell).isAddedAt(sites.siteOf(rank));
                    long tellers =
                            legs.byPeer().stream()
                                    .flatMap(List::stream)
                                    .filter(leg -> leg.downIn().contains(index))
                                    .count();
                    assertThat(tellers).isEqualTo(isAddedHere ? 0 : 1);
                }
            }
        }
    }

    /** What a rank at another site is sent is cut evenly: at most a turn of all sites apart. */
    @ParameterizedTest
    @MethodSource("maps")
    void strandsShouldCarryEvenParts(SiteMap sites) {
        List<Cell> cells = Cut.of(slice(), sites, Scheme.SHARES);
        for (int rank : sites.ranks().get(0)) {
            for (List<Legs.Leg> strands : Legs.of(cells, sites, rank).byPeer()) {
                List<Integer> carried = strands.stream().map(leg -> leg.upOut().size()).toList();
                if (carried.size() > 1) {
                    assertThat(Collections.max(carried) - Collections.min(carried))
                            .isLessThanOrEqualTo(sites.sites());
                }
            }
        }
    }

    private static Slice slice() {
        return new Slice(new StepTag(1, 1, 1), 1, 0, BYTES, ElementType.FLOAT32, Fidelity.EXACT);
    }
}
