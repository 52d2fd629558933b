package dev.medley.cli.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a look at policies throws, the door stays open, and its operator is told. */
@Tag("unit")
class PolicyWatchTest {
    private final List<String> said = new ArrayList<>();
    private Supplier<Optional<String>> trouble = Optional::empty;
    private long nowNs;

    private final PolicyWatch watch =
            new PolicyWatch(
                    () -> trouble.get(),
                    new Clock() {
                        @Override
                        public long nowNs() {
                            return nowNs;
                        }

                        @Override
                        public long wallMillis() {
                            return nowNs / 1_000_000;
                        }
                    },
                    said::add);

    @Test
    void shouldSayOnceAMinuteThatALookFailedAndGoOn() {
        for (Supplier<Optional<String>> failing :
                List.<Supplier<Optional<String>>>of(
                        () -> {
                            throw new StackOverflowError();
                        },
                        () -> {
                            throw new OutOfMemoryError();
                        },
                        () -> {
                            throw new UncheckedIOException(new NoSuchFileException("p"));
                        })) {
            trouble = failing;
            for (int i = 0; i < 12; i++) { // A minute.
                watch.look();
                nowNs += 5_000_000_000L;
            }
        }
        assertThat(said).hasSize(3).allMatch(line -> line.contains("could not be looked at"));
        trouble = () -> Optional.of("a.yaml:1:1: wrong");
        watch.look();
        watch.look();
        trouble = Optional::empty;
        watch.look();
        assertThat(said.subList(3, said.size()))
                .containsExactly(
                        "nobody gets anything: a.yaml:1:1: wrong",
                        "the policies are in force again");
    }
}
