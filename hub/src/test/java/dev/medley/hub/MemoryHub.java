package dev.medley.hub;

import dev.medley.base.ConfigException;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.Tenure;
import dev.medley.hub.service.AgentOrders;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.CurvePoint;
import dev.medley.hub.service.Distribution;
import dev.medley.hub.service.FleetCounters;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.HubService;
import dev.medley.hub.service.JobFigures;
import dev.medley.hub.service.JobReason;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.LogPart;
import dev.medley.hub.service.MachineStatus;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.TermsChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps jobs and machines in memory and starts nothing: jobs wait until machines are offered, and a
 * machine serves the first job that waits. Time stands at {@link #NOW_S}.
 */
public final class MemoryHub implements HubService {
    /** Seconds of the epoch. */
    public static final double NOW_S = 1_800_000_000;

    private final Map<Long, JobStatus> jobs = new TreeMap<>();
    private final Map<String, MachineStatus> machines = new TreeMap<>();
    private final List<Tenure> tenures = new ArrayList<>();
    private FleetCounters counters = FleetCounters.NONE;
    private long nextId = 1;

    @Override
    public synchronized JobStatus submit(Submission submission) {
        ConfigException.check(
                submission.maxMachines() == 0
                        || submission.minMachines() <= submission.maxMachines(),
                "a job wants %d to %d machines; give bounds with min <= max",
                submission.minMachines(),
                submission.maxMachines());
        long id = nextId++;
        JobFigures figures = new JobFigures(NOW_S, null, null, 0, 0, null, 0, null);
        int position = (int) jobs.values().stream().filter(MemoryHub::waits).count() + 1;
        return put(
                new JobStatus(
                        id,
                        submission,
                        JobPhase.QUEUED,
                        position,
                        "waits for a machine",
                        List.of(),
                        figures,
                        ""));
    }

    /** Takes a job as it is. */
    public synchronized JobStatus put(JobStatus job) {
        jobs.put(job.id(), job);
        nextId = Math.max(nextId, job.id() + 1);
        return job;
    }

    /** Takes a machine as it is. */
    public synchronized void put(MachineStatus machine) {
        machines.put(machine.name(), machine);
    }

    /** Takes a tenure as it is. */
    public synchronized void put(Tenure tenure) {
        tenures.add(tenure);
    }

    /** Counts a decision and a wait. */
    public synchronized void count(double decisionS, double waitS) {
        Distribution waits = counters.queueWaitS().with(waitS);
        counters =
                new FleetCounters(
                        waits,
                        counters.decisionS().with(decisionS),
                        Map.of("started", waits.count()));
    }

    private static boolean waits(JobStatus job) {
        return job.phase() == JobPhase.QUEUED;
    }

    @Override
    public synchronized List<JobStatus> jobs() {
        return List.copyOf(jobs.values());
    }

    @Override
    public synchronized JobStatus job(long id) {
        JobStatus job = jobs.get(id);
        if (job == null) {
            throw new ConfigException("there is no job %d: medley jobs shows all".formatted(id));
        }
        return job;
    }

    @Override
    public synchronized JobReason why(long id) {
        JobStatus job = job(id);
        return new JobReason(
                id,
                job.queuePosition(),
                job.why(),
                List.of("a machine more"),
                List.of("With these machines it ends in 3 h: it has no deadline."),
                List.of(new JobReason.Said(NOW_S, job.why())));
    }

    @Override
    public synchronized JobStatus change(long id, TermsChange change) {
        return become(id, !job(id).phase().isOver(), job(id).phase(), "changed: " + change);
    }

    @Override
    public synchronized JobStatus cancel(long id) {
        return become(id, !job(id).phase().isOver(), JobPhase.CANCELLED, "cancelled");
    }

    @Override
    public synchronized JobStatus pause(long id) {
        boolean may = job(id).phase() == JobPhase.QUEUED || job(id).phase() == JobPhase.RUNNING;
        return become(id, may, JobPhase.PAUSED, "paused by its user");
    }

    @Override
    public synchronized JobStatus resume(long id) {
        return become(id, job(id).phase() == JobPhase.PAUSED, JobPhase.QUEUED, "waits again");
    }

    private JobStatus become(long id, boolean may, JobPhase phase, String why) {
        JobStatus job = job(id);
        ConfigException.check(may, "job %d is %s: that cannot be done", id, job.phase());
        return put(
                new JobStatus(
                        id,
                        job.submission(),
                        phase,
                        phase == JobPhase.QUEUED ? 1 : 0,
                        why,
                        List.of(),
                        job.figures(),
                        job.runFolder()));
    }

    @Override
    public synchronized LogPart log(long id, long fromByte) {
        String all = "job %d began\nit goes on\n".formatted(job(id).id());
        return new LogPart(all.substring((int) fromByte), all.length(), false);
    }

    @Override
    public synchronized FleetStatus fleet() {
        double cost = jobs.values().stream().mapToDouble(job -> job.figures().cost()).sum();
        return new FleetStatus("fifo", List.copyOf(machines.values()), NOW_S, cost);
    }

    @Override
    public synchronized List<Tenure> timeline(double sinceEpochS) {
        return tenures.stream()
                .filter(each -> each.toEpochS() == null || each.toEpochS() >= sinceEpochS)
                .toList();
    }

    @Override
    public synchronized List<CurvePoint> curve(long id) {
        List<CurvePoint> points = new ArrayList<>();
        long steps = job(id).figures().loss() == null ? 0 : 200;
        for (int i = 0; i < steps; i++) {
            double loss = 0.3 + 2 * Math.exp(-i / 40.0) + 0.05 * Math.sin(i * (1.0 + id % 7));
            points.add(new CurvePoint(10L * i, 3.0 * i, loss, i % 20 == 19 ? loss + 0.1 : null));
        }
        return points;
    }

    @Override
    public synchronized FleetCounters counters() {
        return counters;
    }

    @Override
    public synchronized AgentOrders report(AgentReport report) {
        machines.put(
                report.name(),
                new MachineStatus(
                        report.name(),
                        report.machine().type(),
                        report.site(),
                        "free",
                        report.serves(),
                        report.machine().spot(),
                        report.machine().pricePerHour(),
                        0));
        return orders();
    }

    /** What every agent hears: to serve the first job that waits. */
    public synchronized AgentOrders orders() {
        return new AgentOrders(
                jobs.values().stream()
                        .filter(MemoryHub::waits)
                        .limit(1)
                        .map(job -> new AgentOrders.Service(job.id(), "127.0.0.1:1"))
                        .toList(),
                "");
    }
}
