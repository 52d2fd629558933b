package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A machine that has little memory beside one that has plenty. */
@Tag("real")
@Timeout(240)
class SmallMachineTest {
    private static final int BATCH = 131_072;

    @TempDir Path folder;

    /**
     * A sample has 12 bytes, and 1,003 batches may be held: of 700 MiB, less 400 for the processes,
     * half is for 13,067 samples: a tenth of the batch, which it would be given more than unless a
     * trial found it nine times as slow as the other, and both are one machine.
     */
    @Test
    void shouldGetNoMoreThanItHasMemoryToReadAhead() throws Exception {
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 160_000; i++) {
            rows.append("%d,%d,%d%n".formatted(i % 97, i % 89, i % 97 < 40 ? 1 : 0));
        }
        Files.writeString(folder.resolve("t.csv"), rows);
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                data: {train: t.csv, label: y, split: 0.1, prefetch: 1000}
                model: linear
                train: {steps: 3, batch: %d}
                cluster: {listen: '127.0.0.1:0', expect: 2, begin: all, threads: 1}
                """
                        .formatted(BATCH));
        try (ControlGroup group = ControlGroup.ofMiB(700);
                MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml");
                MedleyProcess large = medley.agent(folder, "large", "--once", "--site", "a");
                MedleyProcess small =
                        medley.agentIn(group, folder, "small", "--once", "--site", "b")) {
            assertThat(medley.exitCode()).as(medley.said() + small.said()).isZero();
            RunRecord record = RunRecord.read(medley.run());
            Plan first = record.plans().get(0).plan();
            assertThat(first.shares()).as(first.why()).hasSize(2).contains(13_067);
            assertThat(first.globalBatch()).isEqualTo(BATCH);
            assertThat(first.why()).contains("memory has room for at most 13067 on rank ");
        }
    }
}
