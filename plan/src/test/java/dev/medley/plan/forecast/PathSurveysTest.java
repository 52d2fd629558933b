package dev.medley.plan.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PathSurveysTest {
    private final PathSurveys looks = new PathSurveys();

    @Test
    void theFasterOfTwoMeasurementsShouldCountAndSayHowFarTheyAreApart() {
        looks.with(cluster(new LinkPath(9, 50, Origin.MEASURED)));
        assertThat(looks.with(cluster(new LinkPath(7, 200, Origin.MEASURED))).way(0, 1))
                .isEqualTo(new LinkPath(7, 200, Origin.MEASURED, 4));
        assertThat(looks.with(cluster(new LinkPath(8, 100, Origin.MEASURED))).way(0, 1))
                .isEqualTo(new LinkPath(7, 200, Origin.MEASURED, 4));
    }

    @Test
    void whatWasMeasuredShouldGoBeforeWhatIsAssumed() {
        LinkPath measured = new LinkPath(9, 50, Origin.MEASURED);
        LinkPath assumed = new LinkPath(9, 100, Origin.ASSUMED);
        looks.with(report(measured));
        assertThat(looks.with(report(assumed)).ways().get(0).get(1)).isEqualTo(measured);
        assertThat(looks.with(report(measured)).ways().get(0).get(1)).isEqualTo(measured);
    }

    @Test
    void otherMachinesShouldHaveTheirOwn() {
        looks.with(cluster(new LinkPath(9, 50, Origin.MEASURED)));
        LinkPath other = new LinkPath(9, 20, Origin.MEASURED);
        ClusterProfile others = Clusters.ways(Clusters.machines("a", "b", "c"), other, other);
        assertThat(looks.with(others)).isEqualTo(others);
    }

    @Test
    void shouldAskForTwoThatAgreeAndForThreeAtMost() {
        looks.begins();
        assertThat(looks.wantsAnother(true)).as("nothing was measured").isFalse();
        looks.with(cluster(new LinkPath(9, 50, Origin.MEASURED)));
        assertThat(looks.wantsAnother(false)).isFalse();
        assertThat(looks.wantsAnother(true)).isTrue();
        looks.begins();
        looks.with(cluster(new LinkPath(9, 60, Origin.MEASURED)));
        assertThat(looks.wantsAnother(true)).as("they agree").isFalse();
        looks.with(cluster(new LinkPath(9, 100, Origin.MEASURED)));
        assertThat(looks.wantsAnother(true)).isTrue();
        looks.begins();
        assertThat(looks.wantsAnother(true)).isFalse();
    }

    private static ClusterProfile cluster(LinkPath way) {
        return Clusters.ways(Clusters.machines("a", "b"), way, way);
    }

    private static LinkReport report(LinkPath way) {
        List<List<LinkPath>> ways = List.of(List.of(way, way), List.of(way, way));
        return new LinkReport(1, List.of(List.of(1), List.of(2)), ways, List.of(0, 1), "");
    }
}
