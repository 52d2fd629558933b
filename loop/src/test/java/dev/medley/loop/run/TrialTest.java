package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.loop.spec.LoopFile;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.TrafficDeeds.Deed;
import dev.medley.serving.registry.TrafficPlan;
import dev.medley.serving.traffic.TrafficStatus;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers try a loop's new version, and the loop reads what they saw. */
@Tag("real")
@Timeout(240)
class TrialTest {
    private static final int ROWS = GivenLoop.ROWS;
    private static final String ROW = "{\"x\": 5.5, \"w\": 0.1, \"c\": \"a\"}";

    @TempDir Path folder;

    @Test
    void aShadowThatServersComparedShouldBecomeACanaryAndThenTheModel() throws Exception {
        GivenLoop loop = tried("shadow: 1ms, canary: {share: 20%}");
        assertThat(loop.production()).isOne();
        assertThat(loop.decision(2, "promote")).startsWith("try: version 2: auc");
        assertThat(loop.stage(2, "promote").why()).startsWith("version 2 computes in the shadow");
        loop.run();
        assertThat(loop.decision(3, "trial")).startsWith("wait").contains("fewer than 100 requ");
        assertThat(loop.decision(3, "retrain")).isEqualTo("no: version 2 is tried");
        try (ServedLoop served = new ServedLoop(folder.resolve("small.loop/registry"), 1)) {
            while (compared(served) < 100) { // The server tells every two seconds.
                for (int i = 0; i < 10; i++) {
                    assertThat(served.ask(ROW)).contains("small");
                }
                LockSupport.parkNanos(50_000_000);
            }
            loop.run();
            assertThat(loop.decision(4, "trial"))
                    .startsWith("canary: version 2 has come through")
                    .contains("version 2 answers 20");
            assertThat(plan(served).form()).isEqualTo(TrafficPlan.Form.CANARY);
            loop.run();
            assertThat(loop.decision(5, "trial")).startsWith("wait: version 2 goes on: a canary");
            // What a server does that finds it as good.
            served.deeds()
                    .decide(
                            new Deed("small", Registry.PRODUCTION, "medley serve", "as good"),
                            plan(served),
                            RegistryEvent.Kind.PROMOTED);
            served.look();
            assertThat(served.version()).isEqualTo("2");
        }
        loop.run();
        assertThat(loop.decision(6, "trial"))
                .isEqualTo("promote: version 2 answers from now on: as good (medley serve)");
        assertThat(loop.production()).isEqualTo(2);
        loop.run();
        assertThat(loop.stage(7, "trial").why()).isEqualTo("no version is tried");
    }

    @Test
    void aCanaryThatFailsShouldLoseItsShareAndBeHeld() throws Exception {
        GivenLoop loop = tried("canary: {share: 30%}");
        assertThat(loop.stage(2, "promote").why()).startsWith("version 2 answers 30");
        try (ServedLoop served = new ServedLoop(folder.resolve("small.loop/registry"), 1)) {
            for (int i = 0; served.deeds().inForce("small", "production").isPresent(); i++) {
                served.play(500 * i, 500 * (i + 1), "2");
                LockSupport.parkNanos(20_000_000);
            }
            served.look();
            assertThat(served.version()).isEqualTo("1");
        }
        loop.run();
        assertThat(loop.decision(3, "trial"))
                .startsWith("roll back: version 2 is not taken: version 2 fails in")
                .endsWith("(medley serve)");
        assertThat(loop.decision(3, "retrain")).startsWith("no: held, as version 2");
        assertThat(loop.production()).isOne();
    }

    @Test
    void aTrialShouldEndWhereItsTimeIsOverOrSomebodyPromotesAnother() throws Exception {
        GivenLoop loop = tried("canary: {at_most: 1ms}");
        loop.run();
        assertThat(loop.decision(3, "trial"))
                .startsWith("roll back: version 2 is not taken: not decided within 0 s: no server");
        try (Loop opened = loop.open()) {
            assertThat(opened.models().registry().history("small"))
                    .last()
                    .returns(RegistryEvent.Kind.SETTLED, RegistryEvent::kind);
        }
    }

    @Test
    void whatContradictsItselfShouldBeRefused() throws Exception {
        GivenLoop loop = new GivenLoop(folder).with("promote: {shadow: 2h, by_hand: true}", "");
        assertThatThrownBy(() -> LoopFile.read(loop.file()))
                .hasMessageContaining("promote says by_hand and a trial by servers");
        loop.with("promote: {canary: {share: 100%}}", "");
        assertThatThrownBy(() -> LoopFile.read(loop.file()))
                .hasMessageContaining("promote.canary.share: above 0 % and below 100 %");
    }

    /** A loop whose second version is tried. */
    private GivenLoop tried(String how) throws Exception {
        GivenLoop loop = new GivenLoop(folder).with("promote: {metric: auc, " + how + "}", "");
        loop.rows(0, ROWS, 0);
        loop.run();
        assertThat(loop.production()).as("the first needs no trial").isOne();
        loop.rows(ROWS, 3 * ROWS, 5);
        loop.run();
        return loop;
    }

    private static TrafficPlan plan(ServedLoop served) {
        return served.deeds().inForce("small", Registry.PRODUCTION).orElseThrow();
    }

    private static long compared(ServedLoop served) {
        return served.deeds().told("small", plan(served), TrafficStatus.class).stream()
                .mapToLong(status -> status.shadow() == null ? 0 : status.shadow().requests())
                .sum();
    }
}
