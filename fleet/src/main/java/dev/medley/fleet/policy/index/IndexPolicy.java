package dev.medley.fleet.policy.index;

import dev.medley.fleet.assignment.GangAssignment;
import dev.medley.fleet.assignment.TypeAssignment;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Assigns jobs to machine types so that the sum of their indices is greatest. The index of a job on
 * a type is (rate / best rate)^alpha (shortness)^beta, times 1 + stay where it runs already: what
 * matters first is where a job has a comparative advantage, and how short it is only second. The
 * shortness of a job of declared size is its best rate over its remaining work, that of another the
 * Gittins index of what it has had so far, by what is predicted for its kind. Higher priorities are
 * assigned before lower ones.
 */
public final class IndexPolicy implements Policy {
    private final String name;
    private final IndexOptions options;

    /**
     * @param name the word by which users choose it
     */
    public IndexPolicy(String name, IndexOptions options) {
        this.name = name;
        this.options = options;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean ordersByPriority() {
        return true;
    }

    @Override
    public Decision decide(FleetView view) {
        int[] free = view.types().stream().mapToInt(MachineType::machines).toArray();
        double[] shortness = shortness(view);
        TreeMap<Integer, List<Integer>> byPriority = new TreeMap<>();
        for (int i = 0; i < view.jobs().size(); i++) {
            int priority = view.jobs().get(i).terms().priority();
            byPriority.computeIfAbsent(-priority, p -> new ArrayList<>()).add(i);
        }
        List<Grant> grants = new ArrayList<>();
        Map<Long, String> waiting = new HashMap<>();
        for (List<Integer> jobs : byPriority.values()) {
            assign(view, jobs, shortness, free, grants, waiting);
        }
        return new Decision(grants, waiting);
    }

    private void assign(
            FleetView view,
            List<Integer> chosen,
            double[] shortness,
            int[] free,
            List<Grant> grants,
            Map<Long, String> waiting) {
        double[][] weights = new double[chosen.size()][];
        int[] workers = new int[chosen.size()];
        for (int row = 0; row < weights.length; row++) {
            JobView job = view.jobs().get(chosen.get(row));
            workers[row] = job.demand().minWorkers();
            weights[row] = weights(job, shortness[chosen.get(row)], free);
        }
        int[] typeOf = GangAssignment.maximum(weights, workers, free);
        for (int row = 0; row < typeOf.length; row++) {
            JobView job = view.jobs().get(chosen.get(row));
            int type = typeOf[row];
            if (type == TypeAssignment.IDLE) {
                waiting.put(job.id(), waits(job, shortness[chosen.get(row)]));
            } else {
                int[] machines = new int[free.length];
                machines[type] = workers[row];
                free[type] -= workers[row];
                grants.add(
                        new Grant(
                                job.id(),
                                machines,
                                why(view, job, type, shortness[chosen.get(row)])));
            }
        }
    }

    private double[] weights(JobView job, double shortness, int[] free) {
        double best = job.bestRate();
        double[] weights = new double[free.length];
        double common =
                Math.pow(shortness, options.beta())
                        * job.terms().weight()
                        * job.demand().minWorkers();
        for (int type = 0; type < weights.length; type++) {
            double rate = job.rates()[type];
            if (rate > 0 && job.demand().minWorkers() <= free[type]) {
                double stay = job.held()[type] > 0 ? 1 + options.stay() : 1;
                double share = rate / best;
                double power = options.alpha() == 1 ? share : Math.pow(share, options.alpha());
                weights[type] = power * common * stay;
            }
        }
        return weights;
    }

    private static double[] shortness(FleetView view) {
        double[] shortness = new double[view.jobs().size()];
        SizePredictor sizes = null;
        for (int i = 0; i < shortness.length; i++) {
            JobView job = view.jobs().get(i);
            if (job.progress().sized()) {
                shortness[i] = job.bestRate() / Math.max(job.progress().remainingWork(), 1e-9);
            } else {
                sizes = sizes == null ? SizePredictor.of(view.ended(), view.jobs()) : sizes;
                shortness[i] = sizes.of(job.kind()).gittins(SizeSurvival.ageS(job));
            }
        }
        return shortness;
    }

    private static String why(FleetView view, JobView job, int type, double shortness) {
        long percent = Math.round(100 * job.rates()[type] / job.bestRate());
        return view.types().get(type).name()
                + " gives it "
                + percent
                + " % of its best rate; "
                + size(job, shortness);
    }

    private static String waits(JobView job, double shortness) {
        return "machines do more with the jobs that run; "
                + (job.bestRate() > 0
                        ? size(job, shortness)
                        : "it fits on no machine that is here");
    }

    private static String size(JobView job, double shortness) {
        String words =
                job.progress().sized() ? "left on its best machine" : "expected from its age";
        return "about " + Durations.of(1 / shortness) + " " + words;
    }
}
