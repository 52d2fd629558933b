package dev.medley.record.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.record.entry.WorkerRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** One name for a worker, and one word for a step. */
@Tag("unit")
class WorkerNamesTest {
    private static final WorkerNames NAMES =
            WorkerNames.of(List.of(worker(1, null), worker(2, "gpu-1"), worker(12, "a $1 b")));

    @Test
    void aWorkerShouldHaveItsMachineWithItWhereOneJoined() {
        assertThat(NAMES.of(1)).isEqualTo("worker-1");
        assertThat(NAMES.of(2)).isEqualTo("worker-2 on gpu-1");
        assertThat(NAMES.machine(1)).isEmpty();
        assertThat(NAMES.with(2, null).of(2)).isEqualTo("worker-2");
    }

    @Test
    void sentencesShouldNameMachinesOnceAndNothingElse() {
        assertThat(NAMES.in("worker-2 lost worker-12, worker-1 and worker-2 on gpu-1"))
                .isEqualTo(
                        "worker-2 on gpu-1 lost worker-12 on a $1 b, worker-1 and worker-2 on"
                                + " gpu-1");
        assertThat(NAMES.in("see worker-2.log and worker-2x"))
                .isEqualTo("see worker-2.log and worker-2x");
        assertThat(NAMES.in(NAMES.in("worker-2"))).isEqualTo("worker-2 on gpu-1");
    }

    @Test
    void roundsShouldBeCalledRounds() {
        assertThat(StepWord.of(job(1), List.of()).counted(1_200)).isEqualTo("1,200 steps");
        assertThat(StepWord.of(job(16), List.of()).counted(75)).isEqualTo("75 rounds of 16 steps");
        assertThat(StepWord.of(null, List.of()).counted(1)).isEqualTo("1 step");
        assertThat(StepWord.of(job(16), List.of()).one()).isEqualTo("round");
    }

    private static JsonNode job(int steps) {
        return Json.tree(Map.of("strategy", Map.of("round", Map.of("syncEvery", steps))));
    }

    private static WorkerRecord worker(int id, String machine) {
        return new WorkerRecord(0, id, 1, List.of(), machine, null);
    }
}
