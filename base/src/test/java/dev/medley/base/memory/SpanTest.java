package dev.medley.base.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SpanTest {
    @Test
    void shouldAliasItsMemoryWhenSliced() {
        Span span = Span.allocate(64);
        span.slice(8, 8).buffer().putLong(0, 42);
        assertThat(span.buffer().getLong(8)).isEqualTo(42);
    }

    @Test
    void shouldCrossChunksWithLongOffsets() {
        Span span =
                Span.ofChunks(
                        List.of(
                                ByteBuffer.allocateDirect(Span.CHUNK_BYTES),
                                ByteBuffer.allocateDirect(32)));
        Span across = span.slice(Span.CHUNK_BYTES - 16, 32);
        assertThat(across.isOneBuffer()).isFalse();
        assertThat(across.buffers()).extracting(ByteBuffer::remaining).containsExactly(16, 16);
        across.buffers().get(1).putInt(0, 7);
        assertThat(span.slice(Span.CHUNK_BYTES, 4).buffer().getInt(0)).isEqualTo(7);
        assertThatThrownBy(across::buffer).isInstanceOf(IllegalStateException.class);
        Span copy = Span.allocate(32);
        copy.copyFrom(across);
        assertThat(copy.buffer().getInt(16)).isEqualTo(7);
    }

    @Test
    void shouldRefuseWhatLiesOutside() {
        assertThatThrownBy(() -> Span.allocate(8).slice(4, 8))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
