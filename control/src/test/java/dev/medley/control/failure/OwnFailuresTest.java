package dev.medley.control.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.control.watch.RunWatcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A watcher that throws is told of nothing more, and everything that asks it goes on. */
@Tag("unit")
class OwnFailuresTest {
    private final OwnFailures failures =
            new OwnFailures(
                    new RunWatcher() {
                        @Override
                        public void warned(String message) {
                            throw new IllegalStateException(message);
                        }

                        @Override
                        public long recorded(long told) {
                            throw new IllegalStateException("recorded");
                        }
                    });

    @Test
    void aSilencedWatcherShouldSayWhatOneSaysThatKeepsNothing() {
        assertThatThrownBy(() -> failures.watched().warned("full"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("full");
        failures.silence();
        assertThatCode(() -> failures.watched().warned("full")).doesNotThrowAnyException();
        assertThat(failures.watched().recorded(17)).isEqualTo(17);
    }
}
