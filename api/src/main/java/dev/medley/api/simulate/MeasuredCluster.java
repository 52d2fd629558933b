package dev.medley.api.simulate;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.Calibration;
import dev.medley.plan.simulator.Calibration.Compute;
import dev.medley.plan.simulator.fabric.Disturbance;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedLink;
import dev.medley.plan.simulator.fabric.SimulatedLinks;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.speed.StepTime;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The machines of a recorded run, as fast as they were in it, with the links that it measured.
 *
 * @param cluster of those who were in its last group
 * @param job the run's own, with the strategy that it trained by at the end
 */
record MeasuredCluster(SimulatedCluster cluster, JobSpec job) {
    /** Until compilers and caches are warm. */
    private static final int WARM_BATCHES = 100;

    private static final int LEAST_STEPS = 3;

    /**
     * Reads a run.
     *
     * @throws ConfigException if it is none of machines that joined, or too short to tell
     */
    static MeasuredCluster of(Path run) {
        RunRecord record = RunRecord.read(RunFolder.at(run));
        JsonNode machines = record.cluster();
        JsonNode job = record.job();
        if (machines == null || job == null || record.plans().isEmpty()) {
            throw new ConfigException(
                    run
                            + ": a run on processes of one machine says nothing of others; name a"
                            + " cluster file, or a run on machines that joined (medley train"
                            + " --listen)");
        }
        ClusterProfile profile = Json.bind(machines, ClusterProfile.class);
        PlanRecord last = record.plans().get(record.plans().size() - 1);
        check(
                last.workers().size() == profile.size(),
                "%s: its last group had %d workers, and %d machines are recorded: it changed as it"
                        + " ended; name a cluster file, or another run",
                run,
                last.workers().size(),
                profile.size());
        JobSpec asked = Json.bind(job, JobSpec.class);
        StrategySpec taken = PlanRecord.chosen(record.plans());
        JobSpec trained = taken == null ? asked : asked.with(taken);
        SimulatedLinks links = links(profile);
        Speeds speeds = Speeds.of(run, record.steps(), trained);
        List<SimulatedMachine> kinds = new ArrayList<>();
        for (int rank = 0; rank < profile.size(); rank++) {
            Machine machine = profile.machines().get(rank);
            kinds.add(speeds.kind(last.workers().get(rank), machine, rate(profile, rank, links)));
        }
        return new MeasuredCluster(new SimulatedCluster(kinds, links), trained);
    }

    /** What the steps say of the machines; rounds are steps of several batches. */
    private record Speeds(Path run, List<StepRecord> steps, int innerSteps) {
        static Speeds of(Path run, List<StepRecord> all, JobSpec job) {
            long batch = job.train().batch();
            List<StepRecord> warm = new ArrayList<>();
            long samples = 0;
            for (StepRecord step : all) {
                if (samples >= WARM_BATCHES * batch) {
                    warm.add(step);
                }
                samples += step.samples();
            }
            long most = warm.stream().mapToLong(StepRecord::samples).max().orElse(0);
            List<StepRecord> whole = warm.stream().filter(s -> s.samples() == most).toList();
            check(
                    whole.size() >= LEAST_STEPS,
                    "%s: %d whole steps after the first %d batches say too little of its machines:"
                            + " take a longer run",
                    run,
                    whole.size(),
                    WARM_BATCHES);
            boolean hasRounds = job.strategy().algorithm().hasRounds();
            return new Speeds(run, whole, hasRounds ? (int) Math.max(1, most / batch) : 1);
        }

        SimulatedMachine kind(int worker, Machine machine, double bytesPerSecond) {
            List<Compute> computes = Calibration.computes(steps).getOrDefault(worker, List.of());
            check(
                    !computes.isEmpty(),
                    "%s: %s came too late to take a whole step: take a longer run",
                    run,
                    machine.name());
            StepTime time =
                    innerSteps == 1
                            ? Calibration.stepTime(computes)
                            : Calibration.perSample(computes);
            double variation = Calibration.variation(steps, worker, innerSteps);
            return new SimulatedMachine(
                    machine, 1, time, bytesPerSecond, Disturbance.NONE.varying(variation));
        }
    }

    private static SimulatedLinks links(ClusterProfile profile) {
        LinkPath inside = way(profile, (from, to) -> from.equals(to));
        Map<SimulatedLinks.Pair, SimulatedLink> pairs = new HashMap<>();
        for (String one : profile.sites()) {
            for (String other : profile.sites()) {
                SimulatedLinks.Pair pair = new SimulatedLinks.Pair(one, other);
                LinkPath way =
                        way(profile, (from, to) -> new SimulatedLinks.Pair(from, to).equals(pair));
                if (way != null && !one.equals(other)) {
                    pairs.put(pair, SimulatedLink.of(way));
                }
            }
        }
        return new SimulatedLinks(
                inside == null ? LinkPath.assumedInside() : inside,
                SimulatedLink.of(LinkPath.assumedBetween()),
                pairs);
    }

    /** The median of what was measured between such sites; null where nothing was. */
    private static @Nullable LinkPath way(
            ClusterProfile profile, BiPredicate<String, String> sites) {
        List<LinkPath> measured = new ArrayList<>();
        for (int from = 0; from < profile.size(); from++) {
            for (int to = 0; to < profile.size(); to++) {
                String one = profile.machines().get(from).site();
                String other = profile.machines().get(to).site();
                if (from != to && isKnown(profile.way(from, to)) && sites.test(one, other)) {
                    measured.add(profile.way(from, to));
                }
            }
        }
        if (measured.isEmpty()) {
            return null;
        }
        int middle = measured.size() / 2;
        return new LinkPath(
                measured.stream().map(LinkPath::latencyNs).sorted().toList().get(middle),
                measured.stream().map(LinkPath::bytesPerSecond).sorted().toList().get(middle),
                Origin.MEASURED);
    }

    /** Of a machine's own connection: the most that was seen to go through it. */
    private static double rate(ClusterProfile profile, int rank, SimulatedLinks links) {
        double most = 0;
        for (int other = 0; other < profile.size(); other++) {
            for (LinkPath way : List.of(profile.way(rank, other), profile.way(other, rank))) {
                boolean counts = other != rank && isKnown(way);
                most = counts ? Math.max(most, way.bytesPerSecond()) : most;
            }
        }
        boolean isAlone =
                profile.machines().stream()
                                .filter(m -> m.site().equals(profile.machines().get(rank).site()))
                                .count()
                        == 1;
        return isAlone || most == 0 ? Math.max(most, links.inside().bytesPerSecond()) : most;
    }

    private static boolean isKnown(LinkPath way) {
        return way.origin() == Origin.MEASURED || way.origin() == Origin.KEPT;
    }
}
