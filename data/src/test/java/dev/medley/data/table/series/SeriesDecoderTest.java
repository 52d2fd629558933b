package dev.medley.data.table.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.SampleKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every number of a window goes to its own place in a batch, whatever the widths are. */
@Tag("unit")
class SeriesDecoderTest {
    private static final int SEEN = 2;
    private static final int ASKED = 3;
    private static final int SAMPLES = 3;

    @Test
    void numbersShouldLieWhereTheirRowAndColumnSay() {
        assertPlaces(List.of("a", "b"), List.of("c", "d", "e"));
        assertPlaces(List.of("a", "b", "c"), List.of("d"));
        assertPlaces(List.of("a", "b"), List.of());
    }

    private static void assertPlaces(List<String> targets, List<String> known) {
        SeriesEncoding encoding =
                new SeriesEncoding(
                        "day",
                        new Cadence(Cadence.Unit.DAY, 1, 0),
                        List.of(),
                        targets,
                        known,
                        SEEN,
                        ASKED,
                        List.of(),
                        null,
                        null,
                        List.of());
        int width = targets.size() + known.size();
        int window = (SEEN + ASKED) * width;
        ByteBuffer block =
                ByteBuffer.allocate(4 + SAMPLES * window * Float.BYTES)
                        .order(ByteOrder.nativeOrder());
        block.position(4);
        for (int i = 0; i < SAMPLES * window; i++) {
            block.putFloat(i);
        }
        BatchBuffers batch = new BatchBuffers(encoding.signature());
        batch.reserve(SAMPLES);
        SeriesDecoder decoder = new SeriesDecoder(encoding);
        for (int at = 0; at < SAMPLES; at++) {
            int offset = 4 + at * window * Float.BYTES;
            decoder.decode(block.array(), offset, new SampleKey(0, at), batch, at);
        }
        List<Float> past = new ArrayList<>();
        List<Float> ahead = new ArrayList<>();
        List<Float> asked = new ArrayList<>();
        for (int at = 0; at < SAMPLES; at++) {
            for (int row = 0; row < SEEN + ASKED; row++) {
                for (int column = 0; column < width; column++) {
                    List<Float> place =
                            column >= targets.size() ? ahead : row < SEEN ? past : asked;
                    place.add((float) ((at * (SEEN + ASKED) + row) * width + column));
                }
            }
        }
        assertThat(floats(batch, 0, past.size())).isEqualTo(past);
        assertThat(floats(batch, batch.target(), asked.size())).isEqualTo(asked);
        if (!known.isEmpty()) {
            assertThat(floats(batch, 1, ahead.size())).isEqualTo(ahead);
        }
    }

    private static List<Float> floats(BatchBuffers batch, int field, int count) {
        List<Float> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(batch.floats(field).get(i));
        }
        return values;
    }
}
