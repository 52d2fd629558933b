package dev.medley.exchange.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cells cover a slice without gaps, and each has one owner at every site. */
@Tag("property")
class CutTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    static SiteMap anySites(RandomGenerator random) {
        List<List<Integer>> sites = new ArrayList<>();
        int count = 2 + random.nextInt(4);
        int rank = 0;
        for (int site = 0; site < count; site++) {
            List<Integer> ranks = new ArrayList<>();
            int size = 1 + random.nextInt(5);
            for (int i = 0; i < size; i++) {
                ranks.add(rank++);
            }
            sites.add(ranks);
        }
        return new SiteMap(sites);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldCoverTheSliceWithOwnersAtEverySite(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        SiteMap sites = anySites(random);
        ElementType type = random.nextBoolean() ? ElementType.FLOAT32 : ElementType.FLOAT64;
        long bytes = (long) random.nextInt(1 << random.nextInt(24)) * type.bytes();
        Slice slice = new Slice(new StepTag(1, 1, 1), 1, 0, bytes, type, Fidelity.EXACT);
        for (Scheme scheme : List.of(Scheme.LEADERS, Scheme.SHARES)) {
            List<Cell> cells = Cut.of(slice, sites, scheme);
            long end = 0;
            for (Cell cell : cells) {
                assertThat(cell.startBytes()).isEqualTo(end);
                assertThat(cell.bytes()).isBetween(1, Cut.mostCellBytes());
                assertThat(cell.bytes() % type.bytes()).isZero();
                assertThat(cell.adders()).isNotEmpty();
                for (int site = 0; site < sites.sites(); site++) {
                    assertThat(sites.at(site)).contains(cell.owner(site));
                }
                end += cell.bytes();
            }
            assertThat(end).isEqualTo(bytes);
        }
    }

    /** Each rank owns its even share of the slice, whatever the other sites are like. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShareEvenlyInsideEachSite(long seed) {
        SiteMap sites = anySites(Seeds.generator(seed));
        int bytes = 8 << 20;
        Slice slice =
                new Slice(new StepTag(1, 1, 1), 1, 0, bytes, ElementType.FLOAT32, Fidelity.EXACT);
        List<Cell> cells = Cut.of(slice, sites, Scheme.SHARES);
        for (int site = 0; site < sites.sites(); site++) {
            int here = site;
            for (int rank : sites.at(site)) {
                long owned =
                        cells.stream()
                                .filter(cell -> cell.owner(here) == rank)
                                .mapToLong(Cell::bytes)
                                .sum();
                long even = bytes / sites.at(site).size();
                assertThat(owned).isBetween(even - 128, even + 128);
            }
        }
    }
}
