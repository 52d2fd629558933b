package dev.medley.api.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Json;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.net.control.ProtocolException;
import dev.medley.training.prediction.PredictedBlock;
import dev.medley.training.prediction.PredictionBlocks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks that workers say: in any order, twice, or such as cannot be. */
@Tag("unit")
class PredictedBlocksTest {
    private static final int OUTPUTS = 2;

    /** 95 samples in ten blocks, two blocks a step. */
    private final PredictedBlocks predicted =
            new PredictedBlocks(new PredictionBlocks(95, 10, 2), Clock.system());

    @Test
    void shouldHandOverEachBlockOnceAndInOrder() throws Exception {
        List<float[]> all = new ArrayList<>();
        for (int[] some : new int[][] {{1, 0, 1, 3, 2, 0}, {5, 4, 4, 7, 6}, {9, 8}}) {
            for (int block : some) {
                say(block, block == 9 ? 5 : 10, OUTPUTS);
            }
            List<float[]> next = predicted.next(1);
            while (next != null) {
                all.addAll(next);
                next = predicted.next(1);
            }
        }
        assertThat(all).hasSize(95).allMatch(row -> row.length == OUTPUTS);
        assertThat(predicted.recorded(5)).isEqualTo(5);
        assertThat(predicted.next(1)).isNull();
    }

    /** Of a block, with so many rows of so many outputs. */
    @ParameterizedTest
    @CsvSource({"-1,10,2", "10,10,2", "0,9,2", "0,11,2", "0,-1,2", "0,2147483647,0", "0,10,0"})
    void whatCannotBeShouldBeRefused(int block, int rows, int outputs) throws Exception {
        say(1, 10, OUTPUTS);
        assertThatThrownBy(() -> say(block, rows, outputs)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> say(0, 10, OUTPUTS + 1)).isInstanceOf(ProtocolException.class);
        say(0, 10, OUTPUTS);
        assertThat(predicted.next(1)).hasSize(10);
    }

    @Test
    void whatIsFarAheadShouldBeRefused() {
        PredictedBlocks many =
                new PredictedBlocks(new PredictionBlocks(100_000, 10, 2), Clock.system());
        assertThatThrownBy(
                        () -> many.noted(new WorkerId(1), PredictedBlock.KIND, said(5000, 10, 2)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("block 5000 is not asked for");
    }

    private void say(int block, int rows, int outputs) {
        predicted.noted(new WorkerId(1), PredictedBlock.KIND, said(block, rows, outputs));
    }

    private static tools.jackson.databind.JsonNode said(int block, int rows, int outputs) {
        int bytes = (int) Math.min(1000, Math.max(0, (long) rows) * outputs * Float.BYTES);
        return Json.tree(new PredictedBlock(block, rows, new byte[bytes]));
    }
}
