package dev.medley.control.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.control.files.Shipment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars of a job are compared by what is in them, and the machine's own are run. */
@Tag("unit")
class ServedJobTest {
    private static final ServedJob.Reading CLASSES =
            (job, file, classes) ->
                    new JobTerms(job.name(), file, Map.of("class_path", classes.toString()));

    @TempDir Path folder;

    @Test
    void equalJarsElsewhereShouldBeOneJobAndTheOwnOnesRun() throws IOException {
        Path theirs = jar("boss", "version 1");
        Path own = jar("here", "version 1");
        ServedJob served = served(own);
        LaunchOrder work = work(theirs);
        assertThat(served.refusal("n1", work)).isNull();
        assertThat(served.needed(work)).extracting(Shipment::key).containsExactly("data-1");
        assertThat(served.withOwnFiles(work.job()).cluster().classPath())
                .containsExactly(own.toString());
    }

    @Test
    void aJarThatWasBuiltAnewShouldBeAnotherJobUntilBothAre() throws IOException {
        Path theirs = jar("boss", "version 2");
        Path own = jar("here", "version 1");
        ServedJob served = served(own);
        assertThat(served.refusal("n1", work(theirs))).contains("class_path is [content-");
        Files.writeString(own, "version 2");
        assertThat(served.refusal("n1", work(theirs))).isNull();
    }

    @Test
    void namesOfARunShouldNotLeadOutOfTheAgentsFolder() {
        for (String key : List.of("../x", "/x", "a\\b", "..", "", "a\n/../x", "a\n\\b", ".x")) {
            assertThatThrownBy(() -> new LaunchOrder(key, job(), List.of(), null, 0))
                    .as(key)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageNotContaining("\n");
            assertThatThrownBy(() -> new Shipment(key, "/x", Map.of(), null, java.util.Set.of()))
                    .as(key)
                    .isInstanceOf(ConfigException.class);
        }
    }

    private Path jar(String where, String content) throws IOException {
        Path at = Files.createDirectories(folder.resolve(where));
        return Files.writeString(at.resolve("own.jar"), content);
    }

    private static ServedJob served(Path jar) {
        return new ServedJob(job(jar), "job.yaml", CLASSES);
    }

    private LaunchOrder work(Path jar) {
        Shipment data = Shipment.of("data-1", folder, List.of());
        return new LaunchOrder("run-1", job(jar), List.of(data, Shipment.ofContent(jar)), null, 0);
    }

    static JobSpec job(Path... jars) {
        List<String> paths = List.of(jars).stream().map(Path::toString).toList();
        JobSpec job = SomeJob.ofBatch(8);
        return job.with(job.cluster().withClassPath(paths));
    }
}
