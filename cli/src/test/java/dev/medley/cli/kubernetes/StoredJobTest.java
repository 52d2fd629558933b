package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.stored.RunStore;
import dev.medley.base.job.StoreUrl;
import dev.medley.kubernetes.cluster.TakesMinutes;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.S3Server;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job without any volume: its data lie in an object store, and its run is kept in one. */
@Tag("real")
@TakesMinutes
@Timeout(1200)
class StoredJobTest {
    private static final int BATCH = 240;

    @TempDir Path folder;
    private S3Server server;
    private Map<String, String> environment;

    @BeforeEach
    void begin() throws Exception {
        server = S3Server.start();
        environment = server.environment();
    }

    @AfterEach
    void end() throws Exception {
        server.close();
    }

    @Test
    void shouldGoOnFromTheStoreWhereItsCoordinatorIsLost() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            try (ObjectStore store = store()) {
                store.write("data/table.csv", Files.readAllBytes(world.table(2400)));
            }
            world.create(
                    "stored",
                    """
                    data: {train: "s3://bucket/data/*.csv", label: label}
                    model: {family: mlp, hidden: [64, 64]}
                    train: {epochs: 100000, batch: %d}
                    cluster: {threads: 1}
                    checkpoint: {every_steps: 50, store: "s3://bucket/runs"}
                    """
                            .formatted(BATCH),
                    """
                    env: [%s]
                    flavors: [{name: cpu, min: 2}]
                    """
                            .formatted(
                                    environment.entrySet().stream()
                                            .map(
                                                    e ->
                                                            "{name: %s, value: '%s'}"
                                                                    .formatted(
                                                                            e.getKey(),
                                                                            e.getValue()))
                                            .collect(Collectors.joining(", "))));
            world.await("a checkpoint in the store", () -> keptCheckpoints() > 0);
            String before = world.coordinator("stored").getMetadata().getUid();
            world.client.resource(world.coordinator("stored")).withGracePeriod(0).delete();
            world.await(
                    "another coordinator",
                    () ->
                            world.pods("stored").stream()
                                    .anyMatch(pod -> !before.equals(pod.getMetadata().getUid())));
            long kept = keptSteps("first");
            world.await("the run going on", () -> keptSteps("later") > kept + 100);
            world.suspend("stored", "true");
            world.await("stored", JobPhaseName.Suspended);
            world.await("no pod", () -> world.pods("stored").isEmpty());
        }
        RunRecord record = RunRecord.read(fetched("last"));
        KubernetesWorld.requireEverySample(record, BATCH);
        assertThat(record.events()).anyMatch(event -> event.message().startsWith("resumed after"));
        assertThat(names("runs").stream().filter(name -> name.endsWith("/run.json"))).hasSize(1);
    }

    private long keptCheckpoints() {
        return names("runs").stream().filter(name -> name.endsWith("/manifest.json")).count();
    }

    /** Steps of the run as it is kept. */
    private long keptSteps(String into) {
        return RunRecord.read(fetched(into)).summary().steps();
    }

    private RunFolder fetched(String into) {
        String run =
                names("runs").stream()
                        .filter(name -> name.endsWith("/run.json"))
                        .findFirst()
                        .orElseThrow();
        String parent = run.substring(0, run.length() - "/run.json".length());
        int slash = parent.lastIndexOf('/');
        try {
            Path target = Files.createTempDirectory(folder, into);
            StoreUrl url = StoreUrl.of("test", "s3://bucket/" + parent.substring(0, slash));
            return new RunStore(url, environment::get)
                    .fetch(parent.substring(slash + 1), target, come -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> names(String below) {
        try (ObjectStore store = store()) {
            return store.list(below).stream().map(StoredObject::name).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectStore store() {
        return ObjectStore.open(StoreUrl.of("test", "s3://bucket"), environment::get);
    }
}
