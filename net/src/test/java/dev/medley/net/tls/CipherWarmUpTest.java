package dev.medley.net.tls;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CipherWarmUpTest {
    /** What was encrypted is decrypted again, with its tag, thousands of times. */
    @Test
    void shouldRunWhereverMedleyDoes() {
        assertThatCode(CipherWarmUp::run).doesNotThrowAnyException();
        assertThatCode(CipherWarmUp::run).as("again").doesNotThrowAnyException();
    }
}
