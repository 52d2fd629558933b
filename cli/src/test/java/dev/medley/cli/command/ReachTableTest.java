package dev.medley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.run.ClusterSurvey.Found;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What doctor prints about who reaches whom. */
@Tag("unit")
class ReachTableTest {
    private static final List<String> MACHINES = List.of("a1", "g1", "g2");
    private static final List<String> NOBODY = List.of("", "", "");

    private static String text(List<List<String>> reached, List<List<String>> through) {
        return ReachTable.text(new Found(MACHINES, reached, through, null, List.of()));
    }

    @Test
    void shouldSayThroughWhomTwoReachEachOther() {
        List<List<String>> through = List.of(NOBODY, List.of("", "", "a1"), List.of("", "a1", ""));
        assertThat(text(List.of(NOBODY, NOBODY, NOBODY), through).lines().map(String::strip))
                .containsExactly(
                        "from \\ to   a1          g1          g2",
                        "a1                     yes         yes",
                        "g1         yes              through a1",
                        "g2         yes  through a1");
    }

    @Test
    void shouldSayWhatIsMissingWhereNobodyCanRelay() {
        String why = "neither g1 nor g2 can be dialled: both are behind NAT";
        List<List<String>> reached = List.of(NOBODY, List.of("", "", why), List.of("", why, ""));
        assertThat(text(reached, List.of(NOBODY, NOBODY, NOBODY)))
                .contains("NO", "from g1: " + why, "only through a third that both can dial");
    }

    @Test
    void shouldSayThatARelayIsNotReached() {
        String why = "cannot reach a1 at 10.0.0.1:7100: Connection refused";
        List<List<String>> reached = List.of(NOBODY, List.of(why, "", why), NOBODY);
        List<List<String>> through = List.of(NOBODY, List.of("", "", "a1"), List.of("", "a1", ""));
        assertThat(text(reached, through)).contains("NO", "from g1: " + why, "through a1");
    }
}
