package dev.medley.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Input that cannot be used, through the command line: one message, exit code 2, nothing made. */
@Tag("real")
@Timeout(240)
class BadInputTest {
    private static final String JOB =
            """
            name: bad
            data: {train: %s}
            model: mlp
            train: {steps: 5, batch: 8}
            cluster: 1
            """;

    @TempDir Path folder;

    @Test
    void trainShouldRefuseWhatItCannotUseBeforeAWorkerStarts() throws Exception {
        writeJobs();
        Files.writeString(folder.resolve("a-file"), "in the way");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertRefused(
                    new Refused("train job.yaml --run-dir a-file", "a-file", "--run-dir"),
                    new Refused("train job.yaml --metrics " + port, port, "--metrics"),
                    new Refused("train job.yaml --workers 101 -s train.batch=128", "101", "90"),
                    new Refused("train job.yaml --workers 9", "train.batch=8", "workers=9"),
                    new Refused("train idx.yaml", "t-images-idx3-ubyte", "cut off"),
                    new Refused("train parquet.yaml", "t.parquet"),
                    new Refused("train job.yaml -s train.loss=cross-entropy", "two classes"),
                    new Refused(
                            "train job.yaml -s train.groups=[{\"pattern\":\"nope.*\"}]", "nope.*"),
                    new Refused(
                            "train job.yaml --expect 2 --listen 127.0.0.1:" + port,
                            "cannot listen on 127.0.0.1:" + port,
                            "a free port"),
                    new Refused(
                            "train job.yaml --expect 2 --listen 0.0.0.0:0 --credentials nowhere",
                            "nowhere is no folder",
                            "medley certs"),
                    new Refused("train job.yaml --label y", "job.yaml", "-s data.label"),
                    new Refused("train none.csv --label y", "none.csv", "no such file"),
                    new Refused("train job.yaml --interface eth9", "eth9", "--listen"),
                    new Refused("train job.yaml --init nowhere", "nowhere", "no run"),
                    new Refused(
                            "train job.yaml --on sparkk://x:7077",
                            "no such engine",
                            "spark://HOST"),
                    new Refused("train job.yaml --conf spark.a=b", "about Spark", "--on"),
                    new Refused(
                            "train job.yaml --name a --flavor cpu",
                            "--name, --flavor: only on Kubernetes",
                            "--on kubernetes"),
                    new Refused(
                            "train job.yaml --listen [::1]:x --expect 2",
                            "found the text '[::1]:x'",
                            "expected HOST:PORT"),
                    new Refused("train job.yaml --on yarn --conf a=b", "a=b", "KEY=VALUE"),
                    new Refused("train job.yaml --on yarn --launcher x", "tasks or barrier"),
                    new Refused(
                            "train job.yaml --on yarn --workers 2 --max-workers 1",
                            "maxWorkers=1",
                            "workers=2"),
                    new Refused(
                            "train job.yaml --on yarn --expect 1 --listen 127.0.0.1:0",
                            "executors are the machines"));
        }
        assertThat(folder.resolve("runs"))
                .satisfiesAnyOf(
                        runs -> assertThat(runs).doesNotExist(),
                        runs -> assertThat(runs).isEmptyDirectory());
    }

    @Test
    void aDamagedModelShouldBeRefusedByEverybodyWhoReadsIt() throws Exception {
        writeJobs();
        assertThat(ManyCommands.run(folder, List.of("train job.yaml --run-dir good")))
                .singleElement()
                .satisfies(said -> assertThat(said.exitCode()).as(said.err()).isZero());
        Path model = theRunIn("good").resolve("model");
        Path newer = copy(model, folder.resolve("newer"));
        Path json = newer.resolve("model.json");
        String text = Files.readString(json);
        Files.writeString(json, text.replaceFirst("(\"formatVersion\"\\s*:\\s*)\\d+", "$199"));
        Path flipped = copy(model, folder.resolve("flipped"));
        flipAByte(flipped.resolve("weights.safetensors"));
        assertRefused(
                new Refused("evaluate flipped t.csv", "weights.safetensors", "damaged", "SHA-256"),
                new Refused("predict flipped t.csv --out p.csv", "weights.safetensors", "damaged"),
                new Refused("train job.yaml --init flipped", "weights.safetensors", "damaged"),
                new Refused("evaluate newer t.csv", "format version 99"),
                new Refused("predict newer t.csv --out p.csv", "format version 99"),
                new Refused("train job.yaml --init newer", "format version 99"));
        assertThat(folder.resolve("p.csv")).doesNotExist();
        assertThat(folder.resolve("runs"))
                .satisfiesAnyOf(
                        runs -> assertThat(runs).doesNotExist(),
                        runs -> assertThat(runs).isEmptyDirectory());
    }

    @Test
    void aModelThatDoesNotFitTheJobShouldBeRefusedBeforeThereIsARun() throws Exception {
        writeJobs();
        assertThat(ManyCommands.run(folder, List.of("train job.yaml --run-dir good")))
                .singleElement()
                .satisfies(said -> assertThat(said.exitCode()).as(said.err()).isZero());
        String table = Files.readString(folder.resolve("t.csv"));
        Files.writeString(folder.resolve("class.csv"), table + "1,2,7\n");
        Files.writeString(folder.resolve("lacks.csv"), table.replaceFirst("b", "d"));
        String init = " --run-dir runs --init good/" + theRunIn("good").getFileName() + "/model";
        assertRefused(
                new Refused(
                        "train job.yaml -s model.hidden=[9]" + init,
                        "0.weight of 9x2",
                        "has 256x18",
                        "good"),
                new Refused("train job.yaml -s model=linear" + init, "0.weight of 1x2", "256x18"),
                new Refused("train job.yaml -s data.train=class.csv" + init, "row 101", "\"7\""),
                new Refused("train job.yaml -s data.train=lacks.csv" + init, "lacks.csv", "'b'"),
                new Refused(
                        "train job.yaml -s data.label=a" + init, "data.label=a", "data.label=y"),
                new Refused("train --resume " + theRunIn("good") + init, "--resume", "--init"));
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    private Path theRunIn(String runs) throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve(runs))) {
            return all.findFirst().orElseThrow();
        }
    }

    private void assertRefused(Refused... commands) throws Exception {
        Refused.assertAll(folder, commands);
    }

    private void writeJobs() throws IOException {
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 100; i++) {
            rows.append(i % 7).append(',').append(i % 11).append(',').append(i % 2).append('\n');
        }
        Files.writeString(folder.resolve("t.csv"), rows);
        Files.writeString(folder.resolve("job.yaml"), JOB.formatted("t.csv, label: y"));
        int images = 40;
        ByteBuffer head = ByteBuffer.allocate(16).putInt(0x803).putInt(images).putInt(4).putInt(4);
        byte[] half = new byte[16 + images * 16 / 2];
        System.arraycopy(head.array(), 0, half, 0, 16);
        Files.write(folder.resolve("t-images-idx3-ubyte"), half);
        ByteBuffer labels = ByteBuffer.allocate(8 + images).putInt(0x801).putInt(images);
        for (int i = 0; i < images; i++) {
            labels.put((byte) (i % 2));
        }
        Files.write(folder.resolve("t-labels-idx1-ubyte"), labels.array());
        Files.writeString(folder.resolve("idx.yaml"), JOB.formatted("t-images-idx3-ubyte"));
        byte[] parquet = new byte[2000]; // begins like one, and lacks the end
        System.arraycopy("PAR1".getBytes(US_ASCII), 0, parquet, 0, 4);
        Files.write(folder.resolve("t.parquet"), parquet);
        Files.writeString(folder.resolve("parquet.yaml"), JOB.formatted("t.parquet, label: y"));
    }

    private static Path copy(Path model, Path to) throws IOException {
        Files.createDirectory(to);
        for (String file : List.of("model.json", "weights.safetensors")) {
            Files.copy(model.resolve(file), to.resolve(file));
        }
        return to;
    }

    private static void flipAByte(Path file) throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            long at = access.length() - 7;
            access.seek(at);
            int before = access.read();
            access.seek(at);
            access.write(before ^ 0x10);
        }
    }
}
