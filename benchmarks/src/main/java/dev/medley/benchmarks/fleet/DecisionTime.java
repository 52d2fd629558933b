package dev.medley.benchmarks.fleet;

import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Measures how long a policy takes to decide for 2,048 jobs: the first time, and then. */
public final class DecisionTime {
    private static final int JOBS = 2048;
    private static final int REPEATS = 30;

    private DecisionTime() {}

    /** Prints one line for each policy that is named. */
    public static void main(String[] words) {
        Clock clock = Clock.system();
        for (String form : List.of("single", "gangs", "unsized")) {
            for (String word : words) {
                Policy policy = Policies.named(word);
                double[] ms = new double[REPEATS];
                for (int i = 0; i < REPEATS; i++) {
                    FleetView view = view(i, form);
                    long begin = clock.nowNs();
                    policy.decide(view);
                    ms[i] = (clock.nowNs() - begin) / 1e6;
                }
                double first = ms[0];
                Arrays.sort(ms, 1, REPEATS);
                System.out.printf(
                        "%s %s: first %.1f ms, then median %.1f, longest %.1f%n",
                        word, form, first, ms[REPEATS / 2], ms[REPEATS - 1]);
            }
        }
    }

    private static FleetView view(int seed, String form) {
        RandomGenerator random = Seeds.generator(seed, 3);
        List<MachineType> types = new ArrayList<>();
        for (int type = 0; type < 8; type++) {
            types.add(MachineType.of("type" + type, 60 + 20 * type));
        }
        List<JobView> jobs = new ArrayList<>();
        for (int id = 0; id < JOBS; id++) {
            double[] rates = new double[types.size()];
            for (int type = 0; type < rates.length; type++) {
                rates[type] = Math.exp(2 * random.nextDouble());
            }
            double work = Math.exp(12 * random.nextDouble());
            boolean isSized = !form.equals("unsized");
            jobs.add(
                    new JobView(
                            id,
                            "kind" + id % 26,
                            Demand.gang(form.equals("gangs") ? 1 << random.nextInt(4) : 1),
                            rates,
                            new int[types.size()],
                            new JobProgress(
                                    0, 0, isSized ? 0 : work, isSized ? work : Double.NaN, 5),
                            Terms.NONE));
        }
        return new FleetView(1e6, 60, types, jobs);
    }
}
