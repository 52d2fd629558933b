package dev.medley.hub;

import dev.medley.fleet.hub.HubCore;
import dev.medley.fleet.hub.HubObstacle;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.JobTimes;
import dev.medley.hub.job.JobProcesses;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.JobFigures;
import dev.medley.hub.service.JobReason;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.LogPart;
import dev.medley.hub.service.MachineStatus;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells callers what the core knows. Runs on the hub's thread, but for logs. */
final class HubAnswers {
    private static final int MOST_LOG_BYTES = 256 << 10;

    private final HubCore core;
    private final String policy;
    private final JobProcesses processes;

    HubAnswers(HubCore core, String policy, JobProcesses processes) {
        this.core = core;
        this.policy = policy;
        this.processes = processes;
    }

    List<JobStatus> jobs(double nowS) {
        return core.state().jobs().stream().map(job -> status(job, nowS)).toList();
    }

    JobStatus status(FleetJob job, double nowS) {
        return new JobStatus(
                job.id(),
                submission(job),
                job.phase(),
                position(job),
                job.why(),
                job.machines(),
                figures(job, nowS),
                job.run().folder());
    }

    private static Submission submission(FleetJob job) {
        JobOwner owner = job.request().owner();
        return new Submission(
                job.request().name(),
                job.request().file(),
                job.request().folder(),
                owner.user(),
                new SubmitTerms(
                        owner.group(),
                        owner.priority(),
                        finite(owner.deadlineS()),
                        finite(owner.budget())),
                job.request().minMachines(),
                job.request().maxMachines());
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private int position(FleetJob job) {
        if (job.phase() != JobPhase.QUEUED || !job.machines().isEmpty()) {
            return 0;
        }
        int before = 1;
        for (FleetJob other : core.state().liveJobs()) {
            boolean isWaiting = other.phase() == JobPhase.QUEUED && other.machines().isEmpty();
            int more = other.request().owner().priority() - job.request().owner().priority();
            if (isWaiting && (more > 0 || more == 0 && other.id() < job.id())) {
                before++;
            }
        }
        return before;
    }

    private JobFigures figures(FleetJob job, double nowS) {
        JobTimes times = job.times();
        double total = job.measure().total();
        double done = job.measure().done();
        double perSecond = job.machines().isEmpty() ? 0 : job.measure().perSecond();
        boolean isDone = job.phase() == JobPhase.DONE;
        double fraction = isDone ? 1 : total > 0 ? Math.min(1, done / total) : 0;
        double remainingS = perSecond > 0 ? job.measure().remaining() / perSecond : Double.NaN;
        return new JobFigures(
                times.submittedS(),
                finite(times.startedS()),
                finite(times.endedS()),
                fraction,
                perSecond,
                job.phase().isOver() ? null : finite(remainingS),
                core.state().cost(job, nowS),
                finite(job.measure().loss()));
    }

    JobReason why(FleetJob job, double nowS) {
        List<JobReason.Said> decisions = new ArrayList<>();
        core.state()
                .sentences(job.id())
                .forEach(said -> decisions.add(0, new JobReason.Said(said.atS(), said.sentence())));
        boolean isOver = job.phase().isOver();
        return new JobReason(
                job.id(),
                position(job),
                job.why(),
                needs(job, nowS),
                isOver ? List.of() : core.forecasts(job, nowS),
                decisions);
    }

    private List<String> needs(FleetJob job, double nowS) {
        List<String> needs = new ArrayList<>();
        if (job.phase() == JobPhase.QUEUED && job.machines().isEmpty()) {
            HubObstacle obstacle = core.obstacle(job, nowS);
            needs.add(
                    obstacle != null
                            ? obstacle.takes()
                            : "the end of a job that runs, one more machine, or a higher priority");
        } else if (job.phase() == JobPhase.PAUSED) {
            needs.add("medley resume " + job.id());
        }
        return needs;
    }

    LogPart log(FleetJob job, long fromByte) {
        Path file = processes.folder(job.id()).log();
        boolean isOver = job.phase().isOver() && job.run().pid() == 0;
        if (!Files.exists(file)) {
            return new LogPart("", 0, isOver);
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, Math.min(fromByte, in.length()));
            byte[] bytes = new byte[(int) Math.min(MOST_LOG_BYTES, in.length() - from)];
            in.seek(from);
            in.readFully(bytes);
            int end = bytes.length;
            boolean isAll = from + bytes.length == in.length();
            while (end > 0 && bytes[end - 1] != '\n' && !(isAll && isOver)) {
                end--;
            }
            end = end == 0 && bytes.length == MOST_LOG_BYTES ? bytes.length : end;
            String text = new String(bytes, 0, end, StandardCharsets.UTF_8);
            return new LogPart(text, from + end, isOver && isAll);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FleetStatus fleet(double nowS) {
        List<MachineStatus> machines = new ArrayList<>();
        double cost = 0;
        for (FleetJob job : core.state().jobs()) {
            cost += core.state().cost(job, nowS);
        }
        for (FleetMachine machine : core.state().machines()) {
            List<Long> jobs =
                    core.state().liveJobs().stream()
                            .filter(job -> job.machines().contains(machine.name()))
                            .map(FleetJob::id)
                            .toList();
            String health =
                    machine.isLost()
                            ? "lost"
                            : !machine.isUsable() ? "leaving" : jobs.isEmpty() ? "free" : "busy";
            machines.add(
                    new MachineStatus(
                            machine.name(),
                            machine.type(),
                            machine.site(),
                            health,
                            jobs,
                            machine.seen().spot(),
                            finite(machine.seen().pricePerHour()),
                            nowS - machine.heardS()));
        }
        return new FleetStatus(policy, machines, nowS, cost);
    }
}
