package dev.medley.loop.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.loop.run.GivenLoop;
import dev.medley.loop.run.Loop;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.TrafficDeeds;
import dev.medley.serving.registry.TrafficPlan;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Publications of a running model that servers try before they answer. */
@Tag("real")
@Timeout(240)
class RunningTrialTest {
    private static final int ROWS = 400;

    @TempDir Path folder;
    private final HandClock clock = new HandClock();
    private GivenLoop loop;

    /** A loop whose running model has learnt that all is turned round, and was published. */
    private void published(String trial) throws Exception {
        loop =
                GivenLoop.flowing(folder, clock)
                        .with("promote: {metric: auc, newest: 20%, " + trial + "}", "");
        loop.turned(0, ROWS, 1);
        loop.run();
        loop.look();
        loop.turned(ROWS, 2 * ROWS, -1);
        learn();
        loop.turned(2 * ROWS, 3 * ROWS, -1);
        learn();
        loop.publish();
        assertThat(loop.decision("promote")).startsWith("try: version 2: auc");
        assertThat(loop.production()).isOne();
    }

    private RunningPosition learn() throws Exception {
        clock.pass(Duration.ofSeconds(30));
        return loop.look().position();
    }

    /** What a server does with a trial. */
    private void decide(RegistryEvent.Kind kind, String why) {
        try (Loop opened = loop.open()) {
            TrafficDeeds deeds = new TrafficDeeds(opened.models().registry());
            TrafficPlan plan = deeds.inForce("flow", Registry.PRODUCTION).orElseThrow();
            deeds.decide(
                    new TrafficDeeds.Deed("flow", Registry.PRODUCTION, "medley serve", why),
                    plan,
                    kind);
        }
    }

    @Test
    void aModelShouldGoOnLearningWhileItsPublicationIsTriedAndBehindItsPromotion()
            throws Exception {
        published("canary: {share: 20%}");
        loop.turned(3000, 3050, -1);
        RunningPosition tried = learn();
        assertThat(tried.champion()).isOne();
        assertThat(tried.rows()).isEqualTo(ROWS / 5 + 2 * ROWS + 50);
        decide(RegistryEvent.Kind.PROMOTED, "as good");
        loop.turned(3200, 3250, -1);
        RunningPosition on = learn();
        assertThat(on.champion()).isEqualTo(2);
        assertThat(on.origin()).isOne();
        assertThat(on.rows()).isEqualTo(tried.rows() + 50);
        loop.run();
        assertThat(loop.decision("trial"))
                .isEqualTo("promote: version 2 answers from now on: as good (medley serve)");
    }

    @Test
    void aPublicationThatServersDoNotTakeShouldBeHeldAndTheModelGoOn() throws Exception {
        published("shadow: 2h");
        decide(RegistryEvent.Kind.SETTLED, "it fails");
        loop.run();
        assertThat(loop.decision("trial")).contains("version 2 is not taken: it fails");
        loop.turned(3000, 3010, -1);
        RunningPosition on = learn();
        assertThat(on.champion()).isOne();
        assertThat(on.rows()).isEqualTo(ROWS / 5 + 2 * ROWS + 10);
        loop.publish();
        assertThat(loop.decision("promote")).contains("held, as version 2");
        assertThat(loop.production()).isOne();
    }
}
