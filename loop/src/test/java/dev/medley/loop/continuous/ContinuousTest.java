package dev.medley.loop.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A model that goes on learning between runs: what it learns, follows and publishes. */
@Tag("real")
@Timeout(240)
class ContinuousTest {
    private static final int ROWS = 400;

    @TempDir Path folder;
    private ArrivingRows arriving;

    @BeforeEach
    void begin() throws Exception {
        arriving = new ArrivingRows(folder);
    }

    @Test
    void shouldLearnEachRowOnceFollowAChangeAndTakeThePlaceOfTheChampion() throws Exception {
        arriving.rows(0, ROWS, 1);
        assertThat(arriving.run().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(arriving.production()).isOne();
        RunningStanding begun = arriving.look();
        assertThat(begun.position().rows()).isEqualTo(ROWS / 5); // The newest, which judged.
        for (int batch = 0; batch < 10; batch++) {
            int from = ROWS + 60 * batch;
            arriving.rows(from, from + 60, -1);
            arriving.clock.pass(Duration.ofSeconds(30));
            RunningStanding standing = arriving.look();
            assertThat(standing.position().rows()).isEqualTo(ROWS / 5 + 60 * (batch + 1));
            assertThat(standing.words()).contains("continuous.delay is kept");
        }
        LoopRun published = arriving.publish();
        assertThat(published.cause()).isEqualTo("publish");
        assertThat(arriving.production()).isEqualTo(2);
        assertThat(arriving.decision("promote")).startsWith("promote: version 2: auc");
        // Its own version answers: it goes on, and begins nothing anew.
        arriving.rows(2000, 2050, -1);
        RunningPosition on = arriving.look().position();
        assertThat(on.champion()).isEqualTo(2);
        assertThat(on.origin()).isOne();
        assertThat(on.rows()).isEqualTo(ROWS / 5 + 650);
        assertThat(on.judgedRows()).isEqualTo(50);
    }
}
