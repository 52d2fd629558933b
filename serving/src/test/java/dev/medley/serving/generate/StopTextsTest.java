package dev.medley.serving.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("property")
class StopTextsTest {
    private static final int SEEDS = 500;

    @Test
    void piecesShouldEndWhereTheWholeTextWould() {
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomGenerator random = Seeds.generator(seed);
            List<String> stops = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                stops.add(drawn(random, 1 + random.nextInt(4)));
            }
            String text = drawn(random, random.nextInt(30));
            int end = stops.stream().mapToInt(text::indexOf).filter(at -> at >= 0).min().orElse(-1);
            StopTexts cut = new StopTexts(stops);
            StringBuilder told = new StringBuilder();
            for (int at = 0; at < text.length() && !cut.isStopped(); ) {
                int next = Math.min(text.length(), at + random.nextInt(4));
                told.append(cut.add(text.substring(at, next)));
                at = next;
            }
            told.append(cut.isStopped() ? "" : cut.rest());
            assertThat(cut.isStopped()).as("seed %d", seed).isEqualTo(end >= 0);
            // A longer stop that begins earlier may end later than a shorter one behind it.
            assertThat(text).as("seed %d", seed).startsWith(told);
            if (end < 0) {
                assertThat(told.toString()).as("seed %d", seed).isEqualTo(text);
            } else {
                assertThat(stops).anyMatch(stop -> text.startsWith(stop, told.length()));
            }
        }
    }

    private static String drawn(RandomGenerator random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append("abc".charAt(random.nextInt(3)));
        }
        return text.toString();
    }
}
