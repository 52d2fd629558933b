package dev.medley.loop.continuous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Seeds;
import dev.medley.loop.run.GivenLoop;
import dev.medley.loop.run.Loop;
import dev.medley.loop.run.Staying;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A look or a publication that is cut off anywhere: no row is learnt twice, none is left out. */
@Tag("real")
@Timeout(240)
class ExactlyOnceTest {
    private static final int ROWS = 200;

    @TempDir Path folder;
    private final List<HandClock> clocks = new ArrayList<>();

    @Test
    void aLookThatWasCutOffAnywhereShouldEndInTheSameBitsAsOneThatWasNot() throws Exception {
        GivenLoop whole = begun("whole");
        GivenLoop cut = begun("cut");
        RandomGenerator random = Seeds.generator(5);
        int from = ROWS;
        for (int batch = 0; batch < 2; batch++) {
            int to = from + 1 + random.nextInt(70);
            for (GivenLoop each : List.of(whole, cut)) {
                each.turned(from, to, -1);
            }
            clocks.forEach(clock -> clock.pass(Duration.ofSeconds(30)));
            from = to;
            List<String> points = new ArrayList<>();
            try (Loop loop = whole.open();
                    Staying staying = loop.staying(GivenLoop.quiet())) {
                staying.look(points::add);
            }
            assertThat(points).contains("sync things", "rows", "plan", "learn", "write", "written");
            for (String point : points) {
                cutAt(cut, point);
            }
            RunningPosition position = cut.look().position();
            assertThat(position.seen()).isEqualTo(from - ROWS + ROWS / 5);
            assertThat(state("cut")).isEqualTo(state("whole"));
        }
    }

    private byte[] state(String name) throws IOException {
        return Files.readAllBytes(
                folder.resolve(name).resolve("flow.loop/continuous/1/state.safetensors"));
    }

    /** Ends as a killed process would; a point that has been passed before does not come. */
    private static void cutAt(GivenLoop rows, String point) {
        try (Loop loop = rows.open();
                Staying staying = loop.staying(GivenLoop.quiet())) {
            staying.look(
                    at -> {
                        if (at.equals(point)) {
                            throw new AssertionError("killed at " + point);
                        }
                    });
        } catch (AssertionError | IOException e) {
            assertThat(e).hasMessage("killed at " + point);
        }
    }

    @Test
    void aPublicationThatWasCutOffShouldBeEndedByTheNextRunOrPublication() throws Exception {
        GivenLoop rows = begun("published");
        rows.turned(ROWS, ROWS + 100, -1);
        rows.look();
        for (String stage : List.of("publish", "promote")) {
            try (Loop loop = rows.open();
                    Staying staying = loop.staying(GivenLoop.cutAt(stage))) {
                assertThatThrownBy(staying::publish).isInstanceOf(AssertionError.class);
            }
        }
        rows.run();
        try (Loop loop = rows.open()) {
            assertThat(loop.models().registry().versions("flow")).hasSize(2);
            assertThat(loop.state().runs(9)).extracting(r -> r.cause()).contains("publish");
            assertThat(loop.state().runs(9)).hasSize(3);
            assertThat(loop.state().unended()).isEmpty();
        }
        assertThat(rows.decision("promote")).contains("version 2: auc");
        assertThat(rows.look().position().published()).isEqualTo(2);
    }

    private GivenLoop begun(String name) throws Exception {
        HandClock clock = new HandClock();
        clocks.add(clock);
        GivenLoop rows = GivenLoop.flowing(Files.createDirectories(folder.resolve(name)), clock);
        rows.turned(0, ROWS, 1);
        rows.run();
        rows.look();
        return rows;
    }
}
