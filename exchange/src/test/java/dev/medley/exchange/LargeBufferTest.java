package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A buffer of more than one chunk, and slices across the border between two. */
@Tag("unit")
class LargeBufferTest {
    private static final long BYTES = Span.CHUNK_BYTES + (1L << 20);

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldSumAcrossChunks(Transport transport) throws Exception {
        long free = Files.getFileStore(Path.of("/dev/shm")).getUsableSpace();
        Assumptions.assumeTrue(free > 4 * BYTES, "needs 4 GiB free in /dev/shm");
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, BYTES);
            for (int bytes : new int[] {8192, 131_072}) {
                checkAcross(ranks, all, bytes);
            }
            Ranks.close(all);
        }
    }

    private static void checkAcross(Ranks ranks, List<Collective> all, int bytes) throws Exception {
        long from = Span.CHUNK_BYTES - bytes / 2L + 64;
        ByteBuffer expected = Values.sum(bytes, ElementType.FLOAT32, 1, 2).buffer();
        ranks.play(
                all,
                each -> {
                    Span slice = each.buffer().slice(from, bytes);
                    assertThat(slice.isOneBuffer()).isFalse();
                    Values.fill(slice, ElementType.FLOAT32, 1, each.rank());
                    each.begin(new StepTag(1, bytes, 1));
                    each.sum(from, bytes, ElementType.FLOAT32);
                    assertThat(each.finish()).isNull();
                    Span copy = Span.allocate(bytes);
                    copy.copyFrom(slice);
                    assertThat(copy.buffer()).isEqualTo(expected.duplicate());
                    return null;
                });
    }
}
