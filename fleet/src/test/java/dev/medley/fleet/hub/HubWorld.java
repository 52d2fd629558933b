package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.hub.ProcessEnd.Outcome;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.quota.GroupShare;
import dev.medley.fleet.policy.quota.Reservation;
import dev.medley.fleet.policy.quota.ShareOptions;
import dev.medley.fleet.state.FleetEntry;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetJournal;
import dev.medley.fleet.state.FleetMachine.Seen;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.JobRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A fleet on virtual time around the real core: agents, processes and a journal that outlive the
 * hub, which may be killed between any two lines of its journal. Reports may come late, when their
 * agent has said newer things or is gone, and the clock may be set. Groups have quotas and
 * reservations.
 */
final class HubWorld {
    /** Reports that the hub was killed. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final double TOTAL = 30;
    private static final int QUOTA = 2;
    private static final double ROUND_S = 5;
    private static final int ATTEMPTS = 3;

    /** One machine of each type is kept for research, at times that overlap. */
    private static final List<Reservation> RESERVED =
            List.of(
                    new Reservation("research", "even", 1, 40, 90),
                    new Reservation("research", "odd", 1, 60, 130),
                    new Reservation("interns", "odd", 1, 150, 260));

    private static final ShareOptions SHARES =
            new ShareOptions(Map.of("interns", new GroupShare(1, QUOTA)), RESERVED, 100);

    private final RandomGenerator random;
    private final Policy policy;
    private final List<String> lines = new ArrayList<>();
    private final Map<Long, Process> processes = new TreeMap<>();
    private final Map<Long, Integer> starts = new HashMap<>();
    private final Map<String, Agent> agents = new TreeMap<>();
    private final List<Late> late = new ArrayList<>();
    private final Set<Long> submitted = new HashSet<>();
    private HubCore hub;
    private double nowS;
    private long nextPid = 100;
    private double killAfter = Double.POSITIVE_INFINITY;

    /** A job's process: it works while an agent serves it, and keeps what it did. */
    private static final class Process {
        private final long pid;
        private boolean isAlive = true;
        private boolean isAsked;
        private Outcome outcome = Outcome.BROKEN;

        Process(long pid) {
            this.pid = pid;
        }
    }

    /** What an agent serves by what it last heard: the jobs' addresses. */
    private static final class Agent {
        private boolean isAlive = true;
        private Map<Long, String> serves = Map.of();
    }

    /** A report that is under way, and whose answer nobody waits for. */
    private record Late(String name, double atS) {}

    private final Map<Long, Double> done = new HashMap<>();
    private final Map<Long, Integer> breaks = new HashMap<>();
    private final Map<Reservation, Integer> onSteps = new HashMap<>();

    HubWorld(long seed, Policy policy) {
        random = Seeds.generator(seed, 77);
        this.policy = policy;
        hub = started();
    }

    private HubCore started() {
        return HubCore.of(
                new Kept(),
                new HubRules(ROUND_S, 0, 15, ATTEMPTS, SHARES, EgressPrices.NONE),
                policy,
                nowS);
    }

    /** A journal in memory; the hub may be killed before or after any line. */
    private final class Kept implements FleetJournal {
        @Override
        public List<FleetEntry> replay() {
            return lines.stream().map(line -> Json.parse(line, FleetEntry.class)).toList();
        }

        @Override
        public void append(FleetEntry entry) {
            if (--killAfter == 0) {
                throw new Killed();
            }
            lines.add(Json.line(entry));
            if (--killAfter == 0) {
                throw new Killed();
            }
        }

        @Override
        public void snapshot(List<FleetEntry> whole) {
            lines.clear();
            whole.forEach(entry -> lines.add(Json.line(entry)));
        }

        @Override
        public void close() {}
    }

    HubCore hub() {
        return hub;
    }

    /** One second in which anything may happen, or nothing bad. */
    void step(boolean isCalm) {
        nowS += 1;
        killAfter = !isCalm && random.nextInt(12) == 0 ? 1 + random.nextInt(6) : 1e9;
        try {
            if (!isCalm) {
                fault();
            }
            work(isCalm);
            drive();
            requirePromises();
        } catch (Killed e) {
            killAfter = 1e9;
            hub = started();
        }
        require();
    }

    void submit() {
        String group = List.of("", "research", "interns").get(random.nextInt(3));
        int least = 1 + random.nextInt(2);
        JobRequest request =
                new JobRequest("job", "mlp/64.0/job", "name: job", "/", owner(group), least, 2);
        submitted.add(hub.submit(request, nowS).id());
    }

    /** Some have a priority, and a deadline that may be kept or not. */
    private JobOwner owner(String group) {
        double deadlineS =
                random.nextBoolean() ? Double.POSITIVE_INFINITY : nowS + 1 + random.nextInt(200);
        return new JobOwner("a", group, random.nextInt(3), deadlineS, Double.POSITIVE_INFINITY);
    }

    private void otherTerms(long id) {
        JobRequest now = hub.job(id).request();
        JobOwner owner = owner(now.owner().group());
        hub.change(
                id,
                new JobRequest(now.name(), now.kind(), now.file(), now.folder(), owner, 1, 2),
                nowS);
    }

    void join(String name) {
        Agent agent = agents.get(name);
        if (agent == null || !agent.isAlive) {
            agents.put(name, new Agent());
        }
    }

    private void kill(String name) {
        Agent agent = agents.get(name);
        if (agent != null) {
            agent.isAlive = false;
        }
    }

    private void fault() {
        List<FleetJob> jobs = List.copyOf(hub.state().jobs());
        switch (random.nextInt(14)) {
            case 0 -> submit();
            case 1 -> join("m" + random.nextInt(5));
            case 2 -> kill("m" + random.nextInt(5));
            case 3 ->
                    processes.values().stream()
                            .filter(p -> p.isAlive && random.nextInt(3) == 0)
                            .forEach(p -> p.isAlive = false);
            case 4 -> change(jobs, JobPhase.RUNNING, id -> hub.pause(id, "asked", nowS));
            case 5, 6 -> change(jobs, JobPhase.PAUSED, id -> hub.resume(id, nowS));
            case 7 -> {
                if (random.nextInt(6) == 0) {
                    change(jobs, JobPhase.RUNNING, id -> hub.cancel(id, nowS));
                }
            }
            case 8 -> change(jobs, JobPhase.RUNNING, this::otherTerms);
            case 9 -> {
                if (random.nextInt(4) == 0) {
                    nowS = Math.max(0, nowS + random.nextInt(80) - 40); // The clock is set.
                }
            }
            default -> {
                // Nothing happens.
            }
        }
    }

    private interface Change {
        void of(long id);
    }

    private void change(List<FleetJob> jobs, JobPhase phase, Change change) {
        List<FleetJob> those = jobs.stream().filter(job -> job.phase() == phase).toList();
        if (!those.isEmpty()) {
            change.of(those.get(random.nextInt(those.size())).id());
        }
    }

    /** Agents report, and processes do as much as they are served. */
    private void work(boolean isCalm) {
        for (Late report : List.copyOf(late)) {
            if (report.atS() <= nowS) {
                late.remove(report);
                report(report.name());
            }
        }
        Map<Long, Integer> served = new HashMap<>();
        agents.forEach(
                (name, agent) -> {
                    if (!agent.isAlive) {
                        return;
                    }
                    if (!isCalm && random.nextInt(6) == 0) {
                        late.add(new Late(name, nowS + 1 + random.nextInt(25)));
                    } else {
                        agent.serves = report(name);
                    }
                    agent.serves.forEach(
                            (job, address) -> {
                                if (hub.job(job).run().address().equals(address)) {
                                    served.merge(job, 1, Integer::sum);
                                }
                            });
                });
        served.forEach(
                (job, machines) -> {
                    Process process = processes.get(job);
                    if (process != null && process.isAlive) {
                        double now = done.merge(job, (double) machines, Double::sum);
                        if (now >= TOTAL) {
                            process.isAlive = false;
                            process.outcome = Outcome.DONE;
                        }
                    }
                });
        for (Process process : processes.values()) {
            if (process.isAlive && process.isAsked) {
                process.isAlive = false;
                process.outcome = Outcome.STOPPED;
            }
        }
    }

    /** The jobs to serve, by the hub's answer. */
    private Map<Long, String> report(String name) {
        Seen seen = new Seen(2, 1 << 30, "", name.hashCode() % 2 + 2, false, 0.5);
        Map<Long, String> serves = new HashMap<>();
        for (FleetJob job :
                hub.report(new MachineReport(name, type(name), "here", seen, -1), nowS)) {
            serves.put(job.id(), job.run().address());
        }
        assertThat(serves).as("jobs on %s", name).hasSizeLessThanOrEqualTo(1);
        return serves;
    }

    private static String type(String name) {
        return name.hashCode() % 2 == 0 ? "even" : "odd";
    }

    /** What was promised to groups holds once a round was held. */
    private void requirePromises() {
        for (Reservation one : RESERVED) {
            boolean isOn = one.fromS() <= nowS && nowS < one.toS();
            int steps = isOn ? onSteps.merge(one, 1, Integer::sum) : 0;
            onSteps.put(one, steps);
            long usable =
                    hub.state().machines().stream()
                            .filter(machine -> machine.isUsable() && isOf(machine.name(), one))
                            .count();
            long others =
                    hub.state().jobs().stream()
                            .filter(job -> !group(job).equals(one.group()))
                            .flatMap(job -> job.machines().stream())
                            .filter(name -> isOf(name, one))
                            .count();
            if (steps > ROUND_S + 1) {
                assertThat(others)
                        .as("%s of %d at %s: %s", one, usable, nowS, open())
                        .isLessThanOrEqualTo(Math.max(0, usable - one.machines()));
            }
        }
        long held =
                hub.state().jobs().stream()
                        .filter(job -> group(job).equals("interns"))
                        .mapToLong(job -> job.machines().size())
                        .sum();
        assertThat(held).as("machines of a group with a quota").isLessThanOrEqualTo(QUOTA);
    }

    private static boolean isOf(String machine, Reservation one) {
        return type(machine).equals(one.type());
    }

    private static String group(FleetJob job) {
        return job.request().owner().group();
    }

    /** What a hub's thread does twice a second. */
    private void drive() {
        for (FleetJob job : List.copyOf(hub.state().jobs())) {
            Process process = processes.get(job.id());
            if (job.run().pid() != 0 && process != null && job.run().pid() == process.pid) {
                double now = done.getOrDefault(job.id(), 0.0);
                hub.measured(
                        job.id(),
                        new JobMeasure(now, TOTAL, now > 0 ? 1 : 0, 0.5, Map.of(), 1, 1e9, 0),
                        Map.of());
                if (!process.isAlive) {
                    breaks.merge(job.id(), process.outcome == Outcome.BROKEN ? 1 : 0, Integer::sum);
                    hub.ended(job.id(), new ProcessEnd(process.outcome, "it ended"), nowS);
                }
            }
        }
        hub.tick(nowS);
        for (HubWish wish : hub.wishes(job -> "here:" + job, nowS)) {
            long id = wish.job().id();
            Process process = processes.get(id);
            if (wish instanceof HubWish.Stop) {
                if (process != null) {
                    process.isAsked = true;
                }
                continue;
            }
            if (process == null || !process.isAlive) {
                process = new Process(nextPid++);
                processes.put(id, process);
                starts.merge(id, 1, Integer::sum);
            }
            hub.started(id, process.pid, 1);
        }
    }

    /** What has to hold after every second. */
    private void require() {
        Set<String> held = new HashSet<>();
        for (FleetJob job : hub.state().jobs()) {
            for (String name : job.machines()) {
                assertThat(held.add(name)).as("%s is held once", name).isTrue();
            }
            if (job.phase().isOver() || job.phase() == JobPhase.PAUSED) {
                assertThat(job.machines()).as("machines of job %d", job.id()).isEmpty();
            }
            if (job.phase() == JobPhase.FAILED) {
                assertThat(breaks.get(job.id())).as("breaks").isGreaterThanOrEqualTo(ATTEMPTS);
            }
            if (job.phase() == JobPhase.DONE) {
                assertThat(done.get(job.id())).isGreaterThanOrEqualTo(TOTAL);
            }
        }
        for (long id : submitted) {
            assertThat(hub.state().job(id)).as("job %d", id).isNotNull();
        }
        if (nowS % 10 != 0) {
            return;
        }
        FleetState again = new FleetState();
        lines.forEach(line -> again.fold(Json.parse(line, FleetEntry.class)));
        for (FleetJob job : hub.state().jobs()) {
            FleetJob kept = again.job(job.id());
            assertThat(kept).isNotNull();
            assertThat(kept.phase()).isEqualTo(job.phase());
            assertThat(kept.machines()).isEqualTo(job.machines());
            assertThat(kept.run()).isEqualTo(job.run());
        }
    }

    /** Jobs that are not over, with what they hold and why. */
    String open() {
        StringBuilder text = new StringBuilder();
        for (FleetJob job : hub.state().jobs()) {
            if (!job.phase().isOver()) {
                Process process = processes.get(job.id());
                text.append(
                        "%d %s %s run %s alive %s of %s: %s%n"
                                .formatted(
                                        job.id(),
                                        job.phase(),
                                        job.machines(),
                                        job.run(),
                                        process != null && process.isAlive,
                                        job.request().minMachines(),
                                        job.why()));
            }
        }
        hub.state().machines().forEach(machine -> text.append(machine).append('\n'));
        return text.toString();
    }

    boolean isQuiet() {
        return hub.state().jobs().stream()
                .allMatch(job -> job.phase().isOver() || job.phase() == JobPhase.PAUSED);
    }

    /** Jobs that were handed in, and whose word for it came back. */
    int jobs() {
        return submitted.size();
    }
}
