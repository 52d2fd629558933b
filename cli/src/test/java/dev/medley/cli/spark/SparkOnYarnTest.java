package dev.medley.cli.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executors are containers of a real ResourceManager and real NodeManagers. */
@Tag("real")
@Timeout(900)
class SparkOnYarnTest {
    @TempDir static Path place;
    private static YarnCluster yarn;

    @TempDir Path folder;

    @BeforeEach
    void begin() throws Exception {
        Path unused = SparkCommand.home();
        if (yarn == null) {
            yarn = YarnCluster.start(place);
        }
    }

    @AfterAll
    static void end() {
        if (yarn != null) {
            yarn.close();
        }
    }

    @Test
    void shouldLoseNoSampleWithAContainer() throws Exception {
        try (SparkCommand command = train(yarn.files())) {
            command.awaitWorkers(2);
            assertThat(yarn.executors()).hasSize(2);
            yarn.executors().get(0).destroyForcibly();
            command.requireEverySampleAfterALoss();
        }
    }

    @Test
    void shouldSayWhyThereIsNoApplication() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        try (SparkCommand queue = train(yarn.files(), "spark.yarn.queue=nope");
                SparkCommand cores = train(yarn.files(), "spark.executor.cores=9");
                SparkCommand memory = train(yarn.files(), "spark.executor.memory=9g");
                SparkCommand unset = train("");
                SparkCommand unfit = train(empty.toString())) {
            unset.requireRefusal("--on yarn: HADOOP_CONF_DIR is not set: name the folder");
            unfit.requireRefusal("HADOOP_CONF_DIR=%s has no yarn-site.xml".formatted(empty));
            queue.requireRefusal("YARN has no queue nope (spark.yarn.queue)");
            memory.requireRefusal("is above the max threshold (4096 MB) of this cluster");
            cores.requireRefusal("and the largest container of YARN is <memory:4096, vCores:4>");
        }
    }

    private SparkCommand train(String files, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("--on", "yarn", "--workers", "2"));
        List<String> settings = new ArrayList<>();
        settings.add("spark.executor.instances=2");
        settings.add("spark.executor.memory=512m");
        settings.add("spark.medley.home=" + folder);
        settings.add("spark.yarn.jars=local:%s/jars/*".formatted(SparkCommand.home()));
        settings.addAll(List.of(more));
        settings.forEach(setting -> words.addAll(List.of("--conf", setting)));
        return SparkCommand.start(
                folder, files.isEmpty() ? Map.of() : Map.of("HADOOP_CONF_DIR", files), words);
    }
}
