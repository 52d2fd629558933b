package dev.medley.fleet.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.fleet.elastic.trace.MeasuredModel;
import dev.medley.fleet.elastic.trace.WorkloadJob;
import dev.medley.fleet.simulation.FleetData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class PolluxDataTest {
    private static final int BLOCK = 512;

    /** Published for workload 5 of half the load: Tiresias 1425.39 s, Pollux 976.84 s. */
    @Test
    void shouldRepeatThePublishedTiresiasAndBeatThePublishedPollux(@TempDir Path folder)
            throws IOException {
        unpack(FleetData.of("sched/pollux/pollux-osdi21-simulator-data.tar.gz"), folder);
        List<WorkloadJob> workload =
                WorkloadJob.read(
                        folder.resolve("simulator/workloads-0.5/workload-5.csv"),
                        MeasuredModel.readAll(folder.resolve("simulator/traces")));
        assertThat(workload).hasSize(80);
        ElasticCluster.Size size = ElasticCluster.Size.POLLUX;
        assertThat(mean(ElasticCluster.playFixed(size, workload, new TiresiasQueues())))
                .isCloseTo(1425.3875, within(0.1));
        assertThat(
                        mean(
                                ElasticCluster.playElastic(
                                        size, workload, Knowledge.OWN, SharesOptions.DEFAULTS)))
                .isLessThan(976.8);
    }

    private static double mean(List<ElasticJob> jobs) {
        return ElasticCluster.meanJctS(jobs);
    }

    /** Reads a plain tar: a header of 512 bytes with name and octal size, then the file. */
    private static void unpack(Path archive, Path folder) throws IOException {
        byte[] all;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(archive))) {
            all = in.readAllBytes();
        }
        InputStream in = new ByteArrayInputStream(all);
        byte[] header = in.readNBytes(BLOCK);
        while (header.length == BLOCK && header[0] != 0) {
            String name = text(header, 0, 100);
            int bytes = Integer.parseInt(text(header, 124, 12).trim(), 8);
            byte[] content = in.readNBytes((bytes + BLOCK - 1) / BLOCK * BLOCK);
            if (name.endsWith(".csv") && !name.endsWith("philly.csv")) {
                Path file = folder.resolve(name);
                Files.createDirectories(file.getParent());
                Files.write(file, java.util.Arrays.copyOf(content, bytes));
            }
            header = in.readNBytes(BLOCK);
        }
    }

    private static String text(byte[] header, int from, int length) {
        String field = new String(header, from, length, StandardCharsets.US_ASCII);
        int end = field.indexOf('\0');
        return end < 0 ? field : field.substring(0, end);
    }
}
