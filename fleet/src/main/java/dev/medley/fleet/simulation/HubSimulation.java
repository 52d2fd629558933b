package dev.medley.fleet.simulation;

import dev.medley.base.ConfigException;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.hub.HubCore;
import dev.medley.fleet.hub.HubRules;
import dev.medley.fleet.hub.HubWish;
import dev.medley.fleet.hub.MachineReport;
import dev.medley.fleet.hub.ProcessEnd;
import dev.medley.fleet.hub.ProcessEnd.Outcome;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.state.FleetEntry;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetJournal;
import dev.medley.fleet.state.FleetMachine.Seen;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays a workload through the product's {@link HubCore} on virtual time, event by event: it
 * decides on each arrival and end, starts, stops and moves jobs by its own orders, and keeps those
 * that just began where they are. Rates are known, as in {@link FleetSimulation}. The same
 * workload, policy and options give the same result.
 */
public final class HubSimulation {
    private final List<MachineType> types;
    private final List<TraceJob> trace;
    private final SimulationOptions options;
    private final HubCore hub;
    private final List<HubRun> runs = new ArrayList<>();
    private final List<SimulatedJob> ended = new ArrayList<>();
    private final List<QueueSample> queue = new ArrayList<>();
    private final double[] busyS;
    private final Map<String, Integer> typeOf = new HashMap<>();
    private int arrived;
    private double nowS;
    private long moves;

    private HubSimulation(
            List<MachineType> types,
            List<TraceJob> trace,
            Policy policy,
            SimulationOptions options) {
        this.types = List.copyOf(types);
        this.trace = List.copyOf(trace);
        this.options = options;
        busyS = new double[types.size()];
        HubRules rules =
                new HubRules(
                        options.roundS(),
                        HubRules.DEFAULTS.settleS(),
                        Double.POSITIVE_INFINITY,
                        HubRules.DEFAULTS.attempts(),
                        null,
                        EgressPrices.NONE);
        hub = HubCore.of(new Unkept(), rules, policy, 0);
    }

    /**
     * Plays a workload until all jobs that are to be measured have ended.
     *
     * @param trace by arrival; its rates are in the order of the types
     * @param policy as a hub would be given it
     * @throws ConfigException if a job fits nowhere, the trace holds too few jobs, or is out of
     *     order
     */
    public static SimulationResult run(
            List<MachineType> types,
            List<TraceJob> trace,
            Policy policy,
            SimulationOptions options) {
        TraceCheck.require(types, trace, options);
        return new HubSimulation(types, trace, policy, options).run();
    }

    private SimulationResult run() {
        join();
        long wanted = trace.stream().filter(job -> options.counts(job.id())).count();
        while (true) {
            arrive();
            runs.removeIf(this::look);
            hub.tick(nowS);
            obey();
            if (ended.size() >= wanted) {
                break;
            }
            pass(Math.max(nowS, nextS()));
        }
        ended.sort(Comparator.comparingLong(SimulatedJob::id));
        return new SimulationResult(types, ended, queue, busyS, nowS, cost(), moves);
    }

    private void join() {
        for (int type = 0; type < types.size(); type++) {
            MachineType of = types.get(type);
            // A hub lists the fastest types first; here the order of those that were given counts.
            double speed = Math.pow(2, types.size() - type);
            Seen seen = new Seen(1, 0, "", speed, false, of.pricePerHour());
            for (int i = 0; i < of.machines(); i++) {
                String name = "%s-%06d".formatted(of.name(), i);
                typeOf.put(name, type);
                hub.report(new MachineReport(name, of.name(), "", seen, -1), 0);
            }
        }
    }

    private void arrive() {
        while (arrived < trace.size() && trace.get(arrived).arrivalS() <= nowS) {
            TraceJob job = trace.get(arrived++);
            int workers = job.workers();
            JobRequest request =
                    new JobRequest(
                            job.kind(), job.kind(), "", "/", JobOwner.of(""), workers, workers);
            long id = hub.submit(request, nowS).id();
            double declared = options.sizes().declared(job.id(), job.work());
            runs.add(new HubRun(id, job, declared, rates(job), options.restartS()));
        }
    }

    private Map<String, Double> rates(TraceJob job) {
        Map<String, Double> rates = new HashMap<>();
        for (int type = 0; type < types.size(); type++) {
            rates.put(types.get(type).name(), job.rates()[type] / job.workers());
        }
        return Map.copyOf(rates);
    }

    /** What a hub reads of a job's run: how far it is, and whether it is done. */
    private boolean look(HubRun run) {
        boolean isDone = run.isDone(nowS);
        JobMeasure measure = run.measure(isDone);
        if (!measure.equals(hub.job(run.id()).measure())) {
            hub.measured(run.id(), measure, Map.of());
        }
        if (isDone) {
            hub.ended(run.id(), new ProcessEnd(Outcome.DONE, "it is done"), nowS);
            moves += run.moves();
            if (options.counts(run.job().id())) {
                ended.add(run.told(nowS));
            }
        }
        return isDone;
    }

    /** Processes do what the hub wishes, at once. */
    private void obey() {
        for (HubWish wish : hub.wishes(job -> "job:" + job, nowS)) {
            long id = wish.job().id();
            if (wish instanceof HubWish.Stop) {
                hub.ended(id, new ProcessEnd(Outcome.STOPPED, "it waits"), nowS);
            } else {
                hub.started(id, id, 0);
            }
        }
        int busy = 0;
        int running = 0;
        for (HubRun run : runs) {
            FleetJob job = hub.job(run.id());
            run.holds(nowS, job.machines(), typeOf);
            busy += job.machines().size();
            running += job.machines().isEmpty() ? 0 : 1;
        }
        queue.add(new QueueSample(nowS, runs.size(), running, busy));
    }

    /** The next arrival, end or round. */
    private double nextS() {
        double nextS = runs.isEmpty() ? Double.POSITIVE_INFINITY : hub.nextRoundS();
        if (arrived < trace.size()) {
            nextS = Math.min(nextS, trace.get(arrived).arrivalS());
        }
        for (HubRun run : runs) {
            nextS = Math.min(nextS, run.endS());
        }
        return nextS;
    }

    private void pass(double thenS) {
        for (HubRun run : runs) {
            run.pass(nowS, thenS, busyS);
        }
        nowS = thenS;
    }

    private double cost() {
        double cost = 0;
        for (int type = 0; type < busyS.length; type++) {
            cost += busyS[type] == 0 ? 0 : busyS[type] / 3600 * types.get(type).pricePerHour();
        }
        return cost;
    }

    /** A journal for a hub that nobody kills. */
    private static final class Unkept implements FleetJournal {
        @Override
        public List<FleetEntry> replay() {
            return List.of();
        }

        @Override
        public void append(FleetEntry entry) {}

        @Override
        public void snapshot(List<FleetEntry> whole) {}

        @Override
        public void close() {}
    }
}
