package dev.medley.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.cli.ClassArchive;
import dev.medley.cli.Main;
import dev.medley.kubernetes.client.ClusterAccess;
import dev.medley.kubernetes.cluster.ControlPlane;
import dev.medley.kubernetes.cluster.ProcessKubelet;
import dev.medley.kubernetes.desired.OperatorDefaults;
import dev.medley.kubernetes.install.Installation;
import dev.medley.kubernetes.operator.OperatorOptions;
import dev.medley.kubernetes.operator.OperatorRun;
import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobStatus;
import dev.medley.kubernetes.resource.MedleyJobStatus.JobPhaseName;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A namespace of a real control plane with nodes, an operator, and a volume for runs. */
final class KubernetesWorld implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(400);

    final KubernetesClient client;
    final String namespace;
    final Path folder;
    final ProcessKubelet kubelet;

    private final Clock clock = Clock.system();
    private final List<String> medley;
    private final ControlPlane plane;
    private @Nullable OperatorRun operator;
    private @Nullable ClusterAccess access;

    private KubernetesWorld(ControlPlane plane, Path folder) throws Exception {
        this.plane = plane;
        this.folder = folder;
        this.client = plane.client();
        this.namespace = plane.namespace();
        medley = new ArrayList<>();
        medley.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        medley.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
        medley.addAll(ClassArchive.options(System.getProperty("java.class.path")));
        medley.add(Main.class.getName());
        this.kubelet = new ProcessKubelet(plane, folder.resolve("kubelet"), medley);
    }

    /** With an operator, two nodes in two zones, and the volume claim runs. */
    static KubernetesWorld open(Path folder) throws Exception {
        KubernetesWorld world = withoutOperator(folder);
        world.startOperator();
        return world;
    }

    /** The same, where somebody else starts one. */
    static KubernetesWorld withoutOperator(Path folder) throws Exception {
        KubernetesWorld world = new KubernetesWorld(ControlPlane.shared(), folder);
        String zone = "topology.kubernetes.io/zone";
        world.kubelet.addNode(world.namespace + "-n1", "8", "16Gi", Map.of(zone, "east"));
        world.kubelet.addNode(world.namespace + "-n2", "8", "16Gi", Map.of(zone, "west"));
        world.claim("runs");
        return world;
    }

    /** The operator as it is installed: a Deployment, whose pod has its own account. */
    void install() {
        plane.apply(Installation.yaml(ControlPlane.OPERATOR, "medley:test"));
    }

    void uninstall() {
        client.apps().deployments().inNamespace(ControlPlane.OPERATOR).delete();
    }

    void startOperator() {
        startOperator(plane.operatorAccess());
    }

    /** An operator whose account has these rights alone, in its namespace. */
    void startOperatorWith(String rules) {
        plane.apply(
                """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: poor, namespace: %1$s}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: poor-%1$s}
                rules:
                %2$s
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: poor-%1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: poor-%1$s}
                subjects: [{kind: ServiceAccount, name: poor, namespace: %1$s}]
                """
                        .formatted(namespace, rules));
        startOperator(new ClusterAccess(plane.client(plane.token(namespace, "poor"))));
    }

    /** Deletes its namespace with all that is there, and makes one of the same name. */
    void renewNamespace() throws Exception {
        client.namespaces().withName(namespace).delete();
        await("end of the namespace", () -> client.namespaces().withName(namespace).get() == null);
        plane.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n".formatted(namespace));
    }

    private void startOperator(ClusterAccess made) {
        access = made;
        operator =
                OperatorRun.start(
                        made,
                        new OperatorOptions(
                                Set.of(namespace),
                                OperatorDefaults.of("medley:test"),
                                4,
                                "",
                                folder.resolve("health")),
                        Clock.system());
        assertThat(folder.resolve("health").resolve("ready")).exists();
    }

    void stopOperator() {
        if (operator != null && access != null) {
            operator.close();
            access.close();
        }
    }

    /** Writes of the operator so far. */
    long writes() {
        return operator == null
                ? 0
                : operator.writes().values().stream().mapToLong(Long::longValue).sum();
    }

    void claim(String name) {
        client.resource(
                        new PersistentVolumeBuilder()
                                .withNewMetadata()
                                .withName(namespace + "-" + name)
                                .endMetadata()
                                .withNewSpec()
                                .withCapacity(Map.of("storage", new Quantity("1Gi")))
                                .withAccessModes("ReadWriteOnce")
                                .withStorageClassName("")
                                .withNewHostPath("/nowhere", null)
                                .withNewClaimRef()
                                .withNamespace(namespace)
                                .withName(name)
                                .endClaimRef()
                                .endSpec()
                                .build())
                .create();
        client.resource(
                        new PersistentVolumeClaimBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withNewSpec()
                                .withAccessModes("ReadWriteOnce")
                                .withStorageClassName("")
                                .withVolumeName(namespace + "-" + name)
                                .withNewResources()
                                .withRequests(Map.of("storage", new Quantity("1Gi")))
                                .endResources()
                                .endSpec()
                                .build())
                .create();
    }

    /** What a command of a user says who has that cluster as kubectl has it, and its exit code. */
    record Answer(int code, String said) {}

    Answer command(String... words) throws Exception {
        List<String> line = new ArrayList<>(medley);
        line.addAll(List.of(words));
        Path output = Files.createTempFile(folder, "said-", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(line)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", plane.kubeconfig().toString());
        Process process = builder.start();
        if (!process.waitFor(PATIENCE_NS, TimeUnit.NANOSECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(Files.readString(output) + everything());
        }
        return new Answer(process.exitValue(), Files.readString(output));
    }

    /** Where pods see a volume claim: at the path that it has here. */
    Path claimed(String name) throws Exception {
        return Files.createDirectories(
                folder.resolve("kubelet/claims").resolve(namespace + "-" + name));
    }

    /** Folder of the runs of a job. */
    Path runs(String job) {
        return folder.resolve("kubelet/claims").resolve(namespace + "-runs").resolve(job);
    }

    /** A table with a plain rule, and its path. */
    Path table(int rows) throws Exception {
        StringBuilder text = new StringBuilder("x,y,label\n");
        for (int i = 0; i < rows; i++) {
            int x = i * 7919 % 101;
            int y = i * 104729 % 97;
            text.append("%d,%d,%s\n".formatted(x, y, x > y ? "yes" : "no"));
        }
        return Files.writeString(folder.resolve("table.csv"), text);
    }

    /** Creates a job of a job file and flavors. */
    void create(String name, String jobFile, String spec) {
        String text =
                """
                apiVersion: medley.dev/v1
                kind: MedleyJob
                metadata: {name: %s, namespace: %s}
                spec:
                  job: |
                %s
                %s
                """
                        .formatted(name, namespace, jobFile.indent(4), spec.indent(2));
        var unused = client.resource(text).create();
    }

    MedleyJob job(String name) {
        return client.resources(MedleyJob.class).inNamespace(namespace).withName(name).require();
    }

    MedleyJobStatus status(String name) {
        MedleyJobStatus status = job(name).getStatus();
        return status == null ? MedleyJobStatus.NONE : status;
    }

    List<Pod> pods(String job) {
        return client.pods()
                .inNamespace(namespace)
                .withLabel("medley.dev/job", job)
                .list()
                .getItems();
    }

    /** Of workers, those too that are on their way out. */
    List<Pod> workers(String job) {
        return pods(job).stream()
                .filter(pod -> pod.getMetadata().getLabels().containsKey("medley.dev/flavor"))
                .toList();
    }

    Pod coordinator(String job) {
        return pods(job).stream()
                .filter(pod -> !pod.getMetadata().getLabels().containsKey("medley.dev/flavor"))
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .findFirst()
                .orElseThrow();
    }

    Job batchJob(String name) {
        return client.batch().v1().jobs().inNamespace(namespace).withName(name).require();
    }

    /** A Job of somebody else in the queue team, whose pod has quota and no node. */
    Job waitingPod(String name, String cpus, String priority) {
        return (Job)
                client.resource(
                                """
                                apiVersion: batch/v1
                                kind: Job
                                metadata:
                                  name: %s
                                  namespace: %s
                                  labels: {kueue.x-k8s.io/queue-name: team}
                                spec:
                                  template:
                                    spec:
                                      priorityClassName: "%s"
                                      restartPolicy: Never
                                      nodeSelector: {nowhere: "true"}
                                      containers:
                                      - name: main
                                        image: any
                                        resources: {requests: {cpu: %s}}
                                """
                                        .formatted(name, namespace, priority, cpus))
                        .create();
    }

    /** What its run has written. */
    RunRecord record(String job) {
        return RunRecord.read(RunFolder.find(runs(job), "latest"));
    }

    /** Waits until the last steps were taken by as many workers. */
    void awaitWorkers(String job, int count) throws Exception {
        await(
                count + " workers of " + job,
                () -> {
                    JobPhaseName phase = status(job).phase();
                    if (phase == JobPhaseName.Refused || phase == JobPhaseName.Failed) {
                        throw new AssertionError(job + ": " + status(job).message());
                    } else if (RunFolder.list(runs(job)).isEmpty()) {
                        return false;
                    }
                    List<StepRecord> steps = record(job).steps();
                    return !steps.isEmpty()
                            && steps.get(steps.size() - 1).workers().size() == count;
                });
    }

    void flavors(String job, String flavors) {
        change(job, "{\"spec\": {\"flavors\": %s}}".formatted(json(flavors)));
    }

    void suspend(String job, String is) {
        change(job, "{\"spec\": {\"suspend\": %s}}".formatted(is));
    }

    /** Deletes a job and waits until its pods are gone. */
    void delete(String job) throws Exception {
        client.resource(job(job)).delete();
        await("end of " + job, () -> pods(job).isEmpty());
    }

    private void change(String job, String patch) {
        MedleyJob unused =
                client.resource(job(job)).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private String json(String yaml) {
        return client.getKubernetesSerialization()
                .asJson(client.getKubernetesSerialization().unmarshal("---\n" + yaml, List.class));
    }

    /** Each step took a whole batch, and no step is missing or there twice. */
    static void requireEverySample(RunRecord record, int batch) {
        long last = 0;
        for (StepRecord step : record.steps()) {
            assertThat(step.samples()).isEqualTo(batch);
            assertThat(step.step()).isGreaterThan(last);
            last = step.step();
        }
        long taken = record.summary().steps() + record.summary().repeatedSteps();
        assertThat(record.summary().samples())
                .as("those of steps that a kill cost are said")
                .isEqualTo(taken * batch);
    }

    void await(String what, BooleanSupplier isTrue) throws Exception {
        long untilNs = clock.nowNs() + PATIENCE_NS;
        while (!isTrue.getAsBoolean()) {
            if (clock.nowNs() > untilNs) {
                throw new AssertionError("no %s;\n%s".formatted(what, everything()));
            }
            kubelet.pause();
        }
    }

    /** Waits for a phase; another end than that is a failure. */
    void await(String job, JobPhaseName wanted) throws Exception {
        await(
                wanted + " of " + job,
                () -> {
                    JobPhaseName now = status(job).phase();
                    if (now != wanted && now != null && now.isEnd()) {
                        throw new AssertionError(job + " has " + now);
                    }
                    return now == wanted;
                });
    }

    /** What is there, for whoever reads a failure. */
    String everything() throws Exception {
        StringBuilder text = new StringBuilder();
        client.resources(MedleyJob.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .forEach(job -> text.append(job.path() + " " + job.getStatus() + "\n"));
        for (Pod pod : client.pods().inNamespace(namespace).list().getItems()) {
            text.append(
                    "%s %s\n%s\n"
                            .formatted(
                                    pod.getMetadata().getName(),
                                    pod.getStatus().getPhase(),
                                    kubelet.log(pod)));
        }
        client.v1()
                .events()
                .inNamespace(namespace)
                .list()
                .getItems()
                .forEach(e -> text.append(e.getReason() + ": " + e.getMessage() + "\n"));
        return text.toString();
    }

    @Override
    public void close() {
        client.resources(MedleyJob.class).inNamespace(namespace).delete();
        stopOperator();
        kubelet.close();
        client.namespaces().withName(namespace).delete();
        client.close();
    }
}
