package dev.medley.fleet.simulation;

import dev.medley.base.ConfigException;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays a workload in rounds, as Gavel's simulator does: at the beginning of a round the policy
 * says who gets which machines; a job that ends leaves them idle until the next one; a round in
 * which all end early ends early. The same workload, policy and options give the same result.
 */
public final class FleetSimulation {
    /** Sizes of ended jobs that a policy can look at. */
    private static final int REMEMBERED = 1000;

    private final List<MachineType> types;
    private final List<TraceJob> trace;
    private final Policy policy;
    private final SimulationOptions options;
    private final List<RunningJob> active = new ArrayList<>();
    private final List<SimulatedJob> ended = new ArrayList<>();
    private final List<QueueSample> queue = new ArrayList<>();
    private final EndedSizes sizes = new EndedSizes(REMEMBERED);
    private final double[] busyS;
    private Carried carried = Carried.NONE;
    private int arrived;
    private double nowS;
    private long moves;

    private FleetSimulation(
            List<MachineType> types,
            List<TraceJob> trace,
            Policy policy,
            SimulationOptions options) {
        this.types = List.copyOf(types);
        this.trace = List.copyOf(trace);
        this.policy = policy;
        this.options = options;
        busyS = new double[types.size()];
    }

    /**
     * Plays a workload until all jobs that are to be measured have ended.
     *
     * @param trace by arrival; its rates are in the order of the types
     * @throws ConfigException if a job fits nowhere, the trace holds too few jobs, or is out of
     *     order
     */
    public static SimulationResult run(
            List<MachineType> types,
            List<TraceJob> trace,
            Policy policy,
            SimulationOptions options) {
        TraceCheck.require(types, trace, options);
        return new FleetSimulation(types, trace, policy, options).run();
    }

    private SimulationResult run() {
        long wanted = trace.stream().filter(job -> options.counts(job.id())).count();
        while (ended.size() < wanted) {
            arrive();
            if (active.isEmpty()) {
                nowS = trace.get(arrived).arrivalS();
                arrive();
            }
            round();
        }
        ended.sort(Comparator.comparingLong(SimulatedJob::id));
        return new SimulationResult(types, ended, queue, busyS, nowS, cost(), moves);
    }

    private void arrive() {
        while (arrived < trace.size() && trace.get(arrived).arrivalS() <= nowS) {
            TraceJob job = trace.get(arrived++);
            active.add(new RunningJob(job, options.sizes().declared(job.id(), job.work())));
        }
    }

    private void round() {
        List<JobView> views = new ArrayList<>(active.size());
        active.forEach(job -> views.add(job.view(options.restartS())));
        Decision decision =
                policy.decide(
                        new FleetView(
                                nowS, options.roundS(), types, views, sizes.newest(), carried));
        carried = decision.carried();
        Map<Long, Grant> grants = new HashMap<>();
        decision.grants().forEach(grant -> grants.put(grant.job(), grant));
        GrantCheck.require(policy.name(), types, views, decision.grants());
        int busy =
                decision.grants().stream()
                        .mapToInt(grant -> Arrays.stream(grant.machines()).sum())
                        .sum();
        queue.add(new QueueSample(nowS, active.size(), grants.size(), busy));
        double longestS = 0;
        for (RunningJob job : active) {
            Grant grant = grants.get(job.job().id());
            if (grant == null) {
                job.rest();
            } else {
                longestS = Math.max(longestS, granted(job, grant.machines()));
            }
        }
        leave();
        nowS += longestS > 0 ? longestS : idleS();
    }

    private double granted(RunningJob job, int[] machines) {
        double seconds = job.run(nowS, machines, options);
        for (int type = 0; type < machines.length; type++) {
            busyS[type] += machines[type] * seconds;
        }
        return seconds;
    }

    /** Nobody runs: until the next arrival, or the policy thinks again. */
    private double idleS() {
        boolean isLast = arrived == trace.size();
        double untilS = isLast ? options.roundS() : trace.get(arrived).arrivalS() - nowS;
        return Math.min(untilS, options.roundS());
    }

    private void leave() {
        for (RunningJob job : active) {
            if (job.hasEnded()) {
                moves += job.moves();
                sizes.add(job.job().kind(), job.sizeS());
                long id = job.job().id();
                if (options.counts(id)) {
                    ended.add(job.told());
                }
            }
        }
        active.removeIf(RunningJob::hasEnded);
    }

    private double cost() {
        double cost = 0;
        for (int type = 0; type < busyS.length; type++) {
            cost += busyS[type] == 0 ? 0 : busyS[type] / 3600 * types.get(type).pricePerHour();
        }
        return cost;
    }
}
