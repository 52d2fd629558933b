package dev.medley.serving.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.route.ReplicaTable.Miss;
import dev.medley.serving.route.ReplicaTable.Sent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers come, fail, end and come back. */
@Tag("unit")
class ReplicaTableTest {
    private static final RouterSettings USUAL = RouterSettings.usual();

    private final ReplicaTable table = new ReplicaTable(USUAL, Seeds.generator(1));
    private final Map<String, RoutedReplica> replicas = new HashMap<>();

    private void replicas(String... names) {
        table.replace(ReplicaAddress.parseAll(String.join(",", names), "--to"));
        table.probesWhenIdle(0).forEach(each -> replicas.put(each.name(), each));
    }

    private RoutedReplica replica(String name) {
        RoutedReplica found = replicas.get(name);
        if (found == null) {
            throw new AssertionError(name + " was not probed");
        }
        return found;
    }

    private void probed(String name, String state, int inFlight, long us, long nowNs) {
        table.probed(replica(name), new LoadReport(state, inFlight, us, Map.of()), nowNs);
    }

    private String sendTo(Set<String> tried, long nowNs) {
        Sent sent = table.send(null, tried, nowNs);
        if (sent == null) {
            return "nobody";
        }
        table.answered(sent, true, nowNs);
        return sent.name();
    }

    @Test
    void shouldSendToNobodyBeforeOneAnswered() {
        replicas("a:1", "b:1");
        assertThat(sendTo(Set.of(), 1)).isEqualTo("nobody");
        assertThat(table.missing(Set.of()))
                .isEqualTo(
                        "none of the 2 servers can answer: a:1: not asked yet; b:1: not asked yet");
        assertThat(table.isReady()).isFalse();
    }

    @Test
    void shouldPreferThoseThatAreReadyToThoseThatEnd() {
        replicas("a:1", "b:1");
        probed("a:1", LoadReport.ENDING, 0, 1, 1);
        probed("b:1", LoadReport.READY, 9, 99_000, 1);
        assertThat(sendTo(Set.of(), 2)).isEqualTo("b:1");
        assertThat(sendTo(Set.of("b:1"), 2)).isEqualTo("a:1");
        assertThat(sendTo(Set.of("a:1", "b:1"), 2)).isEqualTo("nobody");
    }

    @Test
    void shouldLeaveOutWhatIsBrokenUntilAProbeIsAnswered() {
        replicas("a:1", "b:1");
        probed("a:1", LoadReport.READY, 0, 1, 1);
        probed("b:1", LoadReport.READY, 0, 9, 1);
        table.broken(replica("a:1"), "it cannot be reached", 2);
        assertThat(sendTo(Set.of(), 3)).isEqualTo("b:1");
        probed("a:1", LoadReport.READY, 0, 1, 4);
        assertThat(sendTo(Set.of(), 5)).isEqualTo("a:1");
    }

    @Test
    void shouldForgiveOneProbeThatIsLate() {
        replicas("a:1", "b:2");
        probed("a:1", LoadReport.READY, 0, 1, 1);
        probed("b:2", LoadReport.READY, 9, 9, 1);
        assertThat(table.unanswered(replica("a:1"), Miss.LATE, "late", 2)).isFalse();
        assertThat(sendTo(Set.of("b:2"), 3)).isEqualTo("a:1");
        assertThat(table.unanswered(replica("a:1"), Miss.LATE, "late", 4)).isTrue();
        assertThat(sendTo(Set.of("b:2"), 5)).isEqualTo("nobody");
    }

    /** Where all are late at once the machine is busy, or the router's own is. */
    @Test
    void shouldForgiveTheLastServerMore() {
        replicas("a:1", "b:2");
        probed("a:1", LoadReport.READY, 0, 1, 1);
        probed("b:2", LoadReport.READY, 0, 1, 1);
        for (int i = 0; i < 9; i++) {
            table.unanswered(replica("a:1"), Miss.LATE, "late", 2);
            assertThat(table.unanswered(replica("b:2"), Miss.LATE, "late", 2)).isFalse();
            assertThat(sendTo(Set.of(), 3)).isIn("a:1", "b:2");
        }
        assertThat(table.unanswered(replica("b:2"), Miss.LATE, "late", 4)).isTrue();
        assertThat(sendTo(Set.of(), 5)).isEqualTo("nobody");
        replicas("c:3");
        probed("c:3", LoadReport.READY, 0, 1, 6);
        assertThat(table.unanswered(replica("c:3"), Miss.UNREACHABLE, "refused", 7)).isTrue();
    }

    @Test
    void shouldPutOutAServerThatLosesTwoAnswersInARow() {
        replicas("a:1");
        probed("a:1", LoadReport.READY, 0, 1, 1);
        for (int i = 0; i < 5; i++) { // One now and then is of a connection that was idle.
            Sent sent = table.send(null, Set.of(), 2);
            assertThat(sent).isNotNull();
            table.lost(Objects.requireNonNull(sent), "broke", 2);
            assertThat(sendTo(Set.of(), 2)).isEqualTo("a:1");
        }
        Sent one = table.send(null, Set.of(), 3);
        Sent other = table.send(null, Set.of(), 3);
        table.lost(Objects.requireNonNull(one), "broke", 3);
        table.lost(Objects.requireNonNull(other), "broke", 3);
        assertThat(sendTo(Set.of(), 3)).isEqualTo("nobody");
        assertThat(table.missing(Set.of())).endsWith("a:1: broke");
    }

    @Test
    void shouldGoByItsOwnCountWhereNobodyTellsTheLoad() {
        replicas("a:1", "b:1");
        table.ready(replica("a:1"), true, 1);
        table.ready(replica("b:1"), true, 1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Sent sent = table.send(null, Set.of(), 2);
            names.add(Objects.requireNonNull(sent).name());
        }
        assertThat(names).containsExactly("a:1", "b:1", "a:1", "b:1", "a:1", "b:1");
        assertThat(table.probesOfRequest(USUAL.probeGapNs())).isEmpty();
    }

    @Test
    void shouldGoByFewestInFlightWhereAllProbesAreOld() {
        replicas("a:1", "b:1");
        probed("a:1", LoadReport.READY, 0, 1, 1);
        probed("b:1", LoadReport.READY, 0, 1_000, 1);
        long lateNs = USUAL.probeAgeNs() + 2;
        assertThat(Objects.requireNonNull(table.send(null, Set.of(), lateNs)).name())
                .isEqualTo("a:1");
        assertThat(Objects.requireNonNull(table.send(null, Set.of(), lateNs)).name())
                .isEqualTo("b:1");
    }

    @Test
    void shouldProbeByRequestsAndNeverTooOften() {
        replicas("a:1", "b:1", "c:1", "d:1", "e:1", "f:1");
        replicas.keySet().forEach(name -> probed(name, LoadReport.READY, 0, 1, 1));
        assertThat(table.probesOfRequest(2)).isEmpty(); // They were probed at 0.
        List<RoutedReplica> due = table.probesOfRequest(USUAL.probeGapNs());
        assertThat(new HashSet<>(due)).hasSize(3);
        assertThat(table.probesOfRequest(USUAL.probeGapNs()))
                .hasSize(3)
                .doesNotContainAnyElementsOf(due);
        assertThat(table.probesOfRequest(10 * USUAL.probeGapNs())).isEmpty(); // None answered yet.
        due.forEach(each -> probed(each.name(), LoadReport.READY, 0, 1, 11 * USUAL.probeGapNs()));
        assertThat(table.probesWhenIdle(12 * USUAL.probeGapNs())).isEmpty();
        assertThat(table.probesWhenIdle(2 * USUAL.idleNs()))
                .containsExactlyInAnyOrderElementsOf(due);
    }

    @Test
    void shouldKeepWhatItKnowsOfThoseThatStay() {
        replicas("a:1", "b:1");
        probed("a:1", LoadReport.READY, 0, 1, 1);
        probed("b:1", LoadReport.READY, 0, 9, 1);
        table.replace(ReplicaAddress.parseAll("c:1,b:1", "file"));
        assertThat(sendTo(Set.of(), 2)).isEqualTo("b:1");
        assertThat(table.views(2)).extracting(ReplicaView::server).containsExactly("c:1", "b:1");
        probed("a:1", LoadReport.READY, 0, 1, 3); // Its answer was on its way.
        assertThat(sendTo(Set.of(), 3)).isEqualTo("b:1");
    }
}
