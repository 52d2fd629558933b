package dev.medley.fleet.policy.share;

import dev.medley.fleet.policy.share.ShareRounds.Candidate;
import dev.medley.fleet.policy.share.ShareRule.Shares;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what rounds by shares have to know again: shares, time that jobs had of each type since the
 * shares were computed, and what they were owed before.
 *
 * @param hadS by job and type; half a round at the beginning
 * @param owedS deficits by job and type
 * @param typeS sum of what jobs had, by type
 * @param granted what jobs got in the last round
 */
record RoundMemory(
        Shares shares,
        Map<Long, double[]> hadS,
        Map<Long, double[]> owedS,
        double[] typeS,
        Times times,
        Map<Long, Lent> granted)
        implements Carried {
    /**
     * Holds moments.
     *
     * @param changed whether jobs or machines came or went since shares were computed
     * @param machines by type, as they were last seen
     * @param names of types, in whose order all arrays are
     */
    record Times(
            double resetS,
            double decidedS,
            boolean changed,
            List<Integer> machines,
            List<String> names) {}

    private static List<String> names(FleetView view) {
        return view.types().stream().map(MachineType::name).toList();
    }

    private static List<Integer> machines(FleetView view) {
        return view.types().stream().map(MachineType::machines).toList();
    }

    /**
     * Holds what a job got in a round.
     *
     * @param servedS seconds that it had been served before
     */
    record Lent(int type, double servedS) {}

    boolean changed() {
        return times.changed();
    }

    double resetS() {
        return times.resetS();
    }

    /** What the view carries, with the round that has passed counted. */
    static RoundMemory of(FleetView view) {
        int types = view.types().size();
        boolean isKnown =
                view.carried() instanceof RoundMemory known
                        && known.times.names().equals(names(view));
        RoundMemory before =
                isKnown
                        ? (RoundMemory) view.carried()
                        : new RoundMemory(
                                Shares.NONE,
                                Map.of(),
                                Map.of(),
                                new double[types],
                                new Times(0, view.nowS(), true, List.of(), names(view)),
                                Map.of());
        return before.passed(view);
    }

    private RoundMemory passed(FleetView view) {
        int types = typeS.length;
        double passedS = view.nowS() - times.decidedS();
        double[] sums = typeS.clone();
        granted.values().forEach(lent -> sums[lent.type()] += passedS);
        Map<Long, double[]> had = new HashMap<>();
        Map<Long, double[]> owed = new HashMap<>();
        boolean isChanged =
                times.changed()
                        || view.jobs().size() != hadS.size()
                        || !times.machines().equals(machines(view));
        for (JobView job : view.jobs()) {
            double[] own = hadS.get(job.id());
            isChanged |= own == null;
            double[] now = own == null ? filled(types, view.roundS() / 2) : own.clone();
            Lent lent = granted.get(job.id());
            if (lent != null) {
                now[lent.type()] += job.progress().serviceS() - lent.servedS();
            }
            had.put(job.id(), now);
            owed.put(job.id(), owedS.getOrDefault(job.id(), new double[types]));
        }
        Times now = new Times(times.resetS(), view.nowS(), isChanged, machines(view), names(view));
        return new RoundMemory(shares, had, owed, sums, now, Map.of());
    }

    private static double[] filled(int length, double value) {
        double[] array = new double[length];
        java.util.Arrays.fill(array, value);
        return array;
    }

    /** New shares: what was owed until now is kept, and what was had is forgotten. */
    RoundMemory reset(FleetView view, Shares now) {
        int types = typeS.length;
        double passedS = view.nowS() - times.resetS();
        Map<Long, double[]> had = new HashMap<>();
        Map<Long, double[]> owed = new HashMap<>();
        double[] sums = new double[types];
        hadS.forEach(
                (job, own) -> {
                    double[] share = shares.byJob().getOrDefault(job, new double[types]);
                    double[] debt = owedS.getOrDefault(job, new double[types]).clone();
                    for (int type = 0; type < types; type++) {
                        debt[type] += share[type] * passedS - (own[type] - view.roundS() / 2);
                        sums[type] += view.roundS() / 2;
                    }
                    owed.put(job, debt);
                    had.put(job, filled(types, view.roundS() / 2));
                });
        Times at = new Times(view.nowS(), view.nowS(), false, machines(view), names(view));
        return new RoundMemory(now, had, owed, sums, at, Map.of());
    }

    /** Whether it has shares. */
    boolean isKnown(JobView job) {
        return shares.byJob().containsKey(job.id());
    }

    Candidate candidate(JobView job, int type) {
        double[] own = shares.byJob().get(job.id());
        double share = own == null ? 0 : own[type];
        double[] had = hadS.getOrDefault(job.id(), new double[typeS.length]);
        double[] owed = owedS.getOrDefault(job.id(), new double[typeS.length]);
        double fraction = typeS[type] == 0 ? 0 : had[type] / typeS[type];
        double priority = fraction > 0 ? share / fraction : share * 1e9;
        boolean isNone = share == 0 || job.rates()[type] <= 0;
        return new Candidate(job, isNone ? 0 : priority, owed[type], share);
    }

    @Override
    public RoundMemory granted(FleetView view, List<Grant> all) {
        Map<Long, Grant> grants = new HashMap<>();
        all.forEach(grant -> grants.put(grant.job(), grant));
        Map<Long, Lent> lent = new HashMap<>();
        for (JobView job : view.jobs()) {
            Grant grant = grants.get(job.id());
            int most = 0; // A job that was dealt idle ones of other types counts for its main one.
            for (int type = 0; grant != null && type < typeS.length; type++) {
                if (grant.machines()[type] > most) {
                    most = grant.machines()[type];
                    lent.put(job.id(), new Lent(type, job.progress().serviceS()));
                }
            }
        }
        return new RoundMemory(shares, hadS, owedS, typeS, times, lent);
    }
}
