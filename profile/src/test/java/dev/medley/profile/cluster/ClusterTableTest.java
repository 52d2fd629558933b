package dev.medley.profile.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster for people, and for programs. */
@Tag("unit")
class ClusterTableTest {
    private static final ClusterProfile CLUSTER =
            new ClusterProfile(
                    List.of(machine("one", "aws"), machine("two", "aws"), machine("far", "gcp")),
                    List.of(
                            List.of(LinkPath.assumedInside(), way(0.2, 118), way(20, 11.8)),
                            List.of(way(0.25, 117), LinkPath.assumedInside(), way(20.1, 11.8)),
                            List.of(
                                    way(20, 2.4),
                                    new LinkPath(20_000_000, 2.4e6, Origin.KEPT),
                                    LinkPath.assumedInside())));

    @Test
    void shouldShowWaysFromRowsToColumns() {
        assertThat(ClusterTable.text(CLUSTER))
                .contains("from \\ to", "0.2 ms 944 Mbit/s", "20.0 ms 94 Mbit/s", "19 Mbit/s ~")
                .contains("far to one carries 19 Mbit/s, the way back 94 Mbit/s: asymmetric")
                .contains("~  bandwidth of another way between the same sites");
    }

    @Test
    void shouldSayTheSlowestWaysInOneSentence() {
        assertThat(ClusterTable.sentence(CLUSTER))
                .isEqualTo(
                        "3 machines at 2 sites: 0.3 ms and 936 Mbit/s inside, 20.1 ms and 19 Mbit/s"
                                + " between");
    }

    @Test
    void shouldReadBackWhatItWrote() {
        assertThat(Json.parse(Json.line(CLUSTER), ClusterProfile.class)).isEqualTo(CLUSTER);
    }

    private static Machine machine(String name, String site) {
        return new Machine(name, site, "Xeon, 4 cores, avx2", 1L << 34, null);
    }

    private static LinkPath way(double ms, double megabytes) {
        return new LinkPath((long) (ms * 1e6), megabytes * 1e6, Origin.MEASURED);
    }
}
