package dev.medley.benchmarks.fleet;

import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.EndedJobs;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Measures how long policies take to decide for 2,048 jobs of which some run and some just came. It
 * counts processor time of the deciding thread, and time by the clock on the wall.
 *
 * <p>{@code DecisionTime REPEATS [POLICY...]} prints a table; without names all policies.
 */
public final class DecisionTime {
    private static final int JOBS = 2048;
    private static final int KINDS = 26;

    /** Jobs that go, and that come, between two decisions. */
    private static final int CHANGED = 100;

    /** Seconds of the processor after which a cell has had enough. */
    private static final double ENOUGH_S = 3;

    private static final List<String> FORMS = List.of("single", "own", "gangs", "unsized", "grow");
    private static final List<int[]> FLEETS =
            List.of(
                    new int[] {36, 36, 36},
                    new int[] {100, 140, 160, 180, 200, 220},
                    new int[] {500, 500, 500, 500, 500, 500});

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Clock clock = Clock.system();
    private final int repeats;

    private DecisionTime(int repeats) {
        this.repeats = repeats;
    }

    /** Prints one row for each policy and fleet. */
    public static void main(String[] words) {
        DecisionTime time = new DecisionTime(Integer.parseInt(words[0]));
        System.out.println(
                "| policy | machines | decisions | processor: median | p99 | wall: median | p99 |"
                        + " slowest form, its median |\n|---|---|---|---|---|---|---|---|");
        List<String> names = Arrays.asList(words).subList(1, words.length);
        for (Policy policy : Policies.all(0)) {
            if (names.isEmpty() || names.contains(policy.name())) {
                FLEETS.forEach(fleet -> time.row(policy, fleet));
            }
        }
    }

    private void row(Policy policy, int[] fleet) {
        List<double[]> all = new ArrayList<>();
        String slowest = "";
        double most = 0;
        for (String form : FORMS) {
            List<double[]> cell = cell(policy, fleet, form);
            double median = at(cell, 0, 0.5);
            slowest = median > most ? form : slowest;
            most = Math.max(median, most);
            all.addAll(cell);
        }
        System.out.printf(
                "| %s | %,d in %d types | %d | %.1f | %.1f | %.1f | %.1f | %s, %.1f |%n",
                policy.name(),
                Arrays.stream(fleet).sum(),
                fleet.length,
                all.size(),
                at(all, 0, 0.5),
                at(all, 0, 0.99),
                at(all, 1, 0.5),
                at(all, 1, 0.99),
                slowest,
                most);
    }

    private static double at(List<double[]> ms, int which, double part) {
        double[] sorted = ms.stream().mapToDouble(one -> one[which]).sorted().toArray();
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }

    /** Milliseconds of the processor and on the wall; those of the first fifth only warm up. */
    private List<double[]> cell(Policy policy, int[] fleet, String form) {
        List<double[]> ms = new ArrayList<>();
        RandomGenerator random = Seeds.generator(fleet.length, form.hashCode());
        double[][] rates = new double[KINDS][];
        Arrays.setAll(rates, kind -> rates(random, fleet.length));
        List<JobView> jobs = new ArrayList<>();
        for (int id = 0; id < JOBS; id++) {
            jobs.add(job(id, form, rates, random));
        }
        EndedJobs ended = ended(random);
        Carried carried = Carried.NONE;
        double spentMs = 0;
        for (int round = 0; round < repeats && spentMs < 1e3 * ENOUGH_S; round++) {
            FleetView view =
                    new FleetView(1e6 + 60 * round, 60, types(fleet), jobs, ended, carried);
            long wall = clock.nowNs();
            long own = threads.getCurrentThreadCpuTime();
            Decision decision = policy.decide(view);
            double ownMs = (threads.getCurrentThreadCpuTime() - own) / 1e6;
            double wallMs = (clock.nowNs() - wall) / 1e6;
            spentMs += ownMs;
            if (round >= repeats / 5 || spentMs >= 1e3 * ENOUGH_S) {
                ms.add(new double[] {ownMs, wallMs});
            }
            carried = decision.carried();
            jobs = next(jobs, decision, random);
            for (int i = 0; i < CHANGED; i++) {
                jobs.remove(random.nextInt(jobs.size()));
                jobs.add(job(JOBS + round * CHANGED + i, form, rates, random));
            }
        }
        return ms;
    }

    /** The jobs with what they were given, after a minute. */
    private static List<JobView> next(
            List<JobView> jobs, Decision decision, RandomGenerator random) {
        Map<Long, int[]> given = new HashMap<>();
        for (Grant grant : decision.grants()) {
            given.put(grant.job(), grant.machines());
        }
        List<JobView> next = new ArrayList<>();
        for (JobView job : jobs) {
            int[] held = given.getOrDefault(job.id(), new int[job.rates().length]);
            JobProgress was = job.progress();
            boolean runs = Arrays.stream(held).anyMatch(machines -> machines > 0);
            double more = runs ? 60 : 0;
            JobProgress now =
                    new JobProgress(
                            was.arrivalS(),
                            was.serviceS() + more,
                            was.doneWork() + more * random.nextDouble(),
                            was.remainingWork(),
                            was.restartS());
            next.add(
                    new JobView(
                            job.id(),
                            job.kind(),
                            job.demand(),
                            job.rates(),
                            held,
                            now,
                            Terms.NONE));
        }
        return next;
    }

    private static EndedJobs ended(RandomGenerator random) {
        List<String> kinds = new ArrayList<>();
        double[] sizesS = new double[500];
        for (int i = 0; i < sizesS.length; i++) {
            kinds.add("kind" + random.nextInt(KINDS));
            sizesS[i] = Math.exp(5 + 6 * random.nextDouble());
        }
        return new EndedJobs(kinds, sizesS);
    }

    private static List<MachineType> types(int[] fleet) {
        List<MachineType> types = new ArrayList<>();
        for (int type = 0; type < fleet.length; type++) {
            types.add(MachineType.of("type" + type, fleet[type]));
        }
        return types;
    }

    private static double[] rates(RandomGenerator random, int types) {
        return random.doubles(types).map(drawn -> Math.exp(2 * drawn)).toArray();
    }

    private static JobView job(long id, String form, double[][] rates, RandomGenerator random) {
        int kind = random.nextInt(KINDS);
        int types = rates[kind].length;
        boolean isOwn = form.equals("own") || form.equals("gangs");
        double work = Math.exp(6 + 6 * random.nextDouble());
        Demand demand =
                switch (form) {
                    case "gangs" -> Demand.gang(1 << random.nextInt(4));
                    case "grow" -> new Demand(1, 8);
                    default -> Demand.gang(1);
                };
        return new JobView(
                id,
                "kind" + kind,
                demand,
                isOwn ? rates(random, types) : rates[kind],
                new int[types],
                new JobProgress(
                        1e6 - 3600 * random.nextDouble(),
                        0,
                        form.equals("unsized") ? work : 0,
                        form.equals("unsized") ? Double.NaN : work,
                        5),
                Terms.NONE);
    }
}
