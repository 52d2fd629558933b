package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread.Join;
import dev.medley.base.Seeds;
import dev.medley.record.folder.RunFolder;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines of which each fetches its own shards of the training samples, and not the rest. */
@Tag("real")
@Timeout(240)
class PlacedMachinesTest {
    /** Prepared it has somewhat more than 256 blocks, each of which is a shard. */
    private static final int TEXT_BYTES = 136 << 20;

    private static final int STEPS = 60;

    @TempDir Path folder;

    @Test
    void machinesShouldFetchWhatTheyTrainOnAndKeepItForTheNextRun() throws Exception {
        text();
        job("listen: '127.0.0.1:0', expect: 2, begin: all");
        RunFolder run = joined("one", "two");
        int one = blocks("one");
        int two = blocks("two");
        assertThat(one).as("blocks of some 270").isBetween(10, 120);
        assertThat(two).isBetween(10, 120);
        RunFolder again = joined("two", "one");
        assertThat(blocks("one") + blocks("two"))
                .as("what is there stays; speeds, and so shares, are not quite those of before")
                .isBetween(one + two, 270);
        assertThat(weights(again)).isNotEmptyFile();

        job("workers: 2");
        try (World world = new World(folder)) {
            RunThread here = world.replay(run.path());
            assertThat(weights(here.completed().folder()))
                    .as("where all of it is seen")
                    .hasSameBinaryContentAs(weights(run));
        }
    }

    /**
     * In that order, which is the order of their ranks, and by names alone decides who gets what.
     */
    private RunFolder joined(String first, String second) throws Exception {
        try (World world = new World(folder)) {
            RunThread run = world.train();
            world.agent(run, Join.as(first).copying());
            run.awaitEvents(first + " has joined", 1);
            world.agent(run, Join.as(second).copying());
            return run.completed().folder();
        }
    }

    private static Path weights(RunFolder run) {
        return run.model().resolve("weights.safetensors");
    }

    private void job(String cluster) throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: placed
                data:
                  train: text.txt
                  text: {unit: bytes, context: 64}
                  split: {validation: 0.001}
                  placement: shards
                model: {family: transformer, layers: 1, width: 16, heads: 2}
                train: {steps: %d, batch: 24, evaluate_every: %d}
                cluster: {%s, threads: 1, java_options: ["-XX:TieredStopAtLevel=1"]}
                seed: 5
                """
                        .formatted(STEPS, STEPS, cluster));
    }

    private void text() throws IOException {
        RandomGenerator random = Seeds.generator(6);
        byte[] line = new byte[1 << 10];
        try (OutputStream out =
                new BufferedOutputStream(
                        Files.newOutputStream(folder.resolve("text.txt")), 1 << 20)) {
            for (int written = 0; written < TEXT_BYTES; written += line.length) {
                for (int i = 0; i < line.length; i += 64) {
                    line[i] = (byte) ('a' + random.nextInt(26));
                }
                out.write(line);
            }
        }
    }

    /**
     * Blocks of training samples that a machine has: the entries of its list that are not empty.
     */
    private int blocks(String agent) throws IOException {
        int here = 0;
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path list : tree.filter(p -> p.toString().endsWith(".0.sums")).toList()) {
                if (folder.relativize(list).startsWith(agent)) {
                    LongBuffer sums = ByteBuffer.wrap(Files.readAllBytes(list)).asLongBuffer();
                    while (sums.hasRemaining()) {
                        here += sums.get() == 0 ? 0 : 1;
                    }
                }
            }
        }
        return here;
    }
}
