package dev.medley.base.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrandsTest {
    @Test
    @Tag("unit")
    void shouldGiveABorderOfTwoPairsFourStrandsEach() {
        SiteMap sites = new SiteMap(List.of(List.of(0, 1), List.of(2, 3)));
        assertThat(Strands.ofValues(sites, 0, 2)).isEqualTo(4);
        assertThat(Strands.ofValues(sites, 1, 3)).isEqualTo(4);
        assertThat(Strands.ofValues(sites, 0, 3)).as("they share no part").isEqualTo(1);
        assertThat(Strands.ofValues(sites, 0, 1)).as("the same site").isEqualTo(1);
        assertThat(Strands.ofSums(sites, 0, 2)).as("both sites add").isEqualTo(1);
    }

    @Test
    @Tag("unit")
    void shouldWeaveWholeSumsWhereSitesTakeTurns() {
        SiteMap sites = SiteMap.apart(3);
        assertThat(Strands.ofValues(sites, 0, 2)).isEqualTo(4);
        assertThat(Strands.ofSums(sites, 0, 2)).isEqualTo(4);
    }

    /** What a group costs to form and to hold does not grow with the square of its sites. */
    @Test
    @Tag("unit")
    void shouldGiveOneStrandWhereSitesAreMany() {
        SiteMap sites = SiteMap.apart(9);
        assertThat(Strands.ofValues(sites, 0, 8)).isEqualTo(1);
    }

    /** Both ends come to the same, and only pairs that share a part have more than one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("property")
    void shouldBeTheSameAtBothEnds(long seed) {
        SiteMap sites = drawn(Seeds.generator(seed));
        for (int one = 0; one < sites.size(); one++) {
            for (int other = 0; other < sites.size(); other++) {
                int strands = Strands.ofValues(sites, one, other);
                assertThat(strands).isEqualTo(Strands.ofValues(sites, other, one));
                if (!haveCommonPlace(sites, one, other)) {
                    assertThat(strands).isEqualTo(1);
                }
            }
        }
    }

    /** By what is counted; a site has twice eight at most, where its parts lie across others. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("property")
    void aSiteShouldHaveFewStrandsBesideOneForEachPair(long seed) {
        SiteMap sites = drawn(Seeds.generator(seed));
        for (int here = 0; here < sites.sites(); here++) {
            int more = 0;
            for (int there = 0; there < sites.sites(); there++) {
                int pairs = 0;
                for (int one : sites.at(here)) {
                    for (int other : sites.at(there)) {
                        boolean isPair = here != there && haveCommonPlace(sites, one, other);
                        pairs += isPair ? 1 : 0;
                        more += isPair ? Strands.ofValues(sites, one, other) - 1 : 0;
                    }
                }
                if (here != there) {
                    assertThat(pairs)
                            .isEqualTo(
                                    Strands.pairs(sites.at(here).size(), sites.at(there).size()));
                }
            }
            assertThat(more).isLessThan(16);
        }
    }

    /** Some place of a slice belongs to both; counted in the least common parts. */
    private static boolean haveCommonPlace(SiteMap sites, int one, int other) {
        List<Integer> here = sites.at(sites.siteOf(one));
        List<Integer> there = sites.at(sites.siteOf(other));
        int places = here.size() * there.size();
        return sites.siteOf(one) != sites.siteOf(other)
                && IntStream.range(0, places)
                        .anyMatch(
                                place ->
                                        here.get(place / there.size()) == one
                                                && there.get(place / here.size()) == other);
    }

    private static SiteMap drawn(RandomGenerator random) {
        List<List<Integer>> sites = new ArrayList<>();
        int rank = 0;
        for (int site = 0, count = 1 + random.nextInt(4); site < count; site++) {
            List<Integer> ranks = new ArrayList<>();
            for (int i = 0, size = 1 + random.nextInt(12); i < size; i++) {
                ranks.add(rank++);
            }
            sites.add(ranks);
        }
        return new SiteMap(sites);
    }
}
