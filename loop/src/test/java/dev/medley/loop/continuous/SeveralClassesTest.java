package dev.medley.loop.continuous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.loop.run.GivenLoop;
import dev.medley.loop.state.StageOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop over three classes: it judges, goes on learning between runs, and promotes. */
@Tag("real")
@Timeout(240)
class SeveralClassesTest {
    private static final int ROWS = 300;

    @TempDir Path folder;
    private final HandClock clock = new HandClock();
    private GivenLoop loop;

    @BeforeEach
    void begin() throws Exception {
        loop = GivenLoop.flowing(folder, clock);
    }

    /** Classes by thirds of x, in the one order or the other. */
    private void rows(int from, int to, String... classes) throws Exception {
        RandomGenerator random = Seeds.generator(from + 1);
        StringBuilder rows = new StringBuilder();
        for (int i = from; i < to; i++) {
            double x = random.nextGaussian();
            String label = classes[x < -0.4 ? 0 : x < 0.4 ? 1 : 2];
            rows.append(GivenLoop.row(i, "%.4f".formatted(x), 'a', label));
        }
        loop.text("" + from, rows.toString());
    }

    @Test
    void theRunningModelShouldFollowAChangeAndTakeThePlaceOfTheChampion() throws Exception {
        loop.with("promote: {metric: accuracy, newest: 20%}", "");
        rows(0, ROWS, "low", "mid", "high");
        assertThat(loop.run().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(loop.look().position().rows()).isEqualTo(ROWS / 5);
        for (int batch = 0; batch < 5; batch++) {
            int from = ROWS + 120 * batch;
            rows(from, from + 120, "high", "mid", "low");
            clock.pass(Duration.ofSeconds(30));
            assertThat(loop.look().position().rows()).isEqualTo(ROWS / 5 + 120 * (batch + 1));
        }
        loop.text("1900", GivenLoop.row(1900, "0.1", 'a', "other"));
        assertThat(loop.look().words()).contains("1 rows wait for a training");
        loop.publish();
        assertThat(loop.decision("promote")).startsWith("promote: version 2: accuracy");
        assertThat(loop.production()).isEqualTo(2);
        loop.text("1900", "");
        clock.pass(Duration.ofHours(24));
        assertThat(loop.run().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(loop.decision("drift")).startsWith("none: ");
    }

    @Test
    void aMetricOfTwoClassesShouldBeRefused() throws Exception {
        rows(0, ROWS, "low", "mid", "high");
        assertThatThrownBy(loop::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "promote.metric: auc judges one of two classes, and the model predicts one"
                                + " of [high, low, mid]: use accuracy or log_loss");
    }
}
