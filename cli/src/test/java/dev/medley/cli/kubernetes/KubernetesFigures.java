package dev.medley.cli.kubernetes;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.cli.Main;
import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.cluster.ForeignController;
import dev.medley.kubernetes.cluster.Kueue;
import dev.medley.kubernetes.cluster.KwokNodes;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures what docs/kubernetes.md promises, on a real control plane with pods as processes: {@code
 * benchmarks/engines/kubernetes.sh} starts it. Appends a line of JSON for each figure.
 *
 * <p>Long because each figure is a scene of its own.
 */
@Tag("real")
final class KubernetesFigures {
    private static final int JOBS = 1000;
    private static final int BATCH = 240;

    private final Path folder;
    private final Path results;
    private final Clock clock = Clock.system();

    KubernetesFigures(@TempDir Path folder) {
        this.folder = folder;
        this.results = Path.of(System.getProperty("medley.figures.file", "figures.jsonl"));
    }

    @Test
    void shouldMeasure() throws Exception {
        for (String what : System.getProperty("medley.figures", "").split(",")) {
            switch (what) {
                case "sizes" -> sizes();
                case "away" -> away();
                case "quota" -> quota();
                case "many" -> many();
                case "nodes" -> nodes();
                case "killed" -> killed();
                default -> throw new IllegalArgumentException("-Dmedley.figures=" + what);
            }
        }
    }

    private void say(Object... namesAndValues) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            line.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        String text = Json.line(line) + "\n";
        System.out.print(text);
        Files.writeString(results, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String elastic(Path table) {
        return """
        data: {train: %s, label: label}
        model: {family: mlp, hidden: [64, 64]}
        train: {epochs: 1000000, batch: %d}
        cluster: {threads: 1}
        checkpoint: {every: 5s}
        """
                .formatted(table, BATCH);
    }

    /** Two workers, eight, three; then pods that are deleted and killed. */
    private void sizes() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            world.create(
                    "elastic",
                    elastic(world.table(2400)),
                    "runs: {claim: runs}\nflavors: [{name: cpu, min: 2}]");
            world.awaitWorkers("elastic", 2);
            settle(5000);
            long asked = clock.wallMillis();
            world.flavors("elastic", "[{name: cpu, min: 2, max: 8}]");
            world.awaitWorkers("elastic", 8);
            joined(world, asked);
            settle(5000);
            asked = clock.wallMillis();
            world.flavors("elastic", "[{name: cpu, min: 2, max: 3}]");
            world.awaitWorkers("elastic", 3);
            say("figure", "shrink_to_3_s", "value", (clock.wallMillis() - asked) / 1e3);
            settle(5000);
            say(
                    "figure",
                    "grow_and_shrink",
                    "lost_workers",
                    world.record("elastic").summary().lostWorkers(),
                    "repeated_steps",
                    world.record("elastic").summary().repeatedSteps());
            // Each index once: the Job makes a pod again ever later that ended before.
            List<String> ways = List.of("deleted", "killed", "deleted");
            for (int i = 0; i < ways.size(); i++) {
                gone(world, ways.get(i), i);
            }
            KubernetesWorld.requireEverySample(world.record("elastic"), BATCH);
            say("figure", "samples_lost", "value", 0);
        }
    }

    /** Of each worker that came: from its being ready to the next step, with or without it. */
    private void joined(KubernetesWorld world, long asked) throws IOException {
        RunRecord record = world.record("elastic");
        for (var worker : record.workers()) {
            if (worker.wallMillis() < asked) {
                continue;
            }
            StepRecord next = null;
            StepRecord with = null;
            for (StepRecord step : record.steps()) {
                boolean isLater = step.wallMillis() > worker.wallMillis();
                if (isLater && next == null) {
                    next = step;
                }
                boolean has = step.workers().stream().anyMatch(w -> w.worker() == worker.worker());
                if (has && with == null) {
                    with = step;
                }
            }
            say(
                    "figure",
                    "joined",
                    "asked_to_ready_s",
                    (worker.wallMillis() - asked) / 1e3,
                    "ready_to_next_step_s",
                    next == null ? -1 : (next.wallMillis() - worker.wallMillis()) / 1e3,
                    "ready_to_first_own_step_s",
                    with == null ? -1 : (with.wallMillis() - worker.wallMillis()) / 1e3);
        }
    }

    /** The longest pause between two steps around a pod's end. */
    private void gone(KubernetesWorld world, String how, int index) throws Exception {
        Pod pod =
                world.workers("elastic").stream()
                        .filter(p -> p.getMetadata().getName().contains("-cpu-" + index + "-"))
                        .findFirst()
                        .orElseThrow();
        long began = clock.wallMillis();
        if (how.equals("deleted")) {
            world.client.resource(pod).delete();
        } else {
            world.client.resource(pod).withGracePeriod(0).delete();
        }
        settle(8000);
        long longest = 0;
        long before = 0;
        for (StepRecord step : world.record("elastic").steps()) {
            if (before >= began - 1000 && before > 0) {
                longest = Math.max(longest, step.wallMillis() - before);
            }
            before = step.wallMillis();
        }
        say("figure", "pod_" + how, "longest_pause_between_steps_s", longest / 1e3);
        world.awaitWorkers("elastic", 3);
        say("figure", "pod_" + how, "three_again_s", (clock.wallMillis() - began) / 1e3);
        settle(3000);
    }

    /** With Kueue: from another job's end to more workers, and a job that has to go at once. */
    private void quota() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        try (ForeignController unused = Kueue.start(plane)) {
            for (int i = 0; i < 3; i++) {
                try (KubernetesWorld world =
                        KubernetesWorld.open(Files.createDirectory(folder.resolve("idle" + i)))) {
                    idleQuota(plane, world);
                }
                try (KubernetesWorld world =
                        KubernetesWorld.open(Files.createDirectory(folder.resolve("pre" + i)))) {
                    preempted(plane, world);
                }
            }
        }
    }

    private static String queued(int min) {
        return """
        queue: team
        runs: {claim: runs}
        coordinator: {resources: {requests: {cpu: 500m}}}
        flavors: [{name: cpu, min: %d, max: 8, resources: {requests: {cpu: 1}}}]
        """
                .formatted(min);
    }

    private void idleQuota(ControlPlane plane, KubernetesWorld world) throws Exception {
        Kueue.queue(plane, world.namespace, "5500m");
        Path table = world.table(2400);
        world.create("first", elastic(table), queued(1));
        world.awaitWorkers("first", 5);
        world.create("second", elastic(table).replace("1000000", "300"), queued(2));
        world.await("second", JobPhaseName.Completed);
        world.await("five", () -> world.batchJob("first-cpu").getSpec().getParallelism() == 5);
        long grown = clock.wallMillis();
        world.awaitWorkers("first", 5);
        List<StepRecord> others = world.record("second").steps();
        long end = others.get(others.size() - 1).wallMillis();
        long more = 0;
        long all = 0;
        for (StepRecord step : world.record("first").steps()) {
            int workers = step.workers().size();
            more = more == 0 && step.wallMillis() > end && workers > 2 ? step.wallMillis() : more;
            all = all == 0 && step.wallMillis() > end && workers == 5 ? step.wallMillis() : all;
        }
        say(
                "figure",
                "idle_quota",
                "last_step_of_other_to_parallelism_s",
                (grown - end) / 1e3,
                "to_first_step_with_more_s",
                (more - end) / 1e3,
                "to_first_step_with_all_s",
                (all - end) / 1e3);
    }

    private void preempted(ControlPlane plane, KubernetesWorld world) throws Exception {
        Kueue.queue(plane, world.namespace, "4500m");
        world.create("low", elastic(world.table(2400)), queued(1));
        world.awaitWorkers("low", 4);
        settle(5000);
        long asked = clock.wallMillis();
        Job urgent = world.waitingPod("urgent", "4", "urgent");
        world.await("no worker", () -> world.workers("low").isEmpty());
        double goneS = (clock.wallMillis() - asked) / 1e3;
        world.await("urgent", () -> !world.batchJob("urgent").getSpec().getSuspend());
        double letInS = (clock.wallMillis() - asked) / 1e3;
        settle(2000);
        long kept = world.record("low").summary().steps();
        world.client.resource(urgent).delete();
        world.awaitWorkers("low", 4);
        KubernetesWorld.requireEverySample(world.record("low"), BATCH);
        say(
                "figure",
                "preempted",
                "workers_gone_s",
                goneS,
                "other_let_in_s",
                letInS,
                "grace_s",
                world.job("low").getSpec().graceSeconds(),
                "steps_kept",
                kept,
                "steps_repeated",
                world.record("low").summary().repeatedSteps(),
                "samples_lost",
                0);
    }

    /** The API server hangs for a minute in the middle of a run. */
    private void away() throws Exception {
        try (KubernetesWorld world = KubernetesWorld.open(folder)) {
            world.create(
                    "away",
                    elastic(world.table(2400)),
                    "runs: {claim: runs}\nflavors: [{name: cpu, min: 2}]");
            world.awaitWorkers("away", 2);
            long before = world.record("away").summary().steps();
            ControlPlane.shared().signalApiServer("STOP");
            settle(60_000);
            long during = world.record("away").summary().steps();
            ControlPlane.shared().signalApiServer("CONT");
            settle(20_000);
            long after = world.record("away").summary().steps();
            world.flavors("away", "[{name: cpu, min: 2, max: 3}]");
            world.awaitWorkers("away", 3);
            say(
                    "figure",
                    "api_server_away_60_s",
                    "steps_before",
                    before,
                    "steps_after_60_s",
                    during,
                    "steps_20_s_later",
                    after,
                    "lost_workers",
                    world.record("away").summary().lostWorkers(),
                    "coordinators",
                    world.pods("away").size() - world.workers("away").size());
        }
    }

    /** A thousand jobs, an operator of 256 MiB; then ten minutes in which nothing changes. */
    private void many() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        String namespace = plane.namespace();
        try (KubernetesClient client = plane.client()) {
            Process operator = operator(plane, namespace, "first");
            settle(5000);
            long began = clock.nowNs();
            createJobs(client, namespace, JOBS);
            say("figure", "created_1000_s", "value", (clock.nowNs() - began) / 1e9);
            while (jobs(client, namespace) < 2 * JOBS) {
                settle(500);
            }
            while (withStatus(client, namespace) < JOBS) {
                settle(5000);
            }
            say("figure", "reconciled_1000_s", "value", (clock.nowNs() - began) / 1e9);
            // The job controller and the scheduler are not done by then.
            while (placed(client, namespace) < 2 * JOBS) {
                settle(5000);
            }
            settle(30_000);
            say("figure", "heap", "said", end(operator, "first"));
            operator = operator(plane, namespace, "idle");
            settle(600_000);
            say("figure", "idle_ten_minutes", "said", end(operator, "idle"));
        }
    }

    /**
     * A thousand nodes of KWOK and a thousand jobs, whose pods are scheduled and ready; then three
     * minutes in which nothing changes.
     */
    private void nodes() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        String namespace = plane.namespace();
        long began = clock.nowNs();
        try (KubernetesClient client = plane.client();
                KwokNodes nodes = KwokNodes.start(plane, JOBS)) {
            while (!nodes.areReady()) {
                settle(1000);
            }
            say("figure", "kwok_1000_nodes_ready_s", "value", (clock.nowNs() - began) / 1e9);
            Process operator = operator(plane, namespace, "first");
            settle(5000);
            began = clock.nowNs();
            createJobs(client, namespace, JOBS);
            say("figure", "kwok_created_1000_s", "value", (clock.nowNs() - began) / 1e9);
            while (jobs(client, namespace) < 2 * JOBS || withStatus(client, namespace) < JOBS) {
                settle(1000);
            }
            say("figure", "kwok_reconciled_1000_s", "value", (clock.nowNs() - began) / 1e9);
            while (inPhase(client, namespace, JobPhaseName.Running) < JOBS) {
                settle(2000);
            }
            say(
                    "figure",
                    "kwok_all_running_s",
                    "value",
                    (clock.nowNs() - began) / 1e9,
                    "nodes_with_pods",
                    client.pods().inNamespace(namespace).list().getItems().stream()
                            .map(pod -> pod.getSpec().getNodeName())
                            .distinct()
                            .count());
            settle(30_000);
            say(
                    "figure",
                    "kwok_heap",
                    "most_mib",
                    heapMiB("first"),
                    "said",
                    end(operator, "first"));
            operator = operator(plane, namespace, "idle");
            settle(180_000);
            say(
                    "figure",
                    "kwok_idle_three_minutes",
                    "most_mib",
                    heapMiB("idle"),
                    "said",
                    end(operator, "idle"));
        }
    }

    /** The most that whole collections left behind; 0 where there was none. */
    private int heapMiB(String name) throws IOException {
        Pattern left = Pattern.compile("Pause Full.*->(\\d+)M\\(");
        return Files.readAllLines(folder.resolve(name + ".gc")).stream()
                .map(left::matcher)
                .filter(Matcher::find)
                .mapToInt(of -> Integer.parseInt(of.group(1)))
                .max()
                .orElse(0);
    }

    private static long inPhase(KubernetesClient client, String namespace, JobPhaseName phase) {
        return client.resources(MedleyJob.class).inNamespace(namespace).list().getItems().stream()
                .filter(job -> job.getStatus() != null && job.getStatus().phase() == phase)
                .count();
    }

    /** An operator that is killed twenty times while it makes objects of a hundred jobs. */
    private void killed() throws Exception {
        ControlPlane plane = ControlPlane.shared();
        String namespace = plane.namespace();
        try (KubernetesClient client = plane.client()) {
            createJobs(client, namespace, 100);
            for (int i = 0; i < 20; i++) {
                Process operator = operator(plane, namespace, "killed" + i);
                long until = clock.nowNs() + TimeUnit.SECONDS.toNanos(30);
                long before = jobs(client, namespace);
                while (jobs(client, namespace) < before + 5 && clock.nowNs() < until) {
                    settle(20);
                }
                operator.destroyForcibly().waitFor();
            }
            Process operator = operator(plane, namespace, "last");
            while (withStatus(client, namespace) < 100 || jobs(client, namespace) < 200) {
                settle(500);
            }
            settle(10_000);
            say(
                    "figure",
                    "operator_killed_20_times",
                    "jobs",
                    jobs(client, namespace),
                    "secrets",
                    client.secrets()
                            .inNamespace(namespace)
                            .withLabel("medley.dev/job")
                            .list()
                            .getItems()
                            .size(),
                    "services",
                    client.services().inNamespace(namespace).list().getItems().size(),
                    "said",
                    end(operator, "last"));
        }
    }

    private static void createJobs(KubernetesClient client, String namespace, int count) {
        for (int i = 0; i < count; i++) {
            String text =
                    """
                    apiVersion: medley.dev/v1
                    kind: MedleyJob
                    metadata: {name: j%d, namespace: %s}
                    spec:
                      job: "data: {train: /data/t.csv, label: y}\\nmodel: linear\\n"
                      flavors: [{name: cpu, min: 1, max: 1}]
                    """
                            .formatted(i, namespace);
            var unused = client.resource(text).create();
        }
    }

    /** Counted by the API server: lists of thousands would be work for it. */
    private static long jobs(KubernetesClient client, String namespace) {
        var page =
                client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(namespace)
                        .list(new ListOptionsBuilder().withLimit(1L).build());
        Long more = page.getMetadata().getRemainingItemCount();
        return page.getItems().size() + (more == null ? 0 : more);
    }

    /** Pods of which the scheduler has said that no node takes them. */
    private static long placed(KubernetesClient client, String namespace) {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> !pod.getStatus().getConditions().isEmpty())
                .count();
    }

    private static long withStatus(KubernetesClient client, String namespace) {
        return client.resources(MedleyJob.class).inNamespace(namespace).list().getItems().stream()
                .filter(job -> job.getStatus() != null && job.getStatus().phase() != null)
                .count();
    }

    private Process operator(ControlPlane plane, String namespace, String name) throws IOException {
        Path config = folder.resolve("operator.kubeconfig");
        Files.writeString(
                config, plane.config(plane.token(ControlPlane.OPERATOR, "medley-operator")));
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-Xlog:gc:" + folder + "/" + name + ".gc"));
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(List.of("operator", "--image", "medley:test", "--namespace", namespace));
        ProcessBuilder builder =
                new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(name + ".log").toFile());
        builder.environment().put("KUBECONFIG", config.toString());
        return builder.start();
    }

    private String end(Process operator, String name) throws Exception {
        operator.destroy();
        if (!operator.waitFor(60, TimeUnit.SECONDS)) {
            operator.destroyForcibly();
        }
        String said = Files.readString(folder.resolve(name + ".log")).strip();
        return said.substring(said.lastIndexOf('\n') + 1);
    }

    private void settle(long millis) throws Exception {
        long untilMillis = clock.wallMillis() + millis;
        while (clock.wallMillis() < untilMillis) {
            ControlPlane.shared().pause();
        }
    }
}
