package dev.medley.training.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parameters over the servers of several sites. */
@Tag("property")
class SiteCutTest {
    private static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    private static SiteMap sites(RandomGenerator random) {
        List<List<Integer>> bySite = new ArrayList<>();
        for (int site = 0; site < 2 + random.nextInt(3); site++) {
            bySite.add(new ArrayList<>());
        }
        int ranks = bySite.size() + random.nextInt(6);
        for (int rank = 0; rank < ranks; rank++) {
            int site = rank < bySite.size() ? rank : random.nextInt(bySite.size());
            bySite.get(site).add(rank);
        }
        return new SiteMap(bySite);
    }

    private static long held(List<SiteCut.Cell> cells, int site, int rank) {
        return cells.stream()
                .filter(cell -> cell.servers().get(site) == rank)
                .mapToLong(cell -> cell.stretch().count())
                .sum();
    }

    private static long owned(List<SiteCut.Cell> cells, int rank) {
        return cells.stream()
                .filter(cell -> cell.owner() == rank)
                .mapToLong(cell -> cell.stretch().count())
                .sum();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void cellsShouldCoverAllOnceWithAServerAtEachSite(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        SiteMap sites = sites(random);
        List<Double> weights =
                random.doubles(sites.size()).map(x -> x < 0.2 ? 0 : x).boxed().toList();
        for (int site = 0; site < sites.sites(); site++) {
            if (sites.at(site).stream().allMatch(rank -> weights.get(rank) == 0)) {
                return; // No site is without a server.
            }
        }
        long elements = 1 + random.nextInt(5000);
        List<SiteCut.Cell> cells = SiteCut.of(elements, sites, weights);
        long at = 0;
        for (SiteCut.Cell cell : cells) {
            assertThat(cell.stretch().from()).isEqualTo(at);
            assertThat(cell.stretch().count()).isPositive();
            at = cell.stretch().to();
            for (int site = 0; site < sites.sites(); site++) {
                assertThat(sites.at(site)).contains(cell.servers().get(site));
            }
            assertThat(sites.at(cell.home())).contains(cell.owner());
        }
        assertThat(at).isEqualTo(elements);
        double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
        for (int rank = 0; rank < sites.size(); rank++) {
            int site = sites.siteOf(rank);
            double ofSite = sites.at(site).stream().mapToDouble(weights::get).sum();
            assertThat((double) held(cells, site, rank))
                    .as("its part of what its site serves")
                    .isCloseTo(elements * weights.get(rank) / ofSite, within(3.0 * sites.sites()));
            assertThat((double) owned(cells, rank))
                    .as("its part of what all own")
                    .isCloseTo(elements * weights.get(rank) / sum, within(3.0));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void equalWeightsShouldGiveEqualParts(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        SiteMap sites = sites(random);
        List<Double> equal = Collections.nCopies(sites.size(), 1.0);
        List<SiteCut.Cell> cells = SiteCut.of(100L * sites.size(), sites, equal);
        for (int rank = 0; rank < sites.size(); rank++) {
            assertThat(owned(cells, rank)).isBetween(99L, 101L);
        }
    }
}
