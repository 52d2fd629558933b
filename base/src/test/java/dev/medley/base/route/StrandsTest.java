package dev.medley.base.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
        assertThat(Strands.ofValues(sites, 0, 2)).isEqualTo(8);
        assertThat(Strands.ofSums(sites, 0, 2)).isEqualTo(8);
    }

    /** Both ends come to the same; larger sites have fewer strands, down to one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("property")
    void shouldBeTheSameAtBothEnds(long seed) {
        Random random = new Random(seed);
        SiteMap sites = drawn(random);
        for (int one = 0; one < sites.size(); one++) {
            int partners = 0;
            for (int other = 0; other < sites.size(); other++) {
                int strands = Strands.ofValues(sites, one, other);
                assertThat(strands).isEqualTo(Strands.ofValues(sites, other, one));
                assertThat(strands)
                        .isBetween(1, Math.max(1, 8 / sites.at(sites.siteOf(one)).size()));
                partners += strands > 1 ? 1 : 0;
            }
            assertThat(partners).isLessThan(sites.size());
        }
    }

    private static SiteMap drawn(Random random) {
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
