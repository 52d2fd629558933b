package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A model in eight bits is written where that is measured to be worth it, and nothing elsewhere.
 */
@Tag("real")
class ExportInt8Test {
    @TempDir private Path folder;

    @Test
    void shouldWriteAModelInEightBitsOrSayWhyNot() throws Exception {
        Pipeline here = new Pipeline(folder);
        here.table();
        here.trained(
                here.job(
                        "job.yaml",
                        """
                        data: {train: table.csv, label: y, table: {drop: [id]}}
                        model: {family: mlp, hidden: [64, 64]}
                        train: {steps: 20, batch: 64}
                        cluster: {workers: 1}
                        """));
        Path file = folder.resolve("small.onnx");
        Said said = here.medley("export", "latest", "--onnx", "" + file, "--int8", "--loss", "50%");
        if (said.exitCode() == 0) { // How fast it is differs from machine to machine.
            assertThat(file).isNotEmptyFile();
            assertThat(said.out()).contains("small.onnx", "8");
        } else {
            assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
            assertThat(said.err()).contains("nothing was written: leave out --int8");
            assertThat(Files.exists(file)).isFalse();
        }
        Said script = here.medley("export", "latest", "--torchscript", "x.pt", "--int8");
        assertThat(script.exitCode()).isEqualTo(2);
        assertThat(script.err()).contains("--int8 goes with --onnx or --edge");
        Said alone = here.medley("export", "latest", "--onnx", "x.onnx", "--loss", "1%");
        assertThat(alone.exitCode()).isEqualTo(2);
        assertThat(alone.err()).contains("--loss is about --int8");
        Said odd = here.medley("export", "latest", "--onnx", "x.onnx", "--int8", "--loss", "some");
        assertThat(odd.exitCode()).isEqualTo(2);
        assertThat(odd.err()).contains("a share of the metric, as 0.5%");
    }
}
