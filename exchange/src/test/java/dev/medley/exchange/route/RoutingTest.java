package dev.medley.exchange.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is coded is rounded where a scheme crosses a border, so its scheme is not measured. */
@Tag("unit")
class RoutingTest {
    private static final SiteMap THREE =
            new SiteMap(List.of(List.of(0, 1), List.of(2, 3), List.of(4)));
    private static final Set<Scheme> BOTH = EnumSet.of(Scheme.LEADERS, Scheme.SHARES);

    private static Scheme ofCodec(long betweenNs, long bytes, Set<Scheme> schemes) {
        LinkFigures figures = LinkFigures.assumed().measuring(10_000, betweenNs);
        return new Routing(THREE, figures, schemes).chooseForCodec(bytes).scheme();
    }

    @Test
    void whatIsCodedShouldNotFollowMeasuredLatencies() {
        for (long bytes = 64; bytes < 1L << 30; bytes *= 2) {
            assertThat(ofCodec(100_000, bytes, BOTH))
                    .as("%d bytes", bytes)
                    .isEqualTo(ofCodec(500_000_000, bytes, BOTH));
        }
        assertThat(ofCodec(1, 64, BOTH)).isEqualTo(Scheme.LEADERS);
        assertThat(ofCodec(1, 1 << 26, BOTH)).isEqualTo(Scheme.SHARES);
    }

    @Test
    void aRingShouldBeLeftOutIfItCan() {
        for (long bytes = 64; bytes < 1L << 30; bytes *= 2) {
            assertThat(ofCodec(1, bytes, EnumSet.allOf(Scheme.class))).isNotEqualTo(Scheme.RING);
            assertThat(ofCodec(1, bytes, Set.of(Scheme.RING))).isEqualTo(Scheme.RING);
        }
    }
}
