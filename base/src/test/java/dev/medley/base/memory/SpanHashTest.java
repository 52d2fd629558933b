package dev.medley.base.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpanHashTest {
    /** Values of the reference implementation (python xxhash: {@code xxh64_hexdigest(text)}). */
    @Tag("unit")
    @ParameterizedTest
    @CsvSource({
        "'', ef46db3751d8e999",
        "a, d24ec4f1a98c6e5b",
        "abc, 44bc2cf5ad770999",
        "Nobody inspects the spammish repetition, fbcea83c8a378bf1"
    })
    void shouldEqualTheReference(String text, String expected) {
        assertThat(SpanHash.of(List.of(span(text.getBytes(StandardCharsets.US_ASCII)))))
                .isEqualTo(expected);
    }

    @Tag("property")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldNotDependOnHowTheBytesAreCut(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        byte[] bytes = new byte[random.nextInt(3000)];
        random.nextBytes(bytes);
        SpanHash pieces = new SpanHash();
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(1 + random.nextInt(100), bytes.length - at);
            pieces.update(ByteBuffer.wrap(bytes, at, length));
            at += length;
        }
        assertThat(pieces.hex()).isEqualTo(SpanHash.of(List.of(span(bytes))));
    }

    @Tag("property")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldChangeWithEveryBitAndWithTheOrder(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        byte[] bytes = new byte[64 + random.nextInt(200)];
        random.nextBytes(bytes);
        String before = SpanHash.of(List.of(span(bytes)));
        assertThat(SpanHash.of(List.of(span(bytes).slice(32, 32), span(bytes).slice(0, 32))))
                .isNotEqualTo(SpanHash.of(List.of(span(bytes).slice(0, 64))));
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        assertThat(SpanHash.of(List.of(span(bytes)))).isNotEqualTo(before);
    }

    @Tag("unit")
    @Test
    void shouldRefuseANamedSpanOfTheWrongLength() {
        assertThatThrownBy(
                        () ->
                                new NamedSpan(
                                        "bias",
                                        ElementType.FLOAT32,
                                        new long[] {3},
                                        Span.allocate(8)))
                .hasMessage("bias: FLOAT32 of shape [3] needs 12 bytes, not 8");
    }

    private static Span span(byte[] bytes) {
        Span span = Span.allocate(bytes.length);
        if (bytes.length > 0) {
            span.buffer().put(bytes);
        }
        return span;
    }
}
