package dev.medley.api.run;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Plan;
import dev.medley.base.Version;
import dev.medley.base.WorkerId;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobIdentity;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.Work;
import dev.medley.base.job.Work.Survey.Look;
import dev.medley.base.time.Clock;
import dev.medley.control.coordinator.Coordinator;
import dev.medley.control.coordinator.CoordinatorOptions;
import dev.medley.control.launcher.JoinCommand;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.plan.source.PlanSource;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.ReachReport;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.file.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Surveys a cluster before a run: agents join as for a run, and each machine's worker dials or
 * measures the others instead of training.
 */
public final class ClusterSurvey {
    private ClusterSurvey() {}

    /**
     * What was found.
     *
     * @param machines as people know them, in the order in which they joined
     * @param reached row i holds whom machine i reached: empty if it did (and for itself), else why
     *     not
     * @param through row i holds through which machine machine i reaches each other; empty where it
     *     reaches it itself
     * @param cluster machines and ways; null if they were not asked for or could not be measured
     * @param troubles sentences about what went wrong
     */
    public record Found(
            List<String> machines,
            List<List<String>> reached,
            List<List<String>> through,
            @Nullable ClusterProfile cluster,
            List<String> troubles) {
        /** Whether every machine reached every other. */
        public boolean allReached() {
            return reached.stream().flatMap(List::stream).allMatch(String::isEmpty);
        }
    }

    /**
     * Waits for the machines and lets each dial each other.
     *
     * @param join where they join
     * @param machines how many
     * @param says sentences about who joins
     * @throws ConfigException naming who did not join in time, or what went wrong
     */
    public static Found reach(JoinSpec join, int machines, Consumer<String> says) {
        return of(join, machines, Look.REACH, says);
    }

    /** The same, and measures latency and bandwidth of all ways if all are reached. */
    public static Found ways(JoinSpec join, int machines, Consumer<String> says) {
        return of(join, machines, Look.PATHS, says);
    }

    private static Found of(JoinSpec join, int machines, Look look, Consumer<String> says) {
        ConfigException.check(machines >= 2, "%d machines: a cluster has two or more", machines);
        ClusterSpec usual = ClusterSpec.ofWorkers(machines);
        JobSpec job =
                new JobSpec(
                        "cluster-survey",
                        new Work.Survey(look),
                        new ClusterSpec(
                                machines,
                                0,
                                List.of(),
                                List.of(),
                                usual.heartbeatNs(),
                                usual.peerTimeoutNs(),
                                usual.stepTimeoutNs(),
                                0,
                                join),
                        CheckpointSpec.defaults(),
                        1);
        try {
            Path folder = TemporaryFolder.make("survey");
            try {
                return look(job, new RunFolder(folder), says);
            } finally {
                remove(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking at a cluster", e);
        }
    }

    private static Found look(JobSpec job, RunFolder folder, Consumer<String> says)
            throws IOException, InterruptedException {
        String secret = ControlServer.secret();
        JobTerms none = JobTerms.ofNoJob("a look at the cluster");
        WorkerSource hands = WorkerSource.ofAgents(job, none, secret, folder, List.of());
        Watcher watcher = new Watcher(says);
        Coordinator coordinator =
                new Coordinator(
                        new CoordinatorOptions(
                                job.cluster(),
                                "run " + job.name(),
                                job.work().name(),
                                JobIdentity.of(job),
                                Version.build(),
                                CoordinatorOptions.Patience.usual(hands.joinTimeoutNs()),
                                JoinSpec.Begin.ALL),
                        () -> Json.tree(job),
                        secret,
                        new Coordinator.World(
                                hands.launching(),
                                hands.door(),
                                new NoPlan(),
                                watcher,
                                Clock.system()));
        RunOutcome outcome = coordinator.run();
        if (outcome.kind() != RunOutcome.Kind.COMPLETED) {
            throw new ConfigException(
                    "the cluster could not be looked at: " + watcher.why(outcome.why()));
        }
        return watcher.found();
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** One sample each, and sites as they were declared: nobody trains. */
    private static final class NoPlan implements PlanSource {
        @Override
        public Plan plan(Group group, int version, long committedStep) {
            return new Plan(
                    version, Collections.nCopies(group.size(), 1), 1, "only to look around");
        }

        @Override
        public List<String> sites(List<String> declared, long committedStep) {
            return declared;
        }
    }

    /** Puts together what the workers say. Belongs to the coordinator's thread. */
    private static final class Watcher implements RunWatcher {
        private final Consumer<String> says;
        private final Map<Integer, String> names = new TreeMap<>();
        private final Map<Integer, ReachReport> reached = new TreeMap<>();
        private final List<String> troubles = new ArrayList<>();
        private @Nullable ClusterProfile cluster;
        private @Nullable String firstLoss;

        Watcher(Consumer<String> says) {
            this.says = says;
        }

        @Override
        public void listening(InetSocketAddress address) {
            says.accept("waiting for machines; on each of them: " + JoinCommand.at(address));
        }

        @Override
        public void machines(String what, List<String> there) {
            says.accept(what);
        }

        @Override
        public void warned(String message) {
            says.accept(message);
        }

        @Override
        public void joined(WorkerId worker, int launch, Message.@Nullable Offer on) {
            String name = on == null ? worker.toString() : on.name();
            names.put(
                    worker.value(), names.containsValue(name) ? name + " (" + worker + ")" : name);
        }

        @Override
        public void lost(WorkerId worker, Fault fault) {
            if (firstLoss == null) {
                firstLoss = named("%s was lost meanwhile: %s".formatted(worker, fault.message()));
            }
        }

        /** The reason is the machine that was lost first: the others cannot go on without it. */
        String why(String otherwise) {
            return firstLoss == null
                    ? otherwise
                    : firstLoss + "; see to it, or to the link to it, and begin again";
        }

        @Override
        public void surveyed(ClusterProfile profile, String found) {
            cluster = profile;
        }

        @Override
        public void noted(WorkerId worker, String kind, JsonNode value) {
            if (kind.equals("reach")) {
                ReachReport report = Json.bindWhole(value, ReachReport.class);
                reached.put(report.from(), report);
            } else {
                String trouble = named(value.asString());
                if (!troubles.contains(trouble)) {
                    troubles.add(trouble);
                }
            }
        }

        Found found() {
            List<List<String>> rows = new ArrayList<>();
            List<List<String>> through = new ArrayList<>();
            for (int from : names.keySet()) {
                ReachReport report = reached.get(from);
                List<String> row = new ArrayList<>();
                for (int to : names.keySet()) {
                    String unknown = from == to ? "" : "nothing was heard of " + names.get(from);
                    row.add(report == null ? unknown : named(report.why().getOrDefault(to, "")));
                }
                rows.add(row);
                through.add(names.keySet().stream().map(to -> relay(report, to)).toList());
            }
            return new Found(
                    List.copyOf(names.values()), rows, through, cluster, List.copyOf(troubles));
        }

        private String relay(@Nullable ReachReport report, int to) {
            Integer relay = report == null ? null : report.through().get(to);
            return relay == null ? "" : names.getOrDefault(relay, "");
        }

        /** Workers as the machines that people know. */
        private String named(String sentence) {
            String text = sentence;
            for (Map.Entry<Integer, String> each : names.entrySet()) {
                text = text.replaceAll("worker-" + each.getKey() + "\\b", each.getValue());
            }
            return text;
        }
    }
}
